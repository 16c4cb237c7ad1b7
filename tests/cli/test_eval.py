"""`fineprint eval`: numbers worked out by hand, over answers and over rankings."""

import json
import math
import subprocess
import unittest

import program
from program import FINEPRINT, ProgramTest

GOLD = [
    {"id": "a", "question": "?", "doc": "d.pdf", "answer": 4, "evidence_pages": [2]},
    {"id": "b", "question": "?", "answer": "Oslo", "evidence_pages": [{"doc": "e.pdf", "page": 1}]},
    {"id": "c", "question": "?", "answer": "Not answerable", "answer_format": "None"},
]


def answer(name, text, confidence, pages, answerable=True):
    found = [{"doc": doc, "page": page, "score": 1} for doc, page in pages]
    return {
        "id": name, "question": "?", "answer": text, "answerable": answerable,
        "confidence": confidence, "citations": found[:1], "retrieved": found,
    }  # fmt: skip


class Eval(ProgramTest):
    def setUp(self):
        super().setUp()
        self.gold = self.write_questions("gold.jsonl", GOLD)

    def eval(self, records, *more):
        file = self.write_questions("file.jsonl", records)
        return self.must("eval", file, "--gold", self.gold, *more)

    def test_answers(self):
        records = [
            answer("a", "4", 0.9, [("x/d.pdf", 1), ("x/d.pdf", 2)]),
            answer("b", "in Oslo", 0.4, [("e.pdf", 1)]),
            answer("c", "Not answerable", 0.4, [], answerable=False),
        ]
        (scores,) = self.eval(records, "--json").records()
        self.assertEqual(scores["questions"], 3)
        self.assertEqual(scores["missing"], 0)
        self.assertEqual(scores["with_evidence"], 2)
        self.assertAlmostEqual(scores["nDCG@5"], 50 * (1 / math.log2(3) + 1))
        self.assertAlmostEqual(scores["R@1"], 50)
        self.assertAlmostEqual(scores["MRR"], 75)
        self.assertAlmostEqual(scores["first_citation"], 50)
        self.assertAlmostEqual(scores["exact"], 50)
        self.assertAlmostEqual(scores["relaxed"], 100)
        self.assertAlmostEqual(scores["declined_unanswerable"], 100)
        self.assertAlmostEqual(scores["answerability_auc"], 0.75)
        self.assertIsNone(scores["confidence_auc"])  # all are right
        (low, high) = scores["reliability"]["confidence"]
        self.assertEqual((low["count"], low["came"], high["count"]), (2, 1, 1))

    def test_documents_may_be_named_by_globs(self):
        self.gold = self.write_questions(
            "globs.jsonl",
            [{"id": "a", "question": "?", "doc": "2022*.pdf", "evidence_pages": [3]}])  # fmt: skip
        (scores,) = self.eval([answer("a", "4", 0.9, [("x/2022-q1.pdf", 3)])], "--json").records()
        self.assertEqual(scores["MRR"], 100)

    def test_pipes_are_read_once(self):
        file = self.write_questions("file.jsonl", [answer("a", "4", 0.9, [("x/d.pdf", 1)])])
        plain = self.must("eval", file, "--gold", self.gold, "--json").out
        script = '"$0" eval <(cat "$1") --gold <(cat "$2") --json'
        shell = ["bash", "-c", script, FINEPRINT, file, self.gold]
        piped = subprocess.run(
            shell, check=True, env=self.environment(), stdout=subprocess.PIPE, text=True
        )
        self.assertEqual(piped.stdout, plain)

    def test_a_second_file_is_refused(self):
        result = self.call("eval", "a.jsonl", "b.jsonl", "--gold", self.gold)
        self.assert_one_error(result, 2, "b.jsonl")

    def test_hits_of_search(self):
        hits = [
            {"id": "a", "rank": 1, "doc": "x/d.pdf", "page": 2, "score": 2.0},
            {"id": "b", "rank": 1, "doc": "x/d.pdf", "page": 1, "score": 2.0},
            {"id": "b", "rank": 2, "doc": "e.pdf", "page": 1, "score": 1.0},
        ]
        (scores,) = self.eval(hits, "--json").records()
        self.assertAlmostEqual(scores["MRR"], 75)
        self.assertAlmostEqual(scores["R@5"], 100)

    def test_per_item_is_a_line_each(self):
        result = self.eval([answer("a", "4", 0.9, [("d.pdf", 2)])], "--per-item", "--json")
        *items, scores = result.records()
        self.assertEqual([item["id"] for item in items], ["a", "b", "c"])
        self.assertTrue(items[0]["exact"] and items[0]["first_citation"])
        self.assertEqual(items[0]["RR"], 1)
        self.assertEqual(items[1]["nDCG@5"], 0)
        self.assertEqual(scores["missing"], 2)

    def test_precision_and_its_kin(self):
        pages = [("d.pdf", 1), ("d.pdf", 2), ("d.pdf", 3)]
        (scores,) = self.eval([answer("a", "4", 0.9, pages)], "--json").records()
        self.assertAlmostEqual(scores["P@1"], 0)
        self.assertAlmostEqual(scores["P@3"], 100 / 6)
        self.assertAlmostEqual(scores["P@5"], 10)
        self.assertAlmostEqual(scores["P_returned"], 100 / 6)
        self.assertAlmostEqual(scores["Hit@1"], 0)
        self.assertAlmostEqual(scores["Hit@3"], 50)
        self.assertAlmostEqual(scores["MAP"], 25)

    def test_trec_runs_and_qrels(self):
        qrels = self.must("eval", "--gold", self.gold, "--qrels").out
        self.assertEqual(qrels, "a 0 d.pdf#2 1\nb 0 e.pdf#1 1\n")
        judged = self.write("gold.qrels", qrels)
        run = self.write("mine.run", "a Q0 d.pdf#1 1 2 t\na Q0 d.pdf#2 2 1.5 t\nb Q0 e.pdf#1 1 9 t\n")
        by_questions = self.must("eval", run, "--gold", self.gold, "--json").records()[0]
        by_qrels = self.must("eval", run, "--gold", judged, "--json").records()[0]
        for scores in (by_questions, by_qrels):
            self.assertAlmostEqual(scores["MRR"], 75)
            self.assertAlmostEqual(scores["nDCG@5"], 50 * (1 / math.log2(3) + 1))
            self.assertNotIn("exact", scores)
        graded = self.write("graded.qrels", "a 0 d.pdf#1 2\na 0 d.pdf#2 1\n")
        scores = self.must("eval", run, "--gold", graded, "--json").records()[0]
        self.assertAlmostEqual(scores["nDCG@3"], 100)
        broken = self.write("broken.run", "a Q0 d.pdf 1 2 t\n")
        self.assert_one_error(self.call("eval", broken, "--gold", judged), 3, "broken.run:1", "DOC#PAGE")

    def test_for_people(self):
        lines = self.eval([answer("a", "4", 0.9, [("d.pdf", 2)])]).out.splitlines()
        end = lines.index("")
        table = {line.split()[0]: line.split()[1] for line in lines[:end]}
        self.assertEqual(lines[end + 1].split(), ["confidence", "questions", "said", "came"])
        self.assertEqual(lines[end + 2].split(), ["0.9", "to", "1.0", "1", "0.90", "1.00"])
        self.assertEqual(table["questions"], "3")
        self.assertEqual(table["nDCG@5"], "50.00")

    def test_the_ranking_of_a_real_search(self):
        questions = self.write_questions("q.jsonl", program.native_questions())
        hits = self.must(
            *["search", "--questions", questions, "--store", self.native_store(program.SCORERS), "--json"],
            *program.SCORERS,
        )
        file = self.write("hits.jsonl", hits.out)
        scores = json.loads(self.must("eval", file, "--gold", questions, "--json").out)
        self.assertGreater(scores["R@10"], 80)
        self.assertGreater(scores["nDCG@5"], 50)
        for name in ("first_citation", "declined_answerable", "exact", "answerable"):
            self.assertNotIn(name, scores)  # hits are no answers


if __name__ == "__main__":
    unittest.main()
