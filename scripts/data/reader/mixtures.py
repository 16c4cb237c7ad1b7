"""Mixes the sets' training lines in random order: one file for each stage of training."""

import random

from shared import DataError

# Each set with the number of copies of its lines; below 1 it is the share of lines, drawn at random. Small sets that
# resemble the reports in real questions count more. Each mixture is a stage of training: "reading" teaches spans,
# cells and arithmetic; "statements" continues mainly with tables; "claims" with whether tables agree, and some lines
# of the earlier stages.
MIXTURES = {
    "reading": (("squadshifts", 1.25), ("qamr", 0.4), ("covidqa", 1), ("wikitables", 1.2), ("sqa", 0.6),
                ("templates", 0.04), ("tatqa", 4), ("griqa", 0.6), ("made", 0.03)),
    "statements": (("squadshifts", 0.3), ("qamr", 0.05), ("covidqa", 0.3), ("wikitables", 1), ("sqa", 1),
                   ("tabfact", 0.3), ("infotabs", 0.1), ("templates", 0.12), ("tatqa", 2), ("griqa", 0.3),
                   ("made", 0.01)),
    "claims": (("squadshifts", 0.3), ("qamr", 0.05), ("covidqa", 0.3), ("wikitables", 0.6), ("sqa", 0.25),
               ("claims", 0.3), ("tabfact", 0.14), ("infotabs", 0.03), ("templates", 0.02), ("tatqa", 0.8),
               ("griqa", 0.15)),
}  # fmt: skip


def taken(lines, times, drawn):
    """Returns complete copies of the lines, and a random share of one more."""
    copies = int(times)
    return lines * copies + drawn.sample(lines, round((times - copies) * len(lines)))


def make(out, seed):
    """Writes mixture.NAME.train.jsonl for each mixture whose sets all exist. Returns their sizes."""
    sizes = {}
    for name, parts in MIXTURES.items():
        paths = [(out / f"{part}.train.jsonl", times) for part, times in parts]
        if not all(path.exists() for path, _ in paths):
            continue
        drawn = random.Random(f"{seed} {name}")
        lines = []
        for path, times in paths:
            with open(path, encoding="utf-8") as file:
                lines += taken(list(file), times, drawn)
        if not lines:
            raise DataError(f"{out}: all sets of the mixture {name} are empty; make them again")
        drawn.shuffle(lines)
        target = out / f"mixture.{name}.train.jsonl"
        partial = target.with_suffix(".new")
        partial.write_text("".join(lines), encoding="utf-8")
        partial.rename(target)
        sizes[target.name] = {
            "lines": len(lines),
            "without_answer": sum('"answers":[]' in line for line in lines),
            "bytes": target.stat().st_size,
        }
    return sizes
