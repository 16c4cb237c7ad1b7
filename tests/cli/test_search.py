"""`fineprint search`: records, pools, K, scorers, many questions at once."""

import json
import unittest

import program
from program import SCORERS, ProgramTest


class Search(ProgramTest):
    def search(self, query, *more, code=0):
        arguments = ["--store", self.native_store(SCORERS), "--json", *SCORERS, *more]
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
