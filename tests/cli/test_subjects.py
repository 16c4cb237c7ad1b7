"""Questions about what the documents are not about: another company, another year, another product.

Made-up filings of four companies and the documents of tests/data. Of the questions that name what
is not there most must be declined, and few of those that can be answered.
"""

import unittest

from program import DOCS, QUICK, ProgramTest, read_records

COMPANIES = {
    "alderon-2021.html": ("Alderon Castings", 2021, 412.6, 31.2, 2140, "Ines Calder", "pump housings"),
    "alderon-2022.html": ("Alderon Castings", 2022, 455.1, 37.9, 2235, "Ines Calder", "pump housings"),
    "brevant-2022.html": ("Brevant Foods", 2022, 1204.0, 88.4, 7310, "Otto Lindqvist", "oat biscuits"),
    "corvale-2020.html": ("Corvale Glass", 2020, 96.3, -4.1, 640, "Mira Stroud", "bottles"),
}

# What is asked of no company, year or product of the folder.
ABSENT = [
    "What was Dunmore Paper's revenue in 2022?",
    "How many employees does Dunmore Paper have?",
    "Who is the chief executive of Dunmore Paper?",
    "What was the net income of Halvorsen Shipping in 2022?",
    "How many employees did Halvorsen Shipping have at the end of 2021?",
    "What does Halvorsen Shipping make?",
    "What was Alderon Castings' revenue in 2017?",
    "What was the revenue of Alderon Castings in 2019?",
    "How many employees did Alderon Castings have at the end of 2014?",
    "What was the net income of Brevant Foods in 2018?",
    "What was the revenue of Brevant Foods in 2016?",
    "How many employees did Brevant Foods have in 2009?",
    "What was the revenue of Corvale Glass in 2023?",
    "What was the net income of Corvale Glass in 2015?",
    "How many employees did Corvale Glass have at the end of 2011?",
    "What was the revenue of Microsoft in 2022?",
    "Who is the chief executive of Volkswagen?",
    "How many employees does Nestlé have?",
    "What was Siemens's net income in 2022?",
    "When was Toyota's annual meeting held?",
    "Where does Danone have its head office?",
    "What was the revenue of the Kestrel X200 in 2022?",
    "How many Falcon 9 pumps were sold in 2022?",
    "Who audits the accounts of Ostrava Steel?",
    "What dividend did Ostrava Steel pay in 2022?",
]
ABSENT_FROM_TESTS = [
    "Who audited the accounts of Redcliffe Airways?",
    "What was the profit of Redcliffe Airways for the year 2022?",
    "On what date will the annual general meeting of Redcliffe Airways be held?",
    "For how many passengers was the Halcyon certified before her refit?",
    "Does a bicycle travel free of charge on the Halcyon in July?",
    "What was the profit of Harbor & Skerry Ferries for the year 1998?",
    "How many passengers did the ferries carry in 1987?",
    "What was the revenue of the Estuary Shuttle in 2011?",
    "Who are the independent directors of Northumbrian Water?",
    "How many fixed transects were surveyed at Great Barrier Reef?",
    "What was the hard coral cover on Pelican Reef in 2020?",
    "What was the hard coral cover on Drift Reef in 1993?",
    "Which reef did Jacques Cousteau survey?",
    "What is the estimate of Barrow Roofing for rewiring the hoist?",
    "Until what date do the estimates of Barrow Roofing hold?",
    "How many households signed up in Bavaria?",
    "What share of the money of Project Beacon went on equipment?",
    "Who presented the quarterly update of Project Beacon?",
    "On which weekday are the Camberwell Baths closed all day?",
    "What does a single visit to the Camberwell Baths cost for a child?",
    "What is the number of the ticket of the Settle Railway?",
    "What is the offset of the gauge at Liverpool, in millimetres?",
    "How many days of leave do staff of Vodafone have after five years of service?",
    "What is the speed limit in the harbour of Rotterdam?",
    "Which firm audited the accounts of Vodafone for 2023?",
]
PRESENT = [
    "What was Alderon Castings' revenue in 2022?",
    "What was the revenue of Alderon Castings in 2021?",
    "How many employees did Alderon Castings have at the end of 2022?",
    "What was the net income of Brevant Foods in 2022?",
    "How many employees did Brevant Foods have at the end of 2022?",
    "Who is the chief executive of Brevant Foods?",
    "What was the revenue of Corvale Glass in 2020?",
    "How many employees did Corvale Glass have at the end of 2020?",
    "Who is the chief executive of Corvale Glass?",
    "What does Corvale Glass make?",
]
PRESENT_IN_TESTS = [
    "For how many passengers was the Sula certified before her refit?",
    "On what date will the annual general meeting be held?",
    "Does a bicycle travel free of charge on the Sula in July?",
    "How many fixed transects were surveyed?",
    "What was the hard coral cover on Drift Reef in 2020, in per cent?",
    "Which firm audited the accounts of Harbor & Skerry Ferries for 2023?",
    "Who presented the quarterly update of Project Lantern?",
    "On which weekday are the Brackwater Baths closed all day?",
    "What is the offset of the gauge at Old Staithe, in millimetres?",
    "How many days of leave do staff have after five years of service?",
]


def filing(name, year, revenue, income, employees, chief, product):
    return f"""<html><head><title>{name} annual report {year}</title></head><body>
<h1>{name}</h1><p>Annual report for the year {year}</p>
<h2>Business</h2><p>{name} makes {product}. At the end of {year} it had {employees:,} employees.
{chief} is its chief executive.</p>
<h2>Results</h2><p>(In millions of dollars)</p>
<p>Revenue in {year} was ${revenue} million. Net income in {year} was ${income} million.</p>
</body></html>"""


class Subjects(ProgramTest):
    def declined(self, questions, store):
        lines = [{"id": f"q{number}", "question": text} for number, text in enumerate(questions)]
        file = self.write_questions("questions.jsonl", lines)
        out = self.folder / f"answers-{len(lines)}-{store.name}.jsonl"
        self.must("batch", file, "--store", store, "--out", out, *QUICK)
        answers = read_records(out)
        self.assertEqual(len(answers), len(questions))
        return [answer["question"] for answer in answers if not answer["answerable"]]

    def test_most_questions_about_others_are_declined_and_few_about_what_is_there(self):
        filings = self.folder / "filings"
        filings.mkdir()
        for file, fields in COMPANIES.items():
            (filings / file).write_text(filing(*fields), encoding="utf-8")
        made_up, own = self.folder / "filings.store", self.folder / "docs.store"
        self.must("index", filings, "--store", made_up, *QUICK)
        self.must("index", DOCS, "--store", own, *QUICK)
        absent = self.declined(ABSENT, made_up) + self.declined(ABSENT_FROM_TESTS, own)
        present = self.declined(PRESENT, made_up) + self.declined(PRESENT_IN_TESTS, own)
        answered = set(ABSENT + ABSENT_FROM_TESTS) - set(absent)
        self.assertGreaterEqual(len(absent), 40, f"answered: {sorted(answered)}")
        self.assertLessEqual(len(present), 1, f"declined: {present}")


if __name__ == "__main__":
    unittest.main()
