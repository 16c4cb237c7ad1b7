"""WikiTableQuestions: questions about tables of Wikipedia, with answers but without derivations."""

import re

from denotations import Value
from derivations import derivations
from shared import DataError, Writer, chance, example, held_back, read_json, read_text, table_passage
from tables import WHOLE_PIECES, WRONG_PIECES, TablePool, cut_answers, read_csv, windows

NAME = "wikitables"
FOLDERS = ("wikitables",)
PIECES = 400
LIMITS = (WRONG_PIECES, PIECES)  # tables that do not answer are as large as others, so that size gives no hint


def unescaped(text):
    return text.replace(r"\n", "\n").replace(r"\p", "|").replace("\\\\", "\\")


def rows_of(path):
    lines = [line.split("\t") for line in read_text(path).split("\n") if line]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


class Tables:
    """The tables of the set by their name in questions: rows and the title of the page."""

    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def __getitem__(self, name):
        if name not in self.read:
            match = re.fullmatch(r"csv/(\d+)-csv/(\d+)\.csv", name)
            if not match:
                raise DataError(f"wikitables: a table is called {name}; expected csv/NNN-csv/NNN.csv")
            rows = read_csv(read_text(self.folder / name), doublequote=False, escapechar="\\")
            page = read_json(self.folder / "page" / f"{match[1]}-page" / f"{match[2]}.json")
            self.read[name] = rows, page["title"]
        return self.read[name]


def table_key(name):
    """Returns the same name for a table in WikiTableQuestions and in SQA, which uses its tables."""
    return "-".join(re.findall(r"\d+", name)[:2])


def make(data, out, seed):
    folder = data / "wikitables"
    tables = Tables(folder)
    writer = Writer(out, NAME)
    training = rows_of(folder / "data" / "training.tsv")
    pools = {True: TablePool(), False: TablePool()}
    for name in sorted({row["context"] for row in training}):
        rows, title = tables[name]
        pools[held_back(table_key(name))].add(rows, title, name)
    for row in training:
        kept = held_back(table_key(row["context"]))
        targets = [unescaped(part) for part in row["targetValue"].split("|")]
        line = training_line(row, targets, tables, pools[kept], chance(seed, NAME, row["id"]))
        if line and kept:
            line.update(id=row["id"], gold=targets if line["answers"] else [])
        if line:
            writer.write("dev" if kept else "train", line)
    for row in rows_of(folder / "tagged" / "data" / "pristine-unseen-tables.tagged"):
        rows, title = tables[row["context"]]
        targets = [unescaped(part) for part in row["targetValue"].split("|")]
        canonical = [unescaped(part) for part in row["targetCanon"].split("|")]
        passages = [table_passage(part, title, 1) for part in windows(rows, 1, WHOLE_PIECES)]
        line = {"question": row["utterance"], "passages": passages, "answers": [], "gold": targets, "id": row["id"]}
        if len(passages) == 1:
            line["answers"] = [
                {"passage": 0, **answer} for answer in derivations(row["utterance"], rows, 1, targets, canonical)
            ]
        writer.test(line)
        writer.gold({"id": row["id"], "gold": targets, "canonical": canonical})
    return writer.close()


def training_line(row, targets, tables, pool, rng):
    """Returns a question with its table. Every third has no answer: it comes with wrong tables, or
    without the rows of the answer if the question names their key."""
    rows, title = tables[row["context"]]
    if len(rows) < 2:
        return None
    question = row["utterance"]
    answers = derivations(question, rows, 1, targets)
    if not answers:
        return None
    return line_of(question, rows, title, answers, targets, row["context"], pool, rng)


def line_of(question, rows, title, answers, targets, name, pool, rng):
    unlike = [text for text in targets if Value(text).number is None]
    kind = rng.random()
    if kind < 1 / 3:
        robbed = without_answer(question, rows, answers) if kind < 1 / 6 else None
        wrong = pool.wrong(question, rng.choice((1, 2)), name, rng, unlike, rng.choice(LIMITS))
        if robbed:
            cut = cut_answers(robbed, 1, [{"operator": "none", "cells": []}], PIECES, rng)
            wrong = wrong[:1] + [table_passage(cut[0], title, 1)] if cut else wrong
        if wrong:
            return example(rng, question, None, [], wrong)
    cut = cut_answers(rows, 1, answers, PIECES, rng)
    if cut is None:
        return None
    wrong = pool.wrong(question, rng.choice((0, 0, 0, 1)), name, rng, unlike)
    return example(rng, question, table_passage(cut[0], title, 1), cut[1], wrong)


def without_answer(question, rows, answers):
    """Returns the table without the rows of the answer, if the question names one of their other cells,
    so that it can mean nothing else in the table."""
    cells = answers[0].get("cells")
    if not cells or answers[0]["operator"] != "span":
        return None
    row, column = cells[0]
    lower = question.lower()
    names = {
        cell.lower()
        for other, cell in enumerate(rows[row])
        if other != column and len(cell) > 3 and cell.lower() in lower
    }
    if row == 0 or not names:
        return None
    left = [line for line in rows if line is rows[0] or not names & {cell.lower() for cell in line}]
    return left if len(left) > 2 else None
