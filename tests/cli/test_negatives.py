"""`fineprint search --format negatives`: examples with what ranks high and is not the answer."""

import json
import unittest

import program
from program import QUICK, ProgramTest

QUERY = "certified passengers of the Sula before her refit"
DOC = "harbor-annual-report.pdf"  # whose page 5 says so


class Negatives(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.native_store()
        self.report = self.native_docs() / DOC
        self.pairs = self.folder / "pairs.jsonl"

    def mine(self, *examples, more=("-k", "3"), scorer=tuple(QUICK), code=0):
        self.pairs.write_text("".join(json.dumps(example) + "\n" for example in examples))
        return self.call("search", "--questions", self.pairs, "--format", "negatives", "--store",
                         self.store, *scorer, *more)

    def mined(self, *examples, **options):
        result = self.mine(*examples, **options)
        self.assertEqual(result.code, 0, result.err)
        return result.records()

    def ranking(self):
        hits = self.must("search", QUERY, "--store", self.store, *QUICK, "--json", "-k", "20").records()
        return [f"{self.native_docs() / hit['doc']}#{hit['page']}" for hit in hits]

    def test_pages_are_the_best_but_the_positive(self):
        positive = {"image": f"{self.report}#5"}
        [line] = self.mined({"query": QUERY, "positive": positive, "id": 7})
        self.assertEqual(line["id"], 7)
        self.assertEqual(line["positive"], positive)
        best = self.ranking()
        self.assertEqual(best[0], positive["image"])
        self.assertEqual([negative["image"] for negative in line["negatives"]], best[1:4])

    def test_what_is_there_stays_and_is_not_found_again(self):
        second = self.ranking()[1]
        [line] = self.mined({"query": QUERY, "positive": {"image": f"{self.report}#5"},
                             "negatives": [{"image": second}]})
        images = [negative["image"] for negative in line["negatives"]]
        self.assertEqual(images[0], second)
        self.assertEqual(len(images), 4)
        self.assertEqual(len(set(images)), 4)

    def test_the_best_of_another_question_is_a_negative_of_this_one(self):
        [line] = self.mined({"query": QUERY, "positive": {"image": f"{self.report}#1"}}, more=("-k", "1"))
        self.assertEqual(line["negatives"], [{"image": f"{self.report}#5"}])

    def test_passages_of_text_are_no_copies_of_the_positive(self):
        whole = self.mined({"query": QUERY, "positive": "No page has this."}, more=("-k", "2"))[0]
        best, second = whole["negatives"]
        self.assertIn("Sula", best)
        # The same words between other blanks, in other cases, and a part of a longer text.
        for positive in (best, best.upper(), "  ".join(best.split()), f"They say: {best} And so on."):
            [line] = self.mined({"query": QUERY, "positive": positive}, more=("-k", "1"))
            self.assertEqual(line["negatives"], [second])

    def test_what_holds_the_answer_is_left_out(self):
        best = self.mined({"query": QUERY, "positive": "No page has this."}, more=("-k", "1"))[0]["negatives"][0]
        answer = best.split()[0]
        [line] = self.mined({"query": QUERY, "positive": "No page has this.", "answer": answer})
        self.assertEqual(len(line["negatives"]), 3)
        for negative in line["negatives"]:
            self.assertNotIn(answer.lower(), "".join(negative.split()).lower())

    def test_a_store_with_too_few_gives_what_it_has(self):
        result = self.mine({"query": QUERY, "positive": {"image": f"{self.report}#5"}}, more=("-k", "5000"))
        [line] = result.records()
        self.assertGreater(len(line["negatives"]), 3)
        self.assertNotIn({"image": f"{self.report}#5"}, line["negatives"])
        self.assertRegex(result.err, r"\d+ negatives for 1 examples; 0 examples have none")

    @program.needs_nets
    def test_they_are_trained_on(self):
        [line] = self.mined({"query": QUERY, "positive": "No page has this."}, more=("-k", "2"))
        other = {"query": "Who sold the lamp?", "positive": "The museum sold it."}
        self.pairs.write_text(json.dumps(line) + "\n" + json.dumps(other) + "\n")
        self.must("train", "retriever", "--retriever", program.DATA / "bert_mean_a" / "model",
                  "--examples", self.pairs, "--out", self.folder / "out", "--batch", "2",
                  "--hard-negatives", "2")

    def test_wrong_lines_and_flags_are_named(self):
        result = self.mine({"query": QUERY, "positive": "p"}, {"query": QUERY})
        self.assert_one_error(result, 3, "pairs.jsonl, line 2")
        self.assertEqual(result.out, "")
        result = self.call("search", QUERY, "--format", "negatives", "--store", self.store, *QUICK)
        self.assert_one_error(result, 2, "--questions")


if __name__ == "__main__":
    unittest.main()
