#!/usr/bin/env python3
"""Computes the share of right answers as WikiTableQuestions defines it: the same set of values.

    scripts/data/reader/score_wtq.py PREDICTIONS wikitables.gold.jsonl
"""

import denotations
import scoring


def score(predictions, gold):
    right = 0
    for row in gold:
        targets = denotations.values(row["gold"], row.get("canonical"))
        said = denotations.values(scoring.answers(predictions.get(row["id"])))
        right += denotations.same(targets, said)
    return {"questions": len(gold), "accuracy": scoring.percent(right, len(gold))}


if __name__ == "__main__":
    scoring.main("Accuracy of WikiTableQuestions.", score)
