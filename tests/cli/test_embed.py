"""`fineprint embed`: vectors of pages and texts, equal to the references'."""

import json
import unittest

import program
from model_files import GGUF_ENCODERS, MODEL_CASES, Tensors, case_of, copy_folder, largest_difference, model_of
from program import DATA, DOCS, ProgramTest

BERT = ["--retriever", model_of("bert_mean_a")]


def named(flag, values):
    return [word for value in values for word in (flag, value)]


def images_of(case):
    return [DATA / case / name for name in case_of(case)["images"]]


def real_rows(expected, name, index, mask):
    """The rows of one sequence of a padded batch that the mask keeps."""
    length = expected.shape(name)[1]
    rows = expected.rows(name)[index * length : (index + 1) * length]
    keep = expected.values(mask)[index * length : (index + 1) * length]
    return [row for row, kept in zip(rows, keep) if kept]


class Usage(ProgramTest):
    def test_wrong_usage_is_2(self):
        out = ["--out", self.folder / "v.safetensors"]
        for arguments, part in [
            (["--text", "x"], "--out"),
            (out, "nothing to embed"),
            (["--text", "x", "--role", "poet", *out], "query|passage"),
            (["stray", "--text", "x", *out], "stray"),
        ]:
            self.assert_one_error(self.call("embed", *arguments), 2, part)

    def test_a_model_that_cannot_be_used_is_4(self):
        out = ["--out", self.folder / "v.safetensors"]
        result = self.call("embed", "--text", "x", "--retriever", self.folder, *out)
        self.assert_one_error(result, 4, self.folder)


@program.needs_nets
class Embed(ProgramTest):
    def embed(self, *arguments):
        out = self.folder / "vectors.safetensors"
        self.result = self.must("embed", *arguments, "--out", out)
        return Tensors(out)

    def expected(self, case):
        return Tensors(DATA / case / "expected.safetensors")

    def test_sentences(self):
        case = case_of("bert_mean_a")
        ours = self.embed(*BERT, *named("--text", case["sentences"]))
        rows = self.expected("bert_mean_a").rows("embeddings")
        for i, expected in enumerate(rows):
            self.assertLess(largest_difference(ours.rows(f"text.{i}"), [expected]), 2e-5)

    def test_a_decoder_is_told_what_to_find(self):
        model = ["--retriever", model_of("qwen3_embed")]
        texts = case_of("qwen3_embed")["sentences"][:3]
        expected = self.expected("qwen3_embed")
        for role, name in [("query", "query_embeddings"), ("passage", "embeddings")]:
            ours = self.embed(*model, *named("--text", texts), "--role", role)
            for i, row in enumerate(expected.rows(name)[:3]):
                self.assertLess(largest_difference(ours.rows(f"text.{i}"), [row]), 2e-4)

    def test_encoders_in_gguf_files(self):
        for name in GGUF_ENCODERS:
            case, expected = case_of(name), self.expected(name)
            model = ["--retriever", model_of(name)]
            texts = case["sentences"][:4]
            roles = [("passage", "embeddings"), ("query", "query_embeddings")]
            for role, tensor in roles:
                if tensor not in expected.names():
                    continue
                ours = self.embed(*model, *named("--text", texts), "--role", role)
                for i, row in enumerate(expected.rows(tensor)[:4]):
                    with self.subTest(case=name, role=role, text=texts[i]):
                        self.assertLess(largest_difference(ours.rows(f"text.{i}"), [row]), 2e-4)

    def test_pages_and_queries_with_many_vectors(self):
        for case in ("colpali_a", "colqwen2_a", "colqwen3_a"):
            with self.subTest(case=case):
                facts = case_of(case)
                ours = self.embed(
                    *["--retriever", model_of(case), *named("--image", images_of(case))],
                    *named("--text", facts["queries"]),
                )
                expected = self.expected(case)
                tolerance = facts["tolerances"]["own_pixels"]["embeddings"]
                for kind, name, count in [("image", "pages", 2), ("text", "queries", 2)]:
                    for i in range(count):
                        theirs = real_rows(expected, f"{name}.embeddings", i, f"{name}.attention_mask")
                        difference = largest_difference(ours.rows(f"{kind}.{i}"), theirs)
                        self.assertLess(difference, tolerance, f"{kind}.{i}")

    def test_late_interaction_over_texts(self):
        facts, expected = case_of("colbert_a"), self.expected("colbert_a")
        model = ["--retriever", model_of("colbert_a")]
        queries = self.embed(*model, *named("--text", facts["queries"]))
        passages = self.embed(*model, *named("--text", facts["docs"]), "--role", "passage")
        rows = expected.rows("query.embeddings")
        for i in range(3):
            theirs = rows[i * 32 : (i + 1) * 32]
            self.assertLess(largest_difference(queries.rows(f"text.{i}"), theirs), 2e-4)
            theirs = real_rows(expected, "doc.embeddings", i, "doc.keep_mask")
            self.assertLess(largest_difference(passages.rows(f"text.{i}"), theirs), 2e-4)

    def test_last_token_of_a_decoder(self):
        folder, expected = DATA / "phi3v_a" / "input", self.expected("phi3v_a")
        ours = self.embed(
            *["--retriever", model_of("phi3v_a")],
            *named("--image", [folder / "page_a.png", folder / "page_b.png"]),
            *named("--text", ["Which region has the highest revenue?"]),
        )
        for name, theirs in [("image.0", "doc0"), ("image.1", "doc1"), ("text.0", "query0")]:
            difference = largest_difference(
                ours.rows(name), [expected.values(f"{theirs}.embedding")]
            )
            self.assertLess(difference, 0.05, name)

    def test_pages_and_queries_with_instructions(self):
        case, expected = case_of("qwen3vl_embed"), self.expected("qwen3vl_embed")
        pages = [DATA / "qwen3vl_embed" / run["images"][0] for run in case["runs"][:2]]
        ours = self.embed(
            *["--retriever", model_of("qwen3vl_embed"), *named("--image", pages)],
            *["--text", "total revenue by region"],
        )
        for name, theirs in [("image.0", "doc0"), ("image.1", "doc1"), ("text.0", "query0")]:
            difference = largest_difference(
                ours.rows(name), [expected.values(f"{theirs}.embedding")]
            )
            self.assertLess(difference, 0.01, name)

    def test_every_model_embeds_texts_alone(self):
        for case in MODEL_CASES:
            ours = self.embed("--retriever", model_of(case), "--text", "total revenue")
            for row in ours.rows("text.0"):
                self.assertAlmostEqual(sum(x * x for x in row), 1, places=4)

    def test_a_token_that_the_model_does_not_know_is_named(self):
        for case in ("colbert_a", "bert_mean_a"):
            model = copy_folder(model_of(case), self.folder / case)
            path = model / "tokenizer.json"
            tokenizer = json.loads(path.read_text(encoding="utf-8"))
            tokenizer["added_tokens"].append({**tokenizer["added_tokens"][-1], "id": 5000,
                                              "content": "[SHIP]"})  # fmt: skip
            path.write_text(json.dumps(tokenizer), encoding="utf-8")
            out = ["--out", self.folder / "v.safetensors"]
            result = self.call("embed", "--text", "a [SHIP]", "--retriever", model, *out)
            self.assert_one_error(result, 4, "gives token 5000, but the model has only 1200 tokens")

    def test_the_file_says_whose_vectors_they_are(self):
        ours = self.embed(*BERT, "--text", "one", "--text", "two")
        self.assertEqual(ours.names(), ["text.0", "text.1"])
        self.assertEqual(set(ours.metadata()), {"schema", "model", "model_hash", "text_role"})
        again = self.embed(*BERT, "--text", "three")
        self.assertEqual(ours.metadata(), again.metadata())
        self.assertEqual(len(list(self.folder.iterdir())), 1)  # nothing half-written stays

    def test_a_line_for_each_input(self):
        self.embed(*BERT, "--text", "one", "--text", "two words")
        self.assertEqual(
            self.result.out, "text.0     [1, 64]  one\ntext.1     [1, 64]  two words\n"
        )
        self.embed(*BERT, "--text", "one", "--json")
        self.assertEqual(
            self.result.records(), [{"tensor": "text.0", "rows": 1, "dim": 64, "input": "one"}]
        )

    def test_the_default_encoder_needs_no_flag(self):
        ours = self.embed("--text", "a sentence")
        self.assertEqual(ours.shape("text.0"), [1, 384])

    def test_pages_of_documents(self):
        page = f"{DOCS / 'rotated-table.pdf'}#2"
        ours = self.embed("--retriever", model_of("colqwen2_a"), "--image", page)
        self.assertEqual(ours.shape("image.0")[1], 128)

    def test_encoders_of_texts_take_no_images(self):
        out = ["--out", self.folder / "v.safetensors"]
        for case in ("bert_mean_a", "colbert_a"):
            result = self.call(
                *["embed", "--retriever", model_of(case), *out],
                *["--image", DATA / "colpali_a" / "input" / "page_a.png"],
            )
            self.assertEqual((result.code, result.out), (2, ""), result.err)
        self.assertEqual(list(self.folder.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
