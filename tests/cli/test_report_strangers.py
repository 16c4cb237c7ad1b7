"""Texts of strangers in reports do not run: in headless Chromium."""

import unittest

import browser
import coloured_lines
from program import QUICK
from report_pages import ReportPage, answer_record

# What a stranger would have the page do: leave a mark on its root that a test sees.
DEED = "document.documentElement.setAttribute('data-owned','1')"
HOSTILE = [
    f"<script>{DEED}</script>",
    f"</script><script>{DEED}</script>",
    f"<!--<script>{DEED}</script>",
    f"<img src=x onerror=\"{DEED}\">",
    f"\"'><svg onload=\"{DEED}\">",
    f"javascript:{DEED}",
    f"\u2028{DEED}\u2029{{{{script}}}}",
    f"<style>body{{display:none}}</style><base href=//evil.test/><iframe srcdoc='<script>{DEED}</script>'>",
]


@browser.needs_browser
class Strangers(ReportPage):
    def is_owned(self, dom):
        return "data-owned" in dom.all("html")[0].attributes

    def test_a_deed_done_is_seen(self):
        """Else the tests below would pass whatever the page did."""
        for text in (HOSTILE[0], HOSTILE[3]):
            file = self.write("control.html", f"<!DOCTYPE html><title>x</title><p>{text}</p>")
            self.assertTrue(self.is_owned(self.dom(file)), text)

    def test_texts_of_answers_gold_scores_and_traces_do_not_run(self):
        for i, text in enumerate(HOSTILE):
            citation = dict(self.citation, quote=text)
            lost = {"doc": text, "page": 1, "quote": text, "boxes": [[0, 0, 9, 9]], "score": 1}
            trace = [{"step": "call", "agent": text, "reply": text, text: text},
                     {"step": text, "ms": 2, "k": {text: [text]}}]  # fmt: skip
            answer = answer_record(
                *[f"{text}{i}", text, [citation, lost]], pipeline=text, generator=text, limit=text,
                fallback=text, trace=trace, retrieved=[{"doc": text, "page": 1, "score": 1}],
            )  # fmt: skip
            failed = answer_record("bad", "", error={"code": "internal", "message": text})
            questions = [
                {"id": f"{text}{i}", "question": text, "answer": text, "question_type": text,
                 "evidence_sources": [text, "Table"],
                 "evidence_pages": [{"doc": "coast.pdf", "page": 2}, {"doc": text, "page": 1}]},
                {"id": "bad", "question": text, "answer": "x", "question_type": "plain"},
            ]  # fmt: skip
            scores = [{"id": f"{text}{i}", "score": 0.5, text: text, "judge_reply": text,
                       "quirks": [text], "error": text}]  # fmt: skip
            file = self.report(
                *[[answer, failed], questions, "--scores"],
                *[self.write_questions("scores.jsonl", scores), "--pictures", "files"],
                code=1,
            )
            dom = self.dom(file, open=f"{text}{i}")
            self.assertFalse(self.is_owned(dom), text)
            (body,) = dom.all("div", "body")
            self.assertGreater(body.text.count(text.strip()), 10, text)
            self.assertEqual(len(dom.all("script")), 2, text)
            self.assertEqual(dom.all("iframe") + dom.all("base"), [], text)

    def test_names_of_files_and_words_of_pages_do_not_run(self):
        docs, store = self.folder / "docs", self.folder / "hostile.store"
        docs.mkdir()
        name = "<img src=x onerror=document.documentElement.setAttribute('data-owned',1)>.pdf"
        lines = [(f"Lamps <script>{DEED}</script>", coloured_lines.QUOTED)]
        (docs / name).write_bytes(coloured_lines.pdf(lines))
        file = self.folder / "<script>x.html"
        self.must("index", docs, "--store", store, *QUICK)
        question = f"Where are lamps {HOSTILE[1]}?"
        arguments = ["--store", store, *QUICK, "--html", file, "--json"]
        (answer,) = self.must("ask", question, *arguments).records()
        self.assertIn("<script>", answer["citations"][0]["quote"])
        dom = self.dom(file)
        self.assertFalse(self.is_owned(dom))
        self.assertEqual(dom.all("title")[0].text, question)
        (sheet,) = dom.all("figure", "sheet")
        self.assertIn(name, sheet.text)

    def test_the_policy_lets_nothing_else_in(self):
        page = self.report([answer_record("a", "x", [self.citation])]).read_text()
        (policy,) = [line for line in page.splitlines() if "Content-Security-Policy" in line]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        for attribute in (" style=", " onclick=", " src="):
            self.assertNotIn(attribute, page.split("<style>")[0] + page.split("</style>")[1]
                             .split("<script")[0])  # fmt: skip


if __name__ == "__main__":
    unittest.main()
