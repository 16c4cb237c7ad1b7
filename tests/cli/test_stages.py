"""Stages of one pipeline in another (--gate, --reflect, --hkrag.seek), and runs that need no search."""

import json
import unittest

from program import QUICK, ProgramTest, read_records

DOC = "harbor-annual-report.pdf"
QUESTION = "Which revenue, passengers and routes of the ferry are in the report?"
READ = {"answer": "12", "answerable": True, "pages": [0]}
SUMMARY = dict(READ, reason="the table", answer="14")
FACTS = {"facts": [{"text": "12 routes", "kind": "salient"}], "sufficient": True}
SURE, OPEN = [-0.001], [-1.0]  # of a probability of 1/e, where -p log p is largest


class Stages(ProgramTest):
    def script(self, calls):
        lines = [{"agent": agent, "reply": reply, "logprobs": logprobs} for agent, reply, logprobs in calls]
        return f"script:{self.write('replies.jsonl', ''.join(json.dumps(line) + chr(10) for line in lines))}"

    def arguments(self, preset, calls):
        return ["--store", self.native_store(), "--pipeline", preset, *QUICK, "--generator", self.script(calls)]

    def ask(self, preset, calls, *more):
        """The record, the agents that were called, and the pages that each was shown."""
        arguments = [*self.arguments(preset, calls), "--doc", DOC, "--json", "--trace", *more]
        (answer,) = self.must("ask", QUESTION, *arguments).records()
        steps = [step for step in answer["trace"] if step["step"] == "call"]
        return answer, [step["agent"] for step in steps], [step["pages"] for step in steps]

    def read(self, answer):
        return [f"{page['doc']}:{page['page']}" for page in answer["retrieved"] if page.get("shown")]


class Gate(Stages):
    FIRST = ("answer.pages", READ, SURE)

    def test_a_certain_question_keeps_its_answer(self):
        answer, agents, pages = self.ask("visualrag", [self.FIRST, ("hkrag.judger", "12", SURE)], "--gate", "hkrag",
                                         "-k", "2")  # fmt: skip
        self.assertEqual(agents, ["answer.pages", "hkrag.judger"])
        self.assertEqual(answer["answer"], "12")
        self.assertEqual(answer["gate"]["preset"], "visualrag")
        self.assertAlmostEqual(answer["gate"]["uncertainty"], 0.001 * 2.718281828 * 0.9990005, places=6)
        # The judge is shown what was read, not the whole ranking of the record.
        self.assertGreater(len(answer["retrieved"]), 2)
        self.assertEqual(pages, [self.read(answer), self.read(answer)])
        self.assertEqual(len(self.read(answer)), 2)

    def test_an_uncertain_question_is_answered_by_the_other_preset(self):
        calls = [self.FIRST, ("hkrag.judger", "12", OPEN), ("hkrag.pruner", FACTS, SURE),
                 ("hkrag.judger", "12", SURE), ("hkrag.summarizer", SUMMARY, SURE)]  # fmt: skip
        answer, agents, _ = self.ask("visualrag", calls, "--gate", "hkrag-paper")
        self.assertEqual(agents, [agent for agent, _, _ in calls])
        self.assertEqual((answer["answer"], answer["pipeline"]), ("14", "visualrag"))
        self.assertEqual(answer["gate"], {"uncertainty": 1, "preset": "hkrag-paper"})
        self.assertEqual(answer["usage"]["vlm_calls"], 5)
        # At a higher threshold than H' can be above, the question is certain.
        answer, agents, _ = self.ask("visualrag", [self.FIRST, ("hkrag.judger", "12", [-0.1])], "--gate", "hkrag",
                                     "--judger-threshold", "0.9")  # fmt: skip
        self.assertEqual(answer["gate"]["preset"], "visualrag")

    def test_a_limit_keeps_the_first_answer(self):
        answer, agents, _ = self.ask("visualrag", [self.FIRST], "--gate", "hkrag", "--max-calls", "1")
        self.assertEqual(agents, ["answer.pages"])
        self.assertEqual((answer["answer"], answer["gate"]["uncertainty"]), ("12", None))
        self.assertIn("--max-calls", answer["limit"])

    def test_what_cannot_be_gated_is_refused(self):
        arguments = self.arguments("hkrag", [])
        self.assert_one_error(self.call("ask", QUESTION, *arguments, "--gate", "hkrag"), 2, "--gate hkrag")
        self.assert_one_error(self.call("ask", QUESTION, *arguments, "--gate", "nosuch"), 2, "nosuch", "hkrag")
        arguments = ["--store", self.native_store(), *QUICK, "--gate", "hkrag"]
        self.assert_one_error(self.call("ask", QUESTION, *arguments), 2, "--gate", "--generator")


class Reflect(Stages):
    FIRST = ("answer.pages", READ, SURE)
    AGAIN = ("answer.pages", dict(READ, answer="12 routes and 14 ships"), SURE)

    def test_what_an_answer_leaves_out_is_searched_for(self):
        missing = {"addressed": False, "missing": "Which capital expenditure is planned?"}
        answer, agents, pages = self.ask("visualrag", [self.FIRST, ("dmap.reflect", missing, SURE), self.AGAIN],
                                         "--reflect", "-k", "2")  # fmt: skip
        self.assertEqual(agents, ["answer.pages", "dmap.reflect", "answer.pages"])
        self.assertIs(answer["reflected"], True)
        self.assertEqual(answer["answer"], "12 routes and 14 ships")
        first, second = pages[0], pages[2]
        self.assertEqual((len(first), second[:2]), (2, first))
        self.assertGreater(len(second), 2)
        self.assertEqual(set(self.read(answer)), set(second))

    def test_an_answer_that_addresses_the_question_stays(self):
        whole = {"addressed": True, "missing": ""}
        answer, agents, _ = self.ask("visualrag", [self.FIRST, ("dmap.reflect", whole, SURE)], "--reflect")
        self.assertEqual(agents, ["answer.pages", "dmap.reflect"])
        self.assertEqual((answer["reflected"], answer["answer"]), (False, "12"))

    def test_pipelines_that_cannot_search_again_are_refused(self):
        for preset, part in [("dmap", "dmap.rounds"), ("closed-book", "does not search"), ("direct", "does not search")]:
            with self.subTest(preset=preset):
                result = self.call("ask", QUESTION, *self.arguments(preset, []), "--reflect")
                self.assert_one_error(result, 2, "--reflect", part)


class Seek(Stages):
    def test_the_pruner_reads_what_the_seeker_chose(self):
        choice = {"reason": "tables", "summary": "tables", "choice": [2, 0]}
        calls = [("vidorag.seeker", choice, SURE), ("hkrag.pruner", FACTS, SURE), ("hkrag.judger", "12", SURE),
                 ("hkrag.summarizer", SUMMARY, SURE)]  # fmt: skip
        answer, agents, pages = self.ask("hkrag", calls, "--hkrag.seek", "--adaptive=false", "-k", "4")
        self.assertEqual(agents, [agent for agent, _, _ in calls])
        ranked = [f"{page['doc']}:{page['page']}" for page in answer["retrieved"]]
        self.assertEqual(pages[0], [" ".join(ranked[:4])])  # one mosaic
        self.assertEqual(pages[1], [ranked[0]])  # the better of the chosen ones, which suffices
        self.assertEqual(self.read(answer), [ranked[0], ranked[2]])

    def test_one_page_is_no_choice(self):
        result = self.call("ask", QUESTION, *self.arguments("hkrag-paper", []), "--hkrag.seek", "-k", "1")
        self.assert_one_error(result, 2, "seek", "-k")


class WithoutSearch(Stages):
    def test_closed_book_asks_without_pages(self):
        answer, agents, pages = self.ask("closed-book", [("closed-book.answer", "12", OPEN)])
        self.assertEqual((agents, pages), (["closed-book.answer"], [[]]))
        self.assertEqual((answer["answer"], answer["retrieved"], answer["citations"]), ("12", [], []))

    def test_the_oracle_reads_the_gold_pages_and_no_others(self):
        out = self.folder / "answers.jsonl"
        questions = self.write_questions("q.jsonl", [
            {"id": "a", "question": QUESTION, "doc": DOC, "evidence_pages": [7, 3]},
            {"id": "b", "question": QUESTION, "doc": DOC}])  # fmt: skip
        arguments = self.arguments("direct-oracle", [("answer.pages", READ, SURE)])
        arguments = [part for part in arguments if part not in QUICK]
        self.must("batch", questions, "--out", out, *arguments, "--trace", code=1)
        answers = {answer["id"]: answer for answer in read_records(out)}
        (call,) = [step for step in answers["a"]["trace"] if step["step"] == "call"]
        self.assertEqual((call["pages"], call["tier"]), ([f"{DOC}:3", f"{DOC}:7"], "fine"))
        self.assertEqual(self.read(answers["a"]), [f"{DOC}:3", f"{DOC}:7"])
        self.assertEqual(answers["b"]["error"]["code"], "input")


class Rankings(Stages):
    def test_records_of_text_and_of_two_searches_rank_ten_pages(self):
        chunks = [("answer.chunks", {"answer": "12", "answerable": True, "chunks": [0]}, SURE)]
        said, summary = {"answer": "12"}, {"answer": "12", "answerable": True}
        agents = {
            "mdocagent": [("general", said), ("critical", {"text": "12", "image": "the table"}), ("text", said),
                          ("image", said), ("summarise", summary)],
            "dmap": [("locate", {"location": ["Page 1"]}), ("general", said), ("text", summary), ("image", summary),
                     ("summarise", summary), ("reflect", {"addressed": True, "missing": ""})],
        }  # fmt: skip
        for preset, calls, read in [("textrag", chunks, 2), ("extractive", [], 2), ("mdocagent", None, 2),
                                    ("dmap", None, 3)]:  # fmt: skip
            with self.subTest(preset=preset):
                if calls is None:
                    calls = [(f"{preset}.{role}", reply, SURE) for role, reply in agents[preset]]
                answer, _, _ = self.ask(preset, calls, "-k", "2")
                pages = answer["retrieved"]
                self.assertEqual(len(pages), 10)
                self.assertEqual(len({page["page"] for page in pages}), 10)
                self.assertEqual([page.get("shown", False) for page in pages], [True] * read + [False] * (10 - read))


if __name__ == "__main__":
    unittest.main()
