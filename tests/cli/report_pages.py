"""Reports over a document of coloured lines, made and opened for tests."""

import browser
import coloured_lines
from coloured_lines import LINES, QUOTE
from program import QUICK, ProgramTest


def answer_record(name, text, citations=(), **more):
    """An answer as `batch` writes it."""
    return {
        **{"id": name, "question": f"What is {name}?", "answer": text, "answerable": True},
        **{"confidence": 0.5, "citations": list(citations), "retrieved": [], "pipeline": "direct"},
        **{"generator": "", "usage": {"ms": 5}, **more},
    }


class ReportPage(ProgramTest):
    """With a store of one document, whose middle line is blue."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.docs = cls.class_folder / "docs"
        cls.docs.mkdir()
        (cls.docs / "coast.pdf").write_bytes(coloured_lines.pdf(LINES, LINES[:1]))
        cls.store = cls.class_folder / "store"
        cls.must("index", cls.docs, "--store", cls.store, *QUICK)
        arguments = ["show", "coast.pdf#1", "--mark", QUOTE, "--json", "--store", cls.store]
        (shown,) = cls.must(*arguments).records()
        cls.citation = {"doc": "coast.pdf", "page": 1, "quote": QUOTE, "score": 1,
                        "boxes": shown["marks"][0]["boxes"]}  # fmt: skip

    def report(self, answers, questions=None, *more, code=0, out="report.html"):
        file = self.folder / out
        gold = ["--gold", self.write_questions("gold.jsonl", questions)] if questions else []
        answers = self.write_questions("answers.jsonl", answers)
        arguments = ["report", answers, *gold, "--store", self.store, "--out", file, *more]
        self.must(*arguments, code=code)
        return file

    def dom(self, file, **choice):
        return browser.dom_of(self.folder, file, **choice)
