"""Claims about the training tables of WikiTableQuestions and TabFact, each true one with a false
twin.

Templates make claims about several cells of a row, comparisons, counts and sums. In statements of
TabFact, one cell is exchanged for another of its column. Such claims teach small models what
people's statements alone do not (Eisenschlos, Krichene and Mueller, Understanding tables with
intermediate pre-training, 2020).
"""

import re
from collections import Counter

from shared import Writer, chance, example, read_json
from tabfact import statements_of
from tables import WRONG_PIECES, cut_table, table_passage
from templates import YEAR, Facts, lower, training_tables

NAME = "claims"
FOLDERS = ("wikitables", "tabfact", "sasp")
PIECES = 400
CLAIMS = {"wikitables": 8, "tabfact": 1}  # number of claims that templates make for a table
EXCHANGED = 2  # largest number of statements of a table in which a cell is exchanged
LONGEST = 60  # longest cell in a claim, in characters
NOTHING = 1 / 8  # share of claims that come with wrong tables only
LEMMAS = {"is": "be", "was": "be", "are": "be", "were": "be", "has": "have", "had": "have", "does": "do"}


# ---------------------------------------------------------------- claims by templates
# Each function returns (a true claim, a false one), or None if the table does not allow this kind.


def named(rng, facts, least=1):
    """Returns rows that have a name, in random order."""
    rows = [row for row in facts.body if facts.name(row)]
    rng.shuffle(rows)
    return rows if len(rows) >= least else None


def another(rng, facts, row, column):
    """Returns a cell of the column with other content than the row's."""
    cell = facts.rows[row][column].lower()
    cells = [facts.rows[other][column] for other in facts.body]
    cells = [other for other in cells if other and other.lower() != cell and len(other) <= LONGEST]
    return rng.choice(cells) if cells else None


def fact(rng, facts):
    rows = named(rng, facts)
    columns = [column for column in facts.figures + facts.texts if column != facts.key]
    if not rows or not columns:
        return None
    row, column = rows[0], rng.choice(columns)
    cell, other = facts.rows[row][column], another(rng, facts, row, column)
    if not cell or len(cell) > LONGEST or not other:
        return None
    what, who, key = lower(facts.heads[column]), facts.name(row), lower(facts.heads[facts.key])
    form = rng.choice(
        (
            "the {what} of {who} is {cell}",
            "{who} has {cell} as its {what}",
            "the {what} for {who} was {cell}",
            "{cell} is the {what} of {who}",
            "{who} has a {what} of {cell}",
            "the {key} with a {what} of {cell} is {who}",
            "for {key} {who} , the {what} is {cell}",
            "{who} 's {what} is {cell}",
            "is {cell} the {what} of {who}?",
            "did {who} have a {what} of {cell}?",
        )
    )
    return tuple(form.format(what=what, who=who, key=key, cell=said) for said in (cell, other))


def two_facts(rng, facts):
    columns = [column for column in facts.figures + facts.texts if column != facts.key]
    rows = named(rng, facts)
    if not rows or len(columns) < 2:
        return None
    row, (one, two) = rows[0], rng.sample(columns, 2)
    first, second, other = facts.rows[row][one], facts.rows[row][two], another(rng, facts, row, two)
    if not first or not second or not other or len(first) > LONGEST or len(second) > LONGEST:
        return None
    alike = [beside for beside in facts.body if facts.rows[beside][one].lower() == first.lower()]
    held = {facts.rows[beside][two].lower() for beside in alike}
    if other.lower() in held:
        return None
    form = rng.choice(
        (
            "the {key} with {one} {first} has a {two} of {second}",
            "when the {one} is {first} , the {two} is {second}",
            "a {key} has {first} as {one} and {second} as {two}",
            "there is a {key} whose {one} is {first} and whose {two} is {second}",
        )
    )
    heads = {"key": lower(facts.heads[facts.key]), "one": lower(facts.heads[one]), "two": lower(facts.heads[two])}
    return tuple(form.format(first=first, second=said, **heads) for said in (second, other))


def figures(rng, facts):
    """Returns a complete column of figures, or of years, with its (value, row) in order."""
    years = [
        column
        for column in facts.texts
        if column != facts.key and all(YEAR.fullmatch(facts.rows[row][column]) for row in facts.body)
    ]
    columns = [column for column in facts.figures if all((row, column) in facts.values for row in facts.body)]
    if not columns + years or len(facts.body) < 3:
        return None
    column = rng.choice(columns + years)
    if column in years:
        return column, sorted((int(facts.rows[row][column]), row) for row in facts.body), True
    return column, sorted((facts.values[row, column], row) for row in facts.body), False


def best(rng, facts):
    found = figures(rng, facts)
    if not found or len(facts.body) != len(facts.rows) - 1:
        return None
    column, order, years = found
    high = rng.random() < 0.6
    if high:
        order = order[::-1]
    (value, row), (beside, _) = order[:2]
    if value == beside:
        return None
    words = (("latest",), ("earliest", "first")) if years else (("highest", "largest", "most"), ("lowest", "smallest"))
    word, what = rng.choice(words[0 if high else 1]), lower(facts.heads[column])
    if rng.random() < 0.35:
        cells = (facts.rows[row][column], facts.rows[rng.choice(order[1:])[1]][column])
        form = rng.choice(("the {word} {what} is {cell}", "{cell} is the {word} {what} in the table"))
        return tuple(form.format(word=word, what=what, cell=cell) for cell in cells)
    others = [other for _, other in order[1:] if facts.name(other)]
    if not facts.name(row) or not others:
        return None
    form = rng.choice(
        (
            "{who} has the {word} {what}",
            "the {key} with the {word} {what} is {who}",
            "the {word} {what} belongs to {who}",
            "does {who} have the {word} {what}?",
        )
    )
    wrong = others[0] if rng.random() < 0.4 else rng.choice(others)
    return tuple(
        form.format(word=word, what=what, who=facts.name(said), key=lower(facts.heads[facts.key]))
        for said in (row, wrong)
    )


def compared(rng, facts):
    found = figures(rng, facts)
    rows = named(rng, facts, 2)
    if not found or not rows:
        return None
    column, order, years = found
    values = {row: value for value, row in order}
    one, other = rows[:2]
    if values[one] == values[other]:
        return None
    if values[one] < values[other]:
        one, other = other, one
    x, y, what = facts.name(one), facts.name(other), lower(facts.heads[column])
    if rng.random() < 0.3 and not years:  # compare with a number
        at = facts.rows[other][column]
        more, less = rng.choice((("more than", "less than"), ("over", "under"), ("above", "below")))
        form = rng.choice(("{x} has a {what} {word} {at}", "the {what} of {x} is {word} {at}"))
        return tuple(form.format(x=x, what=what, at=at, word=word) for word in (more, less))
    up, down = ("later", "earlier") if years else rng.choice((("higher", "lower"), ("larger", "smaller")))
    if not years and rng.random() < 0.4:
        up, down = "more", "less"
        form = rng.choice(("{x} has {word} {what} than {y}", "{x} had {word} {what} than {y}"))
    else:
        form = rng.choice(
            (
                "the {what} of {x} is {word} than that of {y}",
                "{x} has a {word} {what} than {y}",
                "is the {what} of {x} {word} than that of {y}?",
            )
        )
    if rng.random() < 0.5:
        x, y, up, down = y, x, down, up
    right = form.format(x=x, y=y, what=what, word=up)
    if rng.random() < 0.5:
        return right, form.format(x=x, y=y, what=what, word=down)
    return right, form.format(x=y, y=x, what=what, word=up)


def counted(rng, facts):
    if len(facts.body) != len(facts.rows) - 1 or len(facts.body) < 3:
        return None
    key = lower(facts.heads[facts.key])
    found = figures(rng, facts) if rng.random() < 0.4 else None
    if found and not found[2]:
        column, order, _ = found
        at = rng.choice(order[:-1])[0]
        times = sum(value > at for value, _ in order)
        with_what = f"a {lower(facts.heads[column])} of more than {at:g}"
    else:
        columns = [column for column in facts.texts if column != facts.key]
        if not columns:
            return None
        column = rng.choice(columns)
        said, times = rng.choice(sorted(Counter(facts.rows[row][column] for row in facts.body).items()))
        if not said or len(said) > LONGEST:
            return None
        with_what = rng.choice((f"{said} as {lower(facts.heads[column])}", f"a {lower(facts.heads[column])} of {said}"))
    if times > 9:
        return None
    other = rng.choice([number for number in range(max(0, times - 3), times + 4) if number not in (times, 0)])
    form = rng.choice(
        (
            "{count} {key} have {with_what}",
            "there are {count} {key} with {with_what}",
            "exactly {count} of the {key} have {with_what}",
        )
    )
    words = ("0", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
    spelled = rng.random() < 0.3
    return tuple(
        form.format(count=words[count] if spelled else count, key=key, with_what=with_what) for count in (times, other)
    )


def alike(rng, facts):
    """Makes claims about two rows that share a cell, or about a cell that no other row has."""
    columns = [column for column in facts.texts if column != facts.key]
    rows = named(rng, facts, 3)
    if not columns or not rows or len(facts.body) != len(facts.rows) - 1:
        return None
    column = rng.choice(columns)
    cells = {row: facts.rows[row][column].lower() for row in facts.body}
    often = Counter(cells.values())
    what = lower(facts.heads[column])
    one = next((row for row in rows if cells[row] and often[cells[row]] > 1), None)
    lone = next((row for row in rows if cells[row] and often[cells[row]] == 1), None)
    if one is None or lone is None:
        return None
    if rng.random() < 0.4:
        key = lower(facts.heads[facts.key])
        form = rng.choice(("{who} is the only {key} with {cell} as {what}", "only {who} has a {what} of {cell}"))
        return tuple(
            form.format(who=facts.name(row), key=key, what=what, cell=facts.rows[row][column]) for row in (lone, one)
        )
    other = next((row for row in rows if row != one and cells[row] == cells[one]), None)
    if other is None:
        return None
    form = rng.choice(("{x} and {y} have the same {what}", "{x} has the same {what} as {y}"))
    return tuple(form.format(x=facts.name(one), y=facts.name(row), what=what) for row in (other, lone))


def summed(rng, facts):
    found = figures(rng, facts)
    if not found or found[2] or len(facts.body) != len(facts.rows) - 1:
        return None
    column, order, _ = found
    what = lower(facts.heads[column])
    if rng.random() < 0.5:
        rows = named(rng, facts, 2)
        if not rows:
            return None
        one, other = rows[:2]
        apart = facts.values[one, column] - facts.values[other, column]
        if apart == 0:
            return None
        if apart < 0:
            one, other, apart = other, one, -apart
        form = rng.choice(
            ("{x} has {number:g} more {what} than {y}", "the {what} of {x} exceeds that of {y} by {number:g}")
        )
        words = {"x": facts.name(one), "y": facts.name(other), "what": what}
    elif len(order) <= 8:
        apart = sum(value for value, _ in order)
        form = rng.choice(("the total {what} is {number:g}", "the {what} add up to {number:g}"))
        words = {"what": what}
    else:
        return None
    wrong = apart + rng.choice((-1, 1)) * max(1, round(abs(apart) * rng.choice((0.05, 0.1, 0.3)))) or apart + 2
    return tuple(form.format(number=round(number, 4), **words) for number in (apart, wrong))


def listed(rng, facts):
    if len(facts.body) < 3 or any(not facts.name(row) for row in facts.body):
        return None
    one, other = sorted(rng.sample(facts.body, 2))
    x, y = facts.name(one), facts.name(other)
    if rng.random() < 0.4:
        first = rng.random() < 0.5
        right, wrong = (facts.body[0], other) if first else (facts.body[-1], one)
        word, key = ("first" if first else "last"), lower(facts.heads[facts.key])
        form = rng.choice(("{x} is the {word} {key} listed", "the {word} {key} in the table is {x}"))
        return tuple(form.format(x=facts.name(row), word=word, key=key) for row in (right, wrong))
    form = rng.choice(("{x} is listed {word} {y}", "{x} comes {word} {y} in the table"))
    return form.format(x=x, y=y, word="before"), form.format(x=x, y=y, word="after")


KINDS = ((fact, 10), (two_facts, 5), (best, 5), (compared, 6), (counted, 4), (alike, 2), (summed, 1), (listed, 1))


# ---------------------------------------------------------------- statements in which a cell is exchanged


def mentions(rows, statement):
    """Returns where the statement names cells of the body: {(row, column): (start, end)}, for words that
    occur once in it."""
    found = {}
    for row in range(1, len(rows)):
        for column, cell in enumerate(rows[row]):
            if 2 <= len(cell) <= LONGEST:
                places = [match.span() for match in re.finditer(rf"(?<!\w){re.escape(cell.lower())}(?!\w)", statement)]
                if len(places) == 1:
                    found[row, column] = places[0]
    return found


def exchanged(rng, rows, statement):
    """Returns the statement with one cell exchanged for another of its column, so that no row contains
    all that it says. Returns None if it does not name two cells of a row."""
    found = mentions(rows, statement)
    swaps = []
    for (row, column), (start, end) in found.items():
        beside = [
            other
            for (at, other), (low, high) in found.items()
            if at == row and other != column and (high <= start or low >= end)
        ]
        for cell in {rows[other][column] for other in range(1, len(rows))} if beside else ():
            said = cell.lower()
            if not said or len(said) > LONGEST or said in statement or rows[row][column].lower() in said:
                continue
            together = any(
                rows[at][column].lower() == said
                and all(rows[at][other].lower() == rows[row][other].lower() for other in beside)
                for at in range(1, len(rows))
            )
            if not together:
                swaps.append(statement[:start] + said + statement[end:])
    return rng.choice(sorted(swaps)) if swaps else None


# ---------------------------------------------------------------- lines


def spoken(rng, claim):
    """Returns the claim in TabFact's style, without capitals and endings, or unchanged."""
    if rng.random() < 0.6:
        claim = " ".join(LEMMAS.get(word, word) for word in claim.lower().replace("?", "").split())
    return claim


def make(data, out, seed):
    writer = Writer(out, NAME)
    statements = true_statements(data)
    for origin, name, rows, title, pool in training_tables(data):
        rng = chance(seed, NAME, name)
        cut = cut_table(rows, 1, [], PIECES, rng)
        if cut is None or len(cut[0]) < len(rows):  # because a claim may need any row
            continue
        claims = made_claims(rng, Facts(cut[0], title), CLAIMS[origin])
        claims += exchanged_claims(rng, cut[0], statements.get(name, []))
        for claim, holds in claims:
            if rng.random() < NOTHING:
                wrong = pool.wrong(f"{title} {claim}", 1, name, rng, limit=rng.choice((WRONG_PIECES, PIECES)))
                if wrong:
                    writer.train(example(rng, claim, None, [], wrong))
                continue
            wrong = pool.wrong(claim, rng.choice((0, 0, 0, 0, 0, 1)), name, rng)
            answer = {"operator": "yes" if holds else "no"}
            writer.train(example(rng, claim, table_passage(cut[0], title, 1), [answer], wrong))
    return writer.close()


def true_statements(data):
    """Returns the true training statements of TabFact, by table."""
    training = set(read_json(data / "tabfact" / "data" / "train_id.json"))
    statements = {}
    for name, _, statement, holds, _ in statements_of(data / "sasp" / "data" / "tabfact" / "data_shard", training):
        if holds:
            statements.setdefault(name, []).append(statement)
    return statements


def made_claims(rng, facts, count):
    """Yields twins of (claim, whether it is true)."""
    made, tries = {}, 0
    if facts.key is None or len(facts.body) < 2:
        return []
    while len(made) < 2 * count and tries < 4 * count:
        tries += 1
        ((kind, _),) = rng.choices(KINDS, [weight for _, weight in KINDS])
        pair = kind(rng, facts)
        if pair and pair[0] != pair[1] and not set(pair) & set(made):
            made.update({pair[0]: True, pair[1]: False})
    return [(spoken(rng, claim), holds) for claim, holds in made.items()]


def exchanged_claims(rng, rows, statements):
    made = []
    for statement in rng.sample(statements, len(statements)):
        wrong = exchanged(rng, rows, statement)
        if wrong:
            made += [(statement, True), (wrong, False)]
        if len(made) >= 2 * EXCHANGED:
            break
    return made
