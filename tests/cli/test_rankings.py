"""200 drawn pages, ranked by every encoder and scorer, against the rankings of Python references.

scripts/golden/make_rankings.py made the golden scores.
"""

import hashlib
import json
import unittest

import drawn_pages
import program
from model_files import Tensors, model_of
from program import ProgramTest

GOLDEN = program.REPOSITORY / "tests" / "golden" / "rankings"
# In the order of --retriever: the second set of a kind gets a number.
SETS = {
    "phi3v_a": "page",
    "dse_qwen2": "page-2",
    "colpali_a": "late",
    "colqwen2_a": "late-2",
    "colbert_a": "late-text",
    "bert_mean_a": "text",
}
MASKED = {"page": "hybrid-mask", "page-2": "hybrid-mask-2"}
MODES = ["hybrid", "dense", "sparse", "blend", "split"]
# What float32 may move, in the network and in the product: three times what it was seen to.
TOLERANCES = {"page": 3e-6, "page-2": 3e-6, "text": 3e-6, "late": 3e-5, "late-2": 3e-5,
              "late-text": 3e-5, "mask": 3e-6, "bm25": 3e-6}  # fmt: skip


def golden_facts():
    return json.loads((GOLDEN / "rankings.json").read_text(encoding="utf-8"))


def ranked(scores, among=None):
    """Page numbers, best first, ties in the order of pages."""
    pages = range(len(scores)) if among is None else among
    return sorted(pages, key=lambda page: (-scores[page], page))


class Rankings(ProgramTest):
    """A store of all encoders, and the comparison of one scorer with its golden scores."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.facts = golden_facts()
        cls.golden = Tensors(GOLDEN / "scores.safetensors")
        cls.pages = cls.shared_docs("drawn-pages", drawn_pages.write_documents)
        cls.page_of = {page: at for at, page in enumerate(drawn_pages.page_names())}
        cls.questions = cls.class_folder / "queries.jsonl"
        cls.questions.write_text("".join(
            json.dumps({"id": str(at), "question": query}) + "\n"
            for at, query in enumerate(drawn_pages.QUERIES)))  # fmt: skip

    @classmethod
    def make_store(cls, *models):
        retrievers = [part for model in models for part in ("--retriever", model_of(model))]
        options = ["--ocr", "never", "--vector-dtype", "float32", *retrievers]
        return cls.shared_store("drawn-pages", cls.pages, options)

    def found(self, store, scorer, *options, k=200):
        """For each query the pages found, best first, and their scores."""
        result = self.must("search", "--questions", self.questions, "--store", store, "--json",
                           "--quiet", "-k", k, "--scorer", scorer, *options)  # fmt: skip
        hits = [[] for _ in drawn_pages.QUERIES]
        for hit in result.records():
            page = self.page_of[hit["doc"], hit["page"]]
            hits[int(hit["id"])].append((page, hit["scores"][scorer]))
        return hits

    def assert_ranking(self, hits, golden, among, tolerance, unsure=()):
        """The pages `among` in the order of their golden scores; only what is nearer than the
        tolerance may change places, and no score may be further from its golden one."""
        ours = [(page, score) for page, score in hits if page not in unsure]
        theirs = [page for page in ranked(golden, among) if page not in unsure]
        self.assertEqual(sorted(page for page, _ in ours), sorted(theirs))
        for (page, score), expected in zip(ours, theirs):
            self.assertLessEqual(abs(golden[page] - golden[expected]), tolerance,
                                 f"page {page} stands where page {expected} belongs")  # fmt: skip
            self.assertLessEqual(abs(score - golden[page]), tolerance, f"page {page}")

    def assert_scorer(self, store, scorer, name, tolerance):
        golden = self.golden.rows(name)
        for query, hits in enumerate(self.found(store, scorer)):
            with self.subTest(scorer=scorer, query=query):
                self.assert_ranking(hits, golden[query], None, tolerance)


class Drawing(unittest.TestCase):
    def test_the_pages_are_those_of_the_golden_scores(self):
        facts = golden_facts()
        drawn = {
            f"{name}.pdf": hashlib.sha256(drawn_pages.document_bytes(at)).hexdigest()
            for at, name in enumerate(drawn_pages.NAMES)
        }
        self.assertEqual(drawn, facts["documents"])
        self.assertEqual(drawn_pages.QUERIES, facts["queries"])


class Words(Rankings):
    def test_bm25(self):
        store = self.class_folder / "words.store"
        self.must("index", self.pages, "--store", store, "--ocr", "never",
                  "--scorer", "bm25")  # fmt: skip
        golden = self.golden.rows("bm25")
        for query, hits in enumerate(self.found(store, "bm25")):
            with self.subTest(query=query):
                scores = golden[query]
                holding = [page for page, score in enumerate(scores) if score > 0]
                # Ours are divided by the most that the question could score.
                scale = max(scores) / hits[0][1]
                scaled = [(page, score * scale) for page, score in hits]
                self.assert_ranking(scaled, scores, holding, TOLERANCES["bm25"])


@program.needs_nets
class Encoders(Rankings):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.make_store(*SETS)

    def test_every_encoder_by_its_own_scorer(self):
        for model, scorer in SETS.items():
            kind = scorer.removesuffix("-2")
            self.assert_scorer(self.store, scorer, f"{model}.{kind}", TOLERANCES[scorer])

    def test_the_mask_over_all_pages(self):
        for model, scorer in list(SETS.items())[:2]:
            for mode in MODES:
                self.compare_mask(model, MASKED[scorer], mode)

    def compare_mask(self, model, scorer, mode):
        golden = self.golden.rows(f"{model}.{mode}")
        found = self.found(self.store, scorer, "--mask-full", "--mask-mode", mode)
        for query, hits in enumerate(found):
            with self.subTest(model=model, mode=mode, query=query):
                self.assert_ranking(hits, golden[query], None, TOLERANCES["mask"],
                                    self.unsure(model, query))  # fmt: skip

    def test_the_mask_over_the_first_pages_by_cosine(self):
        for model, scorer in list(SETS.items())[:2]:
            for count, options in ((100, []), (30, ["--shortlist", "30"])):
                self.compare_shortlist(model, MASKED[scorer], count, options)

    def compare_shortlist(self, model, scorer, count, options):
        cosine, golden = self.golden.rows(f"{model}.page"), self.golden.rows(f"{model}.hybrid")
        # No more than the shortlist: asked for more, it grows.
        found = self.found(self.store, scorer, *options, k=count)
        for query, hits in enumerate(found):
            with self.subTest(model=model, count=count, query=query):
                first = ranked(cosine[query])
                edge = cosine[query][first[count - 1]] - cosine[query][first[count]]
                self.assertGreater(edge, TOLERANCES["page"], "the golden shortlist is not sure")
                self.assert_ranking(hits, golden[query], first[:count], TOLERANCES["mask"],
                                    self.unsure(model, query))  # fmt: skip

    def unsure(self, model, query):
        return {page for at, page in self.facts["unsure"][model] if at == query}


if __name__ == "__main__":
    unittest.main()
