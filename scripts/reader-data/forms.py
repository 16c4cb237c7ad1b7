"""Labels with values, as cover pages, cards, data sheets and dashboards have them, all of our own making: one to three
things of a kind on a passage, each with some of its kind's fields, printed as text or as a table."""

import vocabulary
from made_tables import MONTHS
from shared import Writer, byte_span, cells_answer, chance, example, said, span_answer, table_passage, text_passage

NAME = "forms"
FOLDERS = ()
DOCUMENTS = 4000  # three questions each
TEST_DOCUMENTS = 80
QUESTIONS = 3

# ---------------------------------------------------------------- values


def person(rng):
    return f"{rng.choice(vocabulary.PEOPLE_FIRST)} {rng.choice(vocabulary.PEOPLE_LAST)}"


def digits(rng, count):
    return "".join(rng.choice("0123456789") for _ in range(count))


def telephone(rng):
    form = rng.choice(("0{4} {6}", "{3}-{3}-{4}", "+{2} {2} {3} {4}", "({3}) {3}-{4}", "+1-{3}-{3}-{4}", "{5} {6}"))
    for count in range(2, 7):
        while f"{{{count}}}" in form:
            form = form.replace(f"{{{count}}}", digits(rng, count), 1)
    return form


def date(rng):
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1996, 2026)
    return rng.choice(
        (f"{day:02d}/{month:02d}/{year}", f"{day} {MONTHS[month - 1]} {year}", f"{MONTHS[month - 1]} {day}, {year}",
         f"{year}-{month:02d}-{day:02d}")
    )  # fmt: skip


def code(rng):
    letters = "".join(rng.choice("ABCDEFGHKLMNPRSTVWX") for _ in range(rng.randint(1, 3)))
    return rng.choice((f"{letters}{digits(rng, 4)}", f"{letters}-{digits(rng, 3)}", f"{digits(rng, 2)}/{letters}/{digits(rng, 4)}",
                       f"{digits(rng, 3)}-{digits(rng, 2)}-{digits(rng, 6)}"))  # fmt: skip


def address(rng):
    street = rng.choice(vocabulary.COMPANY_FIRST)
    return f"{rng.randint(1, 240)} {street} {rng.choice(('Street', 'Road', 'Avenue', 'Lane'))}, {rng.choice(vocabulary.CITIES)}"


def mail(rng):
    first, last = rng.choice(vocabulary.PEOPLE_FIRST).lower(), rng.choice(vocabulary.PEOPLE_LAST).lower()
    return f"{rng.choice((first[0] + last, first + '.' + last, 'info', 'office'))}@{rng.choice(vocabulary.COMPANY_FIRST).lower()}.{rng.choice(('com', 'org', 'net', 'example'))}"


def web(rng):
    return f"www.{rng.choice(vocabulary.COMPANY_FIRST).lower()}.{rng.choice(('com', 'org', 'edu'))}"


def quantity(low, high, *units, places=0):
    def made(rng):
        value = rng.uniform(low, high)
        return f"{value:,.{places}f}{rng.choice(units)}"

    return made


def one_of(*values):
    return lambda rng: rng.choice(values)


def duration(rng):
    return f"00:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"


# ---------------------------------------------------------------- kinds of things, and their fields
# A field: the labels it is printed by, how it is asked for ("{of}" is the thing), what its value is made by.

CONTACT = (
    (("Telephone", "Tel", "Tel.", "Phone", "Telephone number"),
     ("What is the telephone number of {of}?", "What is the phone no. of {of}?", "On which number can {of} be called?", "telephone no of {of}?"), telephone),
    (("Fax", "Fax no.", "Facsimile"), ("What is the fax number of {of}?", "What is {of}'s fax no?"), telephone),
    (("Email", "E-mail", "Email address"), ("What is the email address of {of}?", "What is the e-mail of {of}?", "What is {of}'s email id?"), mail),
    (("Website", "Web", "Web address"), ("What is the website of {of}?", "Which web address does {of} have?"), web),
    (("Address", "Postal address"), ("What is the address of {of}?", "Where is {of} located?"), address),
    (("Contact", "Contact person", "Contact name"), ("Who is the contact person at {of}?", "Whom should one contact at {of}?"), person),
    (("Open", "Opening hours", "Hours"), ("When is {of} open?", "What are the opening hours of {of}?"), one_of("Mon–Fri 9:00–17:00", "daily 8 am to 6 pm", "Tuesday to Sunday, 10:00–18:00", "weekdays 08:30–16:30")),
)  # fmt: skip
RECORD = (
    (("Date of inspection", "Inspection date"), ("When was {of} inspected?", "What is the inspection date of {of}?"), date),
    (("Report number", "Report no.", "Reference"), ("What is the report number of {of}?", "Under which reference is {of} filed?"), code),
    (("Prepared by", "Author"), ("Who prepared the report on {of}?", "Who is the author of the report on {of}?"), person),
    (("Approved by",), ("Who approved the report on {of}?",), person),
    (("Registered manager", "Manager"), ("Who is the registered manager of {of}?", "Who manages {of}?"), person),
    (("Overall rating", "Rating"), ("How is {of} rated?", "What is the overall rating of {of}?"), one_of("Good", "Outstanding", "Requires improvement", "Inadequate")),
    (("Number of places", "Capacity", "Beds"), ("How many places does {of} have?", "What is the capacity of {of}?"), quantity(8, 160, "")),
    (("Next review", "Review due"), ("When is the next review of {of}?", "By when is {of} to be reviewed?"), date),
    (("Classification", "Status"), ("What is the classification of the report on {of}?", "Which status has the report on {of}?"), one_of("Internal", "Public", "Draft", "Restricted", "Final")),
    (("Version", "Revision"), ("Which version is the report on {of}?",), quantity(1, 9, "", places=1)),
)  # fmt: skip
CASE = (
    (("Court",), ("Which court hears {of}?", "In which type of court is {of}?"), one_of("District Court", "Superior Court", "Court of Appeal", "High Court", "Family Court", "Labour Court", "Supreme Court")),
    (("Case no.", "Case number", "Docket"), ("What is the case number of {of}?", "Under which docket is {of}?"), code),
    (("Judge", "Before", "Presiding judge"), ("Who is the judge of {of}?", "Who presides over {of}?"), person),
    (("Counsel for the plaintiff", "For the plaintiff"), ("Who is counsel for the plaintiff in {of}?", "Who represents the plaintiff in {of}?"), person),
    (("Counsel for the defendant", "For the defendant"), ("Who is counsel for the defendant in {of}?", "Who represents the defendant in {of}?"), person),
    (("Filed", "Date filed"), ("When was {of} filed?",), date),
    (("Hearing", "Hearing date"), ("When is {of} heard?", "What is the hearing date of {of}?"), date),
    (("Number of exhibits", "Exhibits"), ("How many exhibits are there in {of}?",), quantity(2, 60, "")),
)  # fmt: skip
SHEET = (
    (("Part number", "Order code", "Model no."), ("What is the part number of the {of}?", "Under which order code is the {of} sold?"), code),
    (("Weight", "Net weight"), ("How much does the {of} weigh?", "What is the weight of the {of}?"), quantity(0.1, 40, " kg", " lb", places=1)),
    (("Supply voltage", "Voltage"), ("What is the supply voltage of the {of}?", "Which voltage does the {of} need?"), quantity(3, 48, " V", places=1)),
    (("Power consumption", "Power"), ("How much power does the {of} take?", "What is the power consumption of the {of}?"), quantity(1, 900, " W")),
    (("Operating temperature", "Temperature range"), ("In which temperatures does the {of} work?", "What is the operating temperature of the {of}?"), one_of("-20 to 60 °C", "0 to 40 °C", "-40 °C to 85 °C", "5–35 °C")),
    (("Memory", "RAM"), ("How much memory does the {of} have?",), quantity(1, 64, " GB")),
    (("Battery", "Battery life"), ("How long does the battery of the {of} last?", "What is the battery life of the {of}?"), quantity(2, 48, " hours", " h")),
    (("Warranty",), ("How long is the warranty of the {of}?",), one_of("1 year", "2 years", "3 years", "24 months", "five years")),
    (("Colour", "Color", "Finish"), ("Which colour is the {of}?", "What color does the {of} come in?"), one_of("black", "silver", "dark blue", "white", "graphite", "red")),
    (("Interface", "Port", "Connector"), ("Which interface does the {of} have?",), one_of("USB-C", "RS-485", "Ethernet", "SPI", "Bluetooth 5.0", "CAN bus")),
    (("Price", "List price"), ("What does the {of} cost?", "What is the price of the {of}?"), quantity(15, 4800, " USD", " EUR", places=2)),
)  # fmt: skip
COURSE = (
    (("Module code", "Course code", "Code"), ("What is the code of {of}?",), code),
    (("Credits", "ECTS", "Units"), ("How many credits does {of} give?", "How many units is {of} worth?"), quantity(2, 20, "")),
    (("Lecturer", "Instructor", "Taught by"), ("Who teaches {of}?", "Who is the lecturer of {of}?"), person),
    (("Room", "Venue"), ("In which room is {of} taught?", "What is the venue of {of}?"), code),
    (("Contact hours", "Hours"), ("How many contact hours has {of}?", "How many hours does {of} take?"), quantity(6, 90, " hours", "")),
    (("Starts", "Start date", "First session"), ("When does {of} start?", "What is the first date of {of}?"), date),
    (("Assessment",), ("How is {of} assessed?",), one_of("written examination", "project report", "oral examination", "coursework", "group presentation")),
    (("Language",), ("In which language is {of} taught?",), one_of("English", "French", "German", "Spanish", "Japanese")),
    (("Enquiries", "Questions to"), ("Who answers enquiries about {of}?",), mail),
)  # fmt: skip
FIGURES = (
    (("Sessions", "Total sessions"), ("How many sessions did {of} have?",), quantity(900, 9e6, "")),
    (("Users", "Active users"), ("How many users did {of} have?",), quantity(500, 4e6, "")),
    (("Avg. session duration", "Average session duration"), ("What is the average session duration of {of}?",), duration),
    (("Bounce rate",), ("What is the bounce rate of {of}?",), quantity(8, 90, "%", places=2)),
    (("Pages / session", "Pages per session"), ("How many pages a session does {of} have?",), quantity(1, 9, "", places=2)),
    (("Conversions", "Goal completions"), ("How many conversions did {of} bring?",), quantity(20, 90000, "")),
    (("New users", "% new users"), ("What share of users of {of} are new?",), quantity(10, 95, "%", places=1)),
    (("Revenue", "Sales"), ("What revenue did {of} bring?",), quantity(1000, 9e6, " USD", " EUR")),
)  # fmt: skip


def house(rng):
    kind = rng.choice(("House", "Care Home", "Clinic", "Library", "Institute", "School", "Museum", "Hotel", "Lodge", "Centre"))
    return f"{rng.choice(('', '', 'The '))}{rng.choice(vocabulary.COMPANY_FIRST)} {kind}"


def product(rng):
    return f"{rng.choice(vocabulary.COMPANY_FIRST)} {rng.choice('ABDKLMRSTX')}{rng.choice(('', '-'))}{rng.randint(2, 990)}"


def case(rng):
    return f"{rng.choice(vocabulary.PEOPLE_LAST)} v. {rng.choice(vocabulary.COMPANY_FIRST)}"


def course(rng):
    return f"{rng.choice(('Introduction to', 'Advanced', 'Principles of', 'Topics in'))} {rng.choice(('Hydrology', 'Statistics', 'Robotics', 'Tax Law', 'Ethics', 'Optics', 'Marketing', 'Genetics', 'Typography', 'Logistics', 'Acoustics', 'Finance'))}"


def channel(rng):
    return rng.choice(("Desktop", "Mobile", "Tablet", "Direct", "Organic search", "Paid search", "Social", "Referral", "Email", "Display"))


# Thing, its fields, headings above it.
KINDS = (
    (house, CONTACT, ("Contact us", "How to reach us", "Contacts", "")),
    (person, CONTACT[:3], ("Attorneys", "Staff directory", "Our team", "Contacts")),
    (house, RECORD, ("Inspection report", "Summary", "Record of inspection", "")),
    (case, CASE, ("Cause list", "Notice", "Class action", "")),
    (product, SHEET, ("Specifications", "Technical data", "Data sheet", "Product overview")),
    (course, COURSE, ("Module description", "Timetable", "Course outline", "")),
    (channel, FIGURES, ("Audience overview", "Traffic", "Acquisition", "Site analytics")),
)  # fmt: skip


class Form:
    """Things of one kind with their fields, as they are printed."""

    def __init__(self, rng):
        self.rng = rng
        self.thing, fields, headings = rng.choice(KINDS)
        self.fields = rng.sample(fields, rng.randint(min(3, len(fields) - 1), min(7, len(fields))))
        self.left_out = [field for field in fields if field not in self.fields]
        self.things = self.drawn(rng.choice((1, 1, 2, 3)))
        self.labels = [rng.choice(labels) for labels, _, _ in self.fields]
        self.values = [[make(rng) for _, _, make in self.fields] for _ in self.things]
        self.heading = rng.choice(headings)
        self.is_table = rng.random() < 0.35
        self.by_columns = rng.random() < 0.5
        self.print()

    def drawn(self, count):
        things = []
        while len(things) < count:
            thing = self.thing(self.rng)
            if thing not in things:
                things.append(thing)
        return things

    def print(self):
        self.places = {}  # of each thing's field
        if self.is_table:
            self.print_table()
        else:
            self.print_text()

    def print_table(self):
        head = ["", *self.labels] if not self.by_columns else ["", *self.things]
        rows = [head]
        if self.by_columns:
            for field, label in enumerate(self.labels):
                rows.append([label, *(values[field] for values in self.values)])
        else:
            rows += [[thing, *values] for thing, values in zip(self.things, self.values)]
        for thing in range(len(self.things)):
            for field in range(len(self.fields)):
                self.places[thing, field] = (field + 1, thing + 1) if self.by_columns else (thing + 1, field + 1)
        self.passage = table_passage(rows, self.heading, 1)

    def print_text(self):
        rng = self.rng
        colon = rng.choice((": ", ": ", " ", " – "))
        between = rng.choice((" ", " ", "; ", " | ", ", "))
        is_behind = colon == " " and rng.random() < 0.3  # "12,345 Sessions"
        filler = rng.choice(vocabulary.FILLERS) + " " if rng.random() < 0.15 else ""
        text, context = filler, self.heading
        for thing, name in enumerate(self.things):
            if thing == 0 and len(self.things) == 1 and rng.random() < 0.3:
                context = f"{context} {name}".strip()  # stands above
            else:
                text += name + " "
            for field, (label, value) in enumerate(zip(self.labels, self.values[thing])):
                text += "" if is_behind else label + colon
                self.places[thing, field] = (len(text), len(text) + len(value))
                text += value + (" " + label if is_behind else "") + between
        self.passage = text_passage(text.rstrip(" ;|,"), context)

    def answer(self, thing, field):
        place = self.places[thing, field]
        if self.is_table:
            return cells_answer([place])
        return span_answer([byte_span(self.passage["text"], *place)])

    def question(self, field, of):
        return self.rng.choice(self.fields[field][1]).replace("{of}", of)


def line_of(rng, form, others):
    """A question about a form; two in three are answered by it."""
    thing, field = rng.randrange(len(form.things)), rng.randrange(len(form.fields))
    name = form.things[thing]
    wrong = [other.passage for other in rng.sample(others, rng.choice((0, 0, 1, 1, 2))) if name not in other.things]
    kind = rng.random()
    if kind < 2 / 3:
        question = form.question(field, name)
        return example(rng, question, form.passage, [form.answer(thing, field)], wrong)
    if kind < 5 / 6:  # of another thing
        other = form.thing(rng)
        if other in form.things or any(other in one.things for one in others):
            return None
        return example(rng, form.question(field, other), None, [], [form.passage, *wrong])
    if not form.left_out:
        return None
    question = rng.choice(rng.choice(form.left_out)[1]).replace("{of}", name)
    return example(rng, question, None, [], [form.passage, *wrong])


def make(data, out, seed):
    writer = Writer(out, NAME)
    for number in range(DOCUMENTS + TEST_DOCUMENTS):
        rng = chance(seed, NAME, number)
        form, *others = [Form(rng) for _ in range(4)]
        for place in range(QUESTIONS):
            line = line_of(rng, form, others)
            if line is None:
                continue
            if number < DOCUMENTS:
                writer.train(line)
            else:
                gold = said(line, line["answers"][0]) if line["answers"] else []
                writer.test(line | {"id": f"forms-{number}-{place}", "gold": gold})
    return writer.close()
