"""`fineprint read`: a QA model alone, over passages that are given."""

import json
import unittest

from model_files import model_of
from program import QUICK, ProgramTest, needs_nets

GOOD = {"question": "Who?", "passages": [{"text": "Ann chairs it."}]}


class Usage(ProgramTest):
    def examples(self, *lines):
        path = self.folder / "examples.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        return ["--examples", path]

    def test_wrong_usage_is_2(self):
        reranker = ["--qa", model_of("rerank_bert_a")]
        for arguments, part in [
            ([], "--examples FILE is missing"),
            (["stray", *self.examples(GOOD)], "stray"),
            ([*self.examples(GOOD), *reranker], "does not point at answers"),
        ]:
            self.assert_one_error(self.call("read", *arguments), 2, part)

    def test_a_line_that_is_no_example_is_named(self):
        lines = self.examples(GOOD, {"question": "Who?", "passages": [{}]})
        self.assert_one_error(self.call("read", *lines), 3, "line 2")

    def test_a_model_that_is_not_there_is_4(self):
        result = self.call("read", *self.examples(GOOD), "--qa", self.folder / "nothing")
        self.assert_one_error(result, 4, "nothing")

    def test_the_old_option_is_taken_with_a_warning(self):
        for old in (["--reader", "nothing"], ["--reader=nothing"]):
            result = self.call("read", *self.examples(GOOD), *old)
            self.assertEqual(result.code, 4)
            self.assertIn("--reader is now --qa", result.err)


@needs_nets
class InAnswers(ProgramTest):
    reads = True

    def steps(self, *more, warning=""):
        question = "Who audited the accounts of the ferry company?"
        result = self.must("ask", question, "--store", self.native_store(), "--json", "--trace", *QUICK, *more)
        self.assertIn(warning, result.err)
        (answer,) = result.records()
        self.assertEqual(answer["answer"], "Tern & Pollock LLP")
        return [step["step"] for step in answer["trace"]]

    def test_ask_has_it_read_unless_told_not_to(self):
        self.assertIn("read", self.steps())
        self.assertNotIn("read", self.steps("--qa", "none"))

    def test_rerank_chooses_it_for_one_more_version(self):
        said = "--rerank {0} no longer chooses the QA model; give --qa {0}"
        self.assertNotIn("read", self.steps("--rerank", "none", warning=said.format("none")))
        steps = self.steps("--rerank", "reader", warning=said.format("reader"))
        self.assertIn("read", steps)
        self.assertNotIn("rerank", steps)

    def test_qa_wins_over_the_old_meaning_of_rerank(self):
        self.assertIn("read", self.steps("--rerank", "none", "--qa", "reader"))
        steps = self.steps("--rerank", "reader", "--qa", "none")
        self.assertIn("rerank", steps)
        self.assertNotIn("read", steps)


if __name__ == "__main__":
    unittest.main()
