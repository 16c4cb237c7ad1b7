#!/usr/bin/env python3
"""Writes tests/golden/bm25.json: BM25 scores of random texts by bm25s.

    python3 scripts/golden/make_bm25.py > tests/golden/bm25.json

Needs bm25s, numpy (tests/benchmarks/requirements.txt)
"""
import json
import random

import bm25s

SEED = 20
UNITS = 12
TERMS = 15


def draw_units(rng):
    """Returns lists of 1 to 30 term numbers, of which small ones are frequent."""
    return [
        [min(int(rng.expovariate(0.3)), TERMS - 1) for _ in range(rng.randint(1, 30))]
        for _ in range(UNITS)
    ]


def scores_of(units, terms, k1, b):
    index = bm25s.BM25(k1=k1, b=b, method="lucene")
    vocabulary = {str(t): t for t in range(TERMS)}
    index.index((units, vocabulary), show_progress=False)
    return [float(s) for s in index.get_scores_from_ids(terms)]


def main():
    rng = random.Random(SEED)
    units = draw_units(rng)
    queries = []
    for k1, b in [(1.5, 0.75), (1.2, 0.0), (0.9, 1.0)]:
        for length in (1, 3):
            terms = rng.sample(range(TERMS), length)
            queries.append({"terms": terms, "k1": k1, "b": b,
                            "scores": scores_of(units, terms, k1, b)})
    print(json.dumps({
        "command": "python3 scripts/golden/make_bm25.py > tests/golden/bm25.json",
        "versions": {"bm25s": bm25s.__version__},
        "units": units,
        "queries": queries,
    }))


if __name__ == "__main__":
    main()
