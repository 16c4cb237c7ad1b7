"""TabFact: statements that are true or false according to a table of Wikipedia. Training
statements come from SASP's shards, because the set's own file is larger than the available files.
"""

import json

from shared import DataError, Writer, chance, example, read_json, read_text, table_passage
from tables import WHOLE_PIECES, WRONG_PIECES, TablePool, cut_table, rectangle, windows

NAME = "tabfact"
FOLDERS = ("tabfact", "sasp")
PIECES = 400
LIMITS = (WRONG_PIECES, PIECES)  # so that size gives no hint
SHARDS = 90


def make(data, out, seed):
    folder = data / "tabfact" / "data"
    training = set(read_json(folder / "train_id.json"))
    tables = {}

    def table(name):
        if name not in tables:
            text = read_text(folder / "all_csv" / name)
            tables[name] = rectangle([line.split("#") for line in text.split("\n") if line])
        return tables[name]

    statements = list(statements_of(data / "sasp" / "data" / "tabfact" / "data_shard", training))
    pool, captions = TablePool(), {}
    for name, caption, _, _, _ in statements:
        captions.setdefault(name, caption)
    for name, caption in captions.items():
        pool.add(table(name), caption, name)
    writer = Writer(out, NAME)
    for name, caption, statement, holds, identity in statements:
        rng = chance(seed, NAME, identity)
        if rng.random() < 1 / 3:
            wrong = pool.wrong(f"{caption} {statement}", rng.choice((1, 1, 2)), name, rng, limit=rng.choice(LIMITS))
            if wrong:
                writer.train(example(rng, statement, None, [], wrong))
            continue
        cut = cut_table(table(name), 1, [], PIECES, rng)
        if cut is None or len(cut[0]) < len(table(name)):  # because a statement may need any row
            continue
        wrong = pool.wrong(statement, rng.choice((0, 0, 0, 1)), name, rng)
        right = table_passage(cut[0], caption, 1)
        writer.train(example(rng, statement, right, [{"operator": "yes" if holds else "no"}], wrong))
    for part in ("val", "test"):
        for name, (texts, labels, caption) in read_json(
            data / "tabfact" / "tokenized_data" / f"{part}_examples.json"
        ).items():
            if name in training:
                raise DataError(
                    f"tabfact: {name} of {part} is also a table of training, so its statements cannot be tests"
                )
            for place, (statement, label) in enumerate(zip(texts, labels)):
                passages = [table_passage(rows, caption, 1) for rows in windows(table(name), 1, WHOLE_PIECES)]
                said = "yes" if label else "no"
                answers = [{"passage": number, "operator": said} for number in range(len(passages))]
                line = {
                    "question": statement,
                    "passages": passages,
                    "answers": answers,
                    "gold": [said],
                    "id": f"{name}/{place}",
                }
                writer.write(part, line)
    return writer.close()


def statements_of(folder, training):
    """Yields (table, caption, statement, whether it is true, id)."""
    for shard in range(SHARDS):
        for line in read_text(folder / f"train_shard_90-{shard}.jsonl").splitlines():
            row = json.loads(line)
            name = f"{row['context']}.html.csv"
            if name not in training:
                raise DataError(
                    f"tabfact: {name} in shard {shard} is not a table of training; check out both repositories again"
                )
            yield name, row["caption"], row["question"], row["answer"][0] == "True", row["id"]
