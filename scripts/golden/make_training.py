#!/usr/bin/env python3
"""Writes tests/golden/training.safetensors: training losses and their gradients, by PyTorch.

    .venv-peers/bin/python scripts/golden/make_training.py tests/golden/training.safetensors

Needs torch, transformers and safetensors (tests/benchmarks/requirements.txt).

Losses follow the equations one pair at a time in float64; gradients are autograd's. Networks are
those of transformers: every weight of a BERT, and low-rank changes of a Qwen3.
"""
import itertools
import pathlib
import sys

import torch
from safetensors.torch import save_file
from transformers import AutoModel, AutoTokenizer

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data"
SEED, QUESTIONS, NEGATIVES, DIM, PARTS = 7, 5, 3, 24, 2
TEMPERATURE, ALPHA, BETA, EPSILON = 0.05, 0.5, 0.7, 1e-8
PAIRS = [("When was the ferry built?", "The ferry was built in 1962."),
         ("Who sold the lamp?", "A lamp of brass, sold by the museum to Ms Orr."),
         ("How long is the bridge?", "The bridge is 420 metres long and has three arches.")]
# Gradients of these are kept.
BERT_KEPT = ["embeddings.word_embeddings.weight", "embeddings.LayerNorm.weight",
             "encoder.layer.0.attention.self.query.weight", "encoder.layer.1.output.dense.bias",
             "encoder.layer.2.intermediate.dense.weight"]
LORA_RANK, LORA_ALPHA, LORA_TARGETS = 3, 12.0, ("q_proj", "v_proj", "down_proj")


def spread(values, kind):
    deviation = values - values.mean()
    population = (deviation * deviation).mean()
    if kind == "var":
        return population
    if kind == "unbiased":
        return (population * len(values) / (len(values) - 1)).sqrt()
    return population.sqrt()


def mask(question, page, kind="std", absolute=True):
    agreement = question * page
    if absolute:
        agreement = agreement.abs()
    squashed = 1 / (1 + torch.exp(-(agreement - agreement.mean()) / (spread(agreement, kind) + EPSILON)))
    low = squashed > squashed.mean() - ALPHA * spread(squashed, kind)
    high = squashed > squashed.mean() + ALPHA * spread(squashed, kind)
    return ((low.double() + high.double()) / 2).detach()


def cosine(question, page):
    return (question * page).sum() / (question.norm() * page.norm())


def contrastive(rows):
    """Returns the contrastive loss; rows[b][i] is the similarity of b with i, and i = b is the
    positive."""
    losses = []
    for b, row in enumerate(rows):
        scaled = torch.stack(row) / TEMPERATURE
        losses.append(torch.logsumexp(scaled, 0) - scaled[b])
    return torch.stack(losses).mean()


class Losses:
    """Losses of questions and pages, whose gradients are kept; `part[x][i]` belongs to each
    mask."""

    def __init__(self, questions, pages, of, others, part, **masking):
        self.q, self.p, self.of, self.others, self.part = questions, pages, of, others, part
        self.masking = masking

    def mask_of(self, b, i):
        """Returns the mask of page i for question b, and its place among all masks."""
        if self.others == "own":
            return mask(self.q[self.of[i]], self.p[i], **self.masking), i
        if self.others == "pairwise":
            return mask(self.q[b], self.p[i], **self.masking), b * len(self.p) + i
        return mask(self.q[b], self.p[b], **self.masking), b

    def similarity(self, b, i, part=None):
        kept, place = self.mask_of(b, i)
        if part is not None:
            kept = kept * (self.part[place] == part)
        return cosine(self.q[b], self.p[i] * kept)

    def rows(self, part=None):
        return [[self.similarity(b, i, part) for i in range(len(self.p))] for b in range(len(self.q))]

    def infonce(self):
        return contrastive([[cosine(q, p) for p in self.p] for q in self.q])

    def din(self):
        back = []
        for i in range(len(self.q)):
            row = []
            for b in range(len(self.q)):
                kept = self.mask_of(i if self.others == "anchor" else b, i)[0]
                row.append(cosine(self.q[b], self.p[i] * kept))
            back.append(row)
        return (contrastive(self.rows()) + contrastive(back)) / 2

    def sin(self):
        return sum(contrastive(self.rows(part)) for part in range(PARTS)) / PARTS

    def both(self):
        return self.din() + BETA * self.sin()


def unit(rows):
    return rows / rows.norm(dim=-1, keepdim=True)


def losses(out, random):
    questions = unit(torch.randn(QUESTIONS, DIM, generator=random, dtype=torch.float64)).float()
    pages = unit(torch.randn(QUESTIONS + NEGATIVES, DIM, generator=random, dtype=torch.float64)).float()
    pages[:QUESTIONS] = unit(pages[:QUESTIONS] + 0.3 * questions)
    of = list(range(QUESTIONS)) + [0, 0, 2]
    out |= {"questions": questions, "pages": pages, "of": torch.tensor(of)}
    masks = {"own": len(pages), "pairwise": len(pages) * QUESTIONS, "anchor": QUESTIONS}
    for others, count in masks.items():
        part = torch.randint(PARTS, (count, DIM), generator=random)
        out[f"part.{others}"] = part
        for loss in ("infonce", "din", "sin", "both"):
            q = questions.double().requires_grad_()
            p = pages.double().requires_grad_()
            value = getattr(Losses(q, p, of, others, part), loss)()
            value.backward()
            name = f"{others}.{loss}"
            out |= {name: value.detach().float(), f"{name}.questions": q.grad.float(),
                    f"{name}.pages": p.grad.float()}
    for kind, absolute in itertools.product(("std", "unbiased", "var"), (True, False)):
        rows = [mask(questions[b].double(), pages[b].double(), kind, absolute) for b in range(QUESTIONS)]
        out[f"mask.{kind}.{int(absolute)}"] = torch.stack(rows).float()


def pairs_loss(vectors):
    similarities = vectors[:len(PAIRS)] @ vectors[len(PAIRS):].T / TEMPERATURE
    return torch.nn.functional.cross_entropy(similarities, torch.arange(len(PAIRS)))


def all_texts():
    return [question for question, _ in PAIRS] + [passage for _, passage in PAIRS]


def bert(out):
    folder = DATA / "bert_mean_a" / "model"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, add_pooling_layer=False).eval()
    vectors = []
    for text in all_texts():
        hidden = model(**tokenizer(text, return_tensors="pt")).last_hidden_state[0]
        vectors.append(hidden.mean(0))
    loss = pairs_loss(unit(torch.stack(vectors)))
    loss.backward()
    out["bert.loss"] = loss.detach()
    for name in BERT_KEPT:
        gradient = model.get_parameter(name).grad
        out[f"bert.{name}"] = gradient[:64].contiguous() if name.endswith("word_embeddings.weight") else gradient
    squares = sum(p.grad.double().square().sum() for p in model.parameters() if p.grad is not None)
    out["bert.length"] = squares.sqrt().float()


def lora(out, random):
    folder = DATA / "qwen3_embed" / "model"
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    changes = {}
    for name, module in model.named_modules():
        if name.split(".")[-1] not in LORA_TARGETS:
            continue
        down = torch.randn(LORA_RANK, module.in_features, generator=random) / 8
        up = torch.randn(module.out_features, LORA_RANK, generator=random) / 8
        changes[name] = (down.requires_grad_(), up.requires_grad_())
        plain = module.weight.detach()
        del module.weight
        module.forward = lambda x, w=plain, d=down, u=up: torch.nn.functional.linear(
            x, w + LORA_ALPHA / LORA_RANK * (u @ d))
    vectors = []
    for text in all_texts():
        ids = tokenizer(text, return_tensors="pt").input_ids
        vectors.append(model(input_ids=ids).last_hidden_state[0, -1])
    loss = pairs_loss(unit(torch.stack(vectors)))
    loss.backward()
    out["lora.loss"] = loss.detach()
    for name, (down, up) in changes.items():
        for side, tensor in (("A", down), ("B", up)):
            out[f"lora.{name}.lora_{side}.weight"] = tensor.detach()
            out[f"lora.{name}.lora_{side}.gradient"] = tensor.grad


def main():
    out = {}
    random = torch.Generator().manual_seed(SEED)
    losses(out, random)
    bert(out)
    lora(out, random)
    save_file({name: tensor.contiguous() for name, tensor in out.items()}, sys.argv[1],
              metadata={"torch": torch.__version__})


if __name__ == "__main__":
    main()
