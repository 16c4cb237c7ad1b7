"""Template questions that are executed over the training tables of WikiTableQuestions and TabFact:
look-ups in both directions, largest and smallest, counts, lists, sums, averages, differences,
comparisons, neighbours.
"""

import re
from collections import Counter

from shared import Writer, cells_answer, chance, example, held_back, read_json, read_text, table_passage
from tables import WRONG_PIECES, TablePool, cut_answers, cut_table, number, rectangle
from wikitables import Tables, rows_of, table_key

NAME = "templates"
FOLDERS = ("wikitables", "tabfact", "sasp")
PIECES = 400
LIMITS = (WRONG_PIECES, PIECES)  # so that size gives no hint
QUESTIONS = {"wikitables": 16, "tabfact": 4}  # number of questions about a table
YEAR = re.compile(r"(1[89]|20)\d\d")
TOTAL = re.compile(r"\b(total|totals|sum|average|all)\b", re.IGNORECASE)
WHOLE = ("best", "count", "list", "average", "order")  # kinds that are right for complete tables only


class Facts:
    """A table for questions: the column that names its rows, and its columns of figures and of texts."""

    def __init__(self, rows, title):
        self.rows, self.title, self.heads = rows, title, rows[0]
        self.body = [row for row in range(1, len(rows)) if not TOTAL.search(" ".join(rows[row][:2]))]
        self.figures, self.texts, self.values = [], [], {}
        for column, head in enumerate(self.heads):
            cells = [rows[row][column] for row in self.body]
            parsed = [number(cell) for cell in cells]
            years = sum(bool(YEAR.fullmatch(cell)) for cell in cells)
            if not head or len(head) > 40 or self.heads.count(head) > 1 or not cells:
                continue
            if sum(value is not None for value in parsed) >= 0.8 * len(cells) and years < 0.5 * len(cells):
                self.figures.append(column)
                self.values.update({(row, column): value for row, value in zip(self.body, parsed) if value is not None})
            elif sum(bool(cell) and len(cell) <= 60 for cell in cells) >= 0.8 * len(cells):
                self.texts.append(column)
        self.key = next((column for column in self.texts if self.distinct(column)), None)

    def distinct(self, column):
        cells = [self.rows[row][column].lower() for row in self.body]
        return len(set(cells)) >= 0.85 * len(cells)

    def name(self, row):
        """Returns the name of a row, if no other row has it."""
        cell = self.rows[row][self.key]
        alone = sum(self.rows[other][self.key].lower() == cell.lower() for other in self.body) == 1
        return cell if cell and alone and len(cell) <= 60 else None


def lower(head):
    """Returns a header in the form that it has in a question."""
    return (
        " ".join(
            word if word.isupper() and len(word) < 5 else word.lower()
            for word in re.sub(r"[()#:*]+", " ", head).split()
        )
        or head
    )


def named_row(rng, facts):
    rows = [row for row in facts.body if facts.name(row)]
    return rng.choice(rows) if rows else None


def lookup(rng, facts):
    row = named_row(rng, facts)
    columns = [column for column in facts.figures + facts.texts if column != facts.key]
    if row is None or not columns:
        return None
    column = rng.choice(columns)
    if not facts.rows[row][column]:
        return None
    what, who = lower(facts.heads[column]), facts.name(row)
    forms = (
        f"what is the {what} of {who}?",
        f"What was the {what} for {who}?",
        f"what is the {what} for {who}?",
        f"{who}: {what}?",
        f"What {what} does {who} have?",
        f"Tell me the {what} of {who}.",
        f"which {what} belongs to {who}?",
        f"For {lower(facts.heads[facts.key])} {who}, what is the {what}?",
    )
    return "lookup", rng.choice(forms), cells_answer([(row, column)]), [row], who


def reverse(rng, facts):
    columns = [column for column in facts.figures + facts.texts if column != facts.key]
    row = named_row(rng, facts)
    if row is None or not columns:
        return None
    column = rng.choice(columns)
    cell = facts.rows[row][column]
    if not cell or sum(facts.rows[other][column].lower() == cell.lower() for other in range(1, len(facts.rows))) > 1:
        return None
    what, key = lower(facts.heads[column]), lower(facts.heads[facts.key])
    forms = (
        f"Which {key} has a {what} of {cell}?",
        f"what {key} has {cell} as {what}?",
        f"which {key} has {what} {cell}?",
        f"What is the {key} whose {what} is {cell}?",
    )
    return "lookup", rng.choice(forms), cells_answer([(row, facts.key)]), [row], cell


def best(rng, facts):
    if not facts.figures or len(facts.body) < 3:
        return None
    column = rng.choice(facts.figures)
    found = sorted((facts.values[row, column], row) for row in facts.body if (row, column) in facts.values)
    if len(found) < len(facts.body) or len({value for value, _ in found}) < 3:
        return None
    high = rng.random() < 0.65
    (value, row), (beside, _) = (found[-1], found[-2]) if high else (found[0], found[1])
    if value == beside:
        return None
    what, key = lower(facts.heads[column]), lower(facts.heads[facts.key])
    word = (
        rng.choice(("highest", "largest", "most", "greatest")) if high else rng.choice(("lowest", "smallest", "least"))
    )
    if rng.random() < 0.2:
        return (
            "best",
            rng.choice((f"what is the {word} {what}?", f"What was the {word} {what} listed?")),
            cells_answer([(row, column)]),
            [row],
            "",
        )
    forms = (
        f"which {key} has the {word} {what}?",
        f"Which {key} had the {word} {what}?",
        f"what {key} has the {word} {what}?",
        f"who or what has the {word} {what}?",
    )
    return "best", rng.choice(forms), cells_answer([(row, facts.key)]), [row], ""


def counted(rng, facts):
    columns = [column for column in facts.texts if column != facts.key]
    if not columns or len(facts.body) < 3 or len(facts.body) != len(facts.rows) - 1:
        return None
    key = lower(facts.heads[facts.key])
    if facts.figures and rng.random() < 0.4:
        column = rng.choice(facts.figures)
        values = sorted(facts.values[row, column] for row in facts.body if (row, column) in facts.values)
        if len(values) < len(facts.body) or len(set(values)) < 3:
            return None
        at = rng.choice(values[1:-1])
        above = rng.random() < 0.6
        rows = [
            row for row in facts.body if (facts.values[row, column] > at if above else facts.values[row, column] < at)
        ]
        shown = f"{at:,.0f}" if at == int(at) else str(at)
        word = rng.choice(("more than", "over", "above")) if above else rng.choice(("less than", "under", "below"))
        text = rng.choice(
            (
                f"how many {key}s have {word} {shown} {lower(facts.heads[column])}?",
                f"How many have a {lower(facts.heads[column])} {word} {shown}?",
                f"what is the number of {key}s with {lower(facts.heads[column])} {word} {shown}?",
            )
        )
    else:
        column = rng.choice(columns)
        said, times = rng.choice(sorted(Counter(facts.rows[row][column] for row in facts.body).items()))
        if not said or times > 12:
            return None
        rows = [row for row in facts.body if facts.rows[row][column] == said]
        what = lower(facts.heads[column])
        text = rng.choice(
            (
                f"how many {key}s have {what} {said}?",
                f"How many times is {said} listed as {what}?",
                f"what is the number of {key}s with {said} as {what}?",
                f"how many rows have a {what} of {said}?",
            )
        )
    return ("count", text, cells_answer([(row, column) for row in rows], "count"), rows, "") if rows else None


def listed(rng, facts):
    columns = [column for column in facts.texts if column != facts.key]
    if not columns or len(facts.body) != len(facts.rows) - 1:
        return None
    column, key = rng.choice(columns), lower(facts.heads[facts.key])
    said, times = rng.choice(sorted(Counter(facts.rows[row][column] for row in facts.body).items()))
    if not said or not 2 <= times <= 8:
        return None
    rows = [row for row in facts.body if facts.rows[row][column] == said]
    what = lower(facts.heads[column])
    text = rng.choice(
        (
            f"which {key}s have {what} {said}?",
            f"What are the {key}s with {said} as {what}?",
            f"list the {key}s whose {what} is {said}.",
            f"which {key}s are listed with {what} {said}?",
        )
    )
    return "list", text, cells_answer([(row, facts.key) for row in rows]), rows, said


def two_rows(rng, facts):
    rows = [row for row in facts.body if facts.name(row)]
    if len(rows) < 2 or not facts.figures:
        return None
    one, other = rng.sample(rows, 2)
    column = rng.choice(facts.figures)
    if (one, column) not in facts.values or (other, column) not in facts.values:
        return None
    a, b = facts.values[one, column], facts.values[other, column]
    what, x, y = lower(facts.heads[column]), facts.name(one), facts.name(other)
    kind = rng.choice(("difference", "difference", "sum", "average", "yesno", "yesno", "which", "spans"))
    cells = [(one, column), (other, column)]
    if kind == "difference":
        if a < b:
            one, other, x, y, cells = other, one, y, x, cells[::-1]
        forms = (
            f"what is the difference in {what} between {x} and {y}?",
            f"how much more {what} does {x} have than {y}?",
            f"How much higher is the {what} of {x} than that of {y}?",
            f"by how much does the {what} of {x} exceed that of {y}?",
        )
        return kind, rng.choice(forms), cells_answer(cells, kind), [one, other], x
    if kind in ("sum", "average"):
        word = rng.choice(("total", "combined")) if kind == "sum" else "average"
        return (
            "pair",
            rng.choice(
                (f"what is the {word} {what} of {x} and {y}?", f"What is the {word} of {what} for {x} and {y}?")
            ),
            cells_answer(sorted(cells), kind),
            [one, other],
            x,
        )
    if kind == "spans":
        return "pair", f"what are the {what} of {x} and of {y}?", cells_answer(cells), [one, other], x
    if a == b:
        return None
    more = rng.random() < 0.5
    word = rng.choice(("more", "a higher", "a larger")) if more else rng.choice(("less", "a lower", "a smaller"))
    if kind == "which":
        return (
            "pair",
            rng.choice((f"which has {word} {what}, {x} or {y}?", f"who has {word} {what}: {x} or {y}?")),
            cells_answer([(one if (a > b) == more else other, facts.key)]),
            [one, other],
            x,
        )
    holds = (a > b) == more
    forms = (
        f"does {x} have {word} {what} than {y}?",
        f"{x} has {word} {what} than {y}.",
        f"{x} have {word} {what} than {y}",
        f"is the {what} of {x} {word.split()[-1].replace('more', 'higher').replace('less', 'lower')} than that of {y}?",
    )
    return "pair", rng.choice(forms), {"operator": "yes" if holds else "no"}, [one, other], x


def overall(rng, facts):
    if not facts.figures or not 2 <= len(facts.body) <= 14 or len(facts.body) != len(facts.rows) - 1:
        return None
    column = rng.choice(facts.figures)
    cells = [(row, column) for row in facts.body if (row, column) in facts.values]
    if len(cells) < len(facts.body):
        return None
    operator = rng.choice(("sum", "average"))
    word = rng.choice(("total", "combined", "overall")) if operator == "sum" else rng.choice(("average", "mean"))
    return (
        "average",
        rng.choice(
            (
                f"what is the {word} {lower(facts.heads[column])} of all {lower(facts.heads[facts.key])}s?",
                f"What is the {word} {lower(facts.heads[column])} in the table?",
            )
        ),
        cells_answer(cells, operator),
        facts.body,
        "",
    )


def neighbour(rng, facts):
    rows = [row for row in facts.body if facts.name(row)]
    if len(rows) < 3 or len(facts.body) != len(facts.rows) - 1:
        return None
    key = lower(facts.heads[facts.key])
    place = rng.randint(1, len(rows) - 2)
    kind = rng.choice(("after", "before", "first", "last"))
    if kind in ("first", "last"):
        row = facts.body[0] if kind == "first" else facts.body[-1]
        return (
            "order",
            rng.choice(
                (
                    f"what is the {kind} {key} listed?",
                    f"which {key} is listed {kind}?",
                    f"who or what is the {kind} {key} on the chart?",
                )
            ),
            cells_answer([(row, facts.key)]),
            [row],
            "",
        )
    row, beside = rows[place], rows[place] + (1 if kind == "after" else -1)
    if beside not in facts.body:
        return None
    word = rng.choice(("comes right", "is listed", "comes directly")) + f" {kind}"
    return (
        "order",
        rng.choice((f"which {key} {word} {facts.name(row)}?", f"what {key} is {kind} {facts.name(row)}?")),
        cells_answer([(beside, facts.key)]),
        [row, beside],
        facts.name(row),
    )


KINDS = ((lookup, 8), (reverse, 5), (best, 5), (counted, 4), (listed, 3), (two_rows, 7), (overall, 1), (neighbour, 2))


def make(data, out, seed):
    writer = Writer(out, NAME)
    for origin, name, rows, title, pool in training_tables(data):
        rng = chance(seed, NAME, name)
        facts = Facts(rows, title)
        if facts.key is None or len(facts.body) < 2:
            continue
        asked = set()
        for _ in range(QUESTIONS[origin]):
            ((kind, _),) = rng.choices(KINDS, [weight for _, weight in KINDS])
            found = kind(rng, facts)
            if found and found[1] not in asked:
                asked.add(found[1])
                line = line_of(rng, facts, found, pool, name)
                if line:
                    writer.train(line)
    return writer.close()


def line_of(rng, facts, found, pool, name):
    kind, question, answer, rows, said = found
    if rng.random() < 1 / 3:
        if (
            said and kind in ("lookup", "difference", "pair") and rng.random() < 0.5
        ):  # without the row of the answer
            gone = {row for row in rows if row == rows[0]}
            left = [line for place, line in enumerate(facts.rows) if place not in gone]
            if len(left) < 3 or any(said.lower() in cell.lower() for line in left for cell in line):
                return None
            cut = cut_table(left, 1, [], PIECES, rng)
            return cut and example(rng, question, None, [], [table_passage(cut[0], facts.title, 1)])
        wrong = pool.wrong(
            question,
            rng.choice((1, 1, 2)),
            name,
            rng,
            [said] if len(said) > 3 or said and number(said) is None else [],
            rng.choice(LIMITS),
        )
        return example(rng, question, None, [], wrong) if wrong else None
    cut = cut_answers(facts.rows, 1, [answer], PIECES, rng)
    if cut is None or kind in WHOLE and len(cut[0]) < len(facts.rows):
        return None
    if answer["operator"] in ("yes", "no") and len(cut[0]) < len(facts.rows):
        return None
    wrong = pool.wrong(
        question, rng.choice((0, 0, 0, 1)), name, rng, [said] if len(said) > 3 or said and number(said) is None else []
    )
    return example(rng, question, table_passage(cut[0], facts.title, 1), cut[1], wrong)


def training_tables(data):
    """Yields (origin, name, rows, title, the tables of its origin) of each table for training."""
    for origin, tables in (("wikitables", wiki_tables(data)), ("tabfact", fact_tables(data))):
        pool = TablePool()
        for name, (rows, title) in tables.items():
            pool.add(rows, title, name)
        for name, (rows, title) in tables.items():
            yield origin, name, rows, title, pool


def wiki_tables(data):
    """Returns the training tables of WikiTableQuestions that are not held back: name -> (rows, title)."""
    tables = Tables(data / "wikitables")
    names = sorted({row["context"] for row in rows_of(data / "wikitables" / "data" / "training.tsv")})
    return {name: tables[name] for name in names if not held_back(table_key(name)) and len(tables[name][0]) > 2}


def fact_tables(data):
    """Returns TabFact's training tables with the titles of their pages."""
    folder = data / "tabfact" / "data"
    titles = read_json(folder / "table_to_page.json")
    found = {}
    for name in sorted(read_json(folder / "train_id.json")):
        rows = rectangle([line.split("#") for line in read_text(folder / "all_csv" / name).split("\n") if line])
        if len(rows) > 2:
            found[name] = rows, titles.get(name, [""])[0]
    return found
