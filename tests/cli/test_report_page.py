"""Reports as a reader sees them: in headless Chromium."""

import unittest

import browser
import coloured_lines
from coloured_lines import QUOTE
from program import QUICK
from report_pages import ReportPage, answer_record


@browser.needs_browser
class Marks(ReportPage):
    def test_a_mark_lies_over_the_quoted_words_in_an_embedded_picture(self):
        answer = answer_record("a", "seventeen", [self.citation])
        file = self.report([answer], None, "--pictures", "embed")
        picture = browser.screenshot(self.folder, file)
        coloured_lines.assert_mark_over_quote(self, picture)

    def test_and_in_one_of_a_file_beside_on_a_narrow_screen(self):
        answer = answer_record("a", "seventeen", [self.citation])
        file = self.report([answer], None, "--pictures", "files", out="näme & more#1%.html")
        picture = browser.screenshot(self.folder, file, size=(600, 1100))
        coloured_lines.assert_mark_over_quote(self, picture)

    def test_and_in_the_page_of_one_answer(self):
        html = self.folder / "a.html"
        question = "How many lamps does the keeper own?"
        arguments = ["ask", question, "--store", self.store, *QUICK, "--html", html, "--json"]
        (answer,) = self.must(*arguments).records()
        self.assertEqual([one["quote"] for one in answer["citations"]][:1], [QUOTE])
        picture = browser.screenshot(self.folder, html)
        self.assertGreater(len(picture.where(coloured_lines.is_frame)), 100)

    def test_a_page_that_cannot_be_shown_says_why(self):
        lost = {"doc": "<b>never</b>.pdf", "page": 3, "quote": "", "boxes": [], "score": 1}
        dom = self.dom(self.report([answer_record("a", "x", [lost])], code=1))
        (told,) = dom.all("p", "lost")
        self.assertIn('the store has no page 3 of "<b>never</b>.pdf"', told.text)


def four_questions():
    """Right, wrong, declined rightly, and one that failed."""
    kinds = [("table", ["Chart", "Table"]), ("span", ["Chart"]), ("span", []), ("table", ["Table"])]
    questions = [
        {"id": f"q{i}", "question": f"Question {i} about the ferry?", "answer": "seventeen",
         "question_type": kind, "evidence_sources": sources}
        for i, (kind, sources) in enumerate(kinds)
    ]  # fmt: skip
    questions[2].update(answer="Not answerable", answer_format="None")
    answers = [
        answer_record("q0", "seventeen", confidence=0.9, usage={"ms": 100}),
        answer_record("q1", "twelve tulips", confidence=0.2, usage={"ms": 900}),
        answer_record("q2", "Not answerable", answerable=False, confidence=0.6),
        answer_record("q3", "", error={"code": "no_reply", "message": "the server is gone"}),
    ]
    return questions, answers


@browser.needs_browser
class Filters(ReportPage):
    def setUp(self):
        super().setUp()
        questions, answers = four_questions()
        self.file = self.report(answers, questions)

    def shown(self, **choice):
        dom = self.dom(self.file, **choice)
        items = dom.all("details", "question")
        self.assertEqual(len(items), 4)
        shown = [one.attributes["data-id"] for one in items if "hidden" not in one.attributes]
        self.assertEqual(dom.by_id("count").text, f"{len(shown)} of 4 questions")
        return shown

    def test_all_are_shown_and_summed_up(self):
        dom = self.dom(self.file)
        self.assertEqual(self.shown(), ["q0", "q1", "q2", "q3"])
        self.assertEqual(dom.all("div", "figure")[0].text, "50%")
        summary = dom.by_id("summary").text
        for words in ("By question type", "By evidence source", "Confidence and right answers",
                      "Seconds per question", "right 2", "wrong 1", "error 1", "declined 1"):  # fmt: skip
            self.assertIn(words, summary)
        self.assertEqual(len(dom.all("svg", "chart")), 2)  # reliability and seconds; no tokens

    def test_by_verdict(self):
        for verdict, ids in (("right", ["q0", "q2"]), ("wrong", ["q1"]), ("declined", ["q2"]),
                             ("error", ["q3"])):  # fmt: skip
            self.assertEqual(self.shown(verdict=verdict), ids, verdict)

    def test_by_type_and_source_together(self):
        self.assertEqual(self.shown(type="table"), ["q0", "q3"])
        self.assertEqual(self.shown(source="Chart"), ["q0", "q1"])
        self.assertEqual(self.shown(source="Chart", type="span"), ["q1"])
        self.assertEqual(self.shown(source="(none)"), ["q2"])

    def test_by_words(self):
        self.assertEqual(self.shown(q="TULIPS"), ["q1"])
        self.assertEqual(self.shown(q="ferry question"), ["q0", "q1", "q2", "q3"])
        self.assertEqual(self.shown(q="zeppelin"), [])

    def test_in_another_order(self):
        self.assertEqual(self.shown(order="surest"), ["q0", "q2", "q1", "q3"])
        self.assertEqual(self.shown(order="slowest"), ["q1", "q0", "q2", "q3"])

    def test_details_are_made_when_a_question_is_opened(self):
        self.assertEqual(self.dom(self.file).all("div", "body"), [])
        dom = self.dom(self.file, open="q1")
        (body,) = dom.all("div", "body")
        for words in ("Answertwelve tulips", "Goldseventeen", "wrong", "0.9 s"):
            self.assertIn(words, body.text)


@browser.needs_browser
class Details(ReportPage):
    def test_pages_found_the_mixture_and_the_steps_are_shown(self):
        mixture = {"step": "adaptive_k", "ms": 0, "k": 2, "window": 20, "fitted": True,
                   "weights": [0.4, 0.6], "means": [0.2, 0.7], "variances": [0.01, 0.02]}  # fmt: skip
        call = {"step": "call", "ms": 1200.4, "agent": "hkrag.pruner", "pages": ["coast.pdf:1"],
                "prompt_tokens": 5211, "reply": '{"sufficient": true}'}  # fmt: skip
        fixed = {"step": "adaptive_k", "ms": 0, "k": 5, "window": 10, "fitted": False}
        answer = answer_record(
            *["a", "seventeen", [self.citation]],
            retrieved=[{"doc": "coast.pdf", "page": 1, "score": 0.9, "shown": True},
                       {"doc": "coast.pdf", "page": 2, "score": 0.45}],
            trace=[mixture, dict(fixed, scorer="late"), call, None, "odd"],
        )  # fmt: skip
        dom = self.dom(self.report([answer]))  # one alone is open
        (body,) = dom.all("div", "body")
        for words in ("chose K = 2", "of late of the best 10 pages chose K = 5: the mixture could not be fitted",
                      "coast.pdf, page 10.9yes", "coast.pdf, page 20.45no", "Steps: 3, 1 call of the generator",
                      "hkrag.pruner · 1,200 ms", "pages coast.pdf:1 · prompt tokens 5,211"):  # fmt: skip
            self.assertIn(words, body.text)
        self.assertEqual(len(dom.all("polyline", "curve")), 2)
        self.assertEqual(len(dom.all("line", "tick")), 2)
        self.assertEqual(dom.all("pre")[0].text, '{"sufficient": true}')
        self.assertEqual(len(dom.all("rect", "mark")), 1)
        self.assertTrue(dom.by_id("filters").attributes.keys() >= {"hidden"})

    def test_questions_without_answers_and_errors_say_so(self):
        questions, answers = four_questions()
        file = self.report(answers[1:], questions)
        (body,) = self.dom(file, open="q0").all("div", "body")
        self.assertIn("this question has no answer", body.text)
        (body,) = self.dom(file, open="q3").all("div", "body")
        self.assertIn("no_reply: the server is gone", body.text)


if __name__ == "__main__":
    unittest.main()
