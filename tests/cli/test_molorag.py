"""`--pipeline molorag`: which graph it needs, what it refuses, and verdicts from a script."""

import json
import unittest

from program import QUICK, ProgramTest

DOC = "harbor-annual-report.pdf"
QUESTION = "Who audited the accounts?"
PRESETS = ["molorag", "molorag-code-ldu", "molorag-code-mmlong", "molorag-paper", "molorag-plus"]
READ = {"answer": "Tern & Pollock LLP", "answerable": True, "pages": [0]}


class Molorag(ProgramTest):
    def arguments(self, preset, *lines):
        script = self.write("replies.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        generator = f"script:{script}"
        return ["--store", self.native_store(), "--pipeline", preset, "--generator", generator]

    def test_a_store_without_the_graph_or_its_set_is_named_with_the_remedy(self):
        for preset in PRESETS:
            for more in ([], QUICK):
                with self.subTest(preset=preset, more=more):
                    result = self.call("ask", QUESTION, *self.arguments(preset), *more)
                    self.assert_one_error(result, 3, "fineprint index", "late", "--retriever")
        result = self.call("ask", QUESTION, *self.arguments("molorag"), *QUICK)
        self.assertIn("page graph", result.err)

    def test_all_pages_need_no_graph(self):
        mark = {"agent": "molorag.relevance", "reply": "4"}
        text = {"agent": "answer.pages_text", "reply": "Tern & Pollock LLP"}
        answers = {"molorag": {"agent": "answer.pages", "reply": READ}, "molorag-paper": text}
        for preset, reply in answers.items():
            with self.subTest(preset=preset):
                arguments = [*self.arguments(preset, *[mark] * 11, reply), *QUICK, "--doc", DOC]
                more = ["--molorag.all-pages", "--json", "--trace"]
                (answer,) = self.must("ask", QUESTION, *arguments, *more).records()
                self.assertEqual(answer["answer"], "Tern & Pollock LLP")
                steps = [step["agent"] for step in answer["trace"] if step["step"] == "call"]
                self.assertEqual(steps.pop(), reply["agent"])
                self.assertEqual(set(steps), {"molorag.relevance"})
                self.assertEqual(answer["usage"]["vlm_calls"], len(steps) + 1)
                self.assertEqual(answer["usage"]["malformed"], 0)
                verdicts = [step for step in answer["trace"] if step["step"] == "relevance"]
                self.assertEqual(len(verdicts), len(steps))
                self.assertEqual({page["doc"] for page in answer["citations"]}, {DOC})
                self.assertNotIn("limit", answer)

    def test_other_ways_of_cutting_the_ranking_are_refused(self):
        for more in (["--adaptive"], ["--min-score", "0.5"], ["--fusion", "union"]):
            with self.subTest(more=more):
                result = self.call("ask", QUESTION, *self.arguments("molorag"), *QUICK, *more)
                self.assert_one_error(result, 2, more[0], "keep-from")

    def test_values_are_checked(self):
        for flag, value in (("--beam", "0"), ("--hops", "-1"), ("--semantic-weight", "1.5")):
            with self.subTest(flag=flag):
                result = self.call("ask", QUESTION, *self.arguments("molorag"), flag, value)
                self.assertEqual(result.code, 2, result.err)
                self.assertIn(flag[2:], result.err)


if __name__ == "__main__":
    unittest.main()
