"""InfoTabs: statements about an infobox of Wikipedia that are true, false, or not covered by it.
The last become questions without an answer.
"""

import csv
import io

from shared import TABLE_PIECES, Writer, chance, example, read_json, read_text, table_passage
from tables import TablePool, cut_table, rectangle

NAME = "infotabs"
FOLDERS = ("infotabs",)
LABELS = {"E": "yes", "C": "no", "N": None}


def make(data, out, seed):
    folder = data / "infotabs" / "data"
    writer = Writer(out, NAME)
    for part, target in (("infotabs_train", "train"), ("infotabs_dev", "test")):
        text = read_text(folder / "maindata" / f"{part}.tsv")
        statements = list(csv.DictReader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE))
        tables = {name: infobox(folder, name) for name in sorted({row["table_id"] for row in statements})}
        pool = TablePool()
        for name, (title, rows) in tables.items():
            pool.add(rows, title, name)
        for place, row in enumerate(statements):
            rng = chance(seed, NAME, part, place)
            title, rows = tables[row["table_id"]]
            statement, label = row["hypothesis"].strip().strip('"'), LABELS[row["label"]]
            cut = cut_table(rows, 1, [], TABLE_PIECES, rng)
            if cut is None or not statement:
                continue
            passage = table_passage(cut[0], title, 1)
            answers = [{"operator": label}] if label and len(cut[0]) == len(rows) else []
            if target == "test":
                if len(cut[0]) == len(rows):
                    gold = [label] if label else []
                    identity = f"{row['table_id']}/{place}"
                    writer.test(
                        example(
                            rng,
                            statement,
                            passage if label else None,
                            answers,
                            [] if label else [passage],
                            gold=gold,
                            id=identity,
                        )
                    )
            elif label is None:
                writer.train(example(rng, statement, None, [], [passage]))
            elif answers:
                wrong = pool.wrong(statement, rng.choice((0, 0, 1)), row["table_id"], rng)
                writer.train(example(rng, statement, passage, answers, wrong))
    return writer.close()


def infobox(folder, name):
    """Returns the title, and rows of a name and its content."""
    content = read_json(folder / "tables" / "json" / f"{name}.json")
    title = ", ".join(content.get("title", [])) or name
    rows = [["", title]]
    for key, values in content.items():
        if key != "title":
            rows.append([key, "; ".join(values) if isinstance(values, list) else str(values)])
    return title, rectangle(rows)
