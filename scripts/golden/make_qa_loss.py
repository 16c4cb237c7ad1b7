#!/usr/bin/env python3
"""Writes tests/golden/qa_loss.safetensors: losses of answers of the QA model and gradients, by
PyTorch.

    .venv-peers/bin/python scripts/golden/make_qa_loss.py tests/golden/qa_loss.safetensors

Needs torch and safetensors (tests/benchmarks/requirements.txt).

Probabilities are computed one by one in float64, as qa_loss.h defines them; gradients are
autograd's. Every case has two passages: a text of 6 tokens, of which 2 to 4 are text and 3 is a
number, and a table of 9 tokens whose units are the tokens 1, 2 to 3, 4, and 5 to 7.
"""
import sys

import torch
from safetensors.torch import save_file

OPERATORS = ["span", "spans", "count", "sum", "average", "difference", "ratio", "change", "yes", "no"]
START, END, SEVERAL, CHOSEN, SINGLE, FIRST, SECOND = range(7)
TEXT, TABLE = 0, 1
TEXT_TOKENS = [2, 3, 4]
UNITS = {TEXT: [[3]], TABLE: [[1], [2, 3], [4], [5, 6, 7]]}
LENGTHS = [6, 9]

# Each answer: passage, operator, tokens of spans or units, count.
CASES = {
    "nothing": ([], None),
    "span": ([(TEXT, "span", [(3, 4)], None)], None),
    "cell": ([(TABLE, "span", [2], None)], 2),
    "either": ([(TEXT, "span", [(2, 2)], None), (TABLE, "span", [0], None)], None),
    "spans": ([(TEXT, "spans", [(2, 2), (4, 4)], None)], None),
    "cells": ([(TABLE, "spans", [1, 3], None)], None),
    "sum": ([(TABLE, "sum", [0, 1], None)], 1),
    "average": ([(TABLE, "average", [2, 3], None)], None),
    "count": ([(TABLE, "count", [0, 2, 3], None)], None),
    "counted": ([(TABLE, "count", [], 2.0)], None),
    "difference": ([(TABLE, "difference", [1, 0], None)], None),
    "ratio": ([(TABLE, "ratio", [3, 2], None), (TABLE, "ratio", [1, 0], None)], None),
    "change": ([(TABLE, "change", [0, 3], None)], 4),
    "yes": ([(TABLE, "yes", [], None)], None),
    "no": ([(TEXT, "no", [], None)], None),
}


def probability_of_place(values, place):
    return values[place].exp() / values.exp().sum()


def choice_cost(odds, chosen):
    chances = 1 / (1 + (-odds).exp())
    missed = sum(-chances[i].log() for i in chosen) / len(chosen)
    others = [i for i in range(len(odds)) if i not in chosen]
    wrong = sum((-(1 - chances[i]).log() for i in others), torch.zeros((), dtype=torch.float64))
    return missed + wrong / max(len(chosen), len(others) / 4)


def likelihood(answer, passages, tokens):
    place, operator, parts, count = answer
    numbers = tokens[place]
    units = torch.stack([numbers[unit].mean(0) for unit in UNITS[place]])
    result = probability_of_place(passages[place][1:11], OPERATORS.index(operator))
    if operator == "span" and place == TEXT:
        first, last = parts[0]
        result = result * probability_of_place(numbers[TEXT_TOKENS, START], TEXT_TOKENS.index(first))
        result = result * probability_of_place(numbers[TEXT_TOKENS, END], TEXT_TOKENS.index(last))
    elif operator == "span":
        result = result * probability_of_place(units[:, SINGLE], parts[0])
    elif operator == "spans" and place == TEXT:
        inside = [TEXT_TOKENS.index(t) for first, last in parts for t in range(first, last + 1)]
        result = result * (-choice_cost(numbers[TEXT_TOKENS, SEVERAL], inside)).exp()
    elif operator in ("difference", "ratio", "change"):
        result = result * probability_of_place(units[:, FIRST], parts[0])
        result = result * probability_of_place(units[:, SECOND], parts[1])
    elif operator == "count" and not parts:
        found = (1 / (1 + (-units[:, CHOSEN]).exp())).sum()
        apart = ((1 + found).log() - torch.tensor(1 + count, dtype=torch.float64).log()).abs()
        result = result * (-2 * apart).exp()
    elif parts:
        result = result * (-choice_cost(units[:, CHOSEN], parts)).exp()
    return result


def loss(case, passages, tokens):
    answers, scale = case
    weights = torch.cat([torch.ones(1, dtype=torch.float64), passages[:, 0].exp()])
    right = sorted({answer[0] + 1 for answer in answers}) or [0]
    total = -(weights[right].sum() / weights.sum()).log()
    if answers:
        total = total - sum(likelihood(answer, passages, tokens) for answer in answers).log()
    if scale is not None:
        total = total - 0.5 * probability_of_place(passages[answers[0][0]][11:], scale).log()
    return total


def main():
    generator = torch.Generator().manual_seed(5)
    passages = torch.randn(2, 16, generator=generator)
    tokens = torch.randn(sum(LENGTHS), 7, generator=generator)
    kept = {"passages": passages, "tokens": tokens}
    for name, case in CASES.items():
        wide = [values.double().requires_grad_() for values in (passages, tokens)]
        value = loss(case, wide[0], wide[1].split(LENGTHS))
        value.backward()
        kept[name] = value.detach().float().reshape(1)
        for kind, leaf in zip(("passages", "tokens"), wide):
            gradient = torch.zeros_like(leaf) if leaf.grad is None else leaf.grad
            kept[f"{name}.{kind}"] = gradient.float()
    save_file({name: values.contiguous() for name, values in kept.items()}, sys.argv[1])


if __name__ == "__main__":
    main()
