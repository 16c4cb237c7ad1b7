"""`fineprint pipelines`: what there is, and that `--pipeline` knows it."""

import unittest

from program import QUICK, ProgramTest


class Pipelines(ProgramTest):
    def test_each_is_described(self):
        records = self.must("pipelines", "--json").records()
        self.assertIn("extractive", [record["name"] for record in records])
        for record in records:
            self.assertEqual(list(record), ["name", "summary", "needs", "calls_per_question"])
            self.assertTrue(all(record.values()), record)

    def test_for_people(self):
        result = self.must("pipelines")
        self.assertIn("extractive", result.out)
        self.assertEqual(result.err, "")

    def test_a_pipeline_that_does_not_exist_is_refused_before_anything_is_written(self):
        out = self.folder / "answers.jsonl"
        questions = self.write_questions("q.jsonl", [{"id": "a", "question": "x"}])
        arguments = ["--store", self.native_store(), "--pipeline", "nonsense", *QUICK]
        result = self.call("batch", questions, "--out", out, *arguments)
        self.assert_one_error(result, 2, "nonsense", "extractive")
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
