"""What scripts/fit/lookups.py makes: facts that are in their documents, and questions about others."""

import html
import json
import subprocess
import sys
import unittest

import program
from program import ProgramTest

LOOKUPS = program.REPOSITORY / "scripts" / "fit" / "lookups.py"


class FitLookups(ProgramTest):
    def make(self, name, *options):
        out = self.folder / name
        subprocess.run([sys.executable, LOOKUPS, "--out", out, "--documents", "15", *options], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
        return out

    def test_half_of_the_questions_have_their_answer_in_the_document(self):
        out = self.make("made")
        lines = (out / "questions.jsonl").read_text(encoding="utf-8").splitlines()
        questions = [json.loads(line) for line in lines]
        self.assertEqual(len(questions), 90)
        for question in questions:
            name = question["id"].rpartition("-")[0]
            text = html.unescape((out / "docs" / name).read_text(encoding="utf-8"))
            if question["answer"] != "Not answerable":
                self.assertIn(question["answer"], text)
        absent = [question for question in questions if question["answer"] == "Not answerable"]
        self.assertEqual(len(absent), 45)

    def test_the_same_seed_makes_the_same_and_another_one_others(self):
        texts = [
            (self.make(name, "--seed", seed) / "questions.jsonl").read_text(encoding="utf-8")
            for name, seed in (("a", "3"), ("b", "3"), ("c", "4"))
        ]
        self.assertEqual(texts[0], texts[1])
        self.assertNotEqual(texts[0], texts[2])


if __name__ == "__main__":
    unittest.main()
