#!/usr/bin/env python3
"""Writes tests/golden/ranking.json: random rankings and their scores by ir_measures.

    python3 scripts/golden/make_ranking.py > tests/golden/ranking.json

Needs ir_measures (tests/benchmarks/requirements.txt)
"""
import importlib.metadata
import json
import random

import ir_measures
from ir_measures import AP, RR, P, R, Success, nDCG

SEED = 8
CASES = 40
PAGES = 25
CUTS = (1, 3, 5, 10)


def draw_case(rng):
    """Returns a ranking without repeats, sometimes short, and gold pages with gains, which the
    ranking may lack."""
    pages = [f"p{i:02}" for i in range(PAGES)]
    ranking = rng.sample(pages, rng.choice((1, 2, 4, 10, PAGES)))
    gold = rng.sample(pages, rng.choice((1, 1, 2, 3, 7)))
    gains = [rng.choice((1, 1, 2, 3)) for _ in gold]
    return ranking, dict(sorted(zip(gold, gains)))


def measure(ranking, gold):
    run = {"q": {page: float(len(ranking) - i) for i, page in enumerate(ranking)}}
    qrels = {"q": gold}
    measures = [RR, AP] + [m @ k for k in CUTS for m in (R, P, Success, nDCG)]
    return {str(m): v for m, v in ir_measures.calc_aggregate(measures, qrels, run).items()}


def main():
    rng = random.Random(SEED)
    cases = []
    for _ in range(CASES):
        ranking, gold = draw_case(rng)
        cases.append({
            "ranking": ranking,
            "gold": list(gold),
            "gains": list(gold.values()),
            "scores": measure(ranking, gold),
        })
    print(json.dumps({
        "command": "python3 scripts/golden/make_ranking.py > tests/golden/ranking.json",
        "versions": {"ir_measures": importlib.metadata.version("ir_measures")},
        "cases": cases,
    }, indent=None))


if __name__ == "__main__":
    main()
