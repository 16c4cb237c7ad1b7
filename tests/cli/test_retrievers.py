"""`fineprint index --retriever`: page encoders, their vectors, kill -9 in between, later runs."""

import random
import sqlite3
import time
import unittest

import program
from model_files import Tensors, largest_difference, model_of
from program import QUICK, ProgramTest

SEED = 20261121
LATE = ["--retriever", model_of("colqwen2_a")]
DOCUMENTS = ["rotated-table.pdf", "reef-survey-paper.pdf"]


class Stored:
    """The vectors of one set of a store, by document and unit, read from its segment files."""

    def __init__(self, store, name):
        self.by_file = {}
        for path in sorted((store / "vectors" / name).glob("*.safetensors")):
            self.by_file[path.name] = Tensors(path)

    def rows(self):
        """All rows of float32 segments."""
        found = []
        for tensors in self.by_file.values():
            for name in tensors.names():
                if tensors.header[name]["dtype"] == "F32" and len(tensors.shape(name)) == 2:
                    found += tensors.rows(name)
        return found


@program.needs_nets
class Retrievers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", DOCUMENTS)
        self.store = self.folder / "store"

    def index(self, *more, store=None, docs=None, code=0):
        result = self.must(
            *["index", docs or self.docs, "--store", store or self.store, "--ocr", "never"],
            *["--json", *more],
            code=code,
        )
        return result.records()

    def embed(self, model, *images):
        out = self.folder / "v.safetensors"
        named = [word for image in images for word in ("--image", image)]
        self.must("embed", "--retriever", model_of(model), *named, "--out", out)
        tensors = Tensors(out)
        return [tensors.rows(f"image.{i}") for i in range(len(images))]

    def test_an_encoder_in_a_gguf_file(self):
        """Found again by where it lies; what stands before texts is told by its name."""
        model = model_of("xlmr_gguf")
        result = self.must("index", self.docs, "--store", self.store, "--ocr", "never",
                           "--retriever", model)  # fmt: skip
        self.assertIn('"passage: "', result.err)
        found = self.must("search", "coral cover", "--store", self.store, "--scorer", "text",
                          "--retriever", model, "--json").records()  # fmt: skip
        self.assertTrue(found)

    def pages(self):
        """FILE#N of all pages, in the order of documents."""
        counts = {"reef-survey-paper.pdf": 4, "rotated-table.pdf": 2}
        return [f"{self.docs / doc}#{n}" for doc in sorted(counts) for n in range(1, counts[doc] + 1)]

    def test_stored_vectors_are_those_that_embed_gives(self):
        for case, name in [("colqwen2_a", "late"), ("colpali_a", "late"), ("dse_qwen2", "page")]:
            with self.subTest(case=case):
                store = self.folder / f"{case}.store"
                *_, report = self.index(*QUICK, "--retriever", model_of(case), store=store)
                self.assertEqual(report["vectors"], {name: 6})
                ours = sorted(map(tuple, Stored(store, name).rows()))
                theirs = sorted(tuple(row) for page in self.embed(case, *self.pages()) for row in page)
                self.assertLess(largest_difference(ours, theirs), 1e-6)

    def test_the_default_scorers_written_out_bring_their_sets_alone(self):
        docs = self.copy_documents(self.folder / "more", ["rotated-table.pdf"])
        self.index(*QUICK, *LATE, docs=docs)
        self.copy_documents(docs, ["reef-survey-paper.pdf"])
        *_, report = self.index("--scorer", "bm25,text", docs=docs)
        self.assertEqual(set(report["vectors"]), {"text"})
        *_, report = self.index(docs=docs)
        self.assertEqual(report["vectors"]["late"], 4)

    def test_phi3_vision_gives_one_vector_a_page(self):
        docs = self.copy_documents(self.folder / "one", ["rotated-table.pdf"])
        *_, report = self.index(*QUICK, "--retriever", model_of("phi3v_a"), docs=docs)
        self.assertEqual(report["vectors"], {"page": 2})
        rows = Stored(self.store, "page").rows()
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertAlmostEqual(sum(x * x for x in row), 1, places=4)

    def test_killed_runs_are_taken_up(self):
        reference = self.folder / "reference"
        begin = time.perf_counter()
        self.index(*QUICK, *LATE, store=reference)
        whole = time.perf_counter() - begin
        arguments = ["index", self.docs, "--store", self.store, "--ocr", "never", *QUICK, *LATE]
        order = random.Random(SEED)
        killed = 0
        kills = program.kills(few=5, many=8)
        for kill in range(kills):
            process = self.start(*arguments, cwd=self.folder)
            time.sleep(whole * (kill + order.random()) / kills)  # the first soon: runs differ in speed
            killed += process.poll() is None
            program.kill(process)
            if (self.store / "catalog.sqlite").exists():
                verified = self.call("index", "--verify", "--store", self.store)
                self.assertIn(verified.code, (0, 3), verified.err)
                self.assertNotIn("damaged", verified.err + verified.out)
        self.assertGreater(killed, 0)
        self.must(*arguments)
        self.must("index", "--verify", "--store", self.store)
        # The same vectors, whatever the segments.
        self.assertEqual(
            sorted(map(tuple, Stored(self.store, "late").rows())),
            sorted(map(tuple, Stored(reference, "late").rows())),
        )

    def test_an_interrupt_keeps_what_was_embedded(self):
        docs = self.folder / "many"
        for number in range(6):
            self.copy_documents(docs / str(number), ["reef-survey-paper.pdf"])
            with open(docs / str(number) / "reef-survey-paper.pdf", "ab") as end:
                end.write(b"\n%% %d\n" % number)
        arguments = ["index", docs, "--store", self.store, "--ocr", "never", *QUICK, *LATE]
        process = self.start(*arguments, cwd=self.folder)
        deadline = time.monotonic() + 120
        while not list(self.store.glob("vectors/late/*.safetensors")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        program.kill(process, program.signal.SIGINT)
        if process.returncode == 0:
            self.skipTest("the run was over before it was interrupted")
        self.assertEqual(process.returncode, 130)
        *_, report = self.index(*QUICK, *LATE, docs=docs)
        self.assertGreater(report["vectors"]["late"], 0)
        self.assertLess(report["vectors"]["late"], 24)

    def test_a_retriever_is_remembered(self):
        *_, report = self.index("--retriever", model_of("colbert_a"), *LATE)
        self.assertEqual(set(report["vectors"]), {"text", "late", "late-text"})
        self.assertEqual(report["vectors"]["late-text"], report["vectors"]["text"])
        self.copy_documents(self.docs, ["harbor-annual-report.pdf"])
        *_, report = self.index()
        self.assertEqual(report["vectors"]["late"], 11)
        self.assertGreater(report["vectors"]["late-text"], 0)
        self.assertEqual((report["indexed"], report["unchanged"]), (1, 2))
        *_, report = self.index()
        self.assertEqual(set(report["vectors"].values()), {0})

    def test_a_sentence_encoder_takes_the_place_of_the_default_one(self):
        *_, report = self.index("--retriever", model_of("bert_mean_a"))
        self.assertEqual(list(report["vectors"]), ["text"])
        *_, report = self.index("--retriever", model_of("bert_mean_a"))
        self.assertEqual(report["vectors"], {"text": 0})

    def test_an_encoder_of_eight_bits_has_a_set_of_its_own(self):
        codes = "int8:" + str(model_of("bert_mean_a"))
        *_, report = self.index("--retriever", codes)
        self.assertEqual(list(report["vectors"]), ["text"])
        *_, report = self.index("--retriever", codes)
        self.assertEqual(report["vectors"], {"text": 0})
        # The same model without it makes another set, and searches open each set's own.
        *_, report = self.index("--retriever", model_of("bert_mean_a"))
        self.assertEqual(set(report["vectors"]), {"text", "text-2"})
        self.assertGreater(report["vectors"]["text-2"], 0)
        for scorer in ("text", "text-2"):
            self.must("search", "ferry", "--store", self.store, "--scorer", scorer)
        *_, report = self.index()
        self.assertEqual(report["vectors"], {"text": 0, "text-2": 0})

    def test_formats_and_pooling(self):
        def bytes_of(store):
            return sum(p.stat().st_size for p in store.glob("vectors/late/*.safetensors"))

        plain, pooled, codes = (self.folder / name for name in ("plain", "pooled", "codes"))
        self.index(*QUICK, *LATE, store=plain)
        self.index(*QUICK, *LATE, "--pool-factor", "2", "--vector-dtype", "float16", store=pooled)
        self.index(*QUICK, *LATE, "--vector-dtype", "int8", store=codes)
        self.assertLess(bytes_of(pooled), 0.35 * bytes_of(plain))
        self.assertLess(bytes_of(codes), 0.35 * bytes_of(plain))
        for store in (pooled, codes):
            self.must("index", "--verify", "--store", store)
        # The same model in another format needs the set to be dropped first.
        again = ["index", self.docs, "--store", codes, "--ocr", "never", *QUICK, *LATE]
        result = self.call(*again, "--vector-dtype", "float32")
        self.assert_one_error(result, 2, "int8", "--drop-set late")
        self.must("index", "--store", codes, "--drop-set", "late")
        self.must(*again, "--vector-dtype", "float32")
        self.assertEqual(len(Stored(codes, "late").rows()), len(Stored(plain, "late").rows()))

    def test_two_models_of_one_kind(self):
        *_, report = self.index(*QUICK, *LATE, "--retriever", model_of("colpali_a"))
        self.assertEqual(report["vectors"], {"late": 6, "late-2": 6})
        result = self.must("index", self.docs, "--store", self.store, "--ocr", "never")
        self.assertRegex(result.err, r"late 0, late-2 0")

    def test_a_document_that_went_is_a_failure_of_its_own(self):
        self.index(*QUICK)
        other = self.folder / "other"
        other.mkdir()
        (self.docs / "rotated-table.pdf").rename(other / "away.pdf")
        records = self.index(*QUICK, *LATE, code=1)
        failed = [record for record in records if record.get("status") == "failed"]
        self.assertEqual([record["file"] for record in failed], ["rotated-table.pdf"])
        self.assertEqual(records[-1]["vectors"], {"late": 4})

    def test_wrong_usage_is_2(self):
        self.index(*QUICK)
        base = ["index", self.docs, "--store", self.store, "--ocr", "never"]
        for more, part in [
            (["--scorer", "late"], "--retriever"),
            (["--drop-set", "late"], "late"),
            (["--vector-dtype", "float8"], "int8"),
            (["--graph-sim", "none"], "maxsim_norm"),
        ]:
            self.assert_one_error(self.call(*base, *more), 2, part)

    def test_the_model_must_be_where_it_was(self):
        self.index(*QUICK, *LATE)
        self.copy_documents(self.docs, ["harbor-annual-report.pdf"])
        catalog = sqlite3.connect(self.store / "catalog.sqlite")
        tables = [r[0] for r in catalog.execute("select name from sqlite_master where type='table'")]
        for table in tables:
            columns = [c[1] for c in catalog.execute(f"pragma table_info({table})")]
            if "spec" in columns:
                catalog.execute(f"update {table} set spec = '/nowhere'")
        catalog.commit()
        catalog.close()
        arguments = ["index", self.docs, "--store", self.store, "--ocr", "never"]
        result = self.call(*arguments)
        self.assertEqual(result.code, 4, result.err)
        self.assertIn("--drop-set late", result.err)
        self.must(*arguments, *QUICK, *LATE)


if __name__ == "__main__":
    unittest.main()
