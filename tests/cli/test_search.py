"""`fineprint search`: records, pools, K, scorers, many questions at once."""

import json
import unittest

import program
from program import QUICK, SCORERS, ProgramTest, with_scorers


class Search(ProgramTest):
    def search(self, query, *more, code=0):
        arguments = ["--store", self.native_store(SCORERS), "--json", *with_scorers(more)]
        return self.must("search", query, *arguments, code=code).records()

    def test_hits_are_ranked_records(self):
        hits = self.search("certified passengers of the Sula before her refit")
        self.assertEqual(
            list(hits[0]), ["rank", "doc", "page", "score", "scores", "snippet", "boxes"]
        )
        self.assertEqual([hit["rank"] for hit in hits], list(range(1, len(hits) + 1)))
        scores = [hit["score"] for hit in hits]
        self.assertEqual(scores, sorted(scores, reverse=True))
        self.assertEqual(len({(hit["doc"], hit["page"]) for hit in hits}), len(hits))
        self.assertEqual((hits[0]["doc"], hits[0]["page"]), ("harbor-annual-report.pdf", 5))
        self.assertIn("Sula", hits[0]["snippet"])
        self.assertGreater(len(hits[0]["boxes"]), 0)
        self.assertIn("bm25", hits[0]["scores"])

    def test_k_limits_and_ten_is_the_default(self):
        self.assertEqual(len(self.search("passengers reef gauge", "-k", "3")), 3)
        self.assertEqual(len(self.search("passengers reef table figure gauge")), 10)

    def test_a_larger_k_only_adds(self):
        few = self.search("revenue of the shuttle", "-k", "3")
        many = self.search("revenue of the shuttle", "-k", "8")
        pages = [[(hit["doc"], hit["page"]) for hit in hits] for hits in (few, many)]
        self.assertEqual(pages[0], pages[1][:3])

    def test_adaptive_chooses_between_the_bounds(self):
        hits = self.search("punctuality by quarter", "--adaptive", "-k", "8", "--min-k", "2")
        self.assertGreaterEqual(len(hits), 2)
        self.assertLessEqual(len(hits), 8)

    def test_doc_limits_the_pool(self):
        query = "table of results"
        for pattern, documents in [
            ("reef-survey-paper.pdf", {"reef-survey-paper.pdf"}),
            ("*-paper.pdf", {"reef-survey-paper.pdf"}),
            ("ro*", {"rotated-table.pdf"}),
        ]:
            found = {hit["doc"] for hit in self.search(query, "--doc", pattern)}
            self.assertEqual(found, documents, pattern)
        both = self.search(query, "--doc", "ro*", "--doc", "reef*", "-k", "50")
        self.assertEqual({hit["doc"] for hit in both}, {"rotated-table.pdf", "reef-survey-paper.pdf"})
        result = self.call(
            "search", query, "--doc", "nowhere.pdf", "--store", self.native_store(SCORERS), *SCORERS
        )
        self.assert_one_error(result, 3, "nowhere.pdf")

    def test_stemming_and_case_do_not_matter(self):
        one = self.search("SURVEYED TRANSECTS", "--scorer", "bm25")
        other = self.search("survey transect", "--scorer", "bm25")
        self.assertEqual([h["score"] for h in one], [h["score"] for h in other])

    def test_words_that_no_page_has_find_nothing_by_bm25(self):
        self.assertEqual(self.search("zyzzyva quuxly", "--scorer", "bm25"), [])
        self.assertEqual(self.search("", "--scorer", "bm25"), [])
        self.assertEqual(self.search("\"' OR ( * NEAR", "--scorer", "bm25", "-k", "3")[3:], [])

    @program.needs_nets
    def test_scorers_and_fusions(self):
        query = "how many people could the ship carry"
        fused = self.search(query)
        self.assertEqual(set(fused[0]["scores"]), {"bm25", "text"})
        for scorer in ("bm25", "text"):
            self.assertEqual(set(self.search(query, "--scorer", scorer)[0]["scores"]), {scorer})
        listed = self.search(query, "--scorer", "bm25", "--scorer", "text")
        self.assertEqual(listed, self.search(query, "--scorer", "bm25,text"))
        ranks = self.search(query, "--fusion", "rrf")
        self.assertLess(ranks[0]["score"], 1)
        # Meaning finds what shares no word with the question.
        found = self.search("vessel capacity", "--scorer", "text", "-k", "3")
        self.assertIn("harbor-annual-report.pdf", {hit["doc"] for hit in found})

    @program.needs_nets
    def test_a_scorer_that_the_store_lacks_is_named(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        store = self.folder / "store"
        self.must("index", docs, "--store", store, "--scorer", "bm25")
        result = self.call("search", "gauge", "--store", store, "--scorer", "text")
        self.assert_one_error(result, 3, "text", "index")
        # Indexing with more scorers adds what is missing.
        self.must("index", docs, "--store", store)
        self.must("search", "gauge", "--store", store, "--scorer", "text")

    def test_questions_give_hits_with_ids_in_order(self):
        questions = program.native_questions()[:6]
        file = self.write_questions("q.jsonl", questions)
        arguments = ["--json", "--store", self.native_store(SCORERS), "-k", "4", *SCORERS]
        hits = self.must("search", "--questions", file, *arguments).records()
        ids = list(dict.fromkeys(hit["id"] for hit in hits))
        self.assertEqual(ids, [question["id"] for question in questions])
        for question in questions:
            mine = [hit for hit in hits if hit["id"] == question["id"]]
            self.assertEqual({hit["doc"] for hit in mine}, {question["doc"]})
            self.assertEqual([hit["rank"] for hit in mine], list(range(1, len(mine) + 1)))
        from_pipe = self.must("search", "--questions", "-", *arguments, text=file.read_text())
        self.assertEqual(from_pipe.records(), hits)

    def test_questions_give_a_trec_run(self):
        questions = program.native_questions()[:4]
        file = self.write_questions("q.jsonl", questions)
        arguments = ["--questions", file, "--store", self.native_store(SCORERS), "-k", "5", *SCORERS]
        run = self.must("search", *arguments, "--format", "trec", "--run-tag", "try 1").out
        lines = [line.split(" ") for line in run.splitlines()]
        hits = self.must("search", *arguments, "--json").records()
        self.assertEqual(
            [(line[0], line[2], int(line[3])) for line in lines],
            [(hit["id"], f"{hit['doc']}#{hit['page']}", hit["rank"]) for hit in hits],
        )
        for line, hit in zip(lines, hits):
            self.assertEqual((line[1], line[5]), ("Q0", "try%201"))
            self.assertAlmostEqual(float(line[4]), hit["score"], places=5)
        for before, after in zip(lines, lines[1:]):
            if before[0] == after[0]:
                self.assertLess(float(after[4]), float(before[4]))
        lone = self.call("search", "x", "--format", "trec", "--store", self.native_store(SCORERS))
        self.assert_one_error(lone, 2, "--questions")

    def test_the_union_is_in_reading_order(self):
        query = "passengers of the ferry and corals of the reef"
        hits = self.search(query, "--scorer", "bm25", "--fusion", "union", "-k", "8")
        ranked = self.search(query, "--scorer", "bm25", "-k", "8")
        pages = [(hit["doc"], hit["page"]) for hit in hits]
        self.assertEqual(set(pages), {(hit["doc"], hit["page"]) for hit in ranked})
        documents = list(dict.fromkeys(hit["doc"] for hit in ranked))
        self.assertEqual(pages, sorted(pages, key=lambda page: (documents.index(page[0]), page[1])))

    def test_a_threshold_leaves_out_weak_pages(self):
        query = "revenue of the shuttle"
        hits = self.search(query)
        least = hits[2]["score"] - 1e-9
        self.assertEqual(self.search(query, "--min-score", least), hits[:3])

    def test_the_fit_is_explained_in_scores(self):
        arguments = ["search", "sailings of the ferry", "--store", self.native_store(SCORERS), *QUICK]
        result = self.must(*arguments, "--adaptive", "--gmm-window", "all", "--explain")
        (fit,) = [step for step in json.loads(result.err.splitlines()[-1]) if step["step"] == "adaptive_k"]
        self.assertTrue(fit["fitted"])
        self.assertAlmostEqual(sum(fit["weights"]), 1)
        self.assertLess(fit["means"][0], fit["means"][1])
        windowed = self.must(*arguments, "--adaptive", "--gmm-window", "7", "--min-k", "1", "--explain")
        fit = json.loads(windowed.err.splitlines()[-1])[-1]
        self.assertEqual(fit["window"], 7)

    def test_wrong_values_are_named(self):
        for option, value in [
            ("--mask-alpha", "-1"), ("--mask-weights", "1"), ("--mask-weights", "1,x"),
            ("--gmm-window", "most"), ("--gmm-window", "0"), ("--shortlist", "0"),
            ("--mask-mode", "dark"), ("--fusion", "best"), ("--format", "xml"),
        ]:  # fmt: skip
            result = self.call("search", "x", "--store", self.native_store(QUICK), *QUICK, option, value)
            self.assert_one_error(result, 2, option[2:])

    def test_more_words_than_one_argument_are_paths(self):
        store = ["--store", self.native_store(QUICK), *QUICK]
        self.assert_one_error(self.call("search", "net", "sales", *store), 3, "sales", "quotes")
        file = self.write_questions("q.jsonl", [{"id": "a", "question": "?"}])
        result = self.call("search", "net", "--questions", file, "--json", *store)
        self.assert_one_error(result, 3, "net")

    def test_a_flag_can_be_turned_off(self):
        search = ["search", "ferry", "--store", self.native_store(QUICK), *QUICK, "--json"]
        plain = self.must(*search).out
        config = self.write("c.toml", "adaptive = true\n")
        self.assertNotEqual(self.must(*search, "--config", config).out, plain)
        self.assertEqual(self.must(*search, "--config", config, "--adaptive=false").out, plain)
        for value in ("perhaps", "99999999999999999999"):
            result = self.call(*search, f"--adaptive={value}")
            self.assert_one_error(result, 2, "true or false")

    def test_a_set_that_the_store_lacks_is_named(self):
        for scorer in ("page", "hybrid-mask", "late", "late-text", "late-2"):
            result = self.call(
                "search", "x", "--store", self.native_store(QUICK), "--scorer", f"{scorer},bm25"
            )
            self.assert_one_error(result, 3, "--retriever", "--scorer bm25")

    def test_a_scorer_that_does_not_exist_is_refused_before_documents_are_read(self):
        folder = self.write("unread/lamp.txt", "One lamp.\n").parent
        for command in ("search", "ask"):
            store = self.folder / f"{command}.store"
            result = self.call(command, "lamp", folder, "--store", store, "--scorer", "nonsense")
            self.assert_one_error(result, 2, 'unknown scorer "nonsense"', "bm25, text, page")
            self.assertFalse(store.exists())
        store = self.folder / "index.store"
        result = self.call("index", folder, "--store", store, "--scorer", "nonsense")
        self.assert_one_error(result, 2, '"nonsense"', "bm25, text, page")

    def test_explain_keeps_to_stderr(self):
        arguments = ["search", "sailings", "--store", self.native_store(SCORERS), *SCORERS, "--json"]
        plain = self.must(*arguments)
        explained = self.must(*arguments, "--explain")
        self.assertEqual(plain.out, explained.out)
        self.assertGreater(len(json.loads(explained.err.splitlines()[-1])), 0)

    def test_for_people(self):
        result = self.must("search", "sailings", "--store", self.native_store(SCORERS), *SCORERS)
        self.assertRegex(result.out, r"\A 1\. harbor-annual-report\.pdf  page \d+  \d+\.\d+\n")


if __name__ == "__main__":
    unittest.main()
