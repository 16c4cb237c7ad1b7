"""`--retriever SPLADE`, `--scorer sparse`: scores equal to products of whole vectors, and what a store
keeps of them."""

import json
import time
import unittest

import program
from model_files import Tensors, copy_folder, model_of
from program import ProgramTest

DOCUMENTS = ["rotated-table.pdf", "reef-survey-paper.pdf"]
QUESTIONS = ["Which transect has the highest coral cover?", "revenue by region"]
# Weights are kept in steps of 1/64, so a kept one is wrong by half a step at most.
HALF_STEP = 0.5 / 64


@program.needs_nets
class Sparse(ProgramTest):
    case = "splade_a"

    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", DOCUMENTS)
        self.store = self.folder / "store"
        self.model = ["--retriever", model_of(self.case)]

    def index(self, *more, docs=None):
        return self.must("index", docs or self.docs, "--store", self.store, "--ocr", "never",
                         "--scorer", "sparse", "--json", *self.model, *more).records()[-1]  # fmt: skip

    def search(self, question, *more):
        return self.must("search", question, "--store", self.store, "-k", "50", "--json",
                         "--scorer", "sparse", *more).records()  # fmt: skip

    def exported(self):
        records = self.must("export", "--store", self.store, "--out", "-").records()
        chunks = {(r["doc"], r["ordinal"]): r for r in records if r["type"] == "chunk"}
        vectors = {(r["doc"], r["unit"]): {int(token): weight for token, weight in r["rows"]}
                   for r in records if r["type"] == "vectors"}  # fmt: skip
        return chunks, vectors

    def weights(self, texts, role):
        """Token to weight of each text, as the model gives them."""
        out = self.folder / "weights.safetensors"
        given = [word for text in texts for word in ("--text", text)]
        self.must("embed", *self.model, *given, "--role", role, "--out", out)
        tensors = Tensors(out)
        return [{int(token): weight for token, weight in tensors.rows(f"text.{i}")}
                for i in range(len(texts))]  # fmt: skip

    def test_scores_are_products_of_whole_vectors(self):
        self.index()
        chunks, kept = self.exported()
        self.assertEqual(set(kept), {key for key, chunk in chunks.items() if kept.get(key)})
        keys = sorted(chunks)
        texts = [f"{chunks[k]['context']}\n{chunks[k]['text']}" if chunks[k]["context"]
                 else chunks[k]["text"] for k in keys]  # fmt: skip
        exact = dict(zip(keys, self.weights(texts, "passage")))
        for key in keys:
            tokens = {t for t, w in exact[key].items() if w >= HALF_STEP}
            self.assertLessEqual(set(kept.get(key, {})), set(exact[key]))
            self.assertLessEqual(tokens, set(kept.get(key, {})))
            for token, weight in kept.get(key, {}).items():
                self.assertAlmostEqual(weight, exact[key][token], delta=HALF_STEP + 1e-5)
        for question, asked in zip(QUESTIONS, self.weights(QUESTIONS, "query")):
            by_page = {}
            for key in keys:
                score = sum(w * kept.get(key, {}).get(t, 0) for t, w in asked.items())
                page = (key[0], chunks[key]["page"])
                by_page[page] = max(by_page.get(page, 0), score)
            hits = self.search(question, "--glossary", "off", "--named-pages", "off")
            self.assertEqual({(h["doc"], h["page"]) for h in hits},
                             {page for page, score in by_page.items() if score > 0})  # fmt: skip
            for hit in hits:
                self.assertAlmostEqual(hit["scores"]["sparse"], by_page[hit["doc"], hit["page"]],
                                       delta=1e-5 * max(1, hit["scores"]["sparse"]))  # fmt: skip
            found = [by_page[h["doc"], h["page"]] for h in hits]
            self.assertEqual(found, sorted(found, reverse=True))

    def test_later_runs_add_and_a_set_can_be_dropped(self):
        one = self.copy_documents(self.folder / "one", DOCUMENTS[:1])
        first = self.index(docs=one)["vectors"]["sparse"]
        self.copy_documents(one, DOCUMENTS[1:])
        second = self.index(docs=one)["vectors"]["sparse"]
        self.assertGreater(first, 0)
        self.assertGreater(second, 0)
        self.assertEqual(self.index(docs=one)["vectors"]["sparse"], 0)
        rows = self.must("list", "--store", self.store, "--json").records()
        listed = [row["sets"]["sparse"] for row in rows if "sets" in row]
        self.assertEqual(sum(s["vectors"] for s in listed), first + second)
        self.assertEqual(sum(s["missing"] for s in listed), 0)
        self.must("index", "--verify", "--store", self.store)
        self.must("index", one, "--store", self.store, "--ocr", "never", "--drop-set", "sparse",
                  "--scorer", "bm25")  # fmt: skip
        lacking = self.call("search", "coral", "--store", self.store, "--scorer", "sparse")
        self.assertNotEqual(lacking.code, 0)
        self.assertIn("sparse", lacking.err)
        self.must("index", "--verify", "--store", self.store)

    def test_killed_runs_are_taken_up(self):
        arguments = ["index", self.docs, "--store", self.store, "--ocr", "never", "--scorer", "sparse",
                     *self.model]  # fmt: skip
        for delay in (0.2, 0.6, 1.2):
            process = self.start(*arguments, cwd=self.folder)
            time.sleep(delay)
            program.kill(process)
        self.must(*arguments)
        self.must("index", "--verify", "--store", self.store)
        chunks, kept = self.exported()
        self.store = self.folder / "other"
        self.index()
        self.assertEqual(self.exported()[1], kept)
        self.assertTrue(kept)

    def test_fusion_answers_and_qdrant(self):
        self.index("--scorer", "bm25")
        hits = self.must("search", QUESTIONS[0], "--store", self.store, "--json", "--scorer",
                         "bm25,sparse:0.5").records()  # fmt: skip
        self.assertEqual({tuple(hit["scores"]) for hit in hits if len(hit["scores"]) > 1},
                         {("bm25", "sparse")})  # fmt: skip
        answer = self.must("ask", QUESTIONS[0], "--store", self.store, "--json", "--scorer",
                           "bm25,sparse").records()  # fmt: skip
        self.assertTrue(answer)
        out = self.folder / "qdrant"
        self.must("export", "--store", self.store, "--format", "qdrant", "--out", out)
        collection = json.loads((out / "collection.json").read_text())
        self.assertEqual(collection, {"vectors": {}, "sparse_vectors": {"sparse": {}}})
        points = json.loads((out / "points-00001.json").read_text())["points"]
        vector = points[0]["vector"]["sparse"]
        self.assertEqual(len(vector["indices"]), len(vector["values"]))
        self.assertEqual(vector["indices"], sorted(vector["indices"]))

    def test_options_of_dense_vectors_do_not_apply(self):
        self.index("--pool-factor", "3", "--vector-dtype", "int8")
        self.index()


class SparseQuestions(Sparse):
    """Questions without a network: a weight for each of their tokens."""

    case = "splade_static_a"


@program.needs_nets
class SparsePages(ProgramTest):
    """V-SPLADE: weights of the tokens that pictures of pages show, and questions without a network."""

    model = ["--retriever", model_of("vsplade_a")]

    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", DOCUMENTS)
        self.store = self.folder / "store"

    def index(self, *more):
        return self.must("index", self.docs, "--store", self.store, "--ocr", "never", "--json",
                         *self.model, *more).records()[-1]  # fmt: skip

    def search(self, question, *more):
        return self.must("search", question, "--store", self.store, "-k", "50", "--json", "--scorer",
                         "sparse", "--glossary", "off", "--named-pages", "off", *more).records()  # fmt: skip

    def asked(self, question):
        out = self.folder / "weights.safetensors"
        self.must("embed", *self.model, "--text", question, "--role", "query", "--out", out)
        return {int(token): weight for token, weight in Tensors(out).rows("text.0")}

    def test_pages_are_ranked_by_products_of_weights(self):
        pages = self.index("--scorer", "sparse")["vectors"]["sparse"]
        records = self.must("export", "--store", self.store, "--out", "-").records()
        kept = {(r["doc"], r["unit"] + 1): {int(token): weight for token, weight in r["rows"]}
                for r in records if r["type"] == "vectors"}  # fmt: skip
        self.assertEqual(len(kept), pages)
        for question in QUESTIONS:
            asked = self.asked(question)
            products = {page: sum(w * weights.get(t, 0) for t, w in asked.items())
                        for page, weights in kept.items()}  # fmt: skip
            expected = {page: score for page, score in products.items() if score > 0}
            self.assertTrue(expected)
            hits = self.search(question)
            self.assertEqual({(h["doc"], h["page"]) for h in hits}, set(expected))
            for hit in hits:
                score = expected[hit["doc"], hit["page"]]
                self.assertAlmostEqual(hit["scores"]["sparse"], score, delta=1e-5 * max(1, score))
            found = [expected[h["doc"], h["page"]] for h in hits]
            self.assertEqual(found, sorted(found, reverse=True))
        # Repeated words count as often as they occur.
        once, twice = self.asked("tax"), self.asked("tax tax tax")
        self.assertTrue(any(weight > 1.5 * once.get(token, weight) for token, weight in twice.items()))

    def test_the_store_names_unit_and_model(self):
        made = self.index("--scorer", "sparse")["vectors"]["sparse"]
        self.assertEqual(self.index("--scorer", "sparse")["vectors"]["sparse"], 0)
        listed = self.must("list", "--store", self.store, "--json").records()
        counted = [row["sets"]["sparse"] for row in listed if "sets" in row]
        self.assertEqual(sum(one["vectors"] for one in counted), made)
        exported = self.must("export", "--store", self.store, "--out", "-").records()
        sets = next(record["sets"] for record in exported if record["type"] == "store")
        self.assertEqual([(one["name"], one["unit"], one["model"]) for one in sets
                          if one["name"] == "sparse"],
                         [("sparse", "page", "model")])  # fmt: skip
        self.must("index", "--verify", "--store", self.store)

    def test_sets_over_pages_and_texts_lie_side_by_side(self):
        self.index("--scorer", "sparse")
        self.must("index", self.docs, "--store", self.store, "--ocr", "never", "--scorer", "sparse-2",
                  "--retriever", model_of("splade_a"))  # fmt: skip
        hits = self.must("search", QUESTIONS[0], "--store", self.store, "--json", "--scorer",
                         "sparse,sparse-2,bm25").records()  # fmt: skip
        self.assertIn("sparse", {name for hit in hits for name in hit["scores"]})
        self.assertIn("sparse-2", {name for hit in hits for name in hit["scores"]})
        answer = self.must("ask", QUESTIONS[0], "--store", self.store, "--json", "--scorer",
                           "bm25,sparse").records()  # fmt: skip
        self.assertTrue(answer)

    def test_other_uses_are_refused(self):
        refused = self.call("generate", "--generator", model_of("vsplade_a"), "a")
        self.assertEqual(refused.code, 4)
        self.assertIn("vsplade", refused.err)
        facts = self.must("models", model_of("vsplade_a"), "--json").records()[0]
        self.assertEqual((facts["family"], facts["sparse"], facts["sees"], facts["embeds"]),
                         ("vsplade", True, True, True))  # fmt: skip

    def test_damaged_folders_are_refused(self):
        folder = copy_folder(model_of("vsplade_a"), self.folder / "damaged")
        run = ["index", self.docs, "--store", self.store, "--retriever", folder, "--ocr", "never"]
        weights = folder / "model.safetensors"
        whole = weights.read_bytes()
        for content in (whole[: len(whole) // 2], whole[:7], b""):
            weights.write_bytes(content)
            self.assertEqual(self.call(*run).code, 4)
        # A tensor of another name: the head of the question's weights is missing.
        weights.write_bytes(whole.replace(b"query_encoder.projection.bias", b"query_encoder.projection.bios"))
        refused = self.call(*run)
        self.assertEqual(refused.code, 4)
        self.assertIn("query_encoder.projection.bias", refused.err)


if __name__ == "__main__":
    unittest.main()
