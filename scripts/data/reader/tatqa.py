"""TAT-QA: tables of annual reports with their paragraphs, and answers with their derivation and
scale.

Training uses the development set, because the training set is larger than the available files.
TAT-HQA has the same questions with the places of their answers, which are taken from it. Its
hypothetical questions are left out, because no operator expresses an assumption. TAT-QA's test set
is used only for tests.
"""

import ast
import itertools
import operator
import re

from exclusions import left_out
from shared import (
    TABLE_PIECES,
    TEXT_BYTES,
    Pool,
    Writer,
    byte_span,
    cells_answer,
    chance,
    content_words,
    example,
    fits,
    plain,
    read_json,
    sentences,
    table_passage,
    text_passage,
    window,
)
from tables import cut_answers, cut_table, number, rectangle, windows

NAME = "tatqa"
FOLDERS = ("tatqa", "tathqa")
TEST_PIECES = 400
YEAR = re.compile(r"(?:19|20)\d\d")
DIGITS = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")


# ---------------------------------------------------------------- tables of reports


def heads(rows):
    """Returns the number of header rows: up to the first row with a figure that is not a year."""
    last = 0
    for place, row in enumerate(rows):
        if any(number(cell) is not None and not YEAR.fullmatch(cell.strip()) for cell in row[1:]):
            return last
        if any(row[1:]):
            last = place + 1
    return min(1, len(rows))


def column_heads(rows, header_rows):
    """Returns the header of each column. A header over several columns goes to each."""
    found = []
    for column in range(len(rows[0])):
        said = []
        for row in rows[:header_rows]:
            left = column
            while left > 1 and not row[left]:
                left -= 1
            said.append(row[left])
        found.append(" ".join(said))
    return found


class Document:
    """A table with the paragraphs around it, read from a file of the set."""

    def __init__(self, content):
        self.uid = content["table"]["uid"]
        self.rows = rectangle(content["table"]["table"])
        self.header_rows = heads(self.rows)
        self.column_heads = column_heads(self.rows, self.header_rows)
        self.paragraphs = {str(p["order"]): p["text"] for p in content["paragraphs"] if p["text"].strip()}
        self.questions = content["questions"]
        self.labels, section = [], ""
        for row in self.rows:
            if row[0] and not any(row[1:]):
                section = row[0]
            self.labels.append(f"{section} {row[0]}")

    def cell_score(self, cell, asked):
        """Returns how many words of the question the row and column of a cell contain."""
        row, column = cell
        label = content_words(self.rows[row][0])
        score = 2.0 * len(asked & set(label)) / (1 + len(label)) + 0.5 * len(asked & set(label))
        score += 0.3 * len(asked & set(content_words(self.labels[row])))
        head = set(content_words(self.column_heads[column]))
        years = {word for word in asked if YEAR.fullmatch(word)}
        return score + 1.5 * len(years & head) + 0.5 * len((asked - years) & head)


# ---------------------------------------------------------------- derivations


class Unread(Exception):
    """No operator expresses the derivation."""


def leaf(node):
    """Returns the number of a leaf with its sign, or None for other nodes."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = leaf(node.operand)
        return None if value is None else -value
    return None


def summed(node):
    """Returns the leaves of a sum or a negated sum, or None for other nodes."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = summed(node.operand)
        return None if inner is None else [-value for value in inner]
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = summed(node.left), summed(node.right)
        return None if left is None or right is None else left + right
    value = leaf(node)
    return None if value is None else [value]


def constant(node):
    """Returns the value of an expression over years and small numbers."""
    value = leaf(node)
    if value is not None:
        return value
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        left, right = constant(node.left), constant(node.right)
        if left is not None and right is not None:
            return left + right if isinstance(node.op, ast.Add) else left - right
    return None


def operation(derivation):
    """Returns (operator, numbers) of a derivation; for example, "(5 - 4) / 4" is a change of 5 and 4.
    Raises Unread if no operator expresses it."""
    text = re.sub(
        r"[$€£¥,%]|(?<=\d)\s*(?:million|thousand|billion)\b", "", derivation.replace("[", "(").replace("]", ")")
    )
    text = re.sub(r"\b0+(?=\d)", "", text).strip()
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise Unread(derivation) from error
    return matched(node)


def matched(node):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        if leaf(node.right) == 100:
            return matched(node.left)
        if leaf(node.left) == 100:
            return matched(node.right)
        raise Unread
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        left, right = leaf(node.left), leaf(node.right)
        if left is not None and right is not None:
            return "difference", [left, right]
        if right == 1 and isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Div):
            pair = [leaf(node.left.left), leaf(node.left.right)]
            if None not in pair:
                return "change", pair
        raise Unread
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        divisor = leaf(node.right)
        if isinstance(node.left, ast.BinOp) and isinstance(node.left.op, ast.Sub) and divisor is not None:
            pair = [leaf(node.left.left), leaf(node.left.right)]
            if None not in pair and abs(pair[1]) == abs(divisor):
                return "change", pair
        parts, count = summed(node.left), constant(node.right)
        if parts is not None and len(parts) > 1 and count == len(parts):
            return "average", parts
        pair = [leaf(node.left), divisor]
        if None not in pair:
            return "ratio", pair
        raise Unread
    parts = summed(node)
    if parts is not None and len(parts) > 1:
        return "sum", parts
    raise Unread


COMPUTE = {
    "difference": lambda values: values[0] - values[1],
    "ratio": lambda values: values[0] / values[1],
    "change": lambda values: (values[0] - values[1]) / values[1],
    "sum": sum,
    "average": lambda values: sum(values) / len(values),
}


def gives(operator_name, values, answer, scale):
    """Returns whether an operator over values gives the answer, except for its sign and rounding."""
    try:
        value = abs(COMPUTE[operator_name](values))
    except ZeroDivisionError:
        return False
    wanted = abs(float(answer))
    if scale == "percent" and operator_name in ("ratio", "change"):
        value *= 100
    return abs(value - wanted) <= max(0.011, 0.0005 * wanted)


# ---------------------------------------------------------------- places of numbers and texts


def best_places(candidates, score, most=3):
    """Returns the best choices of a different place for each part; several only if they are as good."""
    choices = []
    for cells in itertools.product(*(found[:8] for found in candidates)):
        if len(set(cells)) == len(cells):
            choices.append((score(cells), cells))
    if not choices:
        return []
    top = max(choice[0] for choice in choices)
    return [cells for value, cells in sorted(choices, key=lambda c: (-c[0], c[1])) if value >= top - 1e-9][:most]


def table_places(document, question, parts, hints, same_cell):
    """Returns cells of a table for each part of an answer, best choices first."""
    asked = set(content_words(question))
    candidates = []
    for part in parts:
        found = [
            (row, column)
            for row in range(len(document.rows))
            for column in range(len(document.rows[0]))
            if document.rows[row][column] and same_cell(document.rows[row][column], part)
        ]
        found.sort(key=lambda cell: (cell not in hints, -document.cell_score(cell, asked)))
        candidates.append(found)
    if not all(candidates):
        return []

    def score(cells):
        total = sum(document.cell_score(cell, asked) + 10 * (cell in hints) for cell in cells)
        total += 4 * (len({row for row, _ in cells}) == 1) + 3 * (len({column for _, column in cells}) == 1)
        return total

    return best_places(candidates, score)


def text_places(text, parts, hints, find):
    """Returns spans (in characters) of a text for each part, best choices first."""
    candidates = [sorted(find(text, part), key=lambda span: span not in hints) for part in parts]
    if not all(candidates):
        return []
    return best_places(candidates, lambda spans: sum(10 * (span in hints) for span in spans) - 0.001 * extent(spans))


def extent(spans):
    return max(end for _, end in spans) - min(start for start, _ in spans)


def same_figure(cell, value):
    found = number(cell)
    return found is not None and abs(abs(found) - abs(value)) < 1e-9


def same_text(cell, text):
    strip = operator.methodcaller("strip", " $€£¥.:;,")
    return strip(cell).lower() == strip(text).lower() or bool(plain(text)) and plain(cell) == plain(text)


def figures_in(text, value):
    return [
        match.span()
        for match in DIGITS.finditer(text)
        if abs(float(match[0].rstrip(",").replace(",", "")) - abs(value)) < 1e-9
    ]


def texts_in(text, said):
    found = [match.span() for match in re.finditer(re.escape(said), text)]
    return found or [match.span() for match in re.finditer(re.escape(said), text, re.IGNORECASE)]


def hints_of(question):
    """Returns (cells, {paragraph: spans}) if the set itself gives them."""
    cells, spans = set(), {}
    mappings = question.get("mappings") or []
    if isinstance(question.get("mapping"), dict):
        mapping = question["mapping"]
        cells |= {tuple(cell) for cell in mapping.get("table", [])}
        for order, found in mapping.get("paragraph", {}).items():
            spans.setdefault(str(order), set()).update(tuple(span) for span in found)
    for mapping in mappings:
        for place, found in mapping.items():
            if place == "table":
                cells.add(tuple(found))
            else:
                spans.setdefault(place.split("_")[-1], set()).add(tuple(found))
    return cells, spans


def resolved(document, question):
    """Returns (place, answers): "table" and cells, or a paragraph's order and spans in characters.
    Returns None if no operator, cells or spans give the answer."""
    kind, source = question["answer_type"], question["answer_from"]
    cells_hinted, spans_hinted = hints_of(question)
    weak = None
    if kind == "arithmetic":
        try:
            name, parts = operation(question["derivation"])
        except Unread:
            return None
        in_cell, in_text = same_figure, figures_in
    elif kind == "count":
        name, parts = "count", [part.strip() for part in question["derivation"].split("##") if part.strip()]
        weak = {"operator": "count", "count": int(question["answer"])}
        in_cell, in_text = same_text, texts_in
        if len(parts) != weak["count"]:
            parts = []
    else:
        parts = [str(part).strip() for part in question["answer"] if str(part).strip()]
        name = "span" if len(parts) == 1 else "spans"
        in_cell, in_text = same_text, texts_in
        if len(set(parts)) != len(parts):
            return None
    if parts and source != "text":
        choices = table_places(document, question["question"], parts, cells_hinted, in_cell)
        if name in COMPUTE:
            choices = [
                cells
                for cells in choices
                if gives(name, [number(document.rows[r][c]) for r, c in cells], question["answer"], question["scale"])
            ]
        if choices:
            return "table", [cells_answer(cells, name) for cells in choices]
    # If the question asks for a year, take the header that names it.
    if parts and kind == "span" and YEAR.fullmatch(parts[0]):
        asked = set(content_words(question["question"]))
        cells = [
            (row, column)
            for row in range(document.header_rows)
            for column in range(len(document.rows[0]))
            if parts[0] in content_words(document.rows[row][column])
        ]
        if cells and source != "text":
            return "table", [cells_answer([max(cells, key=lambda cell: document.cell_score(cell, asked))])]
    if parts and source != "table":
        orders = sorted(
            document.paragraphs,
            key=lambda order: (order not in spans_hinted, order not in question.get("rel_paragraphs", []), int(order)),
        )
        for order in orders:
            text = document.paragraphs[order]
            choices = text_places(text, parts, spans_hinted.get(order, set()), in_text)
            if name in COMPUTE:
                figures = [abs(part) for part in parts]
                choices = choices if gives(name, figures, question["answer"], question["scale"]) else []
            if choices:
                return order, [{"operator": name, "spans": [list(span) for span in spans]} for spans in choices]
    if weak and weak["count"] and source == "table":
        return "table", [weak]
    return None


# ---------------------------------------------------------------- lines


def chunks(text):
    """Divides a long paragraph between sentences into several (start, text)."""
    found, start = [], None
    for low, high in sentences(text):
        if start is not None and fits(text[start:high], TEXT_BYTES):
            end = high
            continue
        if start is not None:
            found.append((start, text[start:end]))
        start, end = low, high
    if start is not None:
        found.append((start, text[start:end]))
    return found


def in_bytes(text, answers, cut=0):
    """Converts answers of spans in characters to spans in bytes of a part that begins at `cut`."""
    made = []
    for answer in answers:
        spans = [(start - cut, end - cut) for start, end in answer["spans"]]
        if all(0 <= start and end <= len(text) for start, end in spans):
            made.append({**answer, "spans": [byte_span(text, start, end) for start, end in spans]})
    return made


def with_one_head(document, answers):
    """Returns the table with its header rows joined into one, as pages are read, and its answers."""
    less = document.header_rows - 1
    rows = [[document.rows[less][0]] + document.column_heads[1:]] + document.rows[document.header_rows :]
    moved = []
    for answer in answers:
        if "cells" in answer:
            answer = {**answer, "cells": [[max(0, row - less), column] for row, column in answer["cells"]]}
        moved.append(answer)
    return rows, moved


def right_passage(document, place, answers, rng):
    if place == "table":
        rows, header_rows = document.rows, document.header_rows
        if header_rows > 1 and rng.random() < 0.35:
            (rows, answers), header_rows = with_one_head(document, answers), 1
        cut = cut_answers(rows, header_rows, answers, TABLE_PIECES, rng)
        return cut and (table_passage(cut[0], "", header_rows), cut[1])
    text = document.paragraphs[place]
    spans = [span for answer in answers[:1] for span in answer["spans"]]
    part, cut = window(text, min(s for s, _ in spans), max(e for _, e in spans), TEXT_BYTES, rng)
    made = in_bytes(part, answers, cut)
    return (text_passage(part), made) if made else None


def passages_of(document, without, rng):
    """Returns the table and the paragraphs around it, except the place `without`."""
    found = []
    for order, text in document.paragraphs.items():
        if order != without and len(content_words(text)) >= 6:
            found.append(text_passage(window(text, 0, 0, TEXT_BYTES // 2, rng)[0]))
    if without != "table":
        cut = cut_table(document.rows, document.header_rows, [], TABLE_PIECES, rng)
        if cut:
            found.append(table_passage(cut[0], "", document.header_rows))
    return found


def documents_of(path):
    for content in read_json(path):
        document = Document(content)
        if document.rows and not left_out(NAME, document.uid):
            yield document


def add_places(documents, path):
    """Adds the places of their answers to questions, if a file of TAT-HQA has them."""
    known = {}
    for content in read_json(path):
        rows = rectangle(content["table"]["table"])
        for question in content["questions"]:
            if not question["counterfactual"]:
                known[str(rows), question["question"].strip()] = question["mapping"]
    for document in documents:
        for question in document.questions:
            question["mapping"] = known.get((str(document.rows), question["question"].strip()))


def make(data, out, seed):
    writer = Writer(out, NAME)
    folder = data / "tatqa" / "dataset_raw"
    training = list(documents_of(folder / "tatqa_dataset_dev.json"))
    add_places(training, data / "tathqa" / "dataset_extra_field" / "orig" / "tatqa_and_hqa_field_dev.json")
    pool = Pool()
    for document in training:
        pool.add(" ".join(document.labels + document.column_heads), document.uid)
    for document in training:
        for question in document.questions:
            write_training(writer, document, question, training, pool, chance(seed, NAME, question["uid"]))
    for document in documents_of(folder / "tatqa_dataset_test_gold.json"):
        for question in document.questions:
            write_test(writer, document, question)
    return writer.close()


def write_training(writer, document, question, training, pool, rng):
    found = resolved(document, question)
    made = found and right_passage(document, *found, rng)
    if not made:
        return
    place, (right, answers) = found[0], made
    around = passages_of(document, place, rng)
    rng.shuffle(around)
    scale = question["scale"] or "none"
    asked = question["question"]
    writer.train(example(rng, asked, right, answers, around[: rng.choice((0, 1, 1, 2))], scale=scale))
    if rng.random() < 0.25 and around:  # passages next to the answer
        writer.train(example(rng, asked, None, [], around[: rng.choice((1, 2, 3))]))
    if rng.random() < 0.25:  # tables of other reports
        other = [training[n] for n in pool.resembling(asked, 2, document.uid, other=True, rng=rng)]
        tables = [cut_table(d.rows, d.header_rows, [], TABLE_PIECES // 2, rng) for d in other]
        wrong = [table_passage(cut[0], "", d.header_rows) for cut, d in zip(tables, other) if cut]
        if wrong:
            writer.train(example(rng, asked, None, [], wrong + around[:1]))
    robbed = without_rows(document, place, found[1]) if rng.random() < 0.4 else None
    if robbed:
        cut = cut_table(robbed, document.header_rows, [], TABLE_PIECES, rng)
        if cut:
            writer.train(example(rng, asked, None, [], [table_passage(cut[0], "", document.header_rows)] + around[:1]))


def without_rows(document, place, answers):
    """Returns the table without the rows of the answer."""
    if place != "table" or "cells" not in answers[0]:
        return None
    gone = {row for answer in answers for row, _ in answer["cells"]}
    labels = {document.rows[row][0] for row in gone}
    if min(gone) < document.header_rows or "" in labels:
        return None
    left = [row for row in document.rows if row[0] not in labels]
    return left if len(left) >= document.header_rows + 2 else None


def write_test(writer, document, question):
    """Writes the table and everything around it, in the order of the report's page."""
    found = resolved(document, question)
    passages, answers = [], []
    for rows in windows(document.rows, document.header_rows, TEST_PIECES):
        passages.append(table_passage(rows, "", document.header_rows))
    if found and found[0] == "table" and len(passages) == 1:
        answers = [{"passage": 0, **answer} for answer in found[1]]
    for order, text in document.paragraphs.items():
        for start, part in chunks(text):
            if found and found[0] == order:
                answers += [{"passage": len(passages), **answer} for answer in in_bytes(part, found[1], start)]
            passages.append(text_passage(part))
    gold = question["answer"] if isinstance(question["answer"], list) else [question["answer"]]
    gold = [str(part) for part in gold]
    line = {
        "question": question["question"],
        "passages": passages,
        "answers": answers,
        "scale": question["scale"] or "none",
    }
    writer.test({**line, "gold": gold, "id": question["uid"]})
    kept = ("answer", "answer_type", "answer_from", "scale")
    writer.gold({"id": question["uid"], **{key: question[key] for key in kept}})
