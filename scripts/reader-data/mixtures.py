"""The sets' training lines in one order by chance: one file for each stage of training, and all."""

import random

from shared import DataError

# Set, and how often its lines are taken: what resembles the reports that are asked about, and is little, counts more.
MIXTURES = {
    "texts": (("squadshifts", 1), ("qamr", 1), ("covidqa", 1)),
    "tables": (("wikitables", 1), ("sqa", 1), ("tabfact", 1), ("infotabs", 1), ("templates", 1)),
    "reports": (("tatqa", 8), ("griqa", 2), ("made", 1), ("squadshifts", 1), ("wikitables", 1), ("sqa", 1)),
}


def make(out, seed):
    """Writes mixture.NAME.train.jsonl for those whose sets are all there; returns their sizes."""
    sizes = {}
    for name, parts in MIXTURES.items():
        paths = [(out / f"{part}.train.jsonl", copies) for part, copies in parts]
        if not all(path.exists() for path, _ in paths):
            continue
        lines = []
        for path, copies in paths:
            with open(path, encoding="utf-8") as file:
                lines += list(file) * copies
        if not lines:
            raise DataError(f"{out}: the sets of the mixture {name} are empty")
        random.Random(f"{seed} {name}").shuffle(lines)
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
