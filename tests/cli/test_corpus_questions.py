"""`fineprint train corpus-questions`: questions that have one answer in a whole store, as ViDoSeek's."""

import json
import unittest

import program
from program import ProgramTest

DOC = "harbor-annual-report.pdf"
FIRST = {"id": "a", "question": "Who audits the harbor company?", "answer": "Brandt", "unit": "name",
         "evidence_pages": [{"doc": DOC, "page": 2}]}  # fmt: skip
GENERAL = {"id": "b", "question": "What is revenue?", "answer": "12", "doc": DOC, "evidence_pages": [3, 4]}
COMMON = {"id": "c", "question": "How many transects were surveyed?", "answer": "9",
          "evidence_pages": [{"doc": "reef-survey-paper.pdf", "page": 1}]}  # fmt: skip


def reply(role, question, **reply):
    """A line of a script that answers this question only."""
    return {"agent": f"questions.{role}", "match": {"question": question}, "reply": reply}


def general(question, value):
    return reply("general", question, reason="It names nothing.", general=value)


def review(question, *pages):
    return reply("review", question, reason="Page 0 has it.", pages=pages)


def refine(question, query):
    return reply("refine", question, query=query)


class CorpusQuestions(ProgramTest):
    def make(self, script, *more, out="questions.jsonl", code=0):
        lines = self.write("replies.jsonl", "".join(json.dumps(line) + "\n" for line in script))
        return self.must("train", "corpus-questions", "--store", self.native_store(), "--generator",
                         f"script:{lines}", "--out", self.folder / out, *more, code=code)

    def reviewed(self, questions, script, *more, **options):
        examples = self.write_questions("given.jsonl", questions)
        return self.make(script, "--examples", examples, *more, **options)

    def test_given_questions_are_reviewed_and_refined(self):
        better, reef, again = "What is the revenue of the harbor?", "How many reef transects?", "How many coral transects?"
        script = [general(FIRST["question"], False), review(FIRST["question"]),
                  general(GENERAL["question"], True), refine(GENERAL["question"], better),
                  general(better, False), review(better)]  # fmt: skip
        for question, query in ((COMMON["question"], reef), (reef, again), (again, None)):
            script += [general(question, False), review(question, 0, 1), refine(question, query)]
        result = self.reviewed([FIRST, GENERAL, COMMON], script, "--json")
        (record,) = result.records()
        self.assertEqual({name: record[name] for name in ("questions", "refined", "general", "ambiguous", "no_use")},
                         {"questions": 2, "refined": 1, "general": 0, "ambiguous": 1, "no_use": 0})
        first, second = program.read_records(self.folder / "questions.jsonl")
        self.assertEqual({k: first[k] for k in FIRST}, FIRST)
        self.assertNotIn("refined_from", first)
        self.assertEqual(second["question"], better)
        self.assertEqual(second["refined_from"], "What is revenue?")
        self.assertEqual(second["evidence_pages"], [{"doc": DOC, "page": 3}, {"doc": DOC, "page": 4}])
        self.assertNotIn("doc", second)  # the pool is the whole store
        # What was made is a file of questions.
        self.must("search", "--questions", self.folder / "questions.jsonl", "--json", "--store",
                  self.native_store(), *program.QUICK)

    def test_a_question_that_stays_general_is_left_out(self):
        script = [general(GENERAL["question"], True), refine(GENERAL["question"], "x?"), general("x?", True),
                  refine("x?", "y?"), general("y?", True)]  # fmt: skip
        (record,) = self.reviewed([GENERAL], script, "--json").records()
        self.assertEqual((record["questions"], record["general"]), (0, 1))

    def test_questions_are_written_about_one_page_or_two(self):
        def script(count):
            query = "Who built the pier of the harbor?"
            written = {"possible": True, "query": query, "answer": "Brandt"}
            return [line for line in ({"agent": "questions.write", "reply": written}, general(query, False),
                                      review(query)) for _ in range(count)]  # fmt: skip

        self.make(script(8), "--verdicts", "8", out="whole.jsonl")
        self.make(script(3), "--verdicts", "3", out="parts.jsonl")
        self.make(script(5), "--verdicts", "8", out="parts.jsonl")
        whole, parts = (program.read_records(self.folder / name) for name in ("whole.jsonl", "parts.jsonl"))
        self.assertEqual(whole, parts)
        for line in whole:
            pages = line["evidence_pages"]
            self.assertEqual(line["query_type"], "multi_hop" if len(pages) == 2 else "single_hop")
            self.assertEqual(len({page["doc"] for page in pages}), 1)
            self.assertEqual(len({page["page"] for page in pages}), len(pages))
        self.assertEqual({line["query_type"] for line in whole}, {"multi_hop", "single_hop"})
        self.assertGreater(len({line["source_type"] for line in whole}), 1)

    def test_pages_without_the_subject_give_no_question(self):
        nothing = {"agent": "questions.write", "reply": {"possible": False, "query": "", "answer": ""}}
        (record,) = self.make([nothing] * 20, "--verdicts", "1", "--json").records()
        self.assertEqual(record["questions"], 0)
        self.assertGreater(record["no_use"], 10)  # draws that come again are not tried

    def test_what_is_missing_is_named(self):
        for changed, part in [({"answer": None}, "answer"), ({"evidence_pages": [{"doc": DOC, "page": 99}]}, "99")]:
            question = {k: v for k, v in dict(FIRST, **changed).items() if v is not None}
            self.assert_one_error(self.reviewed([question], [], code=3), 3, "question a", part)
        self.assert_one_error(self.make([], "--epochs", "2", code=2), 2, "--epochs does not apply")


if __name__ == "__main__":
    unittest.main()
