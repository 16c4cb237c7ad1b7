"""The common part of the scorers: reads predictions and gold answers, and prints the results."""

import argparse
import json
import sys
from pathlib import Path

from shared import DataError, read_text

PREDICTIONS = 'JSON Lines: {"id": ..., "answer": "text" or ["texts"], "scale": ..., "null": chance of no answer}'


def rows(path):
    found = []
    for number, line in enumerate(read_text(path).splitlines(), 1):
        if line.strip():
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError as error:
                raise DataError(f"{path}:{number}: this line is not JSON ({error})") from error
            if "id" not in found[-1]:
                raise DataError(f"{path}:{number}: this line has no \"id\"")
    if not found:
        raise DataError(f"{path}: the file is empty")
    return found


def by_id(path):
    found = {}
    for row in rows(path):
        if row["id"] in found:
            raise DataError(f"{path}: the id {row['id']} occurs twice")
        found[row["id"]] = row
    return found


def answers(prediction):
    """Returns the texts of a prediction; none if it is missing or empty."""
    said = prediction.get("answer") if prediction else None
    if said is None or said == "":
        return []
    return [str(part) for part in (said if isinstance(said, list) else [said])]


def percent(part, whole):
    return round(100 * part / whole, 2) if whole else 0.0


def main(description, score, **flags):
    """Reads both files, and prints the result of `score(predictions, gold)` as JSON."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("predictions", type=Path, help=PREDICTIONS)
    parser.add_argument("gold", type=Path,
                        help="test file that `make` wrote (NAME.gold.jsonl if it exists)")
    for name, settings in flags.items():
        parser.add_argument(f"--{name.replace('_', '-')}", **settings)
    options = parser.parse_args()
    try:
        predictions, gold = by_id(options.predictions), rows(options.gold)
        known = {row["id"] for row in gold}
        strangers = [identity for identity in predictions if identity not in known]
        if strangers:
            raise DataError(f"{options.predictions}: {strangers[0]} is not the id of a question in {options.gold}")
        missing = sum(row["id"] not in predictions for row in gold)
        if missing:
            print(f"{missing} of {len(gold)} questions have no prediction and count as wrong", file=sys.stderr)
        print(json.dumps(score(predictions, gold, **{name: getattr(options, name) for name in flags}), indent=1))
    except DataError as error:
        sys.exit(f"{Path(sys.argv[0]).name}: {error}")
