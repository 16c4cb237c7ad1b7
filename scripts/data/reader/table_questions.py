"""Questions about a table whose meaning is known, with the cells and the operator that answer them."""

import re

from made_tables import MONEY, PERCENT
from tables import number


class Asked:
    """A question, its answers (without their passage), its scale, and the rows and columns it needs."""

    def __init__(self, text, answers, scale, rows, columns, kind):
        self.text, self.answers, self.scale, self.rows, self.columns, self.kind = (
            text,
            answers,
            scale,
            rows,
            columns,
            kind,
        )

    def keys(self):
        return {row.key for row in self.rows}


def the(rng, measure):
    """Returns a measure with or without its article."""
    return f"the {measure}" if rng.random() < 0.5 and not measure.startswith(("the ", "total ")) else measure


def speak(rng, table, row, column):
    """Returns (measure, when) in words for a cell."""
    if column.period:
        measure = rng.choice(row.spoken)
        if not table.unique_spoken(measure, row):
            measure = row.spoken[0]
        return measure, rng.choice(column.says)
    if table.topic in ("segment", "pay"):
        who = (
            f"{row.entity} segment"
            if table.topic == "segment" and rng.random() < 0.4 and row.role != "total"
            else row.entity
        )
        if row.role == "total":
            return f"total {column.short}", table.when
        return (
            rng.choice(
                (
                    f"{column.short} of {'the ' if who.endswith('segment') else ''}{who}",
                    f"{row.entity}'s {column.short}",
                    f"{column.short} for {'the ' if who.endswith('segment') else ''}{who}",
                )
            ),
            table.when,
        )
    return rng.choice(row.spoken), rng.choice(column.says)


def asked_by(table, rng):
    """Returns how a question names the company: by its name, as "the company", or not at all."""
    report = table.company
    return rng.choice((report.name, report.full_name, report.short_name, "the company", "the Company", "the group"))


def question(rng, table, measure, when, row):
    """Returns a look-up in one of many wordings."""
    who, m = asked_by(table, rng), the(rng, measure)
    if table.topic in ("survey", "indicator") or table.topic.startswith(("number", "ratio")) or table.noun == "method":
        forms = (
            f"What was {m} {when}?",
            f"What is {m} {when}?",
            f"{m} {when}?",
            f"What {measure} was reported {when}?",
            f"Give {m} {when}.",
            f"{when}, what was {m}?",
        )
        if measure.startswith("number of "):
            things = measure[len("number of ") :]
            forms += (
                f"How many {things} were there {when}?",
                f"How many {things} did {who} have {when}?",
                f"How many {things} {when}?",
            ) * 2
        return sentence(rng.choice(forms))
    forms = (
        f"What was {m} {when}?",
        f"What was {m} {when}?",
        f"What is {m} {when}?",
        f"What is {m} {when}?",
        f"How much was {m} {when}?",
        f"What was {who}'s {measure} {when}?",
        f"How much did {who} report for {measure} {when}?",
        f"What did {who} report as {measure} {when}?",
        f"{m} {when}?",
        f"What amount of {measure} was reported {when}?",
        f"{when}, what was {m}?",
        f"What is the value of {measure} {when}?",
        f"What is the amount of {measure} {when}?",
        f"Find {m} of {who} {when}.",
        f"How much {measure} did {who} have {when}?",
        f"What were {measure} {when}?",
        f"State {m} {when}.",
        f"How high was {m} {when}?",
        f"what was {who}'s {measure} {when}",
        f"How much is {m} {when}?",
        f"What {measure} did {who} record {when}?",
        f"Based on the table, what was {m} {when}?",
    )
    text = rng.choice([form for form in forms if form.count("'s") <= max(1, measure.count("'s"))])
    if row.kind == MONEY and table.unit in ("thousand", "million", "billion") and rng.random() < 0.06:
        text = text.rstrip("?.") + f", in {table.unit}s?"
    return sentence(text)


def sentence(text):
    text = (
        re.sub(r"\s+", " ", text)
        .replace(" ?", "?")
        .replace(" .", ".")
        .replace(" ,", ",")
        .replace("total total", "total")
        .strip(" ,")
    )
    return text[:1].upper() + text[1:] if not text.startswith("what ") else text


def between(rng, old, new):
    return (
        rng.choice(
            (
                f"from {old.short} to {new.short}",
                f"between {old.short} and {new.short}",
                f"from {old.short} to {new.short}",
                f"in {new.short} from {old.short}",
                f"in {new.short} compared to {old.short}",
                f"between {new.short} and {old.short}",
            )
        )
        if old.period[0] == "year"
        else f"from {old.short} to {new.short}"
    )


# ---------------------------------------------------------------- kinds of questions


def lookup(rng, table):
    row, column = some_cell(rng, table)
    measure, when = speak(rng, table, row, column)
    return Asked(
        question(rng, table, measure, when, row),
        [table.answer([table.cell(row, column)])],
        table.scale(row, column),
        [row],
        [column],
        "lookup",
    )


def two_rows(rng, table):
    column = some_column(rng, table)
    one, other = sample_rows(rng, table, 2)
    (m1, when), (m2, _) = speak(rng, table, one, column), speak(rng, table, other, column)
    text = rng.choice(
        (
            f"What were {m1} and {m2} {when}, respectively?",
            f"What are the respective values of {m1} and {m2} {when}?",
            f"What was {m1} and {m2} {when}?",
            f"How much were {m1} and {m2} {when} respectively?",
        )
    )
    scales = {table.scale(row, column) for row in (one, other)}
    if len(scales) > 1:
        return None
    return Asked(
        sentence(text),
        [table.answer([table.cell(one, column), table.cell(other, column)])],
        scales.pop(),
        [one, other],
        [column],
        "spans",
    )


def two_periods(rng, table):
    (row,) = sample_rows(rng, table, 1)
    chosen = period_columns(rng, table, 2)
    if not chosen:
        return None
    new, old = chosen if rng.random() < 0.5 else chosen[::-1]
    m = the(rng, rng.choice(row.spoken))
    text = rng.choice(
        (
            f"What was {m} in {new.short} and {old.short}, respectively?",
            f"What were the values of {m} in {new.short} and {old.short}?",
            f"What is the respective {row.spoken[0]} in {new.short} and {old.short}?",
        )
    )
    return Asked(
        sentence(text.replace("in the", "in the")),
        [table.answer([table.cell(row, new), table.cell(row, old)])],
        table.scale(row),
        [row],
        [new, old],
        "spans",
    )


def change_of(rng, table, percent):
    (row,) = sample_rows(rng, table, 1)
    chosen = period_columns(rng, table, 2)
    if not chosen:
        return None
    new, old = chosen
    a, b = value(table, row, new), value(table, row, old)
    if a is None or b in (None, 0):
        return None
    measure, span = rng.choice(row.spoken), between(rng, old, new)
    m, who = the(rng, measure), asked_by(table, rng)
    if percent:
        if row.kind == PERCENT:
            return None
        up = "increase" if abs(a) >= abs(b) else "decrease"
        forms = (
            f"What was the percentage change in {measure} {span}?",
            f"What is the percentage change in {measure} {span}?",
            f"What is the percentage {up} in {measure} {span}?",
            f"By what percentage did {m} change {span}?",
            f"By how many percent did {m} {up} {span}?",
            f"What was the growth rate of {measure} {span}?",
            f"What is the year-over-year change in {measure} {span}, in percent?",
            f"How much did {m} grow {span}, in percentage terms?",
            f"What is the percent change of {m} {span}?",
            f"What was {who}'s {measure} growth {span}?",
            f"What is the percentage increase / (decrease) in {measure} {span}?",
            f"What percentage did {measure} {up} by {span}?",
        )
        answers = [table.answer([table.cell(row, new), table.cell(row, old)], "change")]
        answers += [
            table.answer([table.cell(row, column)]) for column in table.columns if column.kind == "percent change"
        ]
        return Asked(sentence(rng.choice(forms)), answers, "percent", [row], [new, old], "change")
    forms = [
        f"What was the change in {measure} {span}?",
        f"What is the change in {measure} {span}?",
        f"What is the difference in {measure} {span}?",
        f"What was the increase / (decrease) in {measure} {span}?",
        f"How much did {m} change {span}?",
        f"What is the absolute change in {measure} {span}?",
        f"What is the increase/(decrease) in {measure} {span}?",
        f"By how much did {m} change {span}?",
    ]
    if a >= b >= 0:
        forms += [
            f"By how much did {m} increase {span}?",
            f"What was the increase in {measure} {span}?",
            f"How much did {m} rise {span}?",
            f"How much more was {m} in {new.short} than in {old.short}?",
        ]
    pair = [table.cell(row, new), table.cell(row, old)]
    text = rng.choice(forms)
    if 0 <= a < b and rng.random() < 0.4:
        text = rng.choice(
            (
                f"By how much did {m} decrease {span}?",
                f"What was the decrease in {measure} {span}?",
                f"How much did {m} fall {span}?",
                f"How much lower was {m} in {new.short} than in {old.short}?",
            )
        )
        pair.reverse()
    answers = [table.answer(pair, "difference")]
    if pair[0] == table.cell(row, new):
        answers += [table.answer([table.cell(row, column)]) for column in table.columns if column.kind == "change"]
    return Asked(sentence(text), answers, table.scale(row), [row], [new, old], "difference")


def mixed(table):
    """Returns whether the rows are things that cannot be added or compared."""
    return table.noun in ("indicator", "figure", "ratio")


def difference_of_rows(rng, table):
    if table.noun in ("indicator", "figure"):
        return None
    column = some_column(rng, table)
    one, other = sample_rows(rng, table, 2)
    if table.scale(one, column) != table.scale(other, column) or one.kind != other.kind:
        return None
    a, b = value(table, one, column), value(table, other, column)
    if a is None or b is None:
        return None
    (m1, when), (m2, _) = speak(rng, table, one, column), speak(rng, table, other, column)
    forms = [
        f"What is the difference between {m1} and {m2} {when}?",
        f"What was the difference between {m1} and {m2} {when}?",
    ]
    if a > b:
        forms += [
            f"How much higher was {m1} than {m2} {when}?",
            f"By how much did {m1} exceed {m2} {when}?",
            f"How much more was {m1} than {m2} {when}?",
        ]
    return Asked(
        sentence(rng.choice(forms)),
        [table.answer([table.cell(one, column), table.cell(other, column)], "difference")],
        table.scale(one, column),
        [one, other],
        [column],
        "difference",
    )


MARGINS = (
    ("gross margin", "gross profit", "revenue"),
    ("operating margin", "operating income", "revenue"),
    ("net profit margin", "net income", "revenue"),
    ("current ratio", "current assets", "current liabilities"),
    ("debt to equity ratio", "total liabilities", "equity"),
    ("effective tax rate", "income taxes", "income before taxes"),
    ("return on assets", "net income", "total assets"),
    ("ratio of liabilities to assets", "total liabilities", "total assets"),
    ("equity ratio", "equity", "total assets"),
    ("R&D intensity", "research and development", "revenue"),
    ("cost of sales ratio", "cost of sales", "revenue"),
    ("interest cover", "operating income", "interest expense"),
    ("cash ratio", "cash", "current liabilities"),
    ("asset turnover", "revenue", "total assets"),
)
AS_NUMBER = ("current ratio", "debt to equity ratio", "interest cover", "cash ratio", "asset turnover")


def ratio_of_rows(rng, table):
    if mixed(table):
        return None
    column = some_column(rng, table)
    by_key = {row.key: row for row in table.rows}
    named = [(name, by_key[up], by_key[down]) for name, up, down in MARGINS if up in by_key and down in by_key]
    if named and column.period and rng.random() < 0.5:
        name, one, other = rng.choice(named)
        when, who = rng.choice(column.says), asked_by(table, rng)
        text = rng.choice(
            (
                f"What was the {name} {when}?",
                f"What is {who}'s {name} {when}?",
                f"Calculate the {name} {when}.",
                f"What was {who}'s {name} {when}?",
                f"{when}, what was the {name}?",
            )
        )
        scale = "none" if name in AS_NUMBER else "percent"
    else:
        totals = [row for row in table.figures() if row.role == "total"]
        one, other = sample_rows(rng, table, 2)
        if totals and rng.random() < 0.6:
            other = rng.choice(totals)
        if one is other or one.kind != other.kind or one.kind == PERCENT or table.noun == "method":
            return None
        (m1, when), (m2, _) = speak(rng, table, one, column), speak(rng, table, other, column)
        if rng.random() < 0.35:
            scale, forms = "none", (
                f"What is the ratio of {m1} to {m2} {when}?",
                f"What was the ratio of {m1} to {m2} {when}?",
                f"What is {m1} divided by {m2} {when}?",
            )
        else:
            scale = "percent"
            forms = (
                f"What percentage of {m2} was {m1} {when}?",
                f"What is {m1} as a percentage of {m2} {when}?",
                f"{when}, what share of {m2} came from {m1}?",
                f"What proportion of {m2} did {m1} make up {when}?",
                f"What percent of {m2} was {m1} {when}?",
                f"How many percent of {m2} was {m1} {when}?",
            )
        text = rng.choice(forms)
    a, b = value(table, one, column), value(table, other, column)
    if a is None or b in (None, 0) or table.scale(one, column) != table.scale(other, column):
        return None
    return Asked(
        sentence(text),
        [table.answer([table.cell(one, column), table.cell(other, column)], "ratio")],
        scale,
        [one, other],
        [column],
        "ratio",
    )


def over_periods(rng, table, operator):
    (row,) = sample_rows(rng, table, 1)
    available = [column for column in table.columns if column.period]
    if len(available) < 2 or operator == "sum" and row.kind == PERCENT:
        return None
    ordered = sorted(available, key=lambda column: column.period)
    count = rng.randint(2, len(ordered))
    start = rng.randint(0, len(ordered) - count)
    chosen = ordered[start : start + count]
    if any(value(table, row, column) is None for column in chosen):
        return None
    names = [column.short for column in chosen]
    quarters = chosen[0].period[0] == "quarter"
    if count == len(ordered) and rng.random() < 0.35:
        span = (
            rng.choice(("over the periods shown", "across all years", "over all the periods in the table"))
            if not quarters
            else rng.choice(("over the four quarters", "for the full year"))
        )
    elif count == 2:
        span = (
            rng.choice(
                (
                    f"in {names[0]} and {names[1]}",
                    f"for {names[1]} and {names[0]}",
                    f"between {names[0]} and {names[1]}",
                    f"for the years {names[0]} and {names[1]}",
                )
            )
            if not quarters
            else f"in {names[0]} and {names[1]}"
        )
    else:
        span = rng.choice(
            (
                f"from {names[0]} to {names[-1]}",
                f"between {names[0]} and {names[-1]}",
                f"over {names[0]} to {names[-1]}",
                f"in {', '.join(names[:-1])} and {names[-1]}",
                f"for the {count} years {names[0]} to {names[-1]}",
            )
        )
    measure = rng.choice(row.spoken)
    if operator == "average":
        forms = (
            f"What is the average {measure} {span}?",
            f"What was the average {measure} {span}?",
            f"What was the mean {measure} {span}?",
            f"Calculate the average {measure} {span}.",
            f"How much was {measure} on average {span}?",
        )
    else:
        forms = (
            f"What is the total {measure} {span}?",
            f"What was the sum of {measure} {span}?",
            f"What is the combined {measure} {span}?",
            f"How much was {measure} in total {span}?",
            f"What was the cumulative {measure} {span}?",
        )
    cells = sorted((table.cell(row, column) for column in chosen), key=lambda cell: cell[1])
    return Asked(
        sentence(rng.choice(forms)).replace("total total", "total"),
        [table.answer(cells, operator)],
        table.scale(row),
        [row],
        chosen,
        operator,
    )


def over_rows(rng, table, operator):
    if mixed(table):
        return None
    column = some_column(rng, table)
    rows = [row for row in sample_rows(rng, table, rng.choice((2, 2, 3)))]
    if (
        len({(row.kind, table.scale(row, column)) for row in rows}) > 1
        or any(value(table, row, column) is None for row in rows)
        or rows[0].kind == PERCENT
        and operator == "sum"
    ):
        return None
    parts = [speak(rng, table, row, column) for row in rows]
    names, when = ", ".join(m for m, _ in parts[:-1]) + f" and {parts[-1][0]}", parts[0][1]
    if operator == "sum":
        forms = (
            f"What is the sum of {names} {when}?",
            f"What was the total of {names} {when}?",
            f"How much were {names} combined {when}?",
            f"What is the combined amount of {names} {when}?",
            f"{when}, what did {names} add up to?",
        )
    else:
        forms = (f"What is the average of {names} {when}?", f"What was the mean of {names} {when}?")
    cells = sorted(table.cell(row, column) for row in rows)
    return Asked(
        sentence(rng.choice(forms)),
        [table.answer(cells, operator)],
        table.scale(rows[0], column),
        rows,
        [column],
        operator,
    )


def items(table):
    return [row for row in table.figures() if row.role == "item"]


def best_row(rng, table):
    """Asks which row is largest or smallest; the answer is its label."""
    column, rows = some_column(rng, table), items(table)
    values = {id(row): value(table, row, column) for row in rows}
    if (
        len(rows) < 3
        or table.noun in ("line", "measure", "indicator", "figure", "ratio")
        or None in values.values()
        or len({row.kind for row in rows}) > 1
    ):
        return None
    ordered = sorted(rows, key=lambda row: values[id(row)])
    if len(set(values.values())) < len(rows):
        return None
    when = (
        (
            rng.choice(column.says)
            if column.says and column.period or table.noun in ("response", "method")
            else f"in terms of {column.short}"
        )
        if column.period or not table.topic in ("segment", "pay")
        else ""
    )
    what = table.topic if column.period or table.noun in ("response", "method") else column.short
    noun = table.noun
    rank = rng.choice((-1, -1, -1, 0, 0, -2))
    word = {
        -1: rng.choice(("highest", "largest", "greatest")),
        0: rng.choice(("lowest", "smallest")),
        -2: "second highest",
    }[rank]
    if noun == "response":
        forms = (
            f"Which response was {'most' if rank == -1 else 'least' if rank == 0 else 'second most'} common {when}?",
            f"Which answer had the {word} share {when}?",
        )
    elif noun in (
        "segment",
        "region",
        "director",
        "method",
        "country",
        "function",
        "faculty",
        "service",
        "museum",
        "ward",
        "field",
        "type",
        "group",
        "vessel type",
    ):
        forms = (
            f"Which {noun} had the {word} {what} {when}?",
            f"Which {noun} reported the {word} {what} {when}?",
            f"What {noun} has the {word} {what} {when}?",
            f"{when}, which {noun} had the {word} {what}?",
        )
    else:
        forms = (
            f"Which {noun} was the {word} {when}?",
            f"What was the {word} {noun} {when}?",
            f"Which {noun} had the {word} amount {when}?",
            f"What is the {word} {noun} {when}?",
        )
    winner = ordered[rank]
    return Asked(
        sentence(rng.choice(forms)), [table.answer([table.label_cell(winner)])], "none", rows, [column], "argmax"
    )


def best_period(rng, table):
    """Asks in which period a row is largest or smallest (the answer is the column's header), or for
    this figure."""
    (row,) = sample_rows(rng, table, 1)
    available = [column for column in table.columns if column.period]
    values = [value(table, row, column) for column in available]
    if len(available) < 2 or None in values or len(set(values)) < len(values):
        return None
    high = rng.random() < 0.65
    winner = available[values.index(max(values) if high else min(values))]
    word = (
        rng.choice(("highest", "largest", "higher" if len(available) == 2 else "greatest"))
        if high
        else rng.choice(("lowest", "smallest"))
    )
    unit, measure = "quarter" if winner.period[0] == "quarter" else "year", rng.choice(row.spoken)
    if rng.random() < 0.25:
        text = rng.choice(
            (
                f"What was the {word} {measure} across the periods shown?",
                f"What is the {word} {measure} reported in any {unit}?",
            )
        )
        return Asked(
            sentence(text), [table.answer([table.cell(row, winner)])], table.scale(row), [row], available, "extreme"
        )
    text = rng.choice(
        (
            f"In which {unit} was {the(rng, measure)} the {word}?",
            f"Which {unit} had the {word} {measure}?",
            f"In what {unit} was {measure} {word}?",
            f"When was {the(rng, measure)} the {word}?",
        )
    )
    return Asked(sentence(text), [table.answer([table.head_cell(winner)])], "none", [row], available, "argmax")


def round_figure(rng, low, high, integral=True):
    """Returns a round number between two figures, if there is one."""
    for digits in range(-9, 3):
        step = 10.0**-digits
        at = (int(low / step) + 1) * step
        if low < at < high:
            at = round(at, 6)
            return f"{at:,.0f}" if at == int(at) else f"{at:,.2f}".rstrip("0").rstrip(".")
    return None


def count_rows(rng, table):
    """Asks how many rows are above or below a number, or how many there are."""
    column, rows = some_column(rng, table), items(table)
    if (
        len(rows) < 3
        or len({(row.kind, table.scale(row, column)) for row in rows}) > 1
        or table.noun in ("line", "measure", "indicator", "figure")
    ):
        return None
    plural = plural_of(table.noun)
    if rng.random() < 0.3:
        text = rng.choice(
            (
                f"How many {plural} are listed in the table?",
                f"How many {plural} are there?",
                f"What is the number of {plural} shown?",
            )
        )
        return Asked(
            sentence(text), [table.answer([table.label_cell(row) for row in rows], "count")], "none", rows, [], "count"
        )
    values = sorted(value(table, row, column) for row in rows if value(table, row, column) is not None)
    if len(values) < len(rows) or len(set(values)) < len(values):
        return None
    place = rng.randint(1, len(values) - 1)
    threshold = round_figure(rng, values[place - 1], values[place])
    if threshold is None or values[place - 1] < 0:
        return None
    above = rng.random() < 0.65
    chosen = [row for row in rows if (value(table, row, column) > float(threshold.replace(",", ""))) == above]
    scale = table.scale(rows[0], column)
    money = scale == table.unit and rows[0].kind == MONEY
    unit = f" {scale}" if money and scale != "none" and rng.random() < 0.6 else ("%" if scale == "percent" else "")
    symbol = table.company.currency if money and rng.random() < 0.5 else ""
    what = (
        (table.topic if table.topic and not table.topic.startswith("total ") else "amount")
        if column.period or table.topic not in ("segment", "pay")
        else column.short
    )
    when = rng.choice(column.says) if column.says and (column.period or table.noun in ("response", "method")) else ""
    word = (
        rng.choice(("above", "more than", "greater than", "exceeding", "over"))
        if above
        else rng.choice(("below", "less than", "under"))
    )
    text = rng.choice(
        (
            f"How many {plural} had {what} {word} {symbol}{threshold}{unit} {when}?",
            f"{when}, how many {plural} had {what} {word} {symbol}{threshold}{unit}?",
            f"For how many {plural} was {what} {word} {symbol}{threshold}{unit} {when}?",
        )
    )
    return Asked(
        sentence(text),
        [table.answer([table.label_cell(row) for row in chosen], "count")],
        "none",
        rows,
        [column],
        "count",
    )


def count_periods(rng, table):
    (row,) = sample_rows(rng, table, 1)
    available = [column for column in table.columns if column.period]
    values = [value(table, row, column) for column in available]
    if len(available) < 2 or None in values or min(values) < 0 or len(set(values)) < 2:
        return None
    ordered = sorted(set(values))
    place = rng.randint(1, len(ordered) - 1)
    threshold = round_figure(rng, ordered[place - 1], ordered[place])
    if threshold is None:
        return None
    above = rng.random() < 0.7
    chosen = [
        column for column, found in zip(available, values) if (found > float(threshold.replace(",", ""))) == above
    ]
    unit, measure = "quarters" if available[0].period[0] == "quarter" else "years", rng.choice(row.spoken)
    scale = f" {table.unit}" if row.kind == MONEY and table.unit != "none" else ("%" if row.kind == PERCENT else "")
    word = rng.choice(("exceed", "surpass")) if above else "fall below"
    adjective = rng.choice(("above", "more than", "greater than")) if above else rng.choice(("below", "less than"))
    text = rng.choice(
        (
            f"How many {unit} did {measure} {word} {threshold}{scale}?",
            f"In how many {unit} was {measure} {adjective} {threshold}{scale}?",
        )
    )
    answers = [table.answer([table.head_cell(column) for column in chosen], "count")]
    if rng.random() < 0.4:
        text = rng.choice(
            (
                f"In which {unit} was {measure} {adjective} {threshold}{scale}?",
                f"Which {unit} had {measure} {adjective} {threshold}{scale}?",
            )
        )
        answers = [table.answer([table.head_cell(column) for column in chosen])]
    return Asked(sentence(text), answers, "none", [row], available, "count")


def list_rows(rng, table):
    """Asks what a table consists of; the answer is its labels."""
    rows = items(table)
    if not 2 <= len(rows) <= 8 or table.noun in ("line", "measure", "figure") or len(rows) < len(table.rows) - 1:
        return None
    plural = plural_of(table.noun)
    text = rng.choice(
        (
            f"What are the {plural} listed in the table?",
            f"Which {plural} are shown?",
            f"What are the {plural}?",
            f"Name the {plural} in the table.",
            f"Which {plural} does {asked_by(table, rng)} report?",
        )
    )
    return Asked(sentence(text), [table.answer([table.label_cell(row) for row in rows])], "none", rows, [], "list")


def periods_shown(rng, table):
    available = [column for column in table.columns if column.period and column.period[0] == "year"]
    if len(available) < 2:
        return None
    text = rng.choice(
        (
            "Which years does the table provide information for?",
            "What years are covered by the table?",
            f"For which years is {rng.choice(table.figures()).spoken[0]} reported?",
            "Which periods are shown?",
        )
    )
    cells = sorted((table.head_cell(column) for column in available), key=lambda cell: cell[1])
    return Asked(text, [table.answer(cells)], "none", [], available, "list")


def yes_or_no(rng, table):
    if rng.random() < 0.55:
        (row,) = sample_rows(rng, table, 1)
        chosen = period_columns(rng, table, 2)
        if not chosen:
            return None
        new, old = chosen
        a, b = value(table, row, new), value(table, row, old)
        if a is None or b is None or a == b or min(a, b) < 0:
            return None
        measure, up = rng.choice(row.spoken), rng.random() < 0.5
        m, holds = the(rng, measure), (a > b) == up
        rise, rose, higher = ("increase", "increased", "higher") if up else ("decrease", "decreased", "lower")
        forms = [
            f"Did {m} {rise} from {old.short} to {new.short}?",
            f"Was {m} {higher} in {new.short} than in {old.short}?",
            f"Did {asked_by(table, rng)}'s {measure} {rise} {between(rng, old, new)}?",
            f"{m} {rose} from {old.short} to {new.short}.",
            f"{m} was {higher} in {new.short} than in {old.short}.",
            f"Is it true that {m} {rose} in {new.short}?",
        ]
        return Asked(
            sentence(rng.choice(forms)), [{"operator": "yes" if holds else "no"}], "none", [row], [new, old], "yesno"
        )
    if table.noun in ("indicator", "figure"):
        return None
    column = some_column(rng, table)
    one, other = sample_rows(rng, table, 2)
    a, b = value(table, one, column), value(table, other, column)
    if a is None or b is None or a == b or one.kind != other.kind or min(a, b) < 0:
        return None
    (m1, when), (m2, _) = speak(rng, table, one, column), speak(rng, table, other, column)
    up = rng.random() < 0.5
    higher = rng.choice(("higher", "greater", "larger")) if up else rng.choice(("lower", "smaller"))
    forms = (
        f"Was {m1} {higher} than {m2} {when}?",
        f"{when}, was {m1} {higher} than {m2}?",
        f"{m1} was {higher} than {m2} {when}.",
        f"Is {m1} {higher} than {m2} {when}?",
    )
    return Asked(
        sentence(rng.choice(forms)),
        [{"operator": "yes" if (a > b) == up else "no"}],
        "none",
        [one, other],
        [column],
        "yesno",
    )


KINDS = (
    (lookup, 34),
    (two_rows, 4),
    (two_periods, 3),
    (lambda r, t: change_of(r, t, False), 11),
    (lambda r, t: change_of(r, t, True), 11),
    (difference_of_rows, 4),
    (ratio_of_rows, 10),
    (lambda r, t: over_periods(r, t, "average"), 8),
    (lambda r, t: over_periods(r, t, "sum"), 3),
    (lambda r, t: over_rows(r, t, "sum"), 5),
    (lambda r, t: over_rows(r, t, "average"), 1),
    (best_row, 5),
    (best_period, 4),
    (count_rows, 4),
    (count_periods, 3),
    (list_rows, 3),
    (periods_shown, 1),
    (yes_or_no, 8),
)
WEIGHTS = [weight for _, weight in KINDS]


def ask(rng, table):
    """Returns a question of a random kind that the table answers."""
    for _ in range(20):
        ((kind, _),) = rng.choices(KINDS, WEIGHTS)
        try:
            asked = kind(rng, table)
        except Unanswerable:
            continue
        if asked is not None:
            return asked
    return None


# ---------------------------------------------------------------- helpers


class Unanswerable(Exception):
    """The table lacks what this kind of question needs."""


def value(table, row, column):
    """Returns the printed value of a cell, as a person would read it."""
    line, left = table.cell(row, column)
    return number(table.grid[line][left])


def some_column(rng, table):
    columns = [column for column in table.columns if column.says]
    if not columns:
        raise Unanswerable
    return rng.choice(columns)


def some_cell(rng, table):
    column = some_column(rng, table)
    (row,) = sample_rows(rng, table, 1)
    return row, column


def sample_rows(rng, table, count):
    rows = [row for row in table.figures()]
    if len(rows) < count:
        raise Unanswerable
    return rng.sample(rows, count)


def period_columns(rng, table, count):
    """Returns columns of periods, newest first, usually next to each other."""
    available = sorted(
        (column for column in table.columns if column.period), key=lambda column: column.period, reverse=True
    )
    if len(available) < count:
        return None
    if rng.random() < 0.75:
        start = rng.randint(0, len(available) - count)
        return available[start : start + count]
    return sorted(rng.sample(available, count), key=lambda column: column.period, reverse=True)


def plural_of(noun):
    if noun.startswith(("type of ", "category of ", "component of ")):
        first, rest = noun.split(" of ", 1)
        return f"{plural_of(first)} of {rest}"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"
