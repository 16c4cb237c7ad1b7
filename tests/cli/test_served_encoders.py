"""`--retriever` and `--rerank` with models on servers: vectors and scores come back in the right
place, servers fail and recover, runs are killed and resumed, and nobody is asked who was not named."""

import time
import unittest

from model_files import Tensors
from program import ProgramTest, kill
from vector_server import VectorServer, score_of, unit, vector_of

QUESTION = "Which reef has the most species?"


class ServedEncoders(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.native_docs()
        self.store = self.folder / "store"

    def index(self, retriever, *more, store=None, **options):
        return self.must("index", self.docs, "--store", store or self.store, "--ocr", "never",
                         "--retriever", retriever, *more, **options)  # fmt: skip

    def search(self, retriever, *more, store=None, scorer="text", **options):
        named = ["--retriever", retriever] if retriever else []
        return self.must("search", QUESTION, "--store", store or self.store, "--scorer", scorer,
                         "--json", *named, *more, **options).records()  # fmt: skip

    def hits(self, *arguments, **options):
        return [(hit["doc"], hit["page"], round(hit["score"], 5)) for hit in self.search(*arguments, **options)]

    def test_texts_get_the_vectors_that_belong_to_them(self):
        texts = ["Coral reefs of the north", "harbour dues", "annual revenue"]
        out = self.folder / "v.safetensors"
        named = [word for text in texts for word in ("--text", text)]
        for coded in (False, True):
            with VectorServer(base64=coded, most=2) as server:
                for spec in (server.openai(), f"ollama:{server.address}#tiny", f"tei:{server.address}"):
                    self.must("embed", "--retriever", spec, *named, "--out", out)
                    tensors = Tensors(out)
                    for i, text in enumerate(texts):
                        (row,) = tensors.rows(f"text.{i}")
                        for got, expected in zip(row, unit(vector_of(text)), strict=True):
                            self.assertAlmostEqual(got, expected, 6, f"{spec} {text}")

    def test_pages_are_found_and_sorted(self):
        with VectorServer() as server, VectorServer(base64=True) as elsewhere:
            self.index(server.openai(), env={"FINEPRINT_API_KEY": "sk-secret"})
            self.assertTrue(all(headers["Authorization"] == "Bearer sk-secret" for _, _, headers in server.asked))
            hits = self.hits(server.openai())
            self.assertEqual(hits[0][0], "reef-survey-paper.pdf")
            # Another address of the same model continues the set and reads base64.
            before = len(server.asked)
            self.assertEqual(self.hits(elsewhere.openai()), hits)
            self.index(elsewhere.openai())
            self.assertEqual(len(server.asked), before)
            self.assertEqual({path for path, _, _ in elsewhere.asked}, {"/v1/embeddings"})
            for spec in (server.openai("judge"), f"tei:{elsewhere.address}"):
                again = self.search(server.openai(), "--rerank", spec, "-k", "4")
                scores = [hit["score"] for hit in again]
                self.assertEqual(scores, sorted(scores, reverse=True))
                self.assertGreater(scores[0], scores[-1])
            path, body, _ = elsewhere.asked[-1]
            self.assertEqual((path, body["query"]), ("/rerank", QUESTION))
            best = max(score_of(QUESTION, text) for text in body["texts"])
            self.assertAlmostEqual(scores[0], best, 5)

    def test_prefixes_are_sent(self):
        with VectorServer() as server:
            spec = server.openai("intfloat/e5-small")
            result = self.index(spec)
            self.assertIn("passage: ", result.err)
            passages = [text for text in server.texts() if text.startswith("passage: ")]
            self.assertGreater(len(passages), 3)
            self.search(spec)
            self.assertIn("query: " + QUESTION, server.texts())
            result = self.call("search", QUESTION, "--store", self.store, "--scorer", "text",
                               "--retriever", spec, "--passage-prefix", "P ")  # fmt: skip
            self.assert_one_error(result, 4, "none of its vectors were made by")

    def test_nobody_is_asked_who_was_not_named(self):
        with VectorServer() as server:
            self.index(server.openai())
            before = len(server.asked)
            result = self.call("search", QUESTION, "--store", self.store, "--scorer", "text", "--json")
            self.assert_one_error(result, 2, f"--retriever {server.openai()}", "--scorer bm25")
            self.must("search", QUESTION, "--store", self.store, "--scorer", "bm25")
            self.must("index", self.docs, "--store", self.store, "--ocr", "never")
            self.assertEqual(len(server.asked), before)

    def test_a_server_that_fails_and_recovers(self):
        def fault(call, handler, texts):
            if call == 2:
                handler.send({"error": "overloaded"}, 500)
            return call == 2

        whole = self.folder / "whole"
        with VectorServer(most=4) as sound, VectorServer(fault, most=4) as server:
            self.index(sound.openai(), store=whole)
            self.index(server.openai())
            self.assertEqual(self.hits(sound.openai()), self.hits(sound.openai(), store=whole))

    def test_another_length_in_the_second_batch(self):
        # The first two calls ask for the length, the third one is refused, the fourth one is a batch.
        with VectorServer(most=16, width=lambda call: 64 if call < 4 else 32) as server:
            result = self.call("index", self.docs, "--store", self.store, "--ocr", "never", "--quiet",
                               "--retriever", server.openai())  # fmt: skip
            self.assertEqual(result.code, 4, result.err)
            self.assertIn("32 values", result.err)
            self.assertIn("earlier ones had 64", result.err)
        with VectorServer() as server:  # repaired: the run continues
            self.index(server.openai())
            self.assertEqual(self.hits(server.openai())[0][0], "reef-survey-paper.pdf")

    def test_a_killed_run_is_continued(self):
        def slow(call, handler, texts):
            time.sleep(0.2)
            return False

        with VectorServer(slow, most=2) as server:
            process = self.start("index", self.docs, "--store", self.store, "--ocr", "never",
                                 "--retriever", server.openai())  # fmt: skip
            end = time.monotonic() + 120
            while len(server.asked) < 8 and time.monotonic() < end:
                time.sleep(0.01)
            self.assertGreaterEqual(len(server.asked), 8)
            kill(process)
        whole = self.folder / "whole"
        with VectorServer() as server:
            self.index(server.openai())
            self.must("index", "--verify", "--store", self.store)
            self.index(server.openai(), store=whole)
            self.assertEqual(self.hits(server.openai()), self.hits(server.openai(), store=whole))

    def test_pictures_of_pages(self):
        for kind, path in (("page", "/v1/embeddings"), ("late", "/pooling")):
            store = self.folder / kind
            with VectorServer() as server:
                spec = f"{kind}:{server.openai()}"
                self.index(spec, "--scorer", kind, store=store)
                shown = [body for where, body, _ in server.asked if where == path and "image_url" in str(body)[:400]]
                self.assertGreater(len(shown), 2)
                self.assertEqual(len(self.search(spec, "-k", "2", store=store, scorer=kind)), 2)

    def test_what_cannot_be_asked_is_said(self):
        out = ["--out", self.folder / "v.safetensors"]
        for spec, code, parts in [
            ("late:ollama:tiny", 2, ["late:openai:URL#NAME"]),
            ("tei:localhost:80", 2, ["tei:URL#NAME"]),
            ("openai:http://127.0.0.1:9/v1#tiny", 4, ["127.0.0.1:9", "cannot be reached"]),
        ]:
            self.assert_one_error(self.call("embed", "--text", "x", "--retriever", spec, *out), code, *parts)
        self.must("index", self.docs, "--store", self.store, "--ocr", "never", "--scorer", "bm25")
        result = self.call("search", "x", "--store", self.store, "--scorer", "bm25", "--rerank", "ollama:tiny")
        self.assert_one_error(result, 2, "Ollama has no interface for rerankers")

    def test_doctor_asks_the_encoder(self):
        with VectorServer() as server:
            records = self.call("doctor", "--json", "--retriever", server.openai()).records()
            (found,) = [record for record in records if record["what"] == "text encoder"]
            self.assertTrue(found["works"], found)
            self.assertEqual(found["detail"], "tiny, 64 dimensions, on a server")


if __name__ == "__main__":
    unittest.main()
