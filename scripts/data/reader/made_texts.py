"""Generated sentences as in reports, with the questions that can be asked about each.

A fact is a sentence with slots; questions refer to slots by their place. Questions about figures
name the digits, and questions for an answer in words name the words of the sentence.
"""

import re

import vocabulary
from made_tables import MONTHS

SLOT = re.compile(r"\{(\w+)\}")
FIGURE = re.compile(r"\d[\d,]*(?:\.\d+)?")


class Fact:
    """A sentence, the places of its slots, and its questions: (text, operator, slots, scale)."""

    def __init__(self, template, slots, asked, keys):
        self.text, self.places = filled(template, slots)
        self.asked, self.keys = asked, keys


def filled(template, slots):
    """Returns the sentence, and the place of each slot in it."""
    text, places, at = "", {}, 0
    for match in SLOT.finditer(template):
        text += template[at : match.start()]
        said = str(slots[match[1]])
        if not text and said:
            said = said[:1].upper() + said[1:]
        places[match[1]] = (len(text), len(text) + len(said))
        text += said
        at = match.end()
    return text + template[at:], places


def answer_of(fact, operator, slots, start):
    """Returns an answer over a fact that begins at character `start` of its passage."""
    spans = []
    for slot in slots:
        low, high = fact.places[slot]
        if operator not in ("span", "spans"):
            figure = FIGURE.search(fact.text, low, high)
            low, high = figure.span()
        spans.append((start + low, start + high))
    return operator, spans


class Writer:
    """Makes the facts of a report: figures in its currency and scale, dates around its year."""

    def __init__(self, rng, report):
        self.rng, self.report = rng, report
        self.symbol = report.currency
        self.word = rng.choice(("million", "million", "million", "billion", "thousand", ""))
        self.year = report.year

    def who(self):
        return self.rng.choice(
            (self.report.name, "the Company", "the Group", "we", "the company", self.report.short_name)
        )

    def asked_who(self):
        return self.rng.choice(("the company", self.report.name, self.report.short_name, "the Company", "the group"))

    def figure(self, size=None):
        """Returns an amount of money, and the scale that is printed after it."""
        rng = self.rng
        if self.word == "":
            return round(rng.lognormvariate(12, 1.5))
        value = size if size is not None else rng.lognormvariate(3.5, 1.3)
        return round(value, 1) if self.word != "thousand" else round(value * 10)

    def money(self, value):
        amount = f"{value:,.1f}" if isinstance(value, float) else f"{value:,}"
        return f"{self.symbol}{amount} {self.word}".strip()

    def pair(self):
        new = self.figure()
        old = self.figure(new / self.rng.uniform(0.6, 1.5)) if self.word else round(new / self.rng.uniform(0.6, 1.5))
        if self.word == "thousand":
            old = max(1, round(new / self.rng.uniform(0.6, 1.5)))
        return new, (old if old != new else (old + 1 if isinstance(old, int) else round(old + 0.3, 1)))

    def scale(self):
        return self.word or "none"

    def date(self, year=None, month=None):
        rng = self.rng
        month = month or rng.choice(MONTHS)
        year = year or self.year
        day = rng.randint(1, 28)
        return rng.choice((f"{month} {day}, {year}", f"{month} {day}, {year}", f"{day} {month} {year}"))

    def person(self):
        return f"{self.rng.choice(vocabulary.PEOPLE_FIRST)} {self.rng.choice(vocabulary.PEOPLE_LAST)}"

    def other_company(self):
        rng = self.rng
        return f"{rng.choice(vocabulary.COMPANY_FIRST)} {rng.choice(vocabulary.COMPANY_FIELD)}"

    def reason(self):
        rng, report = self.rng, self.report
        said = [rng.choice(vocabulary.REASONS) for _ in range(rng.choice((1, 1, 2)))]
        text = " and ".join(dict.fromkeys(said))
        return text.format(
            region=rng.choice(report.regions),
            segment=rng.choice(report.segments),
            other=self.other_company(),
            city=rng.choice(vocabulary.CITIES),
        )

    # ------------------------------------------------------------ facts

    def changed(self):
        rng = self.rng
        key = rng.choice(
            (
                "revenue",
                "cost of sales",
                "gross profit",
                "research and development",
                "sales and marketing",
                "general and administrative",
                "sg&a",
                "operating income",
                "net income",
                "interest expense",
                "income taxes",
                "capex",
                "free cash flow",
                "cash",
                "inventories",
                "receivables",
                "long-term debt",
                "operating cash",
                "ebitda",
                "depreciation and amortization",
                "deferred revenue",
                "stock-based compensation",
            )
        )
        label = rng.choice(vocabulary.SPOKEN[key])
        measure = spoken = re.sub(r"\s*\(.*?\)", "", label.lower()).replace("ebitda", "EBITDA").replace("sg&a", "SG&A")
        if rng.random() < 0.3:
            segment = rng.choice(self.report.segments)
            if key in ("revenue", "operating income", "gross profit", "capex"):
                measure, key = f"{segment} {measure}", f"{key} {segment.lower()}"
                spoken = rng.choice((measure, f"{spoken} of the {segment} segment"))
        if rng.random() < 0.4 and " " not in key and key in vocabulary.SPOKEN:
            spoken = (
                re.sub(r"\s*\(.*?\)", "", rng.choice(vocabulary.SPOKEN[key]).lower())
                .replace("ebitda", "EBITDA")
                .replace("sg&a", "SG&A")
            )
        new, old = self.pair()
        difference = abs(new - old)
        difference = round(difference, 1) if isinstance(new, float) else difference
        percent = 100 * difference / old
        up = new > old
        y, p = self.year, self.year - 1
        slots = {
            "measure": measure,
            "new": self.money(new),
            "old": self.money(old),
            "difference": self.money(difference),
            "percent": f"{percent:.1f}%" if rng.random() < 0.6 else f"{percent:.0f}%",
            "y": y,
            "p": p,
            "rose": (
                rng.choice(("increased", "rose", "grew", "was up", "went up"))
                if up
                else rng.choice(("decreased", "fell", "declined", "was down", "dropped"))
            ),
            "rise": rng.choice(("increase", "rise")) if up else rng.choice(("decrease", "decline")),
            "reason": self.reason(),
            "because": rng.choice(
                (
                    "due to",
                    "primarily due to",
                    "mainly because of",
                    "driven by",
                    "as a result of",
                    "reflecting",
                    "principally attributable to",
                )
            ),
            "fy": rng.choice(("in", "in fiscal", "for")),
            "period": rng.choice(
                (f"in {y}", f"in fiscal {y}", f"for the year ended {self.report.end[0]} {self.report.end[1]}, {y}")
            ),
        }
        template = rng.choice(
            (
                "{measure} {rose} {percent} to {new} {period} from {old} in {p}, {because} {reason}.",
                "{measure} {rose} by {difference}, or {percent}, to {new} {period}, compared with {old} in {p}. The {rise} was {because} {reason}.",
                "{measure} was {new} {period}, compared to {old} in {p}.",
                "{measure} amounted to {new} {period} ({p}: {old}).",
                "{measure} totalled {new} {period} versus {old} in {p}, a {rise} of {percent}.",
                "{period}, {measure} {rose} {percent} to {new} ({p}: {old}), {because} {reason}.",
                "{measure} of {new} {period} compared with {old} a year earlier, {because} {reason}.",
                "For {y} and {p}, {measure} was {new} and {old}, respectively.",
                "{measure} {rose} {difference}, or {percent}, {period} {because} {reason}.",
                "The {rise} in {measure} of {difference}, or {percent}, {period} was {because} {reason}.",
            )
        )
        m, s = spoken, self.scale()
        asked = []
        w = rng.choice((f"in {y}", f"in fiscal {y}", f"for {y}", f"in FY{y}"))
        if "{new}" in template:
            asked += [
                (
                    rng.choice(
                        (
                            f"What was {m} {w}?",
                            f"How much was the {m} {w}?",
                            f"What did {self.asked_who()} report as {m} {w}?",
                            f"What is the amount of {m} {w}?",
                            f"How high was {m} {w}?",
                        )
                    ),
                    "span",
                    ["new"],
                    "none",
                )
            ] * 2
        if "{old}" in template:
            asked.append(
                (
                    rng.choice(
                        (
                            f"What was {m} in {p}?",
                            f"How much was the {m} in {p}?",
                            f"What was {self.asked_who()}'s {m} in {p}?",
                        )
                    ),
                    "span",
                    ["old"],
                    "none",
                )
            )
            if "{new}" in template:
                asked.append(
                    (
                        rng.choice(
                            (
                                f"What is the change in {m} from {p} to {y}?",
                                f"What was the difference in {m} between {p} and {y}?",
                                f"What is the increase / (decrease) in {m} from {p} to {y}?",
                            )
                        ),
                        "difference",
                        ["new", "old"],
                        s,
                    )
                )
                asked.append((f"What is the average {m} for {p} and {y}?", "average", ["new", "old"], s))
                if "{percent}" not in template:
                    asked.append(
                        (
                            rng.choice(
                                (
                                    f"What is the percentage change in {m} from {p} to {y}?",
                                    f"By what percentage did {m} change from {p} to {y}?",
                                )
                            ),
                            "change",
                            ["new", "old"],
                            "percent",
                        )
                    )
                asked.append((f"What was {m} in {y} and {p}, respectively?", "spans", ["new", "old"], "none"))
        if "{percent}" in template:
            asked.append(
                (
                    rng.choice(
                        (
                            f"By what percentage did {m} change {w}?",
                            f"What was the percentage {slots['rise']} in {m} {w}?",
                            f"How many percent did {m} {'rise' if up else 'fall'} {w}?",
                        )
                    ),
                    "span",
                    ["percent"],
                    "none",
                )
            )
        if "{difference}" in template:
            asked.append(
                (
                    rng.choice(
                        (
                            f"By how much did {m} {'increase' if up else 'decrease'} {w}?",
                            f"What was the {slots['rise']} in {m} {w}?",
                        )
                    ),
                    "span",
                    ["difference"],
                    "none",
                )
            )
        if "{reason}" in template:
            asked += [
                (
                    rng.choice(
                        (
                            f"Why did {m} {'increase' if up else 'decrease'} {w}?",
                            f"What caused the {slots['rise']} in {m} {w}?",
                            f"What drove the {slots['rise']} in {m}?",
                            f"What was the reason for the {slots['rise']} in {m} {w}?",
                            f"What led to the change in {m} {w}?",
                        )
                    ),
                    "span",
                    ["reason"],
                    "none",
                )
            ] * 2
        return Fact(template, slots, asked, {key})

    def respectively(self):
        rng, y = self.rng, self.year
        count = rng.choice((2, 3, 3))
        measure = rng.choice(
            (
                "advertising expense",
                "rental expense",
                "depreciation expense",
                "amortization expense",
                "bad debt expense",
                "contributions to the defined contribution plan",
                "interest paid",
                "income taxes paid",
                "the fair value of vested shares",
                "the weighted-average grant date fair value of options",
                "royalty income",
                "warranty expense",
                "capitalized software costs",
                "legal costs",
                "research grants received",
            )
        )
        values = [self.figure()]
        while len(values) < count:
            value = (
                self.figure(values[-1] / rng.uniform(0.7, 1.3))
                if self.word == "million" or self.word == "billion"
                else self.figure()
            )
            if value not in values:
                values.append(value)
        slots = {
            "measure": measure,
            **{f"v{n}": self.money(value) for n, value in enumerate(values)},
            **{f"y{n}": y - n for n in range(count)},
        }
        amounts = "{v0} and {v1}" if count == 2 else rng.choice(("{v0}, {v1} and {v2}", "{v0}, {v1}, and {v2}"))
        years = "{y0} and {y1}" if count == 2 else rng.choice(("{y0}, {y1} and {y2}", "{y0}, {y1}, and {y2}"))
        template = rng.choice(
            (
                f"{{measure}} was {amounts} in {years}, respectively.",
                f"{{measure}} totaled {amounts} for the years ended {self.report.end[0]} {self.report.end[1]}, {years}, respectively.",
                f"{{measure}} amounted to {amounts} during fiscal {years}, respectively.",
            )
        )
        m = re.sub(r"^the ", "", measure)
        asked = []
        for n in range(count):
            asked.append(
                (
                    rng.choice(
                        (
                            f"What was the {m} in {y - n}?",
                            f"How much was {m} in fiscal {y - n}?",
                            f"What were {m} in {y - n}?",
                            f"What is the {m} for {y - n}?",
                        )
                    ),
                    "span",
                    [f"v{n}"],
                    "none",
                )
            )
        asked.append((f"What is the change in {m} from {y - 1} to {y}?", "difference", ["v0", "v1"], self.scale()))
        asked.append(
            (f"What is the percentage change in {m} between {y - 1} and {y}?", "change", ["v0", "v1"], "percent")
        )
        asked.append(
            (
                f"What is the average {m} from {y - count + 1} to {y}?",
                "average",
                [f"v{n}" for n in range(count)],
                self.scale(),
            )
        )
        asked.append(
            (
                f"What is the total {m} from {y - count + 1} to {y}?",
                "sum",
                [f"v{n}" for n in range(count)],
                self.scale(),
            )
        )
        return Fact(template, slots, asked, {m})

    def share(self):
        rng, y = self.rng, self.year
        one, other = rng.sample(self.report.segments + self.report.regions, 2)
        a, b, c = rng.randint(11, 48), rng.randint(5, 40), rng.randint(11, 48)
        slots = {"one": one, "other": other, "a": f"{a}%", "b": f"{b}%", "c": f"{c}%", "y": y, "p": y - 1}
        template = rng.choice(
            (
                "{one} accounted for {a} of total revenue in {y}, compared with {c} in {p}.",
                "{one} and {other} represented {a} and {b} of net sales in {y}, respectively.",
                "Sales in {one} made up {a} of revenue in {y} (against {c} in {p}), while {other} contributed {b}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"What percentage of revenue came from {one} in {y}?",
                        f"What share of total revenue did {one} account for in {y}?",
                        f"How much of {y} sales did {one} represent?",
                    )
                ),
                "span",
                ["a"],
                "none",
            )
        ]
        if "{b}" in template:
            asked.append((f"What percentage of revenue did {other} contribute in {y}?", "span", ["b"], "none"))
        if "{c}" in template:
            asked.append((f"What percentage of revenue did {one} account for in {y - 1}?", "span", ["c"], "none"))
            asked.append(
                (
                    f"What is the change in the percentage of revenue from {one} between {y - 1} and {y}?",
                    "difference",
                    ["a", "c"],
                    "percent",
                )
            )
        return Fact(template, slots, asked, {f"revenue {one.lower()}", f"revenue {other.lower()}"})

    def people(self):
        rng, y = self.rng, self.year
        total = int(rng.lognormvariate(8, 1.3)) + 40
        part = int(total * rng.uniform(0.1, 0.8))
        region, day = rng.choice(self.report.regions), f"{self.report.end[0]} {self.report.end[1]}, {y}"
        slots = {
            "total": f"{total:,}",
            "part": f"{part:,}",
            "region": region,
            "day": day,
            "about": rng.choice(("", "approximately ", "about ", "a total of ")),
        }
        template = rng.choice(
            (
                "As of {day}, we had {about}{total} employees, of whom {part} were located in {region}.",
                "At {day}, the Group employed {about}{total} people, {part} of them in {region}.",
                "The company had {about}{total} full-time employees at {day}. Some {part} worked in {region}.",
                "On {day}, our workforce comprised {about}{total} persons, including {part} in {region}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"How many employees did {self.asked_who()} have at the end of {y}?",
                        f"How many people did {self.asked_who()} employ as of {day}?",
                        f"What was the number of employees in {y}?",
                        f"How many full-time employees were there at year-end {y}?",
                    )
                ),
                "span",
                ["total"],
                "none",
            ),
            (
                rng.choice((f"How many employees were in {region} in {y}?", f"How many people worked in {region}?")),
                "span",
                ["part"],
                "none",
            ),
            (
                f"What percentage of employees were in {region} at the end of {y}?",
                "ratio",
                ["part", "total"],
                "percent",
            ),
        ]
        return Fact(template, slots, asked, {"employees"})

    def notes_issued(self):
        rng, y = self.rng, self.year
        rate = f"{rng.choice((1, 2, 3, 4, 5, 6, 7))}.{rng.choice(('00', '25', '375', '50', '625', '75', '875'))}%"
        due, when = y + rng.randint(3, 30), f"{rng.choice(MONTHS)} {y}"
        slots = {
            "when": when,
            "amount": self.money(self.figure()),
            "rate": rate,
            "due": due,
            "use": rng.choice(
                (
                    "to repay existing borrowings",
                    "to finance the acquisition of " + self.other_company(),
                    "for general corporate purposes",
                    "to fund share repurchases",
                    "to refinance the revolving credit facility",
                )
            ),
        }
        template = rng.choice(
            (
                "In {when}, the Company issued {amount} of {rate} senior notes due {due}. The proceeds were used {use}.",
                "{amount} of {rate} notes maturing in {due} were issued in {when} {use}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"What is the interest rate of the notes issued in {when}?",
                        f"What interest rate do the notes due {due} bear?",
                    )
                ),
                "span",
                ["rate"],
                "none",
            ),
            (f"When do the notes issued in {when} mature?", "span", ["due"], "none"),
            (
                rng.choice(
                    (
                        f"What amount of notes due {due} was issued?",
                        f"How much did {self.asked_who()} raise by notes in {when}?",
                    )
                ),
                "span",
                ["amount"],
                "none",
            ),
            (f"When were the notes due {due} issued?", "span", ["when"], "none"),
            (f"What were the proceeds of the notes due {due} used for?", "span", ["use"], "none"),
        ]
        return Fact(template, slots, asked, {"notes", "debt"})

    def dividend(self):
        rng, y = self.rng, self.year
        amount = f"{self.symbol}{rng.uniform(0.05, 3):.2f}"
        slots = {"amount": amount, "pay": self.date(y + 1), "record": self.date(y + 1), "declared": self.date(y)}
        template = rng.choice(
            (
                "On {declared}, the Board declared a dividend of {amount} per share, payable on {pay} to shareholders of record on {record}.",
                "The directors propose a final dividend of {amount} per share, to be paid on {pay} to holders registered on {record}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        "What dividend per share was declared?",
                        "How much is the dividend per share?",
                        "What is the amount of the dividend per share?",
                    )
                ),
                "span",
                ["amount"],
                "none",
            ),
            (
                rng.choice(("When will the dividend be paid?", "On what date is the dividend payable?")),
                "span",
                ["pay"],
                "none",
            ),
            ("What is the record date of the dividend?", "span", ["record"], "none"),
        ]
        return Fact(template, slots, asked, {"dividend", "dividends per share"})

    def acquired(self):
        rng, other = self.rng, self.other_company()
        place, stake = rng.choice(vocabulary.CITIES), rng.choice((100, 100, 51, 60, 75, 80))
        slots = {
            "date": self.date(),
            "other": other,
            "price": self.money(self.figure()),
            "place": place,
            "stake": f"{stake}%",
            "what": rng.choice(
                (
                    "a maker of sensors",
                    "a provider of payroll software",
                    "a chain of coffee shops",
                    "a logistics operator",
                    "a producer of organic snacks",
                    "a developer of medical devices",
                    "a data centre operator",
                    "a supplier of marine coatings",
                )
            ),
        }
        template = rng.choice(
            (
                "On {date}, we acquired {stake} of {other}, {what} based in {place}, for {price} in cash.",
                "{other}, {what} in {place}, was acquired on {date} for a total consideration of {price}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"How much did {self.asked_who()} pay for {other}?",
                        f"What was the purchase price of {other}?",
                        f"What consideration was paid for {other}?",
                    )
                ),
                "span",
                ["price"],
                "none",
            ),
            (f"When was {other} acquired?", "span", ["date"], "none"),
            (f"Where is {other} based?", "span", ["place"], "none"),
            (f"What kind of business is {other}?", "span", ["what"], "none"),
            (f"Which company did {self.asked_who()} acquire?", "span", ["other"], "none"),
        ]
        if "{stake}" in template:
            asked.append((f"What share of {other} was acquired?", "span", ["stake"], "none"))
        return Fact(template, slots, asked, {"acquisition", "acquisitions", other.lower()})

    def useful_lives(self):
        rng = self.rng
        one, other = rng.sample(
            (
                "buildings",
                "machinery and equipment",
                "furniture and fixtures",
                "software",
                "vehicles",
                "leasehold improvements",
                "customer relationships",
                "patents",
                "tooling",
            ),
            2,
        )
        slots = {
            "a": f"{rng.randint(2, 9)} to {rng.randint(10, 40)} years",
            "b": f"{rng.randint(2, 12)} years",
            "one": one,
            "other": other,
        }
        template = rng.choice(
            (
                "Depreciation is computed on a straight-line basis over {a} for {one} and {b} for {other}.",
                "The estimated useful lives are {a} for {one} and {b} for {other}.",
                "{one} are depreciated over {a}; {other} over {b}.",
            )
        )
        asked = [
            (f"What is the useful life of {one}?", "span", ["a"], "none"),
            (f"Over what period are {other} depreciated?", "span", ["b"], "none"),
            (f"What are the useful lives of {one} and {other}, respectively?", "spans", ["a", "b"], "none"),
        ]
        return Fact(template, slots, asked, {one, other})

    def defined(self):
        rng = self.rng
        term, meaning = rng.choice(
            (
                ("Free cash flow", "net cash provided by operating activities less capital expenditures"),
                ("Net debt", "total borrowings less cash and cash equivalents"),
                (
                    "Adjusted EBITDA",
                    "earnings before interest, taxes, depreciation and amortization, excluding restructuring charges",
                ),
                ("Organic growth", "growth in revenue at constant currency, excluding acquisitions and disposals"),
                ("Churn", "the share of subscribers who cancelled their contract in the period"),
                ("Backlog", "the value of signed orders that have not yet been recognized as revenue"),
                ("Underlying profit", "profit before exceptional items and the amortization of acquired intangibles"),
                ("Working capital", "current assets less current liabilities"),
                ("Return on capital employed", "operating profit divided by the average of equity and net debt"),
            )
        )
        slots = {"term": term, "meaning": meaning}
        template = rng.choice(
            (
                "{term} is defined as {meaning}.",
                "We define {term} as {meaning}.",
                "{term} means {meaning}.",
                "{term} represents {meaning}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"How is {term.lower() if term[1:] == term[1:].lower() else term} defined?",
                        f"What does {term} represent?",
                        f"What is the definition of {term}?",
                        f"How does {self.asked_who()} define {term}?",
                    )
                ),
                "span",
                ["meaning"],
                "none",
            )
        ]
        return Fact(template, slots, asked, {f"definition {term.lower()}"})

    def founded(self):
        rng = self.rng
        slots = {
            "name": self.report.full_name,
            "year": rng.randint(1850, 2005),
            "city": rng.choice(vocabulary.CITIES),
            "count": rng.randint(3, 60),
        }
        template = rng.choice(
            (
                "{name} was founded in {year} and is headquartered in {city}. It operates in {count} countries.",
                "Headquartered in {city}, {name} has been in business since {year} and has offices in {count} countries.",
            )
        )
        asked = [
            (
                rng.choice(
                    (f"When was {self.report.name} founded?", f"In what year was {self.asked_who()} established?")
                ),
                "span",
                ["year"],
                "none",
            ),
            (
                rng.choice(
                    (
                        f"Where is {self.report.name} headquartered?",
                        f"Where are the headquarters of {self.asked_who()}?",
                    )
                ),
                "span",
                ["city"],
                "none",
            ),
            (f"In how many countries does {self.asked_who()} operate?", "span", ["count"], "none"),
        ]
        return Fact(template, slots, asked, {"founded"})

    def officer(self):
        rng = self.rng
        role, name = rng.choice(vocabulary.ROLES), self.person()
        slots = {
            "name": name,
            "age": rng.randint(36, 70),
            "role": role,
            "since": rng.randint(1998, self.year),
            "before": self.other_company(),
            "as": rng.choice(vocabulary.ROLES),
        }
        template = rng.choice(
            (
                "{name}, age {age}, has served as {role} since {since}. Previously, {name} worked at {before}.",
                "{name} ({age}) was appointed {role} in {since} and was before with {before}.",
                "{role} since {since}, {name} joined from {before}.",
            )
        )
        asked = [
            (
                rng.choice((f"Who is the {role}?", f"What is the name of the {role}?", f"Who serves as {role}?")),
                "span",
                ["name"],
                "none",
            ),
            (
                rng.choice((f"Since when has {name} been {role}?", f"When was {name} appointed?")),
                "span",
                ["since"],
                "none",
            ),
            (f"Where did {name} work before?", "span", ["before"], "none"),
            (f"What is the position of {name}?", "span", ["role"], "none"),
        ]
        if "{age}" in template:
            asked.append((f"How old is {name}?", "span", ["age"], "none"))
        return Fact(template, slots, asked, {f"officer {role.lower()}", name.lower()})

    def tax_rate(self):
        rng, y = self.rng, self.year
        a, b = rng.uniform(8, 38), rng.uniform(8, 38)
        slots = {
            "a": f"{a:.1f}%",
            "b": f"{b:.1f}%",
            "y": y,
            "p": y - 1,
            "reason": self.reason(),
            "name": rng.choice(
                (
                    "effective tax rate",
                    "effective income tax rate",
                    "gross margin",
                    "operating margin",
                    "weighted average interest rate",
                    "occupancy rate",
                    "capacity utilization",
                )
            ),
        }
        template = rng.choice(
            (
                "Our {name} was {a} in {y} compared with {b} in {p}, reflecting {reason}.",
                "The {name} was {a} for {y} and {b} for {p}. The change was due to {reason}.",
                "In {y}, the {name} came to {a} ({p}: {b}).",
            )
        )
        m = slots["name"]
        asked = [
            (
                rng.choice((f"What was the {m} in {y}?", f"What is {self.asked_who()}'s {m} for {y}?")),
                "span",
                ["a"],
                "none",
            ),
            (f"What was the {m} in {y - 1}?", "span", ["b"], "none"),
            (f"What is the change in {m} from {y - 1} to {y}?", "difference", ["a", "b"], "percent"),
        ]
        if "{reason}" in template:
            asked.append((f"Why did the {m} change in {y}?", "span", ["reason"], "none"))
        return Fact(template, slots, asked, {m})

    def shares(self):
        rng = self.rng
        count, holders = rng.randint(4_000_000, 900_000_000), rng.randint(200, 40000)
        slots = {"count": f"{count:,}", "holders": f"{holders:,}", "date": self.date(self.year + 1)}
        template = rng.choice(
            (
                "As of {date}, there were {count} shares of common stock outstanding, held by {holders} holders of record.",
                "On {date} the company had {holders} registered shareholders and {count} shares in issue.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        "How many shares of common stock were outstanding?",
                        f"What was the number of shares outstanding as of {slots['date']}?",
                        "How many shares were in issue?",
                    )
                ),
                "span",
                ["count"],
                "none",
            ),
            (
                rng.choice(
                    ("How many holders of record were there?", "What is the number of registered shareholders?")
                ),
                "span",
                ["holders"],
                "none",
            ),
        ]
        return Fact(template, slots, asked, {"shares outstanding"})

    def planned(self):
        rng, y = self.rng, self.year + 1
        low = rng.randint(5, 400)
        what = rng.choice(
            (
                "capital expenditures",
                "research spending",
                "restructuring costs",
                "revenue",
                "depreciation",
                "cash taxes",
                "contributions to pension plans",
            )
        )
        slots = {
            "what": what,
            "range": f"between {self.symbol}{low} million and {self.symbol}{low + rng.randint(2, 60)} million",
            "y": y,
        }
        template = rng.choice(
            (
                "For {y}, we expect {what} of {range}.",
                "{what} in {y} are expected to be {range}.",
                "The company anticipates {what} {range} in {y}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"What {what} does {self.asked_who()} expect in {y}?",
                        f"How much are {what} expected to be in {y}?",
                        f"What is the expected range of {what} for {y}?",
                    )
                ),
                "span",
                ["range"],
                "none",
            )
        ]
        return Fact(template, slots, asked, {f"expected {what}"})

    def customers(self):
        rng, y = self.rng, self.year
        a, b = rng.sample(range(10, 38), 2)
        slots = {"a": f"{a}%", "b": f"{b}%", "y": y, "count": rng.choice(("Two", "Three"))}
        template = (
            "Two customers accounted for {a} and {b} of "
            + rng.choice(("accounts receivable", "net revenue", "total sales"))
            + " in {y}, respectively."
        )
        what = re.search(r"of (accounts receivable|net revenue|total sales)", template)[1]
        asked = [
            (
                f"What percentages of {what} did the two largest customers account for in {y}?",
                "spans",
                ["a", "b"],
                "none",
            ),
            (f"What is the combined share of {what} of the two customers in {y}?", "sum", ["a", "b"], "percent"),
        ]
        return Fact(template, slots, asked, {f"customers {what}"})

    def stores(self):
        rng, y = self.rng, self.year
        thing = rng.choice(("stores", "restaurants", "branches", "clinics", "charging stations", "hotels"))
        opened, closed, total = rng.randint(6, 90), rng.randint(1, 30), rng.randint(100, 4000)
        slots = {"opened": opened, "closed": closed, "total": f"{total:,}", "y": y, "thing": thing}
        template = rng.choice(
            (
                "During {y}, we opened {opened} {thing} and closed {closed}, ending the year with {total} {thing}.",
                "The group opened {opened} new {thing} in {y}, closed {closed}, and operated {total} {thing} at year end.",
            )
        )
        asked = [
            (f"How many {thing} were opened in {y}?", "span", ["opened"], "none"),
            (f"How many {thing} did {self.asked_who()} close in {y}?", "span", ["closed"], "none"),
            (
                rng.choice(
                    (
                        f"How many {thing} did {self.asked_who()} operate at the end of {y}?",
                        f"What was the total number of {thing} at year end {y}?",
                    )
                ),
                "span",
                ["total"],
                "none",
            ),
            (f"What was the net increase in {thing} in {y}?", "difference", ["opened", "closed"], "none"),
        ]
        return Fact(template, slots, asked, {thing})

    def poll(self):
        rng, y = self.rng, self.year
        group, other = rng.sample(
            (
                "adults",
                "women",
                "men",
                "students",
                "parents",
                "rural residents",
                "older respondents",
                "commuters",
                "teachers",
                "customers",
            ),
            2,
        )
        a, b = rng.sample(range(8, 88), 2)
        view = rng.choice(
            (
                "trust the local paper",
                "would recommend the service",
                "use public transport every week",
                "worry about energy costs",
                "have changed their diet",
                "own more than one device",
                "support the proposal",
                "read news on a phone",
            )
        )
        slots = {
            "group": group,
            "other": other,
            "a": f"{a}%",
            "b": f"{b}%",
            "view": view,
            "y": y,
            "n": f"{rng.randint(400, 9000):,}",
        }
        template = rng.choice(
            (
                "{a} of {group} say that they {view}, compared with {b} of {other}. The survey of {n} people was conducted in {y}.",
                "Among {group}, {a} {view}; among {other} the share is {b} (n = {n}, {y}).",
            )
        )
        asked = [
            (
                rng.choice((f"What percentage of {group} {view}?", f"What share of {group} say they {view}?")),
                "span",
                ["a"],
                "none",
            ),
            (f"What percentage of {other} {view}?", "span", ["b"], "none"),
            (
                rng.choice(("How many people were surveyed?", "What was the sample size of the survey?")),
                "span",
                ["n"],
                "none",
            ),
            (
                f"What is the difference between the share of {group} and of {other} who {view}?",
                "difference",
                ["a", "b"],
                "percent",
            ),
        ]
        return Fact(template, slots, asked, {f"poll {view}", "survey size"})

    def experiment(self):
        rng = self.rng
        slots = {
            "epochs": rng.choice((3, 5, 10, 20, 40, 100)),
            "rate": rng.choice(("1e-4", "0.001", "2e-5", "0.01", "3e-4")),
            "batch": rng.choice((8, 16, 32, 64, 128, 256)),
            "data": rng.choice(vocabulary.DATASETS),
            "size": f"{rng.randint(900, 90000):,}",
            "method": rng.choice(vocabulary.METHODS[1:]),
            "score": f"{rng.uniform(20, 98):.1f}",
        }
        template = rng.choice(
            (
                "{method} is trained for {epochs} epochs with a learning rate of {rate} and a batch size of {batch}. {data} has {size} examples, on which it reaches {score}.",
                "We train {method} on {data} ({size} examples) with batch size {batch} and learning rate {rate} for {epochs} epochs, and obtain {score}.",
            )
        )
        asked = [
            ("What learning rate is used?", "span", ["rate"], "none"),
            ("What is the batch size?", "span", ["batch"], "none"),
            (f"How many examples does {slots['data']} have?", "span", ["size"], "none"),
            (f"For how many epochs is {slots['method']} trained?", "span", ["epochs"], "none"),
            (f"What score does {slots['method']} reach on {slots['data']}?", "span", ["score"], "none"),
        ]
        return Fact(template, slots, asked, {"experiment"})

    def settled(self):
        rng = self.rng
        slots = {
            "date": self.date(),
            "court": rng.choice(
                (
                    "the district court",
                    "a federal court",
                    "the court of appeal",
                    "an arbitration panel",
                    "the competition authority",
                )
            ),
            "amount": self.money(self.figure()),
            "matter": rng.choice(
                (
                    "alleged patent infringement",
                    "a product recall",
                    "unpaid overtime",
                    "a data breach",
                    "breach of a supply contract",
                    "misleading advertising",
                    "environmental damage at a former site",
                )
            ),
            "party": self.other_company(),
        }
        template = rng.choice(
            (
                "On {date}, we agreed to pay {amount} to {party} to settle a claim over {matter} before {court}.",
                "A claim by {party} concerning {matter}, pending before {court}, was settled on {date} for {amount}.",
            )
        )
        asked = [
            (
                rng.choice(
                    (
                        f"How much was paid to settle the claim of {slots['party']}?",
                        f"What was the settlement amount with {slots['party']}?",
                    )
                ),
                "span",
                ["amount"],
                "none",
            ),
            (f"What was the claim of {slots['party']} about?", "span", ["matter"], "none"),
            (f"When was the claim of {slots['party']} settled?", "span", ["date"], "none"),
            (f"With whom was a claim over {slots['matter']} settled?", "span", ["party"], "none"),
        ]
        return Fact(template, slots, asked, {f"claim {slots['party'].lower()}"})


KINDS = (
    ("changed", 10),
    ("respectively", 4),
    ("share", 2),
    ("people", 3),
    ("notes_issued", 2),
    ("dividend", 1),
    ("acquired", 2),
    ("useful_lives", 1),
    ("defined", 1),
    ("founded", 1),
    ("officer", 2),
    ("tax_rate", 2),
    ("shares", 1),
    ("planned", 1),
    ("customers", 1),
    ("stores", 1),
    ("poll", 2),
    ("experiment", 1),
    ("settled", 1),
)


class MadeText:
    """A passage of sentences: its text, its facts with their places, and its topics."""

    def __init__(self, rng, writer, taken):
        self.context, self.facts, self.text = "", [], ""
        names, weights = [name for name, _ in KINDS], [weight for _, weight in KINDS]
        keys = set()
        for _ in range(rng.choice((1, 2, 2, 3, 4))):
            fact = getattr(writer, rng.choices(names, weights)[0])()
            if fact.keys & (keys | taken):
                continue
            keys |= fact.keys
            if rng.random() < 0.35:
                self.append(rng.choice(vocabulary.FILLERS))
            self.facts.append((len(self.text) + bool(self.text), fact))
            self.append(fact.text)
        if rng.random() < 0.3 or not self.text:
            self.append(rng.choice(vocabulary.FILLERS))
        self.keys = keys
        if rng.random() < 0.25:
            self.context = rng.choice(
                (
                    "Results of operations",
                    "Liquidity and capital resources",
                    writer.report.full_name,
                    "Notes to the financial statements",
                    "Management's discussion",
                    "Overview",
                    "Highlights",
                )
            )

    def append(self, text):
        self.text += (" " if self.text else "") + text
