"""`fineprint eval --scorer`: items by the rules of published evaluators."""

import json
import unittest

import scripted_replies
from program import ProgramTest

ITEMS = [
    {"answer": "8", "prediction": "8.7", "answer_format": "Int"},
    {"answer": "['oak', 'elm']", "prediction": "['oak', 'elm", "answer_format": "List"},
    {"answer": "oak", "prediction": "Oak", "answer_format": "Str", "doc_type": "Guidebook"},
]


class Scorers(ProgramTest):
    def items(self, records):
        return self.write_questions("items.jsonl", records)

    def test_a_line_an_item(self):
        result = self.must("eval", "--scorer", "mmlongbench", self.items(ITEMS), "--per-item", "--json")
        cut, broken, right = result.records()
        self.assertEqual(cut, {"score": 1.0, "standard": 0.0, "quirks": ["truncated_decimals"]})
        self.assertEqual(broken["score"], 0)
        self.assertTrue(broken["error"].startswith("SyntaxError"))
        self.assertEqual(right, {"score": 1.0})

    def test_totals(self):
        arguments = ["eval", "--scorer", "mmlongbench", self.items(ITEMS)]
        (totals,) = self.must(*arguments, "--json").records()
        self.assertEqual(totals["scorer"], "mmlongbench")
        self.assertEqual(totals["items"], 3)
        self.assertEqual(totals["errors"], 1)
        self.assertEqual(totals["malformed"], 0)
        self.assertEqual(totals["quirks"], {"truncated_decimals": 1})
        self.assertAlmostEqual(totals["accuracy"], 2 / 3)
        self.assertAlmostEqual(totals["standard"], 1 / 3)
        self.assertEqual(totals["by_doc_type"], {"Guidebook": {"items": 1, "accuracy": 1.0}})
        table = [line.split() for line in self.must(*arguments).out.splitlines()]
        self.assertIn(["accuracy", "0.6667"], table)
        self.assertIn(["truncated_decimals", "1"], table)

    def test_lines_that_are_no_items_are_named_and_the_rest_is_scored(self):
        good = json.dumps(ITEMS[2])
        file = self.write("items.jsonl", f'{good}\n{{"answer": "a"\n{{"answer": "a"}}\n[1]\n{good}\n')
        result = self.call("eval", "--scorer", "mmlongbench", file, "--per-item", "--json")
        self.assertEqual(result.code, 1)
        records = result.records()
        self.assertEqual([r.get("line") for r in records], [None, 2, 3, 4, None])
        self.assertEqual(records[4], {"score": 1.0})
        for number, what in [(2, "byte"), (3, "'answer_format'"), (4, "object")]:
            self.assertRegex(result.err, rf"items\.jsonl:{number}: .*{what}")
        totals = self.call("eval", "--scorer", "mmlongbench", file, "--json")
        self.assertEqual(totals.code, 1)
        self.assertEqual(totals.records()[0]["malformed"], 3)
        self.assertEqual(totals.records()[0]["items"], 2)

    def test_what_cannot_be_asked(self):
        file = self.items(ITEMS)
        both = self.call("eval", "--scorer", "exact", "--gold", file, file)
        self.assert_one_error(both, 2, "--gold and --scorer cannot be combined")
        unknown = self.call("eval", "--scorer", "rouge", file)
        self.assertEqual(unknown.code, 2)
        for name in ("rouge", "mmlongbench", "vidorag_judge", "pages"):
            self.assertIn(name, unknown.err)
        self.assertEqual(self.call("eval", "--scorer", "exact").code, 2)
        self.assertEqual(self.call("eval", "--scorer", "exact", "nowhere/none.jsonl").code, 3)

    def test_every_form_of_a_ranking(self):
        file = self.items([{"evidence_pages": [4], "pages_ranking": [9, 4]}])
        (own,) = self.must("eval", "--scorer", "molorag_retrieval", file, "--json").records()
        (usual,) = self.must("eval", "--scorer", "pages", file, "--json").records()
        self.assertEqual(own["ndcg@5"], 0)
        self.assertEqual(own["standard_ndcg@5"], 63.09)
        self.assertAlmostEqual(usual["ndcg@5"], 0.6309, places=4)

    def test_ten_thousand_predictions(self):
        records = [
            {"answer": f"tree {i}", "prediction": f"a tree {i % 7}", "answer_format": "Str"}
            for i in range(10_000)
        ]
        result = self.must("eval", "--scorer", "molorag_mmlong", self.items(records), "--json")
        self.assertEqual(result.records()[0]["items"], 10_000)

    def judged(self, scorer, item, **replies):
        script = scripted_replies.script_of({f"judges.{role}": reply for role, reply in replies.items()})
        judge = f"script:{self.write('judge.jsonl', script)}"
        result = self.must("eval", "--scorer", scorer, self.items([item]), "--judge", judge, "--per-item",
                           "--json")
        return result.records()[0]

    def test_a_model_judges_what_no_reply_is_there_for(self):
        item = {"question": "Which tree?", "response": "It is an oak.", "answer": "Oak",
                "answer_format": "Str"}  # fmt: skip
        grade = self.judged("vidorag_judge", item, grade="4\nIt fits.")
        self.assertEqual(grade, {"judge_score": 4, "passing": True, "judge_reply": "4\nIt fits."})
        binary = self.judged("binary_judge", item, binary={"binary_correctness": 1})
        self.assertEqual(binary["binary_correctness"], 1)
        marked = "Extracted answer: Oak\nAnswer format: String"
        extracted = self.judged("mmlongbench", item, extract=marked)
        self.assertEqual(extracted, {"score": 1.0, "extraction": marked})
        tagged = "<concise_answer>ash</concise_answer><answer_format>String</answer_format>"
        tagged_item = dict(item, answer_format="String")
        self.assertEqual(self.judged("longdocurl", tagged_item, extract_tagged=tagged)["score"], 0)
        # What has its reply is scored without a model.
        stored = self.items([dict(item, **{"judge_reply": grade["judge_reply"]})])
        again = self.must("eval", "--scorer", "vidorag_judge", stored, "--judge", "script:none", "--json")
        self.assertEqual(again.records()[0]["accuracy"], 1)

    def test_a_judge_needs_the_response(self):
        file = self.items([{"question": "Which tree?", "answer": "Oak"}])
        script = f"script:{self.write('judge.jsonl', '')}"
        result = self.call("eval", "--scorer", "vidorag_judge", file, "--judge", script)
        self.assertEqual(result.code, 1)
        self.assertIn("'response'", result.err)


if __name__ == "__main__":
    unittest.main()
