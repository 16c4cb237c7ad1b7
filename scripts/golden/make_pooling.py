#!/usr/bin/env python3
"""Writes tests/golden/pooling.json: groups of rows by SciPy's Ward linkage, and page graphs in
NumPy.

    .venv-peers/bin/python scripts/golden/make_pooling.py > tests/golden/pooling.json

Needs numpy and scipy (tests/benchmarks/requirements.txt).

The points of the pooling are the rows of the cosine distances, as in colpali-engine's pooler,
because SciPy takes a square matrix for a list of points. Vectors are integers over 64 before
scaling, so that the file stays small; the test scales them in the same way.
"""
import importlib.metadata
import json
import warnings

import numpy
from scipy.cluster.hierarchy import ClusterWarning, fcluster, linkage

SEED = 31
# (rows, dim, factor, centres): rows are near this number of centres; 0: anywhere.
POOLINGS = ((2, 3, 2, 0), (7, 4, 2, 0), (7, 4, 9, 0), (40, 8, 3, 5), (60, 128, 3, 0),
            (90, 16, 4, 12), (300, 24, 3, 30))
# (pages, rows a page at most, dim, neighbours, threshold)
GRAPHS = ((3, 4, 6, 5, -1.0), (6, 5, 8, 2, 0.0), (9, 6, 8, 0, 0.2), (12, 5, 16, 3, 0.1),
          (12, 5, 16, 1, -1.0))


def draw(rng, rows, dim, centres):
    vectors = rng.normal(size=(rows, dim))
    if centres:
        vectors = 0.4 * vectors + rng.normal(size=(centres, dim))[rng.integers(centres, size=rows)]
    return numpy.rint(vectors * 64).astype(int)


def unit(vectors):
    """float32, as the program has them."""
    vectors = vectors.astype(numpy.float64)
    return (vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)).astype(numpy.float32)


def pooling_case(rng, rows, dim, factor, centres):
    vectors = draw(rng, rows, dim, centres)
    x = unit(vectors).astype(numpy.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ClusterWarning)
        tree = linkage(1 - x @ x.T, metric="euclidean", method="ward")
    labels = fcluster(tree, t=max(rows // factor, 1), criterion="maxclust")
    groups = {}
    for row, label in enumerate(labels):
        groups.setdefault(int(label), []).append(row)
    return {"dim": dim, "factor": factor, "vectors": vectors.ravel().tolist(),
            "groups": sorted(groups.values())}


def mean_cosine(pages):
    means = numpy.stack([page.mean(axis=0) for page in pages])
    means /= numpy.linalg.norm(means, axis=1, keepdims=True)
    return means @ means.T


def max_sim(pages):
    scores = numpy.array([[(a @ b.T).max(axis=1).sum() for b in pages] for a in pages])
    shares = scores / scores.diagonal()[:, None]
    return (shares + shares.T) / 2


def edges(similar, neighbours, threshold):
    found = set()
    for p, row in enumerate(similar):
        named = [o for o in range(len(row)) if o != p and row[o] >= threshold]
        named.sort(key=lambda o: (-row[o], o))
        for other in named[:neighbours or None]:
            found |= {(p, other), (other, p)}
    return [[o for o in range(len(similar)) if (p, o) in found] for p in range(len(similar))]


def graph_case(rng, pages, most_rows, dim, neighbours, threshold):
    counts = rng.integers(1, most_rows + 1, size=pages)
    vectors = draw(rng, int(counts.sum()), dim, 4)
    bags = numpy.split(unit(vectors).astype(numpy.float64), numpy.cumsum(counts)[:-1])
    return {"dim": dim, "neighbours": neighbours, "threshold": threshold,
            "counts": counts.tolist(), "vectors": vectors.ravel().tolist(),
            "mean_cosine": edges(mean_cosine(bags), neighbours, threshold),
            "max_sim": edges(max_sim(bags), neighbours, threshold)}


def main():
    rng = numpy.random.default_rng(SEED)
    print(json.dumps({
        "command": ".venv-peers/bin/python scripts/golden/make_pooling.py"
                   " > tests/golden/pooling.json",
        "versions": {name: importlib.metadata.version(name) for name in ("numpy", "scipy")},
        "poolings": [pooling_case(rng, *shape) for shape in POOLINGS],
        "graphs": [graph_case(rng, *shape) for shape in GRAPHS],
    }))


if __name__ == "__main__":
    main()
