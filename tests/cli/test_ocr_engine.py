"""`--ocr-engine`: pages read by two graphs instead of Tesseract, and what is refused.

FINEPRINT_OCR_ENGINE names a folder with the real graphs (PP-OCRv6), for the test that reads a letter.
"""

import json
import os
import pathlib
import re
import shutil
import unittest

from program import DATA, DOCS, QUICK, ProgramTest, needs_nets

ENGINE = DATA / "ocr_engine"
REAL = os.environ.get("FINEPRINT_OCR_ENGINE", "")
# What the tiny graph knows; see scripts/golden/make_ocr_engine.py.
KNOWN = re.compile(r"[a-z0-9éß頁文\s]+")


@needs_nets
class OcrEngine(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        self.page = self.folder / "page.png"
        shutil.copy(ENGINE / "page.png", self.page)

    def index(self, *more, code=0):
        return self.must("index", self.page, "--store", self.store, "--json", *QUICK, *more, code=code)

    def text(self):
        return self.must("show", "page.png#1", "--store", self.store).out

    def test_pages_are_read_by_its_graphs(self):
        (report,) = self.index("--ocr-engine", ENGINE).records()
        self.assertEqual((report["pages"], report["ocr_pages"], report["partly"]), (1, 1, 0))
        read = self.text()
        self.assertTrue(KNOWN.fullmatch(read), read)
        # One of its eight lines may fall below half of the confidence at another resolution.
        self.assertGreaterEqual(len(read.split()), 14)

    def test_another_engine_reads_the_pages_again(self):
        self.index()
        self.assertIn("Harbour dues rose to", self.text())
        counts = []
        for options in (["--ocr-engine", ENGINE], ["--ocr-engine", ENGINE], ["--ocr-engine", "tesseract"]):
            (report,) = self.index(*options).records()
            counts.append((report["indexed"], report["unchanged"]))
        self.assertEqual(counts, [(1, 0), (0, 1), (1, 0)])
        self.assertIn("Harbour dues rose to", self.text())

    def test_a_copy_of_the_engine_is_the_same_engine(self):
        copy = self.folder / "copy"
        copy.mkdir()
        for name in ("finds", "reads"):
            shutil.copy(ENGINE / f"{name}.onnx", copy / f"{name}-2.onnx")
        self.index("--ocr-engine", ENGINE)
        (report,) = self.index("--ocr-engine", copy).records()
        self.assertEqual(report["unchanged"], 1)

    def test_options_without_effect_are_refused(self):
        for more, words in ((["--ocr-lang", "deu"], "--ocr-lang has no effect"),
                            (["--ocr", "never"], "no effect with --ocr never")):
            result = self.index("--ocr-engine", ENGINE, *more, code=2)
            self.assertIn(words, result.err)

    def test_a_folder_without_an_engine_is_refused(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for folder, words in ((empty, "finds text"), (self.folder / "none", "is no folder")):
            self.assertIn(words, self.index("--ocr-engine", folder, code=2).err)

    def test_a_graph_that_does_not_run_ends_the_run(self):
        broken = self.folder / "broken"
        broken.mkdir()
        shutil.copy(ENGINE / "finds.onnx", broken)
        # An operator of another name is read, and found out when the worker loads the graph.
        graph = (ENGINE / "reads.onnx").read_bytes()
        self.assertEqual(graph.count(b"Softmax"), 1)
        (broken / "reads.onnx").write_bytes(graph.replace(b"Softmax", b"Softmix"))
        result = self.call("index", self.page, "--store", self.store, *QUICK, "--ocr-engine", broken)
        self.assertNotEqual(result.code, 0)
        self.assertIn("cannot load the OCR engine", result.err)

    def test_a_question_about_a_picture_is_asked_of_what_the_engine_reads(self):
        word = max(self.words_read(), key=len)
        found = self.must("ask", f"What is {word}?", self.page, "--json", *QUICK, "--ocr-engine", ENGINE)
        (answer,) = found.records()
        self.assertIn(word, json.dumps(answer, ensure_ascii=False))

    def words_read(self):
        self.index("--ocr-engine", ENGINE)
        return self.text().split()

    @unittest.skipUnless(REAL, "FINEPRINT_OCR_ENGINE names no folder with PP-OCR's graphs")
    def test_the_real_graphs_read_a_letter(self):
        self.page = DOCS / "scanned-letter.pdf"
        (report,) = self.index("--ocr-engine", pathlib.Path(REAL)).records()
        self.assertEqual((report["pages"], report["ocr_pages"], report["partly"]), (2, 2, 0))
        hits = self.must("search", "estimate for rewiring the hoist", "--store", self.store, "--json", *QUICK)
        self.assertEqual(hits.records()[0]["doc"], "scanned-letter.pdf")


if __name__ == "__main__":
    unittest.main()
