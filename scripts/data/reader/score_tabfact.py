#!/usr/bin/env python3
"""Computes the share of statements that are rightly called true or false ("yes" or "no"), as
TabFact does.

    scripts/data/reader/score_tabfact.py PREDICTIONS tabfact.val.jsonl
"""

import scoring


def score(predictions, gold):
    right = {"yes": 0, "no": 0}
    for row in gold:
        wanted = row["gold"][0]
        right[wanted] += [said.strip().lower() for said in scoring.answers(predictions.get(row["id"]))] == [wanted]
    counts = {label: sum(row["gold"] == [label] for row in gold) for label in right}
    result = {"statements": len(gold), "accuracy": scoring.percent(sum(right.values()), len(gold))}
    return result | {f"accuracy_{label}": scoring.percent(right[label], counts[label]) for label in right}


if __name__ == "__main__":
    scoring.main("Accuracy of statements called true or false.", score)
