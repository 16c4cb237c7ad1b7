#!/usr/bin/env python3
"""Measures how number formats and token pooling change rankings, and prints a Markdown table.

    python3 scripts/golden/measure_rank_loss.py [--work build/rankings]

Reads the vectors that make_rankings.py keeps in --work. It also draws random ones, for which the
best scores are close together: the hardest case. Each ranking is compared with that of the float32
vectors, all in float64. overlap: how many of its ten best pages are among the exact ten best, on
average. nDCG@10: the exact ten best gain 10, 9, ... 1.

Needs numpy and scipy (with scikit-learn of tests/benchmarks/requirements.txt).
"""

import argparse
import pathlib

import numpy
from scipy.cluster.hierarchy import fcluster, linkage

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOP = 10
SEED = 3


# ---- Formats -----------------------------------------------------------------------------------


def bfloat16(rows):
    """Rounds to the nearest bfloat16, ties to even."""
    bits = rows.astype(numpy.float32).view(numpy.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000
    return rounded.astype(numpy.uint32).view(numpy.float32)


def int8(rows):
    scale = abs(rows).max(axis=1, keepdims=True) / 127
    return numpy.rint(rows / scale).clip(-127, 127) * scale


FORMATS = {
    "float16": lambda rows: rows.astype(numpy.float16),
    "bfloat16": bfloat16,
    "int8": int8,
}


def pooled(rows, factor):
    """Pools as published for tokens: by Ward's linkage of the rows of the similarity matrix."""
    tree = linkage(1 - rows @ rows.T, method="ward")
    labels = fcluster(tree, max(1, len(rows) // factor), criterion="maxclust")
    means = numpy.stack([rows[labels == label].mean(axis=0) for label in numpy.unique(labels)])
    return means / numpy.linalg.norm(means, axis=1, keepdims=True)


# ---- Rankings ----------------------------------------------------------------------------------


def single_scores(queries, pages):
    return numpy.stack(queries).astype(float) @ numpy.stack(pages).astype(float).T


def late_scores(queries, pages):
    return numpy.array([[(query @ page.T).max(axis=1).sum() for page in pages]
                        for query in queries])  # fmt: skip


def agreement(exact, scores):
    """Returns the mean overlap and nDCG of the ten best over all queries."""
    gains = 1 / numpy.log2(numpy.arange(TOP) + 2)
    overlaps, measures = [], []
    for truth, ours in zip(exact, scores):
        best, found = (numpy.argsort(-row, kind="stable")[:TOP] for row in (truth, ours))
        worth = {page: TOP - rank for rank, page in enumerate(best)}
        overlaps.append(len(set(best) & set(found)) / TOP)
        ideal = (numpy.arange(TOP, 0, -1) * gains).sum()
        measures.append(sum(worth.get(page, 0) * gain for page, gain in zip(found, gains)) / ideal)
    return numpy.mean(overlaps), numpy.mean(measures)


def report(name, queries, pages, score):
    exact = score(queries, [page.astype(float) for page in pages])
    rows = [(label, [change(numpy.atleast_2d(page)).astype(float) for page in pages])
            for label, change in FORMATS.items()]  # fmt: skip
    if score is late_scores:
        rows += [(f"pooled by {factor}", [pooled(page.astype(float), factor) for page in pages])
                 for factor in (2, 3)]  # fmt: skip
    else:
        rows = [(label, [page[0] for page in changed]) for label, changed in rows]
    for label, changed in rows:
        overlap, measure = agreement(exact, score(queries, changed))
        print(f"| {name} | {label} | {overlap:.3f} | {measure:.4f} |", flush=True)


def unit(rng, *shape):
    rows = rng.standard_normal(shape).astype(numpy.float32)
    return rows / numpy.linalg.norm(rows, axis=-1, keepdims=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "rankings")
    given = options.parse_args()
    print("| vectors | stored as | overlap@10 | nDCG@10 |\n|---|---|---:|---:|")
    for file in sorted(given.work.glob("*.npz")):
        with numpy.load(file) as found:
            queries, pages = ([found[name] for name in sorted(found.files) if name.startswith(key)]
                              for key in ("queries", "pages"))  # fmt: skip
        score = late_scores if pages[0].ndim == 2 else single_scores
        report(f"{file.stem}, {len(pages)} pages", queries, pages, score)
    rng = numpy.random.default_rng(SEED)
    report("random, 10,000 x 3072", list(unit(rng, 100, 3072)), list(unit(rng, 10_000, 3072)),
           single_scores)  # fmt: skip
    report("random, 500 x 100 x 128", list(unit(rng, 50, 20, 128)), list(unit(rng, 500, 100, 128)),
           late_scores)  # fmt: skip


if __name__ == "__main__":
    main()
