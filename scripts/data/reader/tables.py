"""Tables of the sources: reading, numbers in cells, cutting to size, and choosing wrong tables."""

import csv
import io
import re

from shared import TABLE_PIECES, Pool, pieces, table_passage

WRONG_PIECES = 180  # largest size of a wrong table
WHOLE_PIECES = 850  # size of test tables: most are complete, and none exceeds what the QA model reads at a time
ANSWERS_TOO = 0.6  # a table with a larger share of the question's words may answer it too
CELL_WORDS = (16, 10, 6)  # long cells are cut to these numbers of words, in this order, until the table fits

CURRENCY = r"(?:(?:US|C|A|HK|NZ)?[$€£¥₹]|(?:CHF|SEK|NOK|DKK|RMB|EUR|USD|GBP|JPY)\s)"
FOOTNOTE = re.compile(r"(\s*(\[[^\]]{0,12}\]|[*†‡#^§]|\([a-z]\)))+$")
NUMBER = re.compile(
    rf"^(?P<sign>[-−–+])?\s*{CURRENCY}?\s*(?P<open>\()?\s*(?P<sign2>[-−–])?\s*{CURRENCY}?\s*(?P<sign3>[-−–])?\s*"
    r"(?P<digits>\d{1,3}(?:,\d{2,3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)\s*%?\s*(?P<close>\))?\s*%?"
    r"(?P<unit>(?:\s+[A-Za-z°²³/]+\.?){0,2})$"
)


def tidy(cell):
    return " ".join(cell.replace("\u00a0", " ").replace("\u200b", "").split())


def rectangle(rows):
    """Returns rows of the same width, with each cell on one line."""
    rows = [[tidy(cell) for cell in row] for row in rows if row]
    width = max((len(row) for row in rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


def read_csv(text, **form):
    return rectangle(list(csv.reader(io.StringIO(text, newline=""), **form)))


def number(cell, units=True):
    """Returns the value of a cell that is one number. It may have a currency, a percent sign, footnote
    marks, parentheses for minus, and a unit of up to two words."""
    match = NUMBER.match(FOOTNOTE.sub("", cell.strip()))
    if not match or bool(match["open"]) != bool(match["close"]) or (match["unit"].strip() and not units):
        return None
    value = float(match["digits"].replace(",", ""))
    negative = match["open"] or match["sign"] in ("-", "−", "–") or match["sign2"] or match["sign3"]
    return -value if negative else value


def size(rows):
    return sum(pieces(cell) + 1 for row in rows for cell in row)


def shortened(cell, limit):
    found = cell.split(" ")
    return cell if len(found) <= limit else " ".join(found[:limit]) + " …"


def cut_table(rows, header_rows, cells, limit=TABLE_PIECES, rng=None):
    """Cuts a table to its header and the rows of `cells`, with as many neighbours as fit. Shortens long
    cells other than the answer's first. Returns the rows and the new place of each row, or None if
    the answer's rows alone do not fit."""
    kept = {tuple(cell) for cell in cells}
    for words in (None,) + CELL_WORDS:
        if words is not None:
            rows = [
                [cell if (r, c) in kept else shortened(cell, words) for c, cell in enumerate(row)]
                for r, row in enumerate(rows)
            ]
        costs = [size([row]) for row in rows]
        if sum(costs) <= limit:
            return rows, {number: number for number in range(len(rows))}
    taken = set(range(header_rows)) | {row for row, _ in kept}
    room = limit - sum(costs[row] for row in taken)
    if room < 0:
        return None
    inside = [row for row in taken if row >= header_rows]
    if not inside:
        start = rng.randrange(header_rows, len(rows)) if rng and len(rows) > header_rows else header_rows
        inside = [min(start, len(rows) - 1)]
    low, high = min(inside), max(inside)
    order = [row for row in range(low, high + 1) if row not in taken]  # between the answer's rows first
    down, up = low - 1, high + 1
    while down >= header_rows or up < len(rows):
        if down >= header_rows and (up >= len(rows) or rng is None or rng.random() < 0.5):
            order.append(down)
            down -= 1
        else:
            order.append(up)
            up += 1
    for row in order:
        if costs[row] > room:
            break
        room -= costs[row]
        taken.add(row)
    places = {row: place for place, row in enumerate(sorted(taken))}
    return [rows[row] for row in sorted(taken)], places


def cut_answers(rows, header_rows, answers, limit=TABLE_PIECES, rng=None):
    """Returns a table cut so that it contains the first answer, and the answers that are still right in
    it. Counts without cells are right for complete tables only."""
    first = next((answer for answer in answers if "cells" in answer), None)
    cut = cut_table(rows, header_rows, first["cells"] if first else [], limit, rng)
    if cut is None:
        return None
    part, places = cut
    whole = len(part) == len(rows)
    held = []
    for answer in answers:
        if "cells" in answer:
            if all(row in places and rows[row][column] == part[places[row]][column] for row, column in answer["cells"]):
                held.append({**answer, "cells": [[places[row], column] for row, column in answer["cells"]]})
        elif whole:
            held.append(answer)
    return (part, held) if held else None


def windows(rows, header_rows, limit):
    """Divides a large table into several, each with the header. No row is left out."""
    head, parts, part = rows[:header_rows], [], []
    room = limit - size(head)
    for row in rows[header_rows:]:
        cost = size([row])
        if part and cost > room:
            parts.append(head + part)
            part, room = [], limit - size(head)
        part.append(row)
        room -= cost
    if part or not parts:
        parts.append(head + part)
    return parts


class TablePool:
    """The tables of one part of a set, to find wrong ones that resemble the question."""

    def __init__(self):
        self.pool, self.tables = Pool(), []

    def add(self, rows, context, document, header_rows=1):
        said = [context] + [cell for row in rows[: header_rows + 40] for cell in row]
        self.tables.append((rows, context, header_rows))
        return self.pool.add(" ".join(said), document)

    def wrong(self, question, count, document, rng, unlike=(), limit=WRONG_PIECES):
        """Returns tables of other documents that resemble the question, but have too few of its words to
        answer it."""
        found = self.pool.resembling(question, count, document, unlike, True, rng, ANSWERS_TOO)
        made = []
        for number_ in found:
            rows, context, header_rows = self.tables[number_]
            cut = cut_table(rows, header_rows, [], limit, rng)
            if cut and len(cut[0]) > header_rows:
                made.append(table_passage(cut[0], context, header_rows))
        return made
