"""Logistic functions fitted to the outcomes of questions, and how well they predict."""

import json
import math
import os
import subprocess
import tempfile

import newton

PROGRAM = os.environ.get("FINEPRINT", "build/release/fineprint")
RIDGE = 2.0  # keeps weights small that only a few questions determine

# The largest probability that is taken as it is: models may be too sure.
SURE = 0.999


def items_of(answers, gold):
    """Returns the record of `fineprint eval` for each answer, by id."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.write("".join(json.dumps(answer) + "\n" for answer in answers))
        file.flush()
        command = [PROGRAM, "eval", file.name, "--gold", gold, "--per-item", "--json"]
        lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return {record["id"]: record for record in map(json.loads, lines) if "id" in record}


def logistic(z):
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))


def log_odds(probability, sure=SURE):
    p = min(max(probability, 1 - sure), sure)
    return math.log(p / (1 - p))


def fit(samples, names):
    """Returns the weights with the largest likelihood: a constant, and one for each name.

    A sample is (its signs after a 1, its outcome, its own weight, the part of its log-odds that is not fitted).
    """
    n = len(names) + 1

    def slopes(weights):
        gradient = [0.0] + [-RIDGE * w for w in weights[1:]]
        curvature = [[RIDGE if i == j and i > 0 else 1e-9 * (i == j) for j in range(n)] for i in range(n)]
        for x, y, share, fixed in samples:
            p = logistic(fixed + sum(w * v for w, v in zip(weights, x)))
            for i in range(n):
                if x[i]:
                    gradient[i] += share * (y - p) * x[i]
                    for j in range(n):
                        curvature[i][j] += share * p * (1 - p) * x[i] * x[j]
        return gradient, curvature

    return newton.maximum(slopes, n)


def calibration_error(pairs):
    bins = [[] for _ in range(10)]
    for p, y in pairs:
        bins[min(9, int(p * 10))].append((p, y))
    gaps = [abs(sum(p for p, _ in b) - sum(y for _, y in b)) for b in bins if b]
    return sum(gaps) / max(1, len(pairs))


def auc(pairs):
    yes = sorted(p for p, y in pairs if y)
    no = sorted(p for p, y in pairs if not y)
    if not yes or not no:
        return float("nan")
    wins = sum((p > q) + (p == q) / 2 for p in yes for q in no)
    return wins / len(yes) / len(no)
