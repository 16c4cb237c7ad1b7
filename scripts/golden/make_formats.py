#!/usr/bin/env python3
"""Writes model cases into tests/data: for each block type of GGUF files a small Llama with random
codes in which every matrix has this type, and what transformers computes with the widened values.

    python3 scripts/golden/make_formats.py [all|TYPE...]

Needs the packages of make_models.py.
"""
import pathlib
import sys

import make_models as models

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/data"
TOKENS = 300  # of the tokenizer: the bytes and the first merges
RUNS = [{"name": "short", "images": [], "prompt":
         "<|im_start|>user\n12 ships, 1,840 t of timber: who pays?<|im_end|>\n"
         "<|im_start|>assistant\n"}]  # fmt: skip

CLEAR = 0.15  # the two best logits of a reply are further apart
CHAT_TEMPLATE = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
    "'<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
    "{% endif %}")  # fmt: skip

# Blocks of 256 values want rows of 256; of the others a row has an odd number.
WIDE = {"hidden_size": 256, "intermediate_size": 256, "num_attention_heads": 8,
        "num_key_value_heads": 1, "num_hidden_layers": 1}  # fmt: skip
NARROW = {"hidden_size": 96, "intermediate_size": 160, "num_attention_heads": 3,
          "num_key_value_heads": 1, "num_hidden_layers": 2}  # fmt: skip
HALVES = {**NARROW, "hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 2}
SHAPES = {"Q4_0": NARROW, "Q4_1": NARROW, "Q8_0": NARROW, "MXFP4": NARROW, "F16": HALVES,
          "BF16": HALVES, "Q4_K": WIDE, "Q5_K": WIDE, "Q6_K": WIDE, "IQ4_XS": WIDE}  # fmt: skip


def small_tokenizer():
    """Returns a tokenizer with the first tokens of the others' tokenizer, then the marks of a
    chat."""
    whole = models.read_json(models.QWEN_SOURCE / "model/tokenizer.json")
    vocabulary = {token: at for token, at in whole["model"]["vocab"].items() if at < TOKENS}
    pairs = [pair.split() if isinstance(pair, str) else pair for pair in whole["model"]["merges"]]
    whole["model"]["vocab"] = vocabulary
    whole["model"]["merges"] = [" ".join(pair) for pair in pairs
                                if all(part in vocabulary for part in (*pair, "".join(pair)))]  # fmt: skip
    marks = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    whole["added_tokens"] = [{**token, "id": TOKENS + marks.index(token["content"])}
                             for token in whole["added_tokens"] if token["content"] in marks]  # fmt: skip
    return whole


def make_case(name, seed):
    """With the first seed with which rounding to 8 bits changes no token of the reply."""
    config = models.llama_config(
        **SHAPES[name], vocab_size=TOKENS + 4, bos_token_id=TOKENS + 1, eos_token_id=TOKENS + 2,
        tie_word_embeddings=True)  # fmt: skip
    types = {part: (name,) * config["num_hidden_layers"] for part in (*models.IN_LAYER, "token_embd")}
    held = models.HELD_HALVES if name in ("F16", "BF16") else models.HELD_CODES
    case = DATA / f"gguf_{name.lower()}"
    while not tried(case, config, types, seed, held):
        seed += len(SHAPES)


def tried(case, config, types, seed, held):
    """Writes the case; whether the seed will do."""
    try:
        # Embeddings that are the head are narrow: wide ones would only call for their own token.
        models.gguf_case(case, models.LLAMA, config, types, CHAT_TEMPLATE, RUNS, seed,
                         small_tokenizer(), held, embedding=0.15)  # fmt: skip
    except SystemExit:
        return False
    (run,) = models.read_json(case / "case.json")["runs"]
    return run["gen_top1_top2_gap_min"] > CLEAR and "<|" not in run["gen_text"]


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for at, name in enumerate(SHAPES):
        if name in chosen or chosen == ["all"]:
            make_case(name, 340 + at)


if __name__ == "__main__":
    main()
