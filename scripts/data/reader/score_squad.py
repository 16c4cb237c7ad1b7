#!/usr/bin/env python3
"""Computes exact match and F1 as SQuAD defines them, and how well questions without an answer are
recognised.

    scripts/data/reader/score_squad.py PREDICTIONS squadshifts.test.jsonl
    scripts/data/reader/score_squad.py PREDICTIONS squadshifts.nothing.test.jsonl [--threshold 0.5]

A prediction counts with the gold text that it fits best. For a question without gold texts the
right answer is no answer: an empty one, or one whose "null" is above the threshold. "balanced" is
the mean of the share of questions with an answer, and of those without, that are recognised as
such. "balanced_best" is the same at the threshold at which it is highest.
"""

from collections import Counter

import scoring
from shared import plain


def f1(said, gold):
    said, gold = plain(said).split(), plain(gold).split()
    if not said or not gold:
        return float(said == gold)
    shared = sum((Counter(said) & Counter(gold)).values())
    return 2 * shared / (len(said) + len(gold))


def balanced(nulls, threshold):
    told = [null > threshold for null, empty in nulls if empty]
    kept = [null <= threshold for null, empty in nulls if not empty]
    return (sum(told) / len(told) + sum(kept) / len(kept)) / 2


def score(predictions, gold, threshold):
    exact = overlap = 0.0
    nulls = []
    for row in gold:
        prediction = predictions.get(row["id"])
        said = scoring.answers(prediction)
        null = (prediction or {}).get("null")
        null = float(not said) if null is None else float(null)
        nulls.append((null, not row["gold"]))
        text = "" if null > threshold else " ".join(said)
        exact += max(plain(text) == plain(answer) for answer in row["gold"] or [""])
        overlap += max(f1(text, answer) for answer in row["gold"] or [""])
    result = {
        "questions": len(gold),
        "exact_match": scoring.percent(exact, len(gold)),
        "f1": scoring.percent(overlap, len(gold)),
    }
    if {empty for _, empty in nulls} == {True, False}:
        thresholds = sorted({null for null, _ in nulls} | {-1.0})
        thresholds = thresholds[:: max(1, len(thresholds) // 500)]
        result["balanced"] = scoring.percent(balanced(nulls, threshold), 1)
        best = max(thresholds, key=lambda at: balanced(nulls, at))
        result["balanced_best"] = scoring.percent(balanced(nulls, best), 1)
        result["threshold_best"] = round(best, 4)
    return result


if __name__ == "__main__":
    threshold = {"type": float, "default": 0.5, "help": "above it, no answer is given (0.5; above 1: always answer)"}
    scoring.main(
        "Exact match and F1 of SQuAD, and how well questions without an answer are recognised.",
        score,
        threshold=threshold,
    )
