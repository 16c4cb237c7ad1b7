"""GRI-QA: questions about single tables of sustainability reports: look-ups, sums, averages,
differences, comparisons, the largest and the smallest.
"""

import ast
import csv
import io

from exclusions import left_out
from shared import TABLE_PIECES, Writer, cells_answer, chance, example, held_back, read_text, table_passage
from tables import WRONG_PIECES, TablePool, cut_answers, number, read_csv
from tatqa import COMPUTE, heads

NAME = "griqa"
FOLDERS = ("griqa",)
OPERATORS = {
    "average": "average",
    "sum": "sum",
    "increase_difference": "difference",
    "reduction_difference": "difference",
    "increase_percentage": "change",
    "reduction_percentage": "change",
}


def make(data, out, seed):
    folder = data / "griqa" / "dataset"
    tables, questions = {}, []
    for part in ("extra", "quant", "rel"):
        text = read_text(folder / "one-table" / f"gri-qa_{part}.csv").lstrip("\ufeff")
        for place, row in enumerate(csv.DictReader(io.StringIO(text, newline=""))):
            report = ast.literal_eval(row["pdf name"])[0].removesuffix(".pdf")
            name = f"{report}/{ast.literal_eval(row['page nbr'])[0]}_{ast.literal_eval(row['table nbr'])[0]}"
            if left_out(NAME, name):
                continue
            if name not in tables:
                tables[name] = read_csv(
                    read_text(folder / "annotation" / f"{name}.csv").lstrip("\ufeff"), delimiter=";"
                )
            questions.append((f"{part}/{place}", part, name, row))
    pools = {True: TablePool(), False: TablePool()}
    for name, rows in sorted(tables.items()):
        pools[held_back(report_of(name))].add(rows, "", report_of(name), heads(rows))
    writer = Writer(out, NAME)
    for identity, part, name, row in questions:
        rng, rows = chance(seed, NAME, identity), tables[name]
        answers = answers_of(part, rows, row)
        cut = answers and cut_answers(rows, heads(rows), answers, TABLE_PIECES, rng)
        if not cut or part == "rel" and len(cut[0]) < len(rows):
            continue
        kept = held_back(report_of(name))
        right = table_passage(cut[0], "", heads(rows))
        if kept:
            writer.test(example(rng, row["question"], right, cut[1], [], gold=[row["value"]], id=identity))
            continue
        limit = rng.choice((WRONG_PIECES, TABLE_PIECES))
        wrong = pools[kept].wrong(row["question"], rng.choice((1, 2)), report_of(name), rng, limit=limit)
        if rng.random() < 1 / 3:
            if wrong:
                writer.train(example(rng, row["question"], None, [], wrong))
        else:
            writer.train(example(rng, row["question"], right, cut[1], wrong[: rng.choice((0, 0, 1))]))
    return writer.close()


def report_of(name):
    return name.split("/")[0]


def indices(text):
    """Converts the set's places, counted from one, to ours. Lists in lists are not supported."""
    found = ast.literal_eval(text)
    found = found if isinstance(found, list) else [found]
    return [int(place) - 1 for place in found]


def answers_of(part, rows, row):
    """Returns answers in our form, or none if the cells that the set names do not give its value."""
    try:
        lines, columns = (
            (indices(row["row"]), indices(row["column"]))
            if part == "extra"
            else (indices(row["row indices"]), indices(row["col indices"]))
        )
    except (ValueError, SyntaxError, TypeError):
        return []
    cells = list(zip(lines, columns))
    if not cells or any(not (0 <= line < len(rows) and 0 <= column < len(rows[0])) for line, column in cells):
        return []
    values = [number(rows[line][column]) for line, column in cells]
    if part == "extra":
        said = rows[cells[0][0]][cells[0][1]]
        same = (
            said == row["value"]
            or values[0] is not None
            and number(row["value"]) is not None
            and abs(abs(values[0]) - abs(number(row["value"]))) < 1e-9
        )
        return [cells_answer(cells)] if same else []
    kind = row["question_type_ext"]
    if None in values or len(set(cells)) != len(cells):
        return []
    if part == "quant" and kind in OPERATORS:
        return computed(OPERATORS[kind], cells, values, row["value"])
    if kind == "comparative" and row["value"] in ("yes", "no"):
        return [{"operator": row["value"]}]
    if kind == "superlative":
        return [cells_answer([cell]) for cell, value in zip(cells, values) if value == number(row["value"])][:1]
    if kind == "rank":
        wanted = [number(part) for part in row["value"].split(", ")]
        chosen = [cells[values.index(value)] for value in wanted if value in values]
        return [cells_answer(chosen)] if len(set(chosen)) == len(wanted) > 1 else []
    return []


def computed(operator, cells, values, wanted):
    """Returns the operator over the cells, or over the reversed pair, if it gives the value."""
    wanted = number(wanted)
    if wanted is None or operator in ("difference", "change") and len(cells) != 2:
        return []
    for order in (1, -1):
        try:
            value = COMPUTE[operator](values[::order])
        except ZeroDivisionError:
            continue
        value = 100 * value if operator == "change" else value
        if abs(abs(value) - abs(wanted)) <= max(0.011, 0.0005 * abs(wanted)):
            return [cells_answer(cells[::order], operator)]
    return []
