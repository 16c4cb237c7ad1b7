"""`fineprint read`: a reader alone, over passages that are given."""

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
        reranker = ["--reader", model_of("rerank_bert_a")]
        for arguments, part in [
            ([], "--examples FILE is missing"),
            (["stray", *self.examples(GOOD)], "stray"),
            ([*self.examples(GOOD), *reranker], "does not point at answers"),
        ]:
            self.assert_one_error(self.call("read", *arguments), 2, part)

    def test_a_line_that_is_no_example_is_named(self):
        lines = self.examples(GOOD, {"question": "Who?", "passages": [{}]})
        self.assert_one_error(self.call("read", *lines), 3, "line 2")

    def test_a_reader_that_is_not_there_is_4(self):
        result = self.call("read", *self.examples(GOOD), "--reader", self.folder / "nothing")
        self.assert_one_error(result, 4, "nothing")


@needs_nets
class InAnswers(ProgramTest):
    reads = True

    def steps(self, *more):
        question = "Who audited the accounts of the ferry company?"
        (answer,) = self.must("ask", question, "--store", self.native_store(), "--json", "--trace", *QUICK, *more).records()
        self.assertEqual(answer["answer"], "Tern & Pollock LLP")
        return [step["step"] for step in answer["trace"]]

    def test_ask_has_it_read_unless_told_not_to(self):
        self.assertIn("read", self.steps())
        self.assertNotIn("read", self.steps("--rerank", "none"))


if __name__ == "__main__":
    unittest.main()
