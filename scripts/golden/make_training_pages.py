#!/usr/bin/env python3
"""Writes tests/golden/training_pages.safetensors: losses of trainings on page images and their
gradients, by transformers and PEFT.

    .venv-peers/bin/python scripts/golden/make_training_pages.py tests/golden/training_pages.safetensors

Needs torch, transformers, peft, safetensors and pillow (tests/benchmarks/requirements.txt).

Networks are those of transformers with low-rank changes by PEFT; gradients are autograd's. Pages
have a size that no processor changes, so that both sides see the same pixels.
"""
import sys

from make_models import DATA, PICTURE, QWEN2, QWEN25, SYSTEM, read_model  # before what imports torchvision

import numpy as np
import peft
import torch
from PIL import Image
from safetensors.torch import save_file
from transformers import AutoProcessor

SEED, RANK, ALPHA, TEMPERATURE, MOST_TOKENS = 11, 3, 12.0, 0.05, 12
TARGETS = r".*language_model\.layers\..*\.(q_proj|v_proj|down_proj)"
WIDTH, HEIGHT = 84, 112
TOLD = "You judge pages."
JUDGED = [("How many lamps were sold?", 4), ("Who owns the ferry?", 1)]
END = "<|im_end|>\n<|endoftext|>"
TEXTS = ["The ferry was built in 1962 and sold in 1971 to the harbour of Orrby, which has it still.",
         "Lamps: 420"]


def picture(number):
    """Returns the picture of the test's formula."""
    y, x, c = np.indices((HEIGHT, WIDTH, 3))
    return Image.fromarray(((x * 7 + y * 13 + c * 50 + number * 31) % 256).astype(np.uint8))


def changed(base, random):
    model = peft.get_peft_model(base, peft.LoraConfig(r=RANK, lora_alpha=ALPHA, target_modules=TARGETS))
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            if "lora_" in name:
                weight.copy_(torch.randn(weight.shape, generator=random) / 8)
    return model.eval()


def changes_of(model):
    """Yields the low-rank changes with their names in the checkpoint and the adapter."""
    for name, weight in model.named_parameters():
        if "lora_" in name:
            short = name.removeprefix("base_model.model.").replace(".default", "")
            yield short.replace("model.language_model.", "model."), weight


def keep(out, name, model, loss):
    model.zero_grad()
    loss.backward(retain_graph=True)
    out[f"{name}.loss"] = loss.detach()
    for place, weight in changes_of(model):
        out[f"{name}.gradient.{place}"] = weight.grad.clone()


def unit(row):
    return row / row.norm()


def page_positions(model, inputs, behind):
    """Returns the positions of a page's tokens and of the text after it."""
    positions, _ = model.model.get_rope_index(
        inputs["input_ids"], mm_token_type_ids=inputs["mm_token_type_ids"],
        image_grid_thw=inputs["image_grid_thw"])  # fmt: skip
    rest = positions.max() + 1 + torch.arange(behind)
    return torch.cat([positions, rest.expand(3, 1, -1)], dim=2)


def compression_mask(page, total):
    """Returns a mask that is 0 where a token may look: text after the page sees only its last
    token."""
    row, column = torch.arange(total)[:, None], torch.arange(total)
    seen = (column <= row) & ((row < page) | (column >= page - 1))
    return torch.where(seen, 0.0, torch.finfo(torch.float32).min)[None, None]


def compression(out, random):
    """Computes VDocRAG's two losses on two pages."""
    folder = DATA / "dse_qwen2" / "model"
    processor = AutoProcessor.from_pretrained(folder)
    tokenizer = processor.tokenizer
    base = read_model(QWEN2, folder)
    model = changed(base, random)
    out |= {f"compression.{name}": weight.detach().clone() for name, weight in changes_of(model)}
    questions, pages, written = [], [], []
    for number, text in enumerate(TEXTS):
        ids = tokenizer(text, return_tensors="pt").input_ids[:, :MOST_TOKENS]
        asked = f"{SYSTEM}<|im_start|>user\nQuery: {tokenizer.decode(ids[0])}{END}"
        hidden = base.model(**tokenizer(asked, return_tensors="pt")).last_hidden_state[0]
        questions.append(unit(hidden[-1]))
        shown = f"{SYSTEM}<|im_start|>user\n{PICTURE}What is shown in this image?{END}"
        inputs = processor(text=[shown], images=[picture(number)], return_tensors="pt",
                           return_mm_token_type_ids=True)  # fmt: skip
        page, total = inputs["input_ids"].shape[1], inputs["input_ids"].shape[1] + ids.shape[1]
        hidden = base.model(
            input_ids=torch.cat([inputs["input_ids"], ids], dim=1), pixel_values=inputs["pixel_values"],
            image_grid_thw=inputs["image_grid_thw"], attention_mask=compression_mask(page, total),
            position_ids=page_positions(base, inputs, ids.shape[1])).last_hidden_state[0]  # fmt: skip
        pages.append(unit(hidden[page - 1]))
        logits = base.lm_head(hidden[page - 1 : -1])
        written.append(torch.nn.functional.cross_entropy(logits, ids[0]))
    similarities = torch.stack(questions) @ torch.stack(pages).T / TEMPERATURE
    rcr = torch.nn.functional.cross_entropy(similarities, torch.arange(len(TEXTS)))
    rcg = torch.stack(written).mean()
    keep(out, "rcr", model, rcr)
    keep(out, "rcg", model, rcg)


def judge(out, random):
    """Computes MoLoRAG+'s loss: the cross-entropy of a mark and the end of the reply, after a page
    and a question."""
    folder = DATA / "qwen25vl_b_tied_v5layout" / "model"
    processor = AutoProcessor.from_pretrained(folder)
    base = read_model(QWEN25, folder)
    model = changed(base, random)
    out |= {f"judging.{name}": weight.detach().clone() for name, weight in changes_of(model)}
    losses = []
    for number, (question, mark) in enumerate(JUDGED):
        prompt = (f"<|im_start|>system\n{TOLD}<|im_end|>\n<|im_start|>user\nPage 0: {PICTURE}{question}"
                  "<|im_end|>\n<|im_start|>assistant\n")  # fmt: skip
        inputs = processor(text=[f"{prompt}{mark}<|im_end|>"], images=[picture(number)], return_tensors="pt",
                           return_mm_token_type_ids=True)  # fmt: skip
        labels = inputs["input_ids"].clone()
        labels[:, :-2] = -100
        logits = base(**inputs, use_cache=False).logits[0]
        losses.append(torch.nn.functional.cross_entropy(logits[:-1], labels[0, 1:]))
        odds = torch.log_softmax(logits[-3], -1)
        marks = [processor.tokenizer(str(at)).input_ids[0] for at in range(1, 6)]
        out[f"judge.odds{number}"] = odds[marks].detach()
    keep(out, "judge", model, torch.stack(losses).mean())


def main():
    out = {}
    compression(out, torch.Generator().manual_seed(SEED))
    judge(out, torch.Generator().manual_seed(SEED + 1))
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, sys.argv[1],
              metadata={"torch": torch.__version__})


if __name__ == "__main__":
    main()
