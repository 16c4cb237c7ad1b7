"""Questions about generated reports: tables and sentences, with wrong passages of the same report,
and questions that nothing answers (another year, measure or company, or removed rows).
"""

import vocabulary
from made_tables import make_report
from made_texts import MadeText, Writer as TextWriter, answer_of
from shared import TABLE_PIECES, Writer, byte_span, chance, example, table_passage, text_passage
from table_questions import ask
from tables import cut_answers, cut_table

NAME = "made"
FOLDERS = ()
REPORTS = 4800  # with about 34 questions each
TEST_REPORTS = 60
TABLE_QUESTIONS = 4  # about a table
TEXT_QUESTIONS = 3  # about a text


def make(data, out, seed):
    writer = Writer(out, NAME)
    for number in range(REPORTS + TEST_REPORTS):
        rng = chance(seed, NAME, number)
        write = writer.train if number < REPORTS else writer.test
        for place, line in enumerate(lines_of(rng)):
            if number >= REPORTS:
                line["id"] = f"made-{number}-{place}"
            write(line)
    return writer.close()


def lines_of(rng):
    report, tables = make_report(rng)
    text_writer = TextWriter(rng, report)
    texts, taken = [], set()
    for _ in range(4):
        text = MadeText(rng, text_writer, taken)
        taken |= text.keys
        texts.append(text)
    made = Passages(rng, report, tables, texts)
    for table in tables:
        for _ in range(TABLE_QUESTIONS):
            asked = ask(rng, table)
            if asked:
                yield from made.about_table(table, asked)
    for text in texts:
        for _ in range(TEXT_QUESTIONS):
            if text.facts:
                yield from made.about_text(text, *rng.choice(text.facts))


class Passages:
    """The passages of a report: right ones, and wrong ones unrelated to the question."""

    def __init__(self, rng, report, tables, texts):
        self.rng, self.report, self.tables, self.texts = rng, report, tables, texts

    def wrong(self, keys, count, but=None, limit=TABLE_PIECES // 2):
        """Returns passages of the report that are unrelated to the question."""
        rng = self.rng
        others = [table for table in self.tables if table is not but and not related(table.keys(), keys)]
        texts = [text for text in self.texts if text is not but and not related(text.keys, keys)]
        made = []
        for one in rng.sample(others + texts, min(count, len(others) + len(texts))):
            if one in others:
                cut = cut_table(one.grid, one.header_rows, [], limit, rng)
                made.append(table_passage(cut[0], one.context, one.header_rows))
            else:
                made.append(text_passage(one.text, one.context))
        return made

    def unit_text(self, table):
        """Returns the paragraph that names a table's unit, if the table does not."""
        return [text_passage(table.unit_sentence)] if table.unit_sentence else []

    def about_table(self, table, asked):
        rng = self.rng
        draw = rng.random()
        if draw < 1 / 3 and asked.rows:  # not for columns alone: every table shows some years
            line = self.nothing(table, asked)
            if line:
                yield line
            return
        cut = cut_answers(table.grid, table.header_rows, asked.answers, TABLE_PIECES + 40, rng)
        if (
            cut is None
            or asked.kind in ("argmax", "count", "list", "extreme", "yesno")
            and len(cut[0]) < len(table.grid)
        ):
            return
        scale = asked.scale
        wrong = self.unit_text(table) if scale not in ("none", "percent") or rng.random() < 0.5 else []
        if not table.unit_said and not wrong and scale not in ("none", "percent"):
            return
        wrong += self.wrong(asked.keys(), rng.choice((0, 0, 1, 1, 2)), table)[: 2 - len(wrong)]
        yield example(
            rng, asked.text, table_passage(cut[0], table.context, table.header_rows), cut[1], wrong, scale=scale
        )

    def nothing(self, table, asked):
        """Returns the question without its answer: with other passages, with the table without its rows or
        columns, or about another year or company."""
        rng, kind = self.rng, self.rng.random()
        if kind < 0.45:
            wrong = self.wrong(asked.keys(), rng.choice((1, 2, 3)), table, TABLE_PIECES)
            return example(rng, asked.text, None, [], wrong) if wrong else None
        whole = asked.kind in ("argmax", "count", "list") and len(asked.rows) > 1
        if kind < 0.7 and not whole:
            rows = without_rows(table, asked)
            text = asked.text
        elif kind < 0.85:
            rows, text = table.grid, of_another_year(rng, table, asked)
        else:
            rows, text = table.grid, of_another_company(rng, table, asked)
        if not rows or not text:
            return None
        cut = cut_table(rows, table.header_rows, [], TABLE_PIECES + 40, rng)
        beside = self.wrong(asked.keys(), rng.choice((0, 0, 1)), table)
        return example(rng, text, None, [], [table_passage(cut[0], table.context, table.header_rows)] + beside)

    def about_text(self, text, start, fact):
        rng = self.rng
        question, operator, slots, scale = rng.choice(fact.asked)
        question = " ".join(question.split()).replace("the the", "the")
        question = question[:1].upper() + question[1:]
        if rng.random() < 1 / 3:
            years = [
                year for year in (self.report.year, self.report.year - 1, self.report.year - 2) if str(year) in question
            ]
            if years and rng.random() < 0.35:
                other = self.report.year - rng.randint(4, 9)
                for year in years:
                    question = question.replace(str(year), str(other - (self.report.year - year)))
                yield example(
                    rng,
                    question,
                    None,
                    [],
                    [text_passage(text.text, text.context)] + self.wrong(fact.keys, rng.choice((0, 1)), text),
                )
                return
            wrong = self.wrong(fact.keys, rng.choice((1, 2, 3)), text, TABLE_PIECES)
            if wrong:
                yield example(rng, question, None, [], wrong)
            return
        operator, spans = answer_of(fact, operator, slots, start)
        answer = {"operator": operator, "spans": [byte_span(text.text, low, high) for low, high in spans]}
        wrong = self.wrong(fact.keys, rng.choice((0, 0, 1, 1, 2)), text)
        yield example(rng, question, text_passage(text.text, text.context), [answer], wrong, scale=scale)


def related(keys, asked):
    """Returns whether a passage may be about the question: the same measure, a part of it, or its total."""
    for key in asked:
        for other in keys:
            if key == other or key.startswith(f"{other} ") or other.startswith(f"{key} "):
                return True
    return False


def without_rows(table, asked):
    """Returns the grid without the rows of the answer. Returns nothing if too little is left, or if the
    rest still gives the answer (a total is the sum of its parts)."""
    if any(row.role == "total" for row in asked.rows):
        return None
    gone = {table.places[id(row)] for row in asked.rows}
    left = [line for place, line in enumerate(table.grid) if place not in gone]
    if len(left) - table.header_rows < 2 or all(row in asked.rows for row in table.rows):
        return None
    labels = {line[0].lower() for line in left}
    return left if not any(row.entity.lower() in labels for row in asked.rows) else None


def of_another_year(rng, table, asked):
    """Returns the question with years that the table does not have."""
    shown = {column.period[1] for column in table.columns if column.period and column.period[0] == "year"}
    if not shown or not asked.columns:
        return None
    shift = rng.choice((-1, 1)) * (max(shown) - min(shown) + rng.randint(1, 4))
    text = asked.text
    for year in sorted(shown, reverse=shift > 0):
        text = (
            text.replace(str(year), f"\x00{year + shift}\x00")
            .replace(f"FY{year % 100:02d} ", f"FY{(year + shift) % 100:02d} ")
            .replace(f"FY{year % 100:02d}?", f"FY{(year + shift) % 100:02d}?")
        )
    text = text.replace("\x00", "")
    return text if text != asked.text else None


def of_another_company(rng, table, asked):
    """Returns the question about another company, if the table names its company."""
    report = table.company
    if report.full_name not in table.context:
        return None
    other = rng.choice([name for name in vocabulary.COMPANY_FIRST if name != report.short_name])
    name = f"{other} {rng.choice(vocabulary.COMPANY_FIELD)}"
    for said in (report.full_name, report.name, report.short_name, "the company", "the Company", "the group"):
        if said in asked.text:
            return asked.text.replace(said, name)
    text = asked.text.rstrip("?.")
    return f"{text} at {name}?" if asked.text.endswith("?") else None
