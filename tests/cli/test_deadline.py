"""`--max-seconds`: a reply that would take ten minutes ends with the question's time."""

import json
import time
import unittest

from program import QUICK, ProgramTest, read_records

DOC = "rotated-table.pdf"
QUESTION = "Which gauge is named in the table?"
TEN_MINUTES = 600_000
FACTS = {"facts": [{"text": "Gauge 7", "kind": "salient"}], "sufficient": True}
READ = {"answer": "Gauge 7", "answerable": True, "pages": [0]}


class Deadline(ProgramTest):
    def arguments(self, preset, *lines):
        script = self.write("slow.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        return [
            *["--store", self.native_store(), "--pipeline", preset, *QUICK],
            *["--generator", f"script:{script}", "--check", "off", "--max-seconds", "2"],
        ]

    def ask(self, preset, *lines):
        """The answer's record. What took minutes would be the script and not the machine."""
        began = time.monotonic()
        command = ["ask", QUESTION, *self.arguments(preset, *lines), "--doc", DOC, "--json"]
        (answer,) = self.must(*command).records()
        self.assertGreaterEqual(time.monotonic() - began, 2)
        self.assertGreaterEqual(answer["usage"]["ms"], 2000)
        self.assertLess(answer["usage"]["ms"], TEN_MINUTES / 2)
        self.assertIn("the limit of 2 seconds", answer["limit"])
        self.assertIn("--max-seconds", answer["limit"])
        return answer

    def test_part_of_an_object_declines(self):
        slow = {"agent": "answer.pages", "reply": READ, "ms": TEN_MINUTES}
        answer = self.ask("visualrag", slow)
        self.assertEqual((answer["answer"], answer["answerable"]), ("Not answerable", False))
        self.assertEqual(answer["usage"]["malformed"], 0)

    def test_hkrag_falls_back_on_what_it_has(self):
        slow = {"agent": "hkrag.summarizer", "reply": READ, "ms": TEN_MINUTES}
        answer = self.ask(
            "hkrag",
            {"agent": "hkrag.pruner", "reply": FACTS},
            {"agent": "hkrag.judger", "reply": "Gauge 7", "entropy": 0.1},
            slow,
        )
        self.assertEqual((answer["answer"], answer["answerable"]), ("Gauge 7", True))

    def test_a_batch_ends_each_question_alone(self):
        slow = {"agent": "answer.pages", "reply": READ, "ms": TEN_MINUTES}
        quick = {"agent": "answer.pages", "reply": READ}
        slow["match"], quick["match"] = {"question": QUESTION}, {"question": "Which?"}
        questions = self.write_questions(
            "questions.jsonl",
            [
                {"id": "slow", "question": QUESTION, "doc": DOC},
                {"id": "quick", "question": "Which?", "doc": DOC},
            ],
        )
        out = self.folder / "answers.jsonl"
        arguments = [*self.arguments("direct", slow, quick), "--workers", "2"]
        self.must("batch", questions, "--out", out, *arguments)
        answers = {answer["id"]: answer for answer in read_records(out)}
        self.assertIn("--max-seconds", answers["slow"]["limit"])
        self.assertFalse(answers["slow"]["answerable"])
        self.assertLess(answers["slow"]["usage"]["ms"], TEN_MINUTES / 2)
        self.assertNotIn("limit", answers["quick"])
        self.assertEqual(answers["quick"]["answer"], "Gauge 7")

    def test_people_are_told(self):
        slow = {"agent": "answer.pages", "reply": READ, "ms": TEN_MINUTES}
        result = self.must("ask", QUESTION, *self.arguments("direct", slow), "--doc", DOC)
        self.assertIn("stopped early: the limit of 2 seconds", result.out)


if __name__ == "__main__":
    unittest.main()
