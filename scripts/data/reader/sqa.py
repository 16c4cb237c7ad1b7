"""SQA: short questions about tables of WikiTableQuestions, with the cells that answer them. Only
the first question of each sequence is used, because the others cannot be understood alone.
"""

import ast
import csv
import io
from pathlib import Path

from shared import TABLE_PIECES, Writer, cells_answer, chance, example, held_back, read_text, table_passage
from tables import TablePool, cut_answers, cut_table, read_csv
from wikitables import line_of, table_key

NAME = "sqa"
FOLDERS = ("sqa",)


def make(data, out, seed):
    folder = data / "sqa" / "data" / "sqa"
    questions, seen = [], set()
    for part in ("train", "dev"):  # together they are everything with answers except the test
        text = read_text(folder / f"random-split-1-{part}.tsv")
        for row in csv.DictReader(io.StringIO(text, newline=""), delimiter="\t"):
            key = (row["table_file"], row["question"].strip().lower())
            if row["position"] == "0" and key not in seen:
                seen.add(key)
                questions.append(row)
    tables = {}
    pools = {True: TablePool(), False: TablePool()}
    for name in sorted({row["table_file"] for row in questions}):
        tables[name] = read_csv(read_text(folder / Path(name)))
        pools[held_back(table_key(name))].add(tables[name], "", name)
    writer = Writer(out, NAME)
    for row in questions:
        identity = "/".join((row["id"], row["annotator"], row["position"]))
        kept = held_back(table_key(row["table_file"]))
        rng = chance(seed, NAME, identity)
        line = line_for(row, tables[row["table_file"]], pools[kept], rng, identity if kept else None)
        if line:
            (writer.test if kept else writer.train)(line)
    return writer.close()


def line_for(row, rows, pool, rng, identity):
    cells = sorted(
        (place[0] + 1, place[1]) for place in map(ast.literal_eval, ast.literal_eval(row["answer_coordinates"]))
    )
    if not cells or any(
        line < 1 or line >= len(rows) or column < 0 or column >= len(rows[0]) for line, column in cells
    ):
        return None
    texts = [rows[line][column] for line, column in cells]
    answers = [cells_answer(cells)]
    question = row["question"].strip().strip('"')
    if identity is None:
        if cut_answers(rows, 1, answers, TABLE_PIECES, rng) or len(cells) == 1:
            return line_of(question, rows, "", answers, texts, row["table_file"], pool, rng)
        return clipped(question, rows, cells, rng)
    cut = cut_answers(rows, 1, answers, TABLE_PIECES, rng)
    if cut is None:
        return None
    return example(rng, question, table_passage(cut[0], "", 1), cut[1], [], gold=texts, id=identity)


def clipped(question, rows, cells, rng):
    """Cuts a long answer, for example most of a column, and its table to what fits."""
    last = len(cells)
    while last > 2:
        cut = cut_table(rows[: cells[last - 1][0] + 1], 1, cells[:last], TABLE_PIECES, rng)
        if cut:
            answer = cells_answer([(cut[1][row], column) for row, column in cells[:last]])
            return example(rng, question, table_passage(cut[0], "", 1), [answer], [])
        last -= max(1, last // 8)
    return None
