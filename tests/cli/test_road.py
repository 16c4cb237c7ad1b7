"""The main road: a folder of every kind of document, indexed, searched, asked, scored, proven."""

import collections
import json
import subprocess
import sys
import unicodedata
import unittest

import program
from program import DOCS, NATIVE_TEXT, QUESTIONS, REPOSITORY, SCORERS, ProgramTest

ALL_DOCS = sorted(path.name for path in DOCS.iterdir())


def python_with_pymupdf():
    for python in (REPOSITORY / ".venv" / "bin" / "python", sys.executable):
        try:
            if subprocess.run([python, "-c", "import pymupdf"], capture_output=True).returncode == 0:
                return python
        except OSError:
            pass
    return None


def letters(text):
    """Letters and digits alone: line breaks, hyphens and ligatures are not what is compared."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if c.isalnum()).lower()


class Road(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.class_folder / "store"
        cls.answers_file = cls.class_folder / "answers.jsonl"
        cls.report = cls.must(
            "index", DOCS, "--store", cls.store, "--json", *SCORERS
        ).records()[-1]
        cls.must(
            *["batch", QUESTIONS, "--store", cls.store, "--out", cls.answers_file, *SCORERS]
        )
        cls.answers = program.read_records(cls.answers_file)
        hits = cls.must(
            *["search", "--questions", QUESTIONS, "--store", cls.store, "--json", *SCORERS]
        )
        cls.hits_file = cls.class_folder / "hits.jsonl"
        cls.hits_file.write_text(hits.out)
        cls.hits = hits.records()

    def test_every_document_is_indexed(self):
        self.assertEqual(self.report["indexed"], len(ALL_DOCS))
        self.assertEqual(self.report["failed"], 0)
        # 2 of the letter, 6 slides, poster, ticket, 2 of the receipt
        self.assertEqual(self.report["ocr_pages"], 12)
        self.must("index", "--verify", "--store", self.store)

    def test_every_document_is_found_by_what_it_says(self):
        wanted = [
            ("profit for the year 2022", "harbor-annual-report.pdf"),
            ("hard coral cover of Drift Reef", "reef-survey-paper.pdf"),
            ("estimate for rewiring the hoist", "scanned-letter.pdf"),
            ("households signed up in the Coast region", "slides-no-text.pdf"),
            ("Brackwater Baths single visit child", "notice-board.png"),
            ("Hollin Valley Railway ticket", "ticket.jpg"),
            ("goods returned within days", "receipt.tiff"),
            ("battery of the gauge at Old Staithe", "rotated-table.pdf"),
            ("days of leave after five years of service", "handbook.html"),
        ]
        asked = self.write_questions("asked.jsonl", [{"id": doc, "question": query} for query, doc in wanted])
        hits = self.must("search", "--questions", asked, "--store", self.store, "--json", *SCORERS).records()
        first = {hit["id"]: hit["doc"] for hit in reversed(hits)}
        for query, doc in wanted:
            self.assertEqual(first[doc], doc, query)

    def test_ask_proves_its_answer(self):
        (answer,) = self.must(
            *["ask", "On what date will the annual general meeting of the ferries be held?"],
            *["--store", self.store, "--json", *SCORERS],
        ).records()
        self.assertIn("16 May 2024", answer["answer"])
        first = answer["citations"][0]
        self.assertEqual((first["doc"], first["page"]), ("harbor-annual-report.pdf", 3))

    def test_batch_answers_every_question(self):
        with open(QUESTIONS, encoding="utf-8") as file:
            asked = [json.loads(line)["id"] for line in file]
        self.assertEqual(sorted(answer["id"] for answer in self.answers), sorted(asked))
        for answer in self.answers:
            self.assertNotIn("error", answer)
            if answer["answerable"]:
                self.assertGreater(len(answer["citations"]), 0)
            else:
                self.assertEqual(answer["answer"], "Not answerable")

    def test_scores_are_those_of_a_working_finder(self):
        (scores,) = self.must("eval", self.answers_file, "--gold", QUESTIONS, "--json").records()
        self.assertEqual((scores["missing"], scores["errors"]), (0, 0))
        self.assertEqual((scores["answerable"], scores["unanswerable"]), (35, 5))
        self.assertGreater(scores["first_citation"], 60)
        self.assertLess(scores["declined_answerable"], 20)
        (ranks,) = self.must("eval", self.hits_file, "--gold", QUESTIONS, "--json").records()
        self.assertGreater(ranks["nDCG@5"], 70)
        self.assertGreater(ranks["R@10"], 90)

    def test_a_run_again_changes_nothing(self):
        before = self.answers_file.read_bytes()
        report = self.must("index", DOCS, "--store", self.store, "--json", *SCORERS).records()[-1]
        self.assertEqual((report["unchanged"], report["pages"]), (len(ALL_DOCS), 0))
        self.must(
            *["batch", QUESTIONS, "--store", self.store, "--out", self.answers_file, *SCORERS]
        )
        self.assertEqual(self.answers_file.read_bytes(), before)

    def marks(self):
        """(record, what is said there, whether it must be all that is there) of all with boxes."""
        for answer in self.answers:
            for citation in answer["citations"]:
                yield citation, citation["quote"], answer["id"]
        for hit in self.hits:
            if hit["boxes"]:
                yield hit, hit["snippet"], hit["id"]

    def looked_up(self, marks):
        """What pymupdf, not the program, finds at the boxes."""
        python = python_with_pymupdf()
        if python is None:
            self.skipTest("no Python with pymupdf here: run scripts/test, which installs it")
        wanted = [
            {"file": str(DOCS / m["doc"]), "page": m["page"], "boxes": m["boxes"]} for m in marks
        ]
        process = subprocess.run(
            [python, REPOSITORY / "tests" / "cli" / "words_in_boxes.py"],
            input="".join(json.dumps(w) + "\n" for w in wanted),
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return [json.loads(line) for line in process.stdout.splitlines()]

    def test_every_citation_has_a_quote_and_boxes(self):
        for answer in self.answers:
            for citation in answer["citations"]:
                self.assertNotEqual(citation["quote"].strip(), "", answer["id"])
                self.assertGreater(len(citation["boxes"]), 0, answer["id"])

    def test_every_quote_is_found_at_its_boxes(self):
        marks = [
            (citation, answer["id"])
            for answer in self.answers
            for citation in answer["citations"]
            if citation["doc"] in NATIVE_TEXT
        ]
        self.assertGreater(len(marks), 20)
        pages = self.looked_up([mark for mark, _ in marks])
        for (mark, name), page in zip(marks, pages, strict=True):
            with self.subTest(id=name, doc=mark["doc"], page=mark["page"]):
                there, quote = letters("".join(page["words"])), letters(mark["quote"])
                for word in mark["quote"].split():
                    self.assertIn(letters(word), there)
                self.assertEqual(collections.Counter(quote) - collections.Counter(there), {})
                # and little else: the boxes mark the quote, not the page
                self.assertLess(len(there), 1.5 * len(quote) + 20)
                # one a line
                self.assertLess(max(y1 - y0 for _, y0, _, y1 in mark["boxes"]), 60)

    def test_boxes_lie_on_their_page(self):
        marks = [(mark, name) for mark, _, name in self.marks() if not mark["doc"].endswith("html")]
        for (mark, name), page in zip(marks, self.looked_up([m for m, _ in marks]), strict=True):
            for x0, y0, x1, y1 in mark["boxes"]:
                where = (name, mark["doc"], mark["page"], (x0, y0, x1, y1))
                self.assertTrue(x0 < x1 and y0 < y1, where)
                self.assertTrue(x0 >= -1 and y0 >= -1, where)
                self.assertTrue(x1 <= page["width"] + 1 and y1 <= page["height"] + 1, where)

    def test_pages_read_by_ocr_are_cited_with_boxes(self):
        cited = {citation["doc"] for answer in self.answers for citation in answer["citations"]}
        boxed = {hit["doc"] for hit in self.hits if hit["boxes"]}
        for doc in ("scanned-letter.pdf", "slides-no-text.pdf", "receipt.tiff"):
            self.assertIn(doc, cited)
            self.assertIn(doc, boxed)


if __name__ == "__main__":
    unittest.main()
