"""`fineprint report` and `ask --html`: files, options, what is said; test_report_page.py and
test_report_strangers.py look at the pages in a browser."""

import base64
import json
import re
import shutil
import unittest
import zlib

import coloured_lines
import odd_pdf_writer
from coloured_lines import LINES, QUOTE
from program import QUICK, ProgramTest, many_questions
from report_pages import answer_record


def data_of(file):
    """The JSON that a report's page shows."""
    (packed,) = re.findall(r'id="data">([A-Za-z0-9+/=]*)</script>', file.read_text())
    return json.loads(zlib.decompress(base64.b64decode(packed)))


class Report(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.native_store()
        cls.questions = cls.class_folder / "questions.jsonl"
        cls.questions.write_text("".join(json.dumps(q) + "\n" for q in many_questions(12)))
        cls.answers = cls.class_folder / "answers.jsonl"
        cls.must(
            *["batch", cls.questions, "--store", cls.store, "--out", cls.answers],
            *["--trace", "--adaptive", *QUICK],
        )

    def report(self, *arguments, code=0, answers=None):
        out = self.folder / "report.html"
        answers = answers or self.answers
        store = [] if "none" in arguments else ["--store", self.store]
        result = self.must("report", answers, *store, "--out", out, *arguments, code=code)
        self.assertEqual(result.out if "--json" not in arguments else "", "")
        return result, data_of(out)

    def test_answers_alone_are_a_report(self):
        result, data = self.report()
        self.assertIn("12 questions", result.err)
        self.assertEqual({question["verdict"] for question in data["questions"]}, {"unjudged"})
        self.assertIsNone(data["summary"]["value"])
        self.assertTrue(any(page.get("source") for page in data["pages"]))
        self.assertNotIn("http://", (self.folder / "report.html").read_text().split("<script")[0])

    def test_with_gold_answers_are_judged_as_eval_judges_them(self):
        _, data = self.report("--gold", self.questions)
        arguments = [self.answers, "--gold", self.questions, "--json"]
        (scores,) = self.must("eval", *arguments).records()
        answerable = [q for q in data["questions"] if q.get("gold") != "Not answerable"]
        right = sum(question["verdict"] == "right" for question in answerable)
        self.assertAlmostEqual(100 * right / scores["answerable"], scores["relaxed"], 3)
        self.assertAlmostEqual(data["summary"]["calibration_error"],
                               scores["confidence_ece"], 3)  # fmt: skip
        for question in data["questions"]:
            self.assertTrue(question["evidence"], question["id"])

    def test_pictures_in_files_are_drawn_once(self):
        _, data = self.report("--gold", self.questions, "--pictures", "files")
        folder = self.folder / "report.pages"
        self.assertEqual(data["folder"], "report.pages")
        sources = {page["source"] for page in data["pages"]}
        self.assertEqual(sources, {file.name for file in folder.iterdir()})
        self.assertEqual(len(sources), len(data["pages"]))
        times = {file.name: file.stat().st_mtime_ns for file in folder.iterdir()}
        self.report("--gold", self.questions, "--pictures", "files")
        self.assertEqual(times, {file.name: file.stat().st_mtime_ns for file in folder.iterdir()})

    def test_no_pictures_need_no_store(self):
        _, data = self.report("--pictures", "none")
        self.assertFalse(data["pictures"])
        self.assertFalse(any("source" in page for page in data["pages"]))
        result = self.call("report", self.answers, "--out", self.folder / "r.html")
        self.assert_one_error(result, 2, "--store", "--pictures none")

    def test_a_folder_of_bench(self):
        out = self.folder / "out"
        (out / "extractive").mkdir(parents=True)
        shutil.copy(self.questions, out / "questions.jsonl")
        shutil.copy(self.answers, out / "extractive" / "answers.jsonl")
        score = {"correct": None, "score": 0.25, "anls": 0.25, "quirks": ["lower case"]}
        with open(out / "extractive" / "scores.jsonl", "w", encoding="utf-8") as file:
            for i in range(11):
                file.write(json.dumps({"id": f"q{i:05}", **score}) + "\n")
            error = {"score": 0, "correct": False, "error": "ValueError: no number"}
            file.write(json.dumps({"id": "q00011", **error}) + "\n")
        _, data = self.report(answers=out / "extractive")
        self.assertEqual(data["title"], "extractive")
        self.assertEqual(data["summary"]["verdicts"], {"partly": 11, "wrong": 1})
        self.assertEqual(data["summary"]["quirks"], 11)
        self.assertAlmostEqual(data["summary"]["value"], 11 * 0.25 / 12, 4)
        self.assertEqual(data["questions"][0]["scored"], {"anls": 0.25, "score": 0.25})
        self.assertEqual(data["questions"][11]["scorer_error"], "ValueError: no number")
        flags = ["--gold", self.questions, "--scores", out / "extractive" / "scores.jsonl"]
        _, again = self.report(*flags)
        self.assertEqual(again["questions"], data["questions"])

    def test_counts_as_json(self):
        out = self.folder / "r.html"
        arguments = ["--pictures", "none", "--out", out, "--json"]
        (record,) = self.must("report", self.answers, *arguments).records()
        self.assertEqual((record["questions"], record["missing"]), (12, 0))
        self.assertEqual(record["bytes"], out.stat().st_size)

    def test_a_page_whose_file_is_gone_is_told_and_the_report_is_made(self):
        docs, store = self.folder / "docs", self.folder / "store"
        docs.mkdir()
        (docs / "coast.pdf").write_bytes(coloured_lines.pdf(LINES))
        locked = odd_pdf_writer.encrypted("the locked lamp", "aes-128", "secret", "boss")
        (docs / "locked.pdf").write_bytes(locked)
        self.must("index", docs, "--store", store, "--password", "secret", *QUICK)
        citations = [{"doc": doc, "page": 1, "quote": "", "boxes": [], "score": 1}
                     for doc in ("coast.pdf", "locked.pdf", "never.pdf")]  # fmt: skip
        answers = self.write_questions("a.jsonl", [answer_record("a", "x", citations)])
        arguments = ["report", answers, "--store", store, "--out", self.folder / "r.html"]
        (docs / "coast.pdf").unlink()
        result = self.must(*arguments, code=1)
        for doc, why in (("coast.pdf", "No such file"), ("locked.pdf", "password"),
                         ("never.pdf", "the store has no page 1")):  # fmt: skip
            (line,) = [line for line in result.err.splitlines() if line.startswith(f"warning: {doc}")]
            self.assertIn(why, line)
        problems = [page["problem"] for page in data_of(self.folder / "r.html")["pages"]]
        self.assertEqual(len(problems), 3)
        result = self.must(*arguments, "--password", "secret", code=1)
        self.assertNotIn("locked.pdf", result.err)

    def test_what_cannot_be_read_is_named(self):
        def refused(code, *arguments):
            out = self.folder / "r.html"
            result = self.call("report", *arguments, "--pictures", "none", "--out", out)
            self.assertFalse(out.exists())
            self.assertEqual(result.code, code, result.err)
            return result.err

        hits = self.write("hits.jsonl", '{"id":"a","rank":1,"doc":"x","page":1,"score":1}\n')
        self.assertIn("rankings", refused(3, hits))
        self.assertIn("nothing.jsonl", refused(3, self.folder / "nothing.jsonl"))
        scores = self.write("scores.jsonl", '{"id": "a"}\n{"score": 1}\n')
        self.assertIn("scores.jsonl:2", refused(3, self.answers, "--scores", scores))
        self.assertIn("answers.jsonl", refused(3, self.folder))  # a folder that bench did not write
        result = self.call("report", self.answers, "--pictures", "none")
        self.assert_one_error(result, 2, "--out")
        result = self.call("report", self.answers, "--out", self.folder / "no" / "r.html")
        self.assert_one_error(result, 3, "no")

    def test_a_thousand_questions_with_pictures_by_reference_are_under_5_mb(self):
        reply = "The figure stands in the second row of the table. " * 16
        step = {"step": "call", "ms": 812.3456, "agent": "x.reader", "pages": 4, "tier": "page",
                "prompt_tokens": 5211, "cached_tokens": 128, "output_tokens": 88,
                "reply": reply, "malformed": 0, "attempt": 1, "entropy": 0.1234567}  # fmt: skip
        with open(self.answers, encoding="utf-8") as file:
            some = [json.loads(line) for line in file]
        many = [dict(some[i % 12], id=f"q{i:05}", trace=some[i % 12]["trace"] + 3 * [step])
                for i in range(1000)]  # fmt: skip
        answers = self.write_questions("many.jsonl", many)
        questions = self.write_questions("gold.jsonl", many_questions(1000))
        self.report("--gold", questions, "--pictures", "files", answers=answers)
        self.assertLess((self.folder / "report.html").stat().st_size, 5_000_000)


class AskHtml(ProgramTest):
    def test_one_answer_is_a_page_with_its_pictures(self):
        docs = self.folder / "docs"
        docs.mkdir()
        (docs / "coast.pdf").write_bytes(coloured_lines.pdf(LINES))
        html = self.folder / "answer.html"
        question = "How many lamps does the keeper own?"
        arguments = ["ask", question, docs, *QUICK, "--html", html, "--json"]
        (answer,) = self.must(*arguments).records()
        self.assertNotIn("trace", answer)
        data = data_of(html)
        (shown,) = data["questions"]
        self.assertEqual((data["title"], shown["answer"]), (question, answer["answer"]))
        self.assertEqual(shown["citations"][0]["quote"], QUOTE)
        self.assertTrue(data["pages"][0]["source"].startswith("data:image/jpeg;base64,"))
        self.assertIn("bm25", {step["step"] for step in shown["trace"]})
        (traced,) = self.must(*arguments, "--trace").records()
        self.assertIn("trace", traced)

    def test_where_it_cannot_be_written_is_said_before_anything_is_done(self):
        arguments = ["ask", "What?", self.folder, "--html", self.folder / "no" / "a.html"]
        self.assert_one_error(self.call(*arguments), 3, "does not exist")


if __name__ == "__main__":
    unittest.main()
