"""How an answer can follow from a table if only the answer is known: cells that contain it, or a
count, sum, average or difference of cells that gives it. Returns alternatives, the most likely
first; training may choose among them.
"""

import re

from denotations import Value, normalised
from shared import cells_answer, content_words, holds
from tables import number

MOST = 8  # largest number of alternatives of an example

COUNTING = re.compile(r"\b(how many|number of|how often|count|times|amount of)\b")
DIFFERENCE = re.compile(
    r"\b(difference|how (many|much) (more|fewer|less|longer|taller|higher|greater|older|later|earlier|larger|bigger|farther)|"
    r"how (many|much) (years|days|months|points|people|votes|seconds|minutes|hours|goals|medals|games|wins) .*"
    r"(between|before|after|than|from|separat|pass|elapse|span|did)|between|separat\w*|longer|margin|elapsed|passed|gap|"
    r"compared|than|improve\w*|increase\w*|decrease\w*|range|since|until)\b"
)
SUM = re.compile(r"\b(total|combined|sum|altogether|together|in all|overall|both|all|add(ed)?|plus|how (many|much))\b")
AVERAGE = re.compile(r"\b(average|mean)\b")


class Table:
    """A table and a question: the values of cells, and how many of its words rows and columns share."""

    def __init__(self, question, rows, header_rows):
        self.rows, self.header_rows = rows, header_rows
        self.question = " " + " ".join(re.findall(r"\w+", normalised(question))) + " "
        asked = {word for word in content_words(question) if len(word) > 3 or not word.isdigit()}
        self.body = range(header_rows, len(rows))
        self.columns = range(len(rows[0]) if rows else 0)
        self.numbers = {}
        self.mentions = {}
        for row in self.body:
            for column in self.columns:
                cell = rows[row][column]
                value = number(cell)
                if value is not None:
                    self.numbers[row, column] = value
                said = " ".join(re.findall(r"\w+", normalised(cell)))
                if said and (len(said) > 1 or said.isdigit()) and f" {said} " in self.question:
                    self.mentions[row, column] = said
        self.row_score, self.column_score = {}, {}
        for row in self.body:
            shared = asked & set(content_words(" ".join(rows[row])))
            self.row_score[row] = len(shared) + 2 * sum(1 for column in self.columns if (row, column) in self.mentions)
        for column in self.columns:
            head = content_words(" ".join(rows[row][column] for row in range(header_rows)))
            self.column_score[column] = 2 * len(asked & set(head)) / (1 + len(head))
            if any(word.rstrip("s") == other.rstrip("s") for word in asked for other in head):
                self.column_score[column] += 1

    def score(self, cells):
        rows = {row for row, _ in cells}
        columns = {column for _, column in cells}
        return sum(self.row_score.get(row, 0) for row in rows) / len(rows) + sum(
            self.column_score[column] for column in columns
        ) / len(columns)

    def best(self, candidates, most=MOST):
        """Returns the sets of cells that share the most words with the question."""
        seen, ranked = set(), []
        for place, cells in enumerate(candidates):
            key = tuple(cells)
            if key not in seen:
                seen.add(key)
                ranked.append((-self.score(cells), place, cells))
        return [cells for _, _, cells in sorted(ranked)[:most]]

    def filtered(self):
        """Returns sets of rows that a cell in the question selects: all rows with this cell in a column."""
        found = []
        for column in self.columns:
            for said in sorted({said for (_, other), said in self.mentions.items() if other == column}):
                rows = [row for row in self.body if self.mentions.get((row, column)) == said]
                found.append((column, rows))
        return found


def derivations(question, rows, header_rows, targets, canonicals=None):
    """Returns at most MOST answers without their passage, or none if no derivation is found."""
    table = Table(question, rows, header_rows)
    wanted = [Value(text, canonical) for text, canonical in zip(targets, canonicals or [None] * len(targets))]
    if len(wanted) > 1:
        return [cells_answer(cells) for cells in several(table, wanted)]
    target = wanted[0]
    if target.normalised in ("yes", "no"):
        return [{"operator": target.normalised}]
    lower = question.lower()
    amount = target.number if target.number is not None else number(targets[0])
    singles = table.best([[cell] for cell in saying(table, target)])
    found = [cells_answer(cells) for cells in singles]
    counts = []
    if amount is not None and amount == int(amount) and 0 <= amount <= 60 and COUNTING.search(lower):
        counts = counted(table, int(amount))
        if amount <= max(1, len(table.body)):
            counts.append({"operator": "count", "count": int(amount)})
        # Many tables contain a small number by chance, in cells unrelated to the question.
        found = [answer for answer in found if table.score(answer["cells"]) >= 1.5][:4]
    computed = []
    if amount is not None:
        if DIFFERENCE.search(lower):
            computed += [
                cells_answer(cells, "difference") for cells in table.best(pairs_with(table, amount, "difference"), 4)
            ]
        if AVERAGE.search(lower):
            computed += [cells_answer(cells, "average") for cells in table.best(sets_with(table, amount, "average"), 4)]
        elif SUM.search(lower):
            computed += [cells_answer(cells, "sum") for cells in table.best(sets_with(table, amount, "sum"), 4)]
    if not found and amount is None and not computed:
        found = [cells_answer(cells) for cells in table.best([[cell] for cell in holding(table, targets[0])])]
        found = found if len(found) <= 3 else []
    if found and not COUNTING.search(lower) and not DIFFERENCE.search(lower) and not AVERAGE.search(lower):
        computed = []
    return (found + computed + counts)[:MOST]


def saying(table, target):
    """Returns cells with this value: of the body, or otherwise of the header."""
    found = []
    for row in table.body:
        for column in table.columns:
            cell = table.rows[row][column]
            if cell and (target.matches(Value(cell)) or same_number(table, (row, column), target)):
                found.append((row, column))
    if not found:
        for row in range(table.header_rows):
            for column in table.columns:
                if table.rows[row][column] and target.matches(Value(table.rows[row][column])):
                    found.append((row, column))
    return found


def holding(table, text):
    """Returns cells that contain a text among other things."""
    cells = [(row, column) for row in table.body for column in table.columns]
    return [(row, column) for row, column in cells if holds(table.rows[row][column], text)]


def same_number(table, cell, target):
    if target.number is None or cell not in table.numbers:
        return False
    return abs(table.numbers[cell] - target.number) < 1e-6


def several(table, wanted):
    """Returns sets of cells with all the values: in one column if possible, or cells that are each the
    only one with its value."""
    saying_each = [saying(table, target) for target in wanted]
    if not all(saying_each):
        return []
    candidates = []
    for column in table.columns:
        chosen = [[cell for cell in cells if cell[1] == column] for cells in saying_each]
        if all(chosen):
            candidates.append(sorted({table_best(table, cells) for cells in chosen}))
    for row in range(len(table.rows)):
        chosen = [[cell for cell in cells if cell[0] == row] for cells in saying_each]
        if all(chosen):
            candidates.append(sorted({cells[0] for cells in chosen}))
    if not candidates and all(len(cells) == 1 for cells in saying_each):
        candidates.append(sorted({cells[0] for cells in saying_each}))
    return table.best([cells for cells in candidates if len(cells) == len(wanted)])


def table_best(table, cells):
    return max(cells, key=lambda cell: (table.row_score.get(cell[0], 0), -cell[0]))


def counted(table, amount):
    """Returns the rows that a cell in the question selects, or all rows, if their number is the answer."""
    found = []
    for column, rows in table.filtered():
        if len(rows) == amount and amount:
            found.append([(row, column) for row in rows])
    if amount == len(table.body) and amount:
        found.append([(row, 0) for row in table.body])
    return [cells_answer(cells, "count") for cells in table.best(found, 3)]


def close(one, other):
    return abs(one - other) <= 1e-6 * max(1.0, abs(one), abs(other))


def pairs_with(table, amount, operator):
    """Returns pairs in one column or one row whose difference (the larger first) is the amount."""
    found = []
    by_column, by_row = {}, {}
    for cell, value in table.numbers.items():
        by_column.setdefault(cell[1], []).append((cell, value))
        by_row.setdefault(cell[0], []).append((cell, value))
    for line in list(by_column.values()) + list(by_row.values()):
        if len(line) > 120:
            continue
        for one, first in line:
            for other, second in line:
                if one != other and close(first - second, amount):
                    found.append([one, other])
    # If the question names neither row nor column, the pair is a coincidence.
    return [cells for cells in found if all(table.row_score[row] > 0 for row, _ in cells) or len(found) <= 2]


def sets_with(table, amount, operator):
    """Returns cells of one column whose sum or average is the amount (all rows, the rows that the
    question selects, the first few, or two), or two cells of one row."""
    found = []
    picks = [rows for _, rows in table.filtered() if len(rows) > 1]
    mentioned = [row for row in table.body if any((row, column) in table.mentions for column in table.columns)]
    picks += [list(table.body)[:count] for count in range(2, 11)] + [mentioned]
    for column in table.columns:
        numeric = [row for row in table.body if (row, column) in table.numbers]
        for rows in [numeric, numeric[:-1]] + picks:
            chosen = [row for row in rows if (row, column) in table.numbers]
            total = sum(table.numbers[row, column] for row in chosen)
            if len(chosen) > 1 and close(total / len(chosen) if operator == "average" else total, amount):
                found.append([(row, column) for row in chosen])
        for place, row in enumerate(numeric[:60]):
            for other in numeric[place + 1 : 60]:
                total = table.numbers[row, column] + table.numbers[other, column]
                named = table.row_score[row] > 0 and table.row_score[other] > 0
                if named and close(total / 2 if operator == "average" else total, amount):
                    found.append([(row, column), (other, column)])
    return found
