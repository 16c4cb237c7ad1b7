"""Generated tables that look like those of annual reports and other documents: income statements,
balance sheets, schedules, segments, quarters, headcounts, indicators, surveys, results.

A table knows what its rows and columns mean, so that questions about it can be generated and
answered. Figures are rounded before they are added, so that the printed figures add up.
"""

import re

import vocabulary
from shared import cells_answer

UNITS = {"none": "", "thousand": "thousands", "million": "millions", "billion": "billions"}
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
ENDS = (("December", 31),) * 6 + (("March", 31), ("June", 30), ("September", 30), ("January", 31), ("April", 30))
ORDINALS = ("first", "second", "third", "fourth")
KEY_OF = {label.lower(): key for key, labels in vocabulary.SPOKEN.items() for label in labels}
MONEY, PERCENT, PLAIN = "money", "percent", "plain"


class Row:
    """A row: its label in print, its names in questions, what distinguishes it, and its figures."""

    def __init__(self, label, values, kind=MONEY, spoken=(), key=None, role="item", entity=None):
        self.label, self.values, self.kind, self.role = label, values, kind, role
        self.key = key or KEY_OF.get(label.lower(), label.lower())
        self.spoken = list(spoken) or ways(label, self.key)
        self.entity = entity or label


class Column:
    """A column: its headers from the top down, its period (or None), and its names in questions."""

    def __init__(self, heads, says, period=None, short=None, kind=None, key=None):
        self.heads, self.says, self.period, self.kind = heads, says, period, kind
        self.short = short or (says[0] if says else heads[-1])
        self.key = key or self.short


class Table:
    """Rows and columns with their meaning, and the grid of their printed cells."""

    def __init__(self, company, title, rows, columns, unit="none", noun="item", topic="", sections=()):
        self.company, self.title, self.rows, self.columns = company, title, rows, columns
        self.unit, self.noun, self.topic = unit, noun, topic
        self.sections = dict(sections)  # section headings by the row that follows them
        self.grid, self.header_rows, self.context = [], 1, ""
        self.places, self.lefts = {}, {}  # grid row of a row, grid column of a column

    def cell(self, row, column):
        return (self.places[id(row)], self.lefts[id(column)])

    def label_cell(self, row):
        return (self.places[id(row)], 0)

    def head_cell(self, column):
        return (self.header_rows - 1 - self.blank_under, self.lefts[id(column)])

    def keys(self):
        return {row.key for row in self.rows}

    def figures(self):
        return [row for row in self.rows if row.values]

    def scale(self, row, column=None):
        kind = (column.kind if column is not None and column.kind else None) or row.kind
        return {MONEY: self.unit, PERCENT: "percent"}.get(kind, "none")

    def answer(self, cells, operator=None):
        return cells_answer(cells, operator)

    def unique_spoken(self, spoken, row):
        """Returns whether this name means only this row."""
        return not any(spoken in other.spoken for other in self.rows if other is not row)


def ways(label, key):
    """Returns the names of a row in questions: its label in lower case, and its other names."""
    found = [small(label)] * 3
    found += [small(other) for other in vocabulary.SPOKEN.get(key, ())]
    return found


def small(label):
    """Returns a label as in a sentence: without footnote marks, in lower case except abbreviations."""
    label = re.sub(r"\s*(\(\w\)|\(\d\)|\*+|[:.…]+)$", "", label)
    return " ".join(
        word if word.isupper() and len(word) > 1 or "&" in word else word[:1].lower() + word[1:]
        for word in label.split()
    )


# ---------------------------------------------------------------- a report


class Report:
    """A company in a year, and the properties that all its tables share."""

    def __init__(self, rng):
        self.rng = rng
        first, field, form = (
            rng.choice(vocabulary.COMPANY_FIRST),
            rng.choice(vocabulary.COMPANY_FIELD),
            rng.choice(vocabulary.COMPANY_FORM),
        )
        self.name = f"{first} {field}"
        self.full_name = f"{self.name} {form}".strip()
        self.short_name = first
        self.year = rng.randint(2005, 2024)
        self.currency = rng.choice("$$$$$$€£¥") if rng.random() < 0.93 else rng.choice(("CHF ", "SEK ", "NOK ", "RMB "))
        self.unit = rng.choice(("million", "million", "million", "thousand", "thousand", "thousand", "none", "billion"))
        self.decimals = {"million": rng.choice((0, 0, 1)), "thousand": 0, "none": 0, "billion": rng.choice((1, 2))}[
            self.unit
        ]
        self.end = rng.choice(ENDS)
        self.size = (
            rng.lognormvariate(0, 1.2) * {"million": 900, "thousand": 90000, "none": 9000000, "billion": 40}[self.unit]
        )
        self.segments = rng.sample(vocabulary.SEGMENTS, rng.randint(2, 6))
        self.regions = rng.sample(vocabulary.REGIONS, rng.randint(3, 6))

    def rounded(self, value, decimals=None):
        decimals = self.decimals if decimals is None else decimals
        value = round(value, decimals)
        return value + 0.0 if decimals else int(value)

    def series(self, base, count, decimals=None, spread=0.15):
        """Returns a figure over several periods, newest first."""
        values, value = [], base
        for _ in range(count):
            values.append(self.rounded(value, decimals))
            growth = self.rng.gauss(0.05, spread)
            value = value / max(0.4, 1 + growth)
        return values

    def part(self, low, high):
        """Returns a figure between two shares of the company's size."""
        return self.size * self.rng.uniform(low, high)

    # ------------------------------------------------------------ columns

    def years(self, count, instant=False):
        """Returns columns of years, newest first, with headers of one style."""
        rng, (month, day) = self.rng, self.end
        style = rng.choice(("plain", "plain", "plain", "over", "over", "date", "fiscal", "fy"))
        columns, short_years = [], rng.random() < 0.3
        for year in range(self.year, self.year - count, -1):
            said = [f"in {year}"] * 4 + [
                f"in fiscal {year}",
                f"in FY{year}",
                f"in FY {year}",
                f"in fiscal year {year}",
                f"in FY{year % 100:02d}",
            ]
            if instant:
                said = [
                    f"in {year}",
                    f"as of {month} {day}, {year}",
                    f"at {month} {day}, {year}",
                    f"at the end of {year}",
                    f"at the end of fiscal {year}",
                    f"at year-end {year}",
                    f"as at {day} {month} {year}",
                    f"as of {year}",
                    f"at {year} year end",
                ]
            else:
                said += [
                    f"for the year ended {month} {day}, {year}",
                    f"for {year}",
                    f"during {year}",
                    f"for fiscal {year}",
                    f"for the fiscal year {year}",
                    f"for the year ended {day} {month} {year}",
                ]
            head = {
                "plain": f"{year}",
                "over": f"{year}",
                "date": f"{month} {day}, {year}",
                "fiscal": f"Fiscal {year}",
                "fy": f"FY{year % 100:02d}" if short_years else f"FY{year}",
            }[style]
            columns.append(Column([head], said, period=("year", year), short=str(year)))
        if style == "over":
            over = (
                (f"As of {month} {day}," if instant else f"Years ended {month} {day},")
                if rng.random() < 0.8
                else ("At year end" if instant else "Fiscal year")
            )
            for place, column in enumerate(columns):
                column.heads.insert(0, over if place == 0 else "")
        return columns

    def quarters(self):
        rng, year = self.rng, self.year
        columns = []
        for number in range(4):
            last = (self.month_number() + 3 * (number + 1) - 1) % 12
            said = [
                f"in the {ORDINALS[number]} quarter of {year}",
                f"in Q{number + 1} {year}",
                f"for the {ORDINALS[number]} quarter",
                f"in the {ORDINALS[number]} quarter",
                f"for the quarter ended {MONTHS[last]} {year}",
            ]
            head = rng.choice((f"Q{number + 1}",)) if rng.random() < 0.5 else f"{ORDINALS[number].capitalize()} quarter"
            columns.append(Column([head], said, period=("quarter", number), short=f"the {ORDINALS[number]} quarter"))
        if len({column.heads[0][:1] == "Q" for column in columns}) > 1:
            for number, column in enumerate(columns):
                column.heads = [f"{ORDINALS[number].capitalize()} quarter"]
        return columns

    def month_number(self):
        return MONTHS.index(self.end[0]) + 1

    # ------------------------------------------------------------ tables

    def label(self, key):
        return self.rng.choice(vocabulary.SPOKEN[key])

    def income_statement(self):
        rng, count = self.rng, self.rng.choice((2, 2, 3, 3, 5))
        columns = self.years(count)
        revenue = self.series(self.size, count)
        cost = [-self.rounded(value * rng.uniform(0.4, 0.7)) for value in revenue]
        rows, sections = [], []
        flip = rng.random() < 0.5  # expenses printed without minus

        def add(key, values, role="item", kind=MONEY):
            shown = [abs(value) for value in values] if flip and role == "expense" else values
            rows.append(Row(self.label(key), shown, kind, key=key, role="item" if role == "expense" else role))
            return values

        if rng.random() < 0.4:
            names = rng.sample(vocabulary.PRODUCTS, 2)
            share = rng.uniform(0.4, 0.8)
            first = [self.rounded(value * share) for value in revenue]
            sections.append((len(rows), "Revenue:"))
            for name, values in zip(names, (first, [self.rounded(r - f) for r, f in zip(revenue, first)])):
                rows.append(
                    Row(
                        name,
                        values,
                        spoken=[f"{name.lower()} revenue", f"revenue from {name.lower()}"],
                        key=f"revenue {name.lower()}",
                        entity=name,
                    )
                )
        add("revenue", revenue, "total")
        add("cost of sales", cost, "expense")
        gross = add("gross profit", [self.rounded(r + c) for r, c in zip(revenue, cost)], "total")
        spent = []
        for key in rng.sample(
            (
                "research and development",
                "sales and marketing",
                "general and administrative",
                "depreciation and amortization",
                "restructuring",
                "impairment",
            ),
            rng.randint(2, 4),
        ):
            base = self.part(0.01, 0.12)
            spent.append(add(key, [-abs(value) for value in self.series(base, count)], "expense"))
        if rng.random() < 0.6:
            add("operating expenses", [self.rounded(sum(column)) for column in zip(*spent)], "expense")
        operating = add(
            "operating income", [self.rounded(g + sum(column)) for g, column in zip(gross, zip(*spent))], "total"
        )
        interest = add(
            "interest expense", [-abs(value) for value in self.series(self.part(0.002, 0.03), count)], "expense"
        )
        other = [self.rounded(rng.gauss(0, 0.01) * self.size) for _ in range(count)]
        add("other income", other)
        before = add(
            "income before taxes", [self.rounded(o + i + x) for o, i, x in zip(operating, interest, other)], "total"
        )
        tax = add("income taxes", [-self.rounded(value * rng.uniform(0.1, 0.35)) for value in before], "expense")
        net = add("net income", [self.rounded(b + t) for b, t in zip(before, tax)], "total")
        if rng.random() < 0.5 and self.unit != "none":
            shares = [max(1.0, abs(self.size) / rng.uniform(5, 40)) for _ in range(count)]
            basic = [round(n / s, 2) for n, s in zip(net, shares)]
            add("basic eps", basic, kind=PLAIN)
            add("diluted eps", [round(value * 0.98, 2) for value in basic], kind=PLAIN)
            if rng.random() < 0.4:
                add("dividends per share", [round(abs(value) * 0.3, 2) for value in basic], kind=PLAIN)
        return self.finished("Consolidated statements of income", rows, columns, "line", sections=sections)

    def balance_sheet(self):
        rng, count = self.rng, 2
        columns = self.years(count, instant=True)
        rows, sections = [], []

        def block(section, keys, total):
            sections.append((len(rows), section))
            parts = []
            for key in keys:
                values = self.series(self.part(0.01, 0.3), count, spread=0.25)
                parts.append(values)
                rows.append(Row(self.label(key), values, key=key))
            summed = [self.rounded(sum(column)) for column in zip(*parts)]
            rows.append(Row(self.label(total), summed, key=total, role="total"))
            return summed

        current = block(
            "Current assets:",
            ["cash"] + rng.sample(["short-term investments", "receivables", "inventories", "prepaid"], 3),
            "current assets",
        )
        parts = []
        for key in rng.sample(
            ["property", "right of use", "goodwill", "intangibles", "deferred tax assets", "other assets"],
            rng.randint(2, 5),
        ):
            parts.append(self.series(self.part(0.02, 0.5), count, spread=0.2))
            rows.append(Row(self.label(key), parts[-1], key=key))
        assets = [self.rounded(c + sum(column)) for c, column in zip(current, zip(*parts))]
        rows.append(Row("Total assets", assets, key="total assets", role="total"))
        if rng.random() < 0.7:
            owed = block(
                "Current liabilities:",
                rng.sample(["payables", "accrued", "deferred revenue", "current debt"], 3),
                "current liabilities",
            )
            parts = [owed]
            for key in rng.sample(["long-term debt", "lease liabilities", "other liabilities"], 2):
                parts.append(self.series(self.part(0.02, 0.3), count, spread=0.2))
                rows.append(Row(self.label(key), parts[-1], key=key))
            liabilities = [self.rounded(sum(column)) for column in zip(*parts)]
            rows.append(Row("Total liabilities", liabilities, key="total liabilities", role="total"))
            equity = [self.rounded(a - b) for a, b in zip(assets, liabilities)]
            rows.append(Row(self.label("equity"), equity, key="equity", role="total"))
        return self.finished("Consolidated balance sheets", rows, columns, "line", sections=sections)

    def cash_flows(self):
        rng, count = self.rng, self.rng.choice((2, 3))
        columns, rows, sections, totals = self.years(count), [], [], []
        for section, keys, total, sign in (
            (
                "Operating activities:",
                ["net income", "depreciation and amortization", "stock-based compensation"],
                "operating cash",
                1,
            ),
            ("Investing activities:", ["capex", "acquisitions"], "investing cash", -1),
            (
                "Financing activities:",
                ["debt proceeds", "debt repayment", "repurchases", "dividends paid"],
                "financing cash",
                -1,
            ),
        ):
            sections.append((len(rows), section))
            parts = []
            for key in keys:
                direction = 1 if key == "debt proceeds" else sign
                values = [direction * value for value in self.series(self.part(0.01, 0.15), count, spread=0.3)]
                if rng.random() < 0.15:
                    values[rng.randrange(count)] = 0
                parts.append(values)
                rows.append(Row(self.label(key), values, key=key))
            summed = [self.rounded(sum(column)) for column in zip(*parts)]
            totals.append(summed)
            rows.append(Row(self.label(total), summed, key=total, role="total"))
        rows.append(
            Row(
                self.label("cash change"),
                [self.rounded(sum(column)) for column in zip(*totals)],
                key="cash change",
                role="total",
            )
        )
        if rng.random() < 0.4:  # a summary
            rows = [row for row in rows if row.role == "total"]
            sections = []
        return self.finished("Consolidated statements of cash flows", rows, columns, "line", sections=sections)

    def schedule(self):
        rng = self.rng
        total, title, noun, labels, when = rng.choice(vocabulary.SCHEDULES)
        count = rng.choice((2, 2, 2, 3, 4))
        columns = self.years(count, when == "instant")
        rows, parts = [], []
        for label in rng.sample(labels, rng.randint(3, min(7, len(labels)))) if len(labels) > 4 else labels:
            values = self.series(self.part(0.002, 0.08), count, spread=0.35)
            if (
                re.search(r"reserve for|return on|loss|amortization of prior|income$", label, re.IGNORECASE)
                and rng.random() < 0.6
            ):
                values = [-value for value in values]
            if rng.random() < 0.08:
                values[-1] = 0
            parts.append(values)
            name = small(label.split(": ")[-1])
            spoken = (
                [f"{label.split(': ')[0].lower()} {name} tax", f"{name} {label.split(': ')[0].lower()} income tax"]
                if ": " in label
                else [name]
            )
            rows.append(Row(label, values, spoken=spoken, entity=label))
        summed = [self.rounded(sum(column)) for column in zip(*parts)]
        if rng.random() < 0.85:
            label = rng.choice(("Total", total[:1].upper() + total[1:], total[:1].upper() + total[1:]))
            rows.append(Row(label, summed, spoken=[total, total], key=total, role="total"))
        return self.finished(title, rows, columns, noun, topic=total)

    def by_segment(self):
        rng, count = self.rng, self.rng.choice((2, 2, 3))
        names = self.segments if rng.random() < 0.5 else self.regions
        noun = "segment" if names is self.segments else "region"
        measure, key, base = rng.choice(
            (
                ("revenue", "revenue", 1.0),
                ("net sales", "revenue", 1.0),
                ("operating income", "operating income", 0.15),
                ("total assets", "total assets", 1.2),
                ("capital expenditures", "capex", 0.06),
            )
        )
        columns = self.years(count, measure == "total assets")
        rows, parts = [], []
        for name in names:
            values = self.series(self.part(0.05, 0.4) * base, count, spread=0.2)
            if measure == "operating income" and rng.random() < 0.2:
                values = [-value for value in values]
            parts.append(values)
            spoken = [
                f"{measure} from {name}",
                f"{name} {measure}",
                f"{measure} in the {name} {noun}",
                f"{measure} of {name}",
                f"{measure} for the {name} {noun}",
            ]
            if noun == "region":
                spoken = [
                    f"{measure} in {name}",
                    f"{name} {measure}",
                    f"{measure} from {name}",
                    f"{measure} for {name}",
                ]
            rows.append(Row(name, values, spoken=spoken, key=f"{key} {name.lower()}", entity=name))
        rows.append(
            Row(
                rng.choice(("Total", f"Total {measure}", "Consolidated total")),
                [self.rounded(sum(column)) for column in zip(*parts)],
                spoken=[f"total {measure}", measure],
                key=key,
                role="total",
            )
        )
        return self.finished(f"{measure[:1].upper() + measure[1:]} by {noun}", rows, columns, noun, topic=measure)

    def segment_matrix(self):
        rng = self.rng
        measures = rng.sample(
            (
                ("Revenue", "revenue"),
                ("Operating income", "operating income"),
                ("Depreciation", "depreciation"),
                ("Capital expenditures", "capex"),
                ("Total assets", "total assets"),
                ("Headcount", "headcount"),
            ),
            rng.randint(2, 4),
        )
        when = f"in {self.year}" if rng.random() < 0.6 else ""
        columns = [
            Column(
                [label], [label.lower()], kind=PLAIN if label == "Headcount" else MONEY, key=key, short=label.lower()
            )
            for label, key in measures
        ]
        rows = []
        for name in self.segments + ["Total"]:
            values = [self.rounded(self.part(0.02, 0.4), 0 if column.kind == PLAIN else None) for column in columns]
            if name == "Total":
                summed = [sum(row.values[place] for row in rows) for place in range(len(columns))]
                values = [
                    self.rounded(value, 0 if column.kind == PLAIN else None) for value, column in zip(summed, columns)
                ]
            rows.append(
                Row(
                    name,
                    values,
                    spoken=[name],
                    key=f"matrix {name.lower()}",
                    entity=name,
                    role="total" if name == "Total" else "item",
                )
            )
        table = self.finished(
            f"Segment information{', ' + str(self.year) if when else ''}", rows, columns, "segment", topic="segment"
        )
        table.when = when
        return table

    def quarterly(self):
        rng = self.rng
        columns, rows = self.quarters(), []
        for key in rng.sample(
            (
                "revenue",
                "gross profit",
                "operating income",
                "net income",
                "diluted eps",
                "capex",
                "free cash flow",
                "ebitda",
            ),
            rng.randint(2, 5),
        ):
            if key == "diluted eps":
                rows.append(Row(self.label(key), [round(rng.uniform(-0.3, 1.5), 2) for _ in columns], PLAIN, key=key))
            else:
                values = [self.rounded(self.part(0.05, 0.3) * rng.choice((1, 1, 1, 1, -0.4))) for _ in columns]
                rows.append(Row(self.label(key), values, key=key))
        return self.finished(f"Quarterly results {self.year}", rows, columns, "measure")

    def percents(self):
        rng = self.rng
        title, labels = rng.choice(vocabulary.PERCENT_ROWS)
        columns, rows = self.years(rng.choice((2, 3, 3, 5))), []
        for label, spoken in rng.sample(labels, rng.randint(2, len(labels))):
            base = rng.uniform(0.5, 9) if "ssumptions" in title else rng.uniform(-8, 45)
            values = [round(base + rng.gauss(0, base / 6 + 0.2), 1) for _ in columns]
            rows.append(Row(label, values, PERCENT, spoken=[spoken], key=spoken))
        return self.finished(title, rows, columns, "ratio", topic="ratio")

    def counts(self):
        rng = self.rng
        title, things, noun, names, total = rng.choice(vocabulary.COUNT_TABLES)
        columns, rows = self.years(rng.choice((2, 2, 3)), True), []
        size = rng.lognormvariate(5, 1.3)
        for name in rng.sample(names, rng.randint(3, min(6, len(names)))):
            values = [max(0, int(value)) for value in self.series(size * rng.uniform(0.1, 1) + 3, len(columns), 0, 0.1)]
            place = f"in {name}" if noun in ("region", "country", "faculty", "function", "ward") else f"of type {name}"
            spoken = [
                f"number of {things} {place}",
                f"{name} {things}",
                f"{things} {place}",
                f"number of {name} {things}",
            ]
            rows.append(Row(name, values, PLAIN, spoken=spoken, key=f"{things} {name.lower()}", entity=name))
        rows.append(
            Row(
                rng.choice((total, "Total")),
                [sum(column) for column in zip(*(row.values for row in rows))],
                PLAIN,
                spoken=[f"total number of {things}", f"number of {things}", f"total {things}"],
                key=f"{things}",
                role="total",
            )
        )
        return self.finished(title, rows, columns, noun, topic=f"number of {things}")

    def indicators(self):
        rng = self.rng
        columns, rows = self.years(rng.choice((2, 3, 3, 4))), []
        in_label = rng.random() < 0.5
        unit_column = Column([rng.choice(("Unit", "Unit of measure"))], [], kind="text")
        for label, unit, size, decimals in rng.sample(vocabulary.ESG, rng.randint(3, 7)):
            size = size * rng.lognormvariate(0, 0.8) if unit != "%" else size * rng.uniform(0.4, 1.4)
            values = self.series(size, len(columns), decimals, 0.15 if unit != "%" else 0.05)
            kind = PERCENT if unit == "%" else PLAIN
            shown = f"{label} ({unit})" if in_label else label
            rows.append(
                Row(
                    shown,
                    values if in_label else [unit] + values,
                    kind,
                    spoken=[small(label).replace("nOx", "NOx").replace("sO2", "SO2")],
                    key=label.lower(),
                    entity=shown,
                )
            )
        return self.finished(
            rng.choice(
                (
                    "Environmental performance",
                    "Sustainability indicators",
                    "Non-financial performance",
                    "Safety and environment data",
                )
            ),
            rows,
            columns if in_label else [unit_column] + columns,
            "indicator",
            topic="indicator",
        )

    def operating_figures(self):
        rng = self.rng
        columns, rows = self.years(rng.choice((2, 2, 3))), []
        for label, size, decimals, kind in rng.sample(vocabulary.KPIS, rng.randint(3, 6)):
            values = [
                round(value, decimals) if decimals else int(value)
                for value in self.series(size * rng.uniform(0.6, 1.3), len(columns), decimals, 0.06)
            ]
            rows.append(
                Row(
                    label,
                    values,
                    PERCENT if kind == "percent" else PLAIN,
                    spoken=[small(re.sub(r"\s*\(.*\)", "", label))],
                    key=label.lower(),
                )
            )
        return self.finished("Key operating figures", rows, columns, "figure", topic="figure")

    def pay(self):
        """Makes a table of directors' pay: names by parts of the pay."""
        rng = self.rng
        elements = ["Salary"] + rng.sample(["Bonus", "Benefits", "Pension", "Stock awards", "Fees"], rng.randint(2, 3))
        columns = [
            Column([label], [label.lower()], kind=MONEY, short=label.lower(), key=label.lower())
            for label in elements + ["Total"]
        ]
        rows = []
        for _ in range(rng.randint(3, 6)):
            name = f"{rng.choice(vocabulary.PEOPLE_FIRST)} {rng.choice(vocabulary.PEOPLE_LAST)}"
            values = [rng.randint(20, 900) * (1000 if self.unit in ("none", "thousand") else 1) for _ in elements]
            rows.append(Row(name, values + [sum(values)], spoken=[name], key=f"pay {name.lower()}", entity=name))
        table = self.finished(
            f"Remuneration of directors, {self.year}",
            rows,
            columns,
            "director",
            topic="pay",
            unit="none" if self.unit in ("none", "thousand") else "thousand",
        )
        table.when = ""
        return table

    def survey(self):
        rng = self.rng
        columns = [
            Column([label], [f"among {label}", f"for {label}"], kind=PERCENT, short=label, key=label.lower())
            for label in rng.sample(vocabulary.GROUPS, rng.randint(2, 5))
        ]
        rows = []
        for label in rng.choice(vocabulary.SURVEY):
            rows.append(
                Row(
                    label,
                    [rng.randint(1, 60) for _ in columns],
                    PERCENT,
                    spoken=[
                        f'share of respondents who said "{label}"',
                        f'percentage who answered "{label}"',
                        f'share answering "{label}"',
                    ],
                    key=f"survey {label.lower()}",
                    entity=label,
                )
            )
        table = self.finished(
            rng.choice(
                (
                    "Responses by group",
                    "How often residents use the service",
                    "Views of customers",
                    "Survey results",
                    "What respondents said",
                )
            ),
            rows,
            columns,
            "response",
            topic="survey",
        )
        return table

    def results(self):
        rng = self.rng
        columns = [
            Column([label], [f"on {label}"], kind=PLAIN, short=label, key=label.lower())
            for label in rng.sample(vocabulary.DATASETS, rng.randint(2, 5))
        ]
        metric = rng.choice(vocabulary.METRICS)
        rows = []
        for label in rng.sample(vocabulary.METHODS, rng.randint(4, 8)):
            rows.append(
                Row(
                    label,
                    [round(rng.uniform(8, 97), rng.choice((1, 2))) for _ in columns],
                    PLAIN,
                    spoken=[f"{metric} of {label}", f"{label}'s {metric}"],
                    key=f"result {label.lower()}",
                    entity=label,
                )
            )
        return self.finished(f"{metric} of the compared methods", rows, columns, "method", topic=metric)

    # ------------------------------------------------------------ printing

    def finished(self, title, rows, columns, noun, topic="", unit=None, sections=()):
        """Orders the periods, adds columns of changes and notes, and prints the cells."""
        rng = self.rng
        table = Table(self, title, rows, columns, unit if unit is not None else self.unit, noun, topic)
        money = any(row.kind == MONEY for row in rows)
        if not money:
            table.unit = "none"
        years = [column for column in columns if column.period and column.period[0] == "year"]
        if len(years) == len(columns) and rng.random() < 0.25:
            columns.reverse()
            for row in rows:
                row.values.reverse()
            if len(columns[-1].heads) == 2:
                columns[0].heads[0], columns[-1].heads[0] = columns[-1].heads[0], ""
        table.compared = False
        if (
            len(years) == 2
            and len(columns) == 2
            and rng.random() < 0.3
            and not any(value == 0 for row in rows for value in row.values)
        ):
            self.add_changes(table, rows, columns, money)
        self.print_table(table, dict(sections), money)
        table.when = ""
        return table

    def add_changes(self, table, rows, columns, money):
        """Adds columns of the difference and its percentage, which questions may name too."""
        rng = self.rng
        new, old = (0, 1) if columns[0].period > columns[1].period else (1, 0)
        which = rng.choice(("both", "percent", "percent", "amount"))
        pad = [""] * (len(columns[0].heads) - 1)
        if which in ("both", "amount"):
            columns.append(
                Column(pad + [rng.choice(("Change", "$ Change", "Variance", "Increase (decrease)"))], [], kind="change")
            )
            for row in rows:
                decimals = max(decimals_of(value) for value in row.values[:2])
                difference = row.values[new] - row.values[old]
                row.values.append(round(difference, decimals) if decimals else int(difference))
        if which in ("both", "percent"):
            columns.append(
                Column(pad + [rng.choice(("% Change", "Change %", "Change", "%"))], [], kind="percent change")
            )
            for row in rows:
                change = 100 * (row.values[new] - row.values[old]) / abs(row.values[old])
                row.values.append(round(change, 1) if rng.random() < 0.3 else int(round(change)))
        table.compared = True

    def print_table(self, table, sections, money):
        rng = self.rng
        negative = rng.choice(("({})",) * 4 + ("-{}", "−{}"))
        dollars = rng.choice(("none", "none", "ends", "ends", "all")) if money else "none"
        percent_mark = rng.random() < 0.75
        zero = rng.choice(("—", "-", "–", "0"))
        notes = rng.random() < 0.12
        marks = rng.random() < 0.2
        depth = max(len(column.heads) for column in table.columns)
        columns, rows = table.columns, table.rows
        unit_words = self.unit_words(table.unit) if money else ""
        corner, unit_row, self_context = "", False, ""
        where = rng.choice(("corner", "context", "context", "row", "paragraph")) if unit_words else "none"
        if where == "corner":
            corner = unit_words
        elif where == "row":
            unit_row = True
        offset = 2 if notes else 1
        for place, column in enumerate(columns):
            table.lefts[id(column)] = place + offset
        table.grid = []
        for level in range(depth):
            line = [corner if level == depth - 1 else ""] + (["Note" if level == depth - 1 else ""] if notes else [])
            for column in columns:
                heads = [""] * (depth - len(column.heads)) + column.heads
                line.append(heads[level])
            table.grid.append(line)
        table.blank_under = 0
        if unit_row:
            short = {"million": "m", "thousand": "’000", "billion": "bn", "none": ""}[table.unit]
            table.grid.append(
                [""] * offset
                + [
                    (
                        f"{self.currency.strip()}{short}"
                        if column.kind in (None, MONEY, "change")
                        else ("%" if column.kind in (PERCENT, "percent change") else "")
                    )
                    for column in columns
                ]
            )
            table.blank_under = 1
        table.header_rows = len(table.grid)
        if table.header_rows > 1 and rng.random() < 0.4:  # one header row, as some pages are read
            table.grid, table.header_rows, table.blank_under = (
                [merged(table.grid, offset, [column.period for column in columns])],
                1,
                0,
            )
        last = len(rows) - 1
        for place, row in enumerate(rows):
            if place in sections:
                table.grid.append([sections[place]] + [""] * (len(columns) + offset - 1))
            table.places[id(row)] = len(table.grid)
            row.printed = row.label + (
                rng.choice((" (1)", " (a)", "*", " (2)")) if marks and rng.random() < 0.2 else ""
            )
            line = [row.printed] + ([str(rng.randint(2, 34)) if rng.random() < 0.5 else ""] if notes else [])
            for column, value in zip(columns, row.values):
                kind = (
                    column.kind
                    if column.kind in (PERCENT, PLAIN, MONEY, "text")
                    else ("percent" if column.kind == "percent change" else row.kind)
                )
                symbol = (
                    self.currency
                    if kind == MONEY and (dollars == "all" or dollars == "ends" and place in (0, last))
                    else ""
                )
                if column.kind == "percent change":
                    places = None
                elif column.period or column.kind == "change":  # all figures of a row have the same number of decimals
                    places = max(
                        decimals_of(other)
                        for other, beside in zip(row.values, columns)
                        if beside.kind != "percent change"
                    )
                else:
                    at = columns.index(column)
                    places = max(decimals_of(other.values[at]) for other in rows)
                line.append(
                    printed(
                        value, kind, negative, symbol, percent_mark or column.kind == "percent change", zero, places
                    )
                )
            table.grid.append(line)
        said = [table.title] if rng.random() < 0.75 else []
        if rng.random() < 0.25:
            said.insert(0, self.full_name)
        if where == "context":
            said.append(unit_words)
        table.context = " ".join(
            part if part.startswith("(") or not place else f"– {part}" for place, part in enumerate(said)
        )
        table.unit_said = where != "paragraph"
        table.unit_sentence = (
            f"All amounts are {unit_words.strip('()').lower() if unit_words else 'as stated'}."
            if where == "paragraph"
            else ""
        )

    def unit_words(self, unit):
        rng, symbol = self.rng, self.currency.strip()
        if unit == "none":
            return rng.choice(("", "", f"({symbol})", f"(in {self.money_name()})"))
        many = UNITS[unit]
        return rng.choice(
            (
                f"(in {many})",
                f"(In {many})",
                f"({symbol} in {many})",
                f"(in {many}, except per share data)",
                f"({symbol} {unit})",
                f"In {many}",
                f"in {symbol} {many}",
                f"(in {many} of {self.money_name()})",
                f"(amounts in {many})",
                f"(unaudited, in {many})",
                f"({symbol}{ {'million': 'm', 'thousand': '’000', 'billion': 'bn'}[unit] })",
            )
        )

    def money_name(self):
        return {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen"}.get(self.currency, self.currency.strip())


def merged(heads, offset, periods):
    """Joins several header rows into one. A header over several columns of periods goes to each."""
    found = []
    for column in range(len(heads[0])):
        said = []
        for level, line in enumerate(heads):
            left = column
            while level == 0 and left > offset and not line[left] and periods[column - offset]:
                left -= 1
            said.append(line[left])
        found.append(" ".join(part for part in said if part))
    return found


def decimals_of(value):
    if not isinstance(value, float):
        return 0
    return 2 if round(value, 1) != value else 1


def printed(value, kind, negative, symbol, percent_mark, zero, places=None):
    """Returns a value as a printed cell, with the number of decimals of its row."""
    if isinstance(value, str):
        return value
    if value == 0 and kind != PERCENT:
        return zero
    digits = f"{abs(value):,.{decimals_of(value) if places is None else places}f}"
    if kind == PERCENT:
        text = f"{digits}%" if percent_mark else digits
        return negative.format(text) if value < 0 else text
    text = f"{symbol}{digits}" if not negative.startswith("(") or value >= 0 else digits
    if value >= 0:
        return text
    return symbol + negative.format(digits) if negative.startswith("(") else negative.format(text)


BUILDERS = (
    ("income_statement", 5),
    ("balance_sheet", 4),
    ("cash_flows", 3),
    ("schedule", 8),
    ("by_segment", 5),
    ("segment_matrix", 2),
    ("quarterly", 2),
    ("percents", 2),
    ("counts", 2),
    ("indicators", 3),
    ("operating_figures", 2),
    ("pay", 1),
    ("survey", 2),
    ("results", 1),
)


def make_report(rng):
    """Makes a company and some of its tables. Only schedules may occur more than once."""
    report = Report(rng)
    names = [name for name, weight in BUILDERS for _ in range(weight)]
    tables, seen = [], set()
    while len(tables) < 6:
        name = rng.choice(names)
        table = getattr(report, name)()
        if table.title in seen:
            continue
        seen.add(table.title)
        tables.append(table)
    return report, tables
