"""`fineprint table`: the same questions to every document; forms, resuming, new files, hostile contents."""

import csv
import random
import shutil
import time
import unittest
import zipfile

import browser
import placed_words
import program
import scripted_replies
from program import QUICK, ProgramTest

COLUMNS = """\
[[column]]
name = "Number"
labels = ["Invoice number"]

[[column]]
name = "Date"
question = "When was the invoice written?"
type = "date"
labels = ["Invoice date"]

[[column]]
name = "Due"
question = "When is the payment due?"
type = "date"
labels = ["Due date"]

[[column]]
name = "Customer"

[[column]]
name = "Total"
question = "What is the total amount?"
type = "money"
labels = ["Total amount"]
"""
HOSTILE = "=cmd|' /C calc'!A0"
MARKUP = "<img src=x onerror=alert(1)>"
INVOICES = {
    "a.pdf": placed_words.invoice("RE-17", "12 March 2024", "$1,234.50", due="2024-03-26"),
    "b.pdf": placed_words.invoice("RE-18", "12.03.2024", "99,00 EUR", customer=HOSTILE),
    "c.pdf": placed_words.invoice(MARKUP, "soon", "on request"),
}


class Table(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.folder / "docs"
        self.docs.mkdir()
        for name, data in INVOICES.items():
            (self.docs / name).write_bytes(data)
        self.columns = self.write("columns.toml", COLUMNS)
        self.store = self.folder / "store"

    def table(self, out="table.csv", *more, code=0, docs=True, columns=None):
        file = self.folder / out
        paths = [self.docs] if docs else []
        self.result = self.must("table", columns or self.columns, *paths, "--store", self.store, "--out", file,
                                *QUICK, *more, code=code)  # fmt: skip
        return file

    def rows(self, file):
        with open(file, newline="", encoding="utf-8") as opened:
            return list(csv.reader(opened))

    def counts(self, *more, out="table.csv"):
        self.table(out, "--json", *more)
        return self.result.records()[-1]

    def test_a_row_for_each_document_and_empty_where_nothing_is_said(self):
        head, a, b, c = self.rows(self.table())
        self.assertEqual(head, ["Document", "Number", "Date", "Due", "Customer", "Total", "Total (unit)"])
        self.assertEqual(a, ["a.pdf", "RE-17", "2024-03-12", "2024-03-26", "Tern & Pollock", "1234.50", "$"])
        self.assertEqual(b, ["b.pdf", "RE-18", "2024-03-12", "", "'" + HOSTILE, "99.00", "EUR"])
        self.assertEqual(c[0], "c.pdf")
        self.assertEqual(c[2:4] + c[5:], ["", "", "", ""])  # "soon" is no date, "on request" no amount

    def test_proofs_keep_what_is_printed_and_where(self):
        head, a, b, _ = self.rows(self.table("table.csv", "--proofs"))
        at = head.index("Total (page)")
        self.assertEqual(head[at : at + 4], [f"Total ({n})" for n in ("page", "quote", "printed", "confidence")])
        self.assertEqual(b[at : at + 3], ["1", "Total amount 99,00 EUR", "99,00 EUR"])
        self.assertGreater(float(a[at + 3]), 0.8)

    def test_no_field_can_become_a_formula(self):
        (self.docs / "+1.pdf").write_bytes(INVOICES["b.pdf"])
        for row in self.rows(self.table("table.csv", "--proofs")):
            for field in row:
                self.assertNotRegex(field, r"^[=+@\t]|^-(?![0-9.]+$)")

    def test_jsonl_has_full_records(self):
        a, b, _ = program.read_records(self.table("table.jsonl"))
        cells = {cell["column"]: cell for cell in a["cells"]}
        self.assertEqual(cells["Total"]["value"], 1234.5)
        self.assertEqual(cells["Total"]["unit"], "$")
        self.assertEqual(cells["Total"]["printed"], "$1,234.50")
        self.assertEqual(cells["Total"]["page"], 1)
        boxes = cells["Total"]["boxes"]
        self.assertTrue(all(x0 < x1 and y0 < y1 for x0, y0, x1, y1 in boxes))
        self.assertTrue(any(x0 >= 455 and 365 < y1 < 390 for x0, _, _, y1 in boxes), boxes)
        self.assertIsNone({cell["column"]: cell for cell in b["cells"]}["Due"]["value"])

    def test_xlsx_has_typed_cells_and_links(self):
        with zipfile.ZipFile(self.table("table.xlsx")) as book:
            table = book.read("xl/worksheets/sheet1.xml").decode()
            strings = book.read("xl/sharedStrings.xml").decode()
        self.assertIn("<v>1234.5</v>", table)
        self.assertIn("<v>45363</v>", table)  # 12 March 2024, in days since 1900
        self.assertIn("Proofs", table)  # where cells link to
        self.assertNotIn("<f>", table)
        self.assertIn("=cmd|", strings)  # a text, which no program runs
        first = (self.folder / "table.xlsx").read_bytes()
        self.assertEqual(self.table("again.xlsx").read_bytes(), first)

    def test_only_new_and_changed_documents_are_asked(self):
        self.assertEqual(self.counts()["asked"], 15)
        self.assertEqual(self.counts()["asked"], 0)
        before = (self.folder / "table.csv").read_bytes()
        (self.docs / "d.pdf").write_bytes(placed_words.invoice("RE-19", "2024-04-01", "5.00 EUR"))
        self.assertEqual(self.counts()["asked"], 5)
        self.assertTrue((self.folder / "table.csv").read_bytes().startswith(before))
        (self.docs / "a.pdf").write_bytes(placed_words.invoice("RE-20", "2024-04-02", "6.00 EUR"))
        self.assertEqual(self.counts()["asked"], 5)
        self.assertEqual(self.rows(self.folder / "table.csv")[1][1], "RE-20")
        (self.docs / "b.pdf").unlink()
        self.assertEqual(self.counts()["asked"], 0)
        self.assertEqual([row[0] for row in self.rows(self.folder / "table.csv")[1:]], ["a.pdf", "c.pdf", "d.pdf"])

    def test_a_changed_column_alone_is_asked_again(self):
        self.counts()
        self.columns = self.write("columns.toml", COLUMNS.replace('"Total amount"]', '"Total amount", "Sum"]'))
        self.assertEqual(self.counts()["asked"], 3)
        self.columns = self.write("columns.toml", COLUMNS.replace('name = "Due"', 'name = "Payable"'))
        self.assertEqual(self.counts()["asked"], 0)  # a name is no question, and the answers from before count

    def test_sure_leaves_cells_empty_and_asks_nothing(self):
        self.counts()
        counts = self.counts("--sure", "1")
        self.assertEqual((counts["asked"], counts["filled"]), (0, 0))

    def test_shards_have_all_documents_once(self):
        whole = self.rows(self.table())
        parts = [self.rows(self.table(f"part{i}.csv", "--shard", f"{i}/3", docs=False))[1:] for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), whole[1:])
        answers = [self.folder / f"part{i}.csv.answers.jsonl" for i in (1, 2, 3)]
        self.must("merge", self.folder / "all.csv.answers.jsonl", *answers)
        counts = self.counts(out="all.csv")
        self.assertEqual(counts["asked"], 0)
        self.assertEqual(self.rows(self.folder / "all.csv"), whole)

    def test_ten_kills_change_nothing(self):
        for i in range(40):
            data = placed_words.invoice(f"RE-{100 + i}", f"2024-05-{i % 28 + 1:02}", f"{i}.50 EUR")
            (self.docs / f"more{i:02}.pdf").write_bytes(data)
        begin = time.perf_counter()
        whole = self.table("whole.csv", "--proofs", "--workers", "2").read_bytes()
        seconds = time.perf_counter() - begin
        rng, out = random.Random(7), self.folder / "killed.csv"
        shutil.rmtree(self.store)
        for kill in range(10):
            process = self.start("table", self.columns, self.docs, "--store", self.store, "--out", out, "--proofs",
                                 *QUICK, cwd=self.folder)  # fmt: skip
            time.sleep(rng.uniform(0.05, 1) * seconds * (kill + 1) / 10)
            program.kill(process)
            if out.exists():
                self.assertEqual(out.read_bytes(), whole)  # complete or not there
        self.table("killed.csv", "--proofs")
        self.assertEqual(out.read_bytes(), whole)

    def test_watch_adds_what_arrives(self):
        out = self.folder / "table.csv"
        process = self.start("table", self.columns, self.docs, "--store", self.store, "--out", out, "--watch",
                             "--settle", "0.2", *QUICK, cwd=self.folder)  # fmt: skip
        try:
            self.wait_for(process, out, 3)
            (self.docs / "d.pdf").write_bytes(placed_words.invoice("RE-19", "2024-04-01", "5.00 EUR"))
            self.wait_for(process, out, 4)
        finally:
            process.terminate()
            process.communicate(timeout=60)

    def wait_for(self, process, out, rows):
        deadline = time.monotonic() + 120
        while not out.exists() or len(self.rows(out)) != rows + 1:
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_a_generator_is_told_type_and_labels(self):
        columns = self.write("total.toml", COLUMNS[COLUMNS.index('[[column]]\nname = "Total"') :])
        said = {"answer": "1,234.50 USD", "answerable": True, "pages": [0]}
        replies = self.write("replies.jsonl", scripted_replies.every_agent("x", **{"answer.pages": said}))
        file = self.table("table.jsonl", "--generator", f"script:{replies}", "--pipeline", "visualrag", "--check", "off",
                          "--sure", "0", columns=columns)  # fmt: skip
        answers = program.read_records(self.folder / "table.jsonl.answers.jsonl")
        self.assertIn("one amount", answers[0]["question"])
        self.assertIn("Total amount", answers[0]["question"])
        (cell,) = program.read_records(file)[0]["cells"]
        self.assertEqual((cell["value"], cell["unit"], cell["page"]), (1234.5, "USD", 1))

    def test_errors_say_what_to_do(self):
        def refused(*arguments, parts=(), code=2):
            result = self.call("table", *arguments, "--store", self.store, *QUICK)
            self.assert_one_error(result, code, *parts)

        out = self.folder / "x.csv"
        refused(self.columns, self.docs, parts=["--out FILE is missing"])
        refused(self.columns, self.docs, "--out", self.folder / "x.ods", parts=[".csv, .xlsx, .html, .jsonl"])
        refused(self.columns, self.docs, "--out", self.folder / "x.xlsx", "--proofs", parts=["--proofs"])
        refused(self.columns, self.docs, "--out", out, "--dpi", "50", parts=["--dpi", ".html"])
        refused(self.columns, self.docs, "--out", out, "--settle", "1", parts=["--watch"])
        refused(self.columns, "--out", out, "--watch", parts=["FOLDER"])
        bad = self.write("bad.toml", '[[column]]\nname = "A"\n\n[[column]]\nname = "B"\ntype = "dat"\n')
        refused(bad, self.docs, "--out", out, parts=["bad.toml:4:", "text, number, money, date, yes/no, one of"])
        bad = self.write("bad.toml", '[[column]]\nname = "A\n')
        refused(bad, self.docs, "--out", out, parts=["bad.toml:2:"])
        bad = self.write("bad.txt", "Total\ntotal\n")
        refused(bad, self.docs, "--out", out, parts=["bad.txt:2:", "another name"])
        self.assertFalse(out.exists())
        self.assertFalse(self.store.exists())

    @browser.needs_browser
    def test_html_works_alone_and_hostile_texts_stay_texts(self):
        file = self.table("table.html")
        text = file.read_text()
        self.assertNotIn(MARKUP, text)
        self.assertNotRegex(text, r"(src|href)=.?https?:")
        dom = browser.dom_of(self.folder, file, cell="1,5")
        self.assertEqual(len(dom.all("tr")), 5)  # the head, three documents, the totals
        self.assertIn("$1,234.50", dom.by_id("proof").text)
        self.assertEqual(dom.all("img")[0].attributes["src"][:22], "data:image/jpeg;base64")
        self.assertEqual(len(dom.all("img")), 1)  # none from a document
        self.assertEqual(len(dom.all("rect", "mark")), 2)  # label and value
        totals = dom.all("tfoot")[0].text
        self.assertIn("1,234.50 $", totals)
        self.assertIn("99.00 EUR", totals)
        self.assertEqual(len(dom.all("button", "sort")), 6)


if __name__ == "__main__":
    unittest.main()
