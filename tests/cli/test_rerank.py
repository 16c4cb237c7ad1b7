"""`fineprint search --rerank` and `ask --rerank`: from a folder of documents to pages sorted anew."""

import json
import unittest

import program
from model_files import copy_folder, model_of
from program import ProgramTest

QUESTION = "Which reef has the most species?"


@program.needs_nets
class Rerank(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.native_store()

    def search(self, *more, code=0):
        return self.must("search", QUESTION, "--store", self.store, "--scorer", "bm25", "--json",
                         *more, code=code)  # fmt: skip

    def pages(self, *more):
        return [(hit["doc"], hit["page"], hit["score"]) for hit in self.search(*more).records()]

    def test_the_first_pages_are_sorted_anew(self):
        first = self.pages("-k", "5")
        for case in ("rerank_bert_a", "rerank_xlmr_a", "rerank_modernbert_a", "rerank_gte_a"):
            model = model_of(case)
            again = self.pages("-k", "5", "--rerank", model, "--rerank-pages", "5")
            self.assertEqual({page[:2] for page in again}, {page[:2] for page in first}, case)
            scores = [page[2] for page in again]
            self.assertEqual(scores, sorted(scores, reverse=True))
            self.assertTrue(all(0 <= score <= 1 for score in scores), scores)
            self.assertNotEqual(scores, [page[2] for page in first])
            self.assertEqual(self.pages("-k", "5", "--rerank", model, "--rerank-pages", "5"), again)

    def test_language_models_judge_pages(self):
        for case, unit in (("rerank_qwen3", "chunks"), ("rerank_qwen3vl", "pages")):
            again = self.pages("-k", "4", "--rerank", model_of(case), "--rerank-pages", "4")
            scores = [page[2] for page in again]
            self.assertEqual(scores, sorted(scores, reverse=True), case)
            self.assertEqual(len(scores), 4)
            self.assertTrue(all(0 <= score <= 1 for score in scores), scores)
            self.assertGreater(len(set(scores)), 1, case)
            (answer,) = self.must("ask", QUESTION, "--store", self.store, "--scorer", "bm25", "-k",
                                  "3", "--json", "--trace", "--rerank", model_of(case)).records()
            (step,) = [step for step in answer["trace"] if step["step"] == "rerank"]
            self.assertGreater(step[unit], 0)

    def test_a_page_that_is_gone_cannot_be_shown_to_a_judge(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        store = self.folder / "store"
        self.must("index", docs, "--store", store, "--ocr", "never", "--scorer", "bm25")
        (docs / "rotated-table.pdf").unlink()
        error = self.must("search", "table", "--store", store, "--scorer", "bm25", "--rerank",
                          model_of("rerank_qwen3vl"), code=3).err  # fmt: skip
        self.assertIn("rotated-table.pdf", error)
        self.must("search", "table", "--store", store, "--scorer", "bm25", "--rerank",
                  model_of("rerank_qwen3"))  # fmt: skip

    def test_a_language_model_without_the_words_is_refused(self):
        error = self.search("--rerank", model_of("qwen3_a"), code=4).err
        self.assertIn('no single token for "yes"', error)
        self.assertIn("yes or no", self.search("--rerank", model_of("llama_a"), code=2).err)

    def test_each_page_tells_both_scores(self):
        hits = self.search("-k", "3", "--rerank", model_of("rerank_bert_a")).records()
        for hit in hits:
            self.assertEqual(set(hit["scores"]), {"bm25", "rerank"})
            self.assertEqual(hit["scores"]["rerank"], hit["score"])
            self.assertTrue(hit["snippet"])

    def test_answers_are_made_from_the_pages_that_it_found(self):
        run = ["ask", QUESTION, "--store", self.store, "--scorer", "bm25", "-k", "3", "--json",
               "--trace"]  # fmt: skip
        (answer,) = self.must(*run, "--rerank", model_of("rerank_modernbert_a")).records()
        steps = [step for step in answer["trace"] if step["step"] == "rerank"]
        self.assertEqual(len(steps), 1, json.dumps(answer["trace"])[:500])
        self.assertGreater(steps[0]["chunks"], 0)
        found = self.pages("-k", "3", "--rerank", model_of("rerank_modernbert_a"))
        retrieved = [(page["doc"], page["page"]) for page in answer["retrieved"]]
        self.assertEqual(retrieved[:3], [page[:2] for page in found][: len(retrieved[:3])])

    def test_other_models_are_refused(self):
        error = self.search("--rerank", model_of("bert_mean_a"), code=2).err
        self.assertIn("cannot score pairs of texts", error)
        error = self.search("--rerank", self.folder / "nothing", code=4).err
        self.assertIn("nothing", error)
        out = self.folder / "v.safetensors"
        error = self.must("embed", "--retriever", model_of("rerank_bert_a"), "--text", "a",
                          "--out", out, code=2).err  # fmt: skip
        self.assertIn("--rerank", error)

    def test_damaged_folders_are_4(self):
        folder = copy_folder(model_of("rerank_bert_a"), self.folder / "model")
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config["id2label"] = {"0": "a", "1": "b"}
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        self.assertIn("2 classes", self.search("--rerank", folder, code=4).err)

    def test_it_goes_with_no_choice_by_other_scores(self):
        model = model_of("rerank_bert_a")
        self.assertIn("--adaptive", self.search("--rerank", model, "--adaptive", code=2).err)

    def test_models_says_what_it_is(self):
        (record,) = self.must("models", model_of("rerank_bert_a"), "--json").records()
        self.assertTrue(record["scores_pairs"])
        self.assertFalse(record["embeds"])
        self.assertIn("score pairs of texts", self.must("models", model_of("rerank_bert_a")).out)
        (record,) = self.must("models", model_of("rerank_qwen3"), "--json").records()
        self.assertTrue(record["judges"] and record["generates"])
        self.assertIn("judge whether a page answers", self.must("models", model_of("rerank_qwen3vl")).out)


@program.needs_nets
class Encoders(ProgramTest):
    """The text encoders of the golden cases, from a folder of documents to pages."""

    def test_each_makes_vectors_and_finds_pages(self):
        docs = self.copy_documents(self.folder / "docs", ["reef-survey-paper.pdf"])
        for case in ("bert_cls_a", "xlmr_a", "modernbert_a", "gte_a", "mpnet_a", "nomic_a"):
            store = self.folder / case
            self.must("index", docs, "--store", store, "--ocr", "never", "--scorer", "text",
                      "--retriever", model_of(case))  # fmt: skip
            hits = self.must("search", QUESTION, "--store", store, "--scorer", "text",
                             "--json").records()  # fmt: skip
            self.assertEqual({hit["doc"] for hit in hits}, {"reef-survey-paper.pdf"}, case)
        store = self.folder / "late"
        self.must("index", docs, "--store", store, "--ocr", "never", "--scorer", "late-text",
                  "--retriever", model_of("late_modernbert_a"))  # fmt: skip
        hits = self.must("search", QUESTION, "--store", store, "--scorer", "late-text",
                         "--json").records()  # fmt: skip
        self.assertTrue(hits)

    def test_pages_are_found_by_their_pictures(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        model = ["--retriever", model_of("colmodernvbert_a")]
        self.must("index", docs, "--store", self.folder / "store", "--ocr", "never", *model,
                  "--scorer", "late")  # fmt: skip
        hits = self.must("search", QUESTION, "--store", self.folder / "store", "--scorer", "late",
                         "--json").records()  # fmt: skip
        self.assertEqual({hit["page"] for hit in hits}, {1, 2})
        out = self.folder / "v.safetensors"
        rows = self.must("embed", *model, "--text", "a", "--out", out, "--json").records()
        self.assertEqual((rows[0]["dim"], rows[0]["rows"]), (16, 13))  # "a" between, ten behind
        error = self.must("generate", "--generator", model_of("colmodernvbert_a"), "a", code=4).err
        self.assertIn("colmodernvbert", error)

    def test_a_guess_by_the_name_is_told(self):
        folder = copy_folder(model_of("bert_mean_a"), self.folder / "bge-base-en-v1.5")
        out = self.folder / "v.safetensors"
        run = ["embed", "--retriever", folder, "--text", "a", "--out", out]
        self.assertIn("Represent this sentence", self.must(*run).err)
        (folder / "config_sentence_transformers.json").write_text(
            '{"prompts": {"query": "ask: "}}', encoding="utf-8"
        )
        self.assertNotIn("Represent", self.must(*run).err)

    def test_prefixes_that_are_given_make_other_vectors_and_are_needed_again(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        index = ["index", docs, "--store", self.folder / "store", "--ocr", "never"]
        search = ["search", QUESTION, "--store", self.folder / "store", "--scorer", "text"]
        self.must(*index, "--retriever", model_of("xlmr_a"), "--passage-prefix", "text: ")
        self.must(*search, "--passage-prefix", "text: ", "--query-prefix", "ask: ")
        self.assertIn("passage-prefix", self.must(*search, code=4).err)


if __name__ == "__main__":
    unittest.main()
