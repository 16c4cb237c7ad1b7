"""`--pipeline molorag` and `--scorer molorag`: which graph they need, what they refuse, and verdicts
from a script."""

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
        for more in (["--adaptive", "-k", "6"], ["--min-score", "0.5"], ["--fusion", "union"]):
            with self.subTest(more=more):
                result = self.call("ask", QUESTION, *self.arguments("molorag"), *QUICK, *more)
                self.assert_one_error(result, 2, more[0], "keep-from")

    def test_values_are_checked(self):
        for flag, value in (("--beam", "0"), ("--hops", "-1"), ("--semantic-weight", "1.5")):
            with self.subTest(flag=flag):
                result = self.call("ask", QUESTION, *self.arguments("molorag"), flag, value)
                self.assertEqual(result.code, 2, result.err)
                self.assertIn(flag[2:], result.err)


MARKS = [{"agent": "molorag.relevance", "reply": str(1 + i % 5)} for i in range(11)]
ALL_PAGES = ["--molorag.start-scorer", "bm25", "--molorag.all-pages"]


class MoloragAsScorer(ProgramTest):
    def arguments(self, *lines, scorer="molorag"):
        script = self.write("replies.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        generator = ["--generator", f"script:{script}"]
        return ["--store", self.native_store(), "--scorer", scorer, *generator]

    def search(self, *more, lines=MARKS, **options):
        arguments = [*self.arguments(*lines, **options), *ALL_PAGES, "--doc", DOC, "--json"]
        return self.must("search", QUESTION, *arguments, *more)

    # The pages are judged in the order of their words' scores, the best first.
    def test_search_ranks_by_what_a_model_says_of_pages(self):
        result = self.must(
            *["search", QUESTION, "--store", self.native_store(), *QUICK, "--doc", DOC],
            *["--json", "-k", "11"],
        )
        words = result.records()
        scores = [hit["score"] for hit in words]
        span = max(scores) - min(scores)
        expected = {}
        for i, hit in enumerate(words):
            semantic = (hit["score"] - min(scores)) / span
            expected[hit["page"]] = semantic / 2 + (i % 5) / 8
        hits = self.search("-k", "4").records()
        self.assertEqual([hit["rank"] for hit in hits], [1, 2, 3, 4])
        best = sorted(expected, key=lambda page: -expected[page])[:4]
        self.assertEqual([hit["page"] for hit in hits], best)
        for hit in hits:
            self.assertAlmostEqual(hit["score"], expected[hit["page"]], places=6)
            self.assertEqual(hit["scores"], {"molorag": hit["score"]})
        trace = json.loads(self.search("--explain").err)
        self.assertEqual([step["step"] for step in trace].count("relevance"), 11)
        self.assertEqual(trace[0]["step"], "bm25")
        self.assertEqual(trace[-1]["step"], "molorag")
        text = self.must(
            *["search", QUESTION, *self.arguments(*MARKS), *ALL_PAGES, "--doc", DOC, "-k", "1"]
        )
        self.assertIn(f"{DOC}  page {best[0]}  {expected[best[0]]:.3f}", text.out)

    def test_search_keeps_to_the_limits_of_a_question(self):
        result = self.search("--max-calls", "3", "-k", "11", lines=MARKS[:3])
        self.assertIn("--max-calls", result.err)
        # The rest is filled in by words, whose part alone is at most 0.5.
        hits = result.records()
        self.assertEqual(len(hits), 11)
        self.assertLessEqual(hits[3]["score"], 0.5)
        self.assertNotIn("warning", self.search("-k", "11").err)

    def test_ablations(self):
        by_words = self.search("--molorag.no-logic", "-k", "11", lines=[]).records()
        self.assertEqual(by_words[0]["score"], 1)
        self.assertAlmostEqual(by_words[10]["score"], 0)
        # Of equal verdicts the page that words put first.
        by_mark = self.search("--molorag.logic-only", "-k", "11").records()
        order = sorted(range(11), key=lambda i: (-(i % 5), i))
        self.assertEqual([hit["page"] for hit in by_mark], [by_words[i]["page"] for i in order])
        for i, hit in zip(order, by_mark):
            self.assertAlmostEqual(hit["score"], (i % 5) / 4, places=6)

    def test_it_is_weighed_against_others(self):
        hits = self.search(scorer="molorag:2,bm25").records()
        for hit in hits:
            parts = hit["scores"]
            self.assertAlmostEqual(hit["score"], 2 * parts["molorag"] + parts["bm25"], places=6)
        result = self.search("--fusion", "union", "--adaptive", "-k", "5", "--min-k", "4")
        pages = [hit["page"] for hit in result.records()]
        self.assertEqual(pages, sorted(pages))

    def test_other_pipelines_begin_with_it(self):
        read = {"agent": "answer.pages", "reply": READ}
        facts = {"facts": [{"text": "Tern", "kind": "salient"}], "sufficient": True}
        summary = {"reason": "it says so", **READ}
        last = {
            "visualrag": [read],
            "hkrag": [
                {"agent": "hkrag.pruner", "reply": facts},
                {"agent": "hkrag.judger", "reply": "Tern", "entropy": 0.01},
                {"agent": "hkrag.summarizer", "reply": summary},
            ],
            "extractive": [],
        }
        ranking = [hit["page"] for hit in self.search("-k", "2").records()]
        for pipeline, replies in last.items():
            with self.subTest(pipeline=pipeline):
                arguments = [*self.arguments(*MARKS, *replies), *ALL_PAGES, "--doc", DOC]
                more = ["--pipeline", pipeline, "-k", "2", "--json"]
                (answer,) = self.must("ask", QUESTION, *arguments, *more).records()
                shown = [page["page"] for page in answer["retrieved"] if page.get("shown")]
                if pipeline == "hkrag":  # the mixture keeps one of two, or both
                    self.assertEqual(shown, ranking[: len(shown)])
                else:
                    self.assertEqual(shown, ranking)
                self.assertEqual(answer["usage"]["vlm_calls"], len(MARKS) + len(replies))
                self.assertNotIn("limit", answer)
                # What answers is called in any case.
                (answer,) = self.must(
                    "ask", QUESTION, *arguments, *more, "--max-calls", "4"
                ).records()
                marks = 4 if pipeline == "extractive" else 3
                self.assertGreaterEqual(answer["usage"]["vlm_calls"], marks)
                self.assertIn("--max-calls", answer["limit"])

    # The scorers that the walk starts from have vectors; the walk itself has none.
    def test_a_folder_is_prepared_for_the_scorers_that_the_walk_starts_from(self):
        docs = self.copy_documents(self.folder / "docs", [DOC])
        script = self.write("replies.jsonl", "".join(json.dumps(line) + "\n" for line in MARKS))
        arguments = ["--scorer", "molorag", "--generator", f"script:{script}", *ALL_PAGES, "--json", "-k", "11"]
        hits = self.must("search", QUESTION, docs, "--store", self.folder / "new.store", *arguments).records()
        self.assertEqual(sorted(hit["page"] for hit in hits), list(range(1, 12)))
        self.assertEqual({tuple(hit["scores"]) for hit in hits}, {("molorag",)})

    def test_what_it_lacks_is_named(self):
        query = ["search", QUESTION, "--store", self.native_store(), "--scorer"]
        self.assert_one_error(self.call(*query, "molorag"), 2, "--scorer molorag", "--generator")
        ask = ["ask", QUESTION, "--store", self.native_store(), "--scorer", "molorag"]
        self.assert_one_error(self.call(*ask), 2, "--scorer molorag", "--generator")
        for more, words in [
            ([], ["vectors", "late", "--retriever"]),
            (["--molorag.start-scorer", "bm25"], ["page graph", "late", "--retriever"]),
        ]:
            for command in (["search"], ["ask", "--pipeline", "visualrag", "--strict"]):
                with self.subTest(more=more, command=command):
                    result = self.call(*command, QUESTION, *self.arguments(*MARKS), *more)
                    self.assert_one_error(result, 3, "fineprint index", *words)
        arguments = self.arguments(*MARKS, scorer="molorag-2")
        self.assert_one_error(self.call("search", QUESTION, *arguments), 2, "late-text, sparse, map, molorag")
        more = ["--molorag.start-scorer", "molorag"]
        result = self.call("search", QUESTION, *self.arguments(*MARKS), *more)
        self.assert_one_error(result, 2, "unknown scorer")
        result = self.call("ask", QUESTION, *self.arguments(*MARKS), "--pipeline", "molorag")
        self.assert_one_error(result, 2, "cannot begin with itself")
        result = self.call("ask", QUESTION, *self.arguments(), *ALL_PAGES, "--pipeline", "textrag")
        self.assert_one_error(result, 2, "molorag", "not chunks of text")


if __name__ == "__main__":
    unittest.main()
