#!/usr/bin/env python3
"""Makes small documents as people have them, with look-ups of which half have no answer.

    scripts/fit/lookups.py --out DIR [--documents N] [--seed N]

Writes DIR/docs/*.html and DIR/questions.jsonl, which `fineprint batch` and `fit/confidence` take. A
document is about one or several subjects of a kind (a vehicle, a course, a lease), as a letter, a
sheet of labels with their values, or a table. It has most facts of that kind and lacks the others,
or has their label without a value. Questions name a subject of the document and ask for a fact that
is there, or for one that is not ("Not answerable"), in other words than the document's in every
second case.
"""

import argparse
import html
import json
import random
from pathlib import Path

SYLLABLES = "bar ven tol mir das kel lan ros hef win cor pel sta nor bri gal tam ud fen os".split()
PLACES = "Arden Bexhill Corvo Dunmore Elsby Farrow Gorsk Hallam Ilkley Jura Kilby Lorne".split()
GIVEN = "Ada Boris Clara Devin Edith Farah Goran Hilde Imran Josie Karl Leila Maud Nils".split()
MONTHS = "January February March April May June July August September October".split()


def word(drawn):
    return "".join(drawn.sample(SYLLABLES, 2)).capitalize()


def person(drawn):
    return f"{drawn.choice(GIVEN)} {word(drawn)}"


def date(drawn):
    return f"{drawn.randint(1, 28)} {drawn.choice(MONTHS)} {drawn.randint(2015, 2026)}"


def money(drawn):
    return f"{drawn.randint(12, 9800):,} euros"


def size(unit):
    return lambda drawn: f"{drawn.randint(2, 480)} {unit}"


def number(drawn):
    return f"{drawn.choice('ABKRT')}-{drawn.randint(1000, 99999)}"


def one_of(*values):
    return lambda drawn: drawn.choice(values)


# For each kind of subject: how one is called, and its facts: label, value, a question in the words
# of the label, and one in other words. {} is the subject.
KINDS = {
    "van": (number, [
        ("Driver", person, "Who is the driver of {}?", "Who drives {}?"),
        ("Mileage", size("km"), "What is the mileage of {}?", "How far has {} been driven?"),
        ("Colour", one_of("grey", "dark green", "white"), "What is the colour of {}?", "How is {} painted?"),
        ("Next inspection", date, "When is the next inspection of {}?", "When must {} be inspected again?"),
        ("Purchase price", money, "What was the purchase price of {}?", "How much did {} cost?"),
        ("Garage", one_of("north yard", "hall 3"), "Which garage is {} kept in?", "Where is {} parked?"),
        ("Insurer", word, "Who is the insurer of {}?", "Which company insures {}?"),
        ("Fuel card", number, "What is the fuel card of {}?", "Which card pays for the fuel of {}?"),
    ]),
    "course": (lambda drawn: f"{word(drawn)} course", [
        ("Teacher", person, "Who is the teacher of the {}?", "Who gives the {}?"),
        ("Fee", money, "What is the fee for the {}?", "How much does the {} cost?"),
        ("First day", date, "What is the first day of the {}?", "When does the {} begin?"),
        ("Room", number, "Which room is the {} in?", "Where does the {} take place?"),
        ("Participants", size("people"), "How many participants does the {} have?", "How many people take part in the {}?"),
        ("Certificate", one_of("level B", "diploma"), "Which certificate does the {} lead to?", "What is awarded at the end of the {}?"),
        ("Textbook", word, "What is the textbook of the {}?", "Which book is used in the {}?"),
        ("Cancellation deadline", date, "What is the cancellation deadline of the {}?", "Until when can the {} be cancelled?"),
    ]),
    "lease": (lambda drawn: f"{word(drawn)} Lodge", [
        ("Tenant", person, "Who is the tenant of {}?", "Who rents {}?"),
        ("Monthly rent", money, "What is the monthly rent of {}?", "How much is paid each month for {}?"),
        ("Deposit", money, "How much is the deposit for {}?", "How much was paid as a security for {}?"),
        ("Start of lease", date, "When is the start of the lease of {}?", "Since when is {} let?"),
        ("Notice period", size("weeks"), "What is the notice period for {}?", "How long before leaving {} must notice be given?"),
        ("Heating", one_of("gas", "district heating"), "Which heating does {} have?", "How is {} heated?"),
        ("Floor area", size("square metres"), "What is the floor area of {}?", "How large is {}?"),
        ("Caretaker", person, "Who is the caretaker of {}?", "Who looks after {}?"),
    ]),
    "machine": (lambda drawn: f"press {word(drawn)}", [
        ("Operator", person, "Who is the operator of {}?", "Who operates {}?"),
        ("Weight", size("tonnes"), "What is the weight of {}?", "How heavy is {}?"),
        ("Year of manufacture", lambda drawn: str(drawn.randint(1990, 2024)), "What is the year of manufacture of {}?", "When was {} made?"),
        ("Serial number", number, "What is the serial number of {}?", "Which serial number does {} have?"),
        ("Power", size("kW"), "What is the power of {}?", "How much power does {} draw?"),
        ("Last repair", date, "When was the last repair of {}?", "When was {} last repaired?"),
        ("Supplier", word, "Who is the supplier of {}?", "Who supplied {}?"),
        ("Spare parts", one_of("seals", "belts and filters"), "Which spare parts are there for {}?", "What is kept in stock to repair {}?"),
    ]),
    "member": (person, [
        ("Membership number", number, "What is the membership number of {}?", "Under which number is {} a member?"),
        ("Date of birth", date, "What is the date of birth of {}?", "When was {} born?"),
        ("Town", one_of(*PLACES), "Which town does {} live in?", "Where does {} live?"),
        ("Annual fee", money, "What is the annual fee of {}?", "How much does {} pay a year?"),
        ("Team", one_of("first eight", "juniors", "masters"), "Which team is {} in?", "Whom does {} row with?"),
        ("Trainer", person, "Who is the trainer of {}?", "Who trains {}?"),
        ("Emergency contact", person, "Who is the emergency contact of {}?", "Who is called if {} has an accident?"),
        ("Locker", number, "Which locker does {} have?", "What is the locker of {}?"),
    ]),
}  # fmt: skip


def letter(kind, subjects, facts, values):
    lines = []
    for subject in subjects:
        for fact in facts:
            if (subject, fact[0]) in values:
                lines.append(f"The {fact[0].lower()} of {subject} is {values[subject, fact[0]]}.")
    return f"<h1>About our {kind}s</h1>\n<p>{html.escape(' '.join(lines))}</p>\n"


def sheet(kind, subjects, facts, values):
    out = [f"<h1>{kind.capitalize()} record</h1>"]
    for subject in subjects:
        out.append(f"<h2>{html.escape(subject)}</h2>")
        out += [f"<p>{fact[0]}: {html.escape(values.get((subject, fact[0]), ''))}</p>" for fact in facts]
    return "\n".join(out) + "\n"


def table(kind, subjects, facts, values):
    rows = [[kind.capitalize()] + [fact[0] for fact in facts]]
    rows += [[subject] + [values.get((subject, fact[0]), "") for fact in facts] for subject in subjects]
    cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in rows]
    head = cells[0].replace("td>", "th>")
    return f"<h1>All {kind}s</h1>\n<table><tr>{head}</tr>\n" + "".join(f"<tr>{row}</tr>\n" for row in cells[1:]) + "</table>\n"


def new_subject(named, drawn, used):
    """Returns a subject that no other document is about."""
    while (subject := named(drawn)) in used:
        pass
    used.add(subject)
    return subject


def make(out, documents, seed):
    """Writes the documents and their questions, eight for each document. Returns the number of questions."""
    (out / "docs").mkdir(parents=True, exist_ok=True)
    drawn = random.Random(seed)
    questions, used = [], set()
    for n in range(documents):
        kind = list(KINDS)[n % len(KINDS)]
        named, facts = KINDS[kind]
        facts = drawn.sample(facts, len(facts))
        absent, present = facts[:3], facts[3:]
        form = drawn.choice([letter, sheet, table])
        subjects = [new_subject(named, drawn, used) for _ in range(1 if form is sheet else 3)]
        values = {(subject, fact[0]): fact[1](drawn) for subject in subjects for fact in present}
        # Every second sheet or table has one label or head without a value.
        shown = present + absent[:1] if form is not letter and drawn.random() < 0.5 else present
        text = form(kind, subjects, drawn.sample(shown, len(shown)), values)
        name = f"{kind}-{n:03}.html"
        (out / "docs" / name).write_text(f"<!DOCTYPE html>\n<meta charset='utf-8'>\n{text}", encoding="utf-8")
        asked = [(fact, True) for fact in drawn.sample(present, 3)] + [(fact, False) for fact in absent]
        for number, (fact, is_there) in enumerate(asked):
            subject = drawn.choice(subjects)
            answer = values[subject, fact[0]] if is_there else "Not answerable"
            question = fact[2 + number % 2].format(subject)
            questions.append({"id": f"{name}-{number}", "question": question, "answer": answer})
    lines = [json.dumps(question, ensure_ascii=False) + "\n" for question in questions]
    (out / "questions.jsonl").write_text("".join(lines), encoding="utf-8")
    return len(questions)


def main():
    parser = argparse.ArgumentParser(description="Makes documents with look-ups of which half have no answer.")
    parser.add_argument("--out", type=Path, required=True, help="folder for docs/ and questions.jsonl")
    parser.add_argument("--documents", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{make(options.out, options.documents, options.seed)} questions in {options.out}")


if __name__ == "__main__":
    main()
