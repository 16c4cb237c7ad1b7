"""Which libraries a run maps: LibTorch only where a network needs it, which the default text encoder
does not, and never in document workers; what opens documents in these alone."""

import unittest

import program
from program import ProgramTest

READERS = ("libfineprint_reading", "libmupdf", "libtesseract", "libgmime", "libxml2", "libheif")
TENSORS = ("libtorch", "libc10", "libfineprint_nets")


class Mappings(ProgramTest):
    def mapped(self, *arguments, code=0):
        """For each process of the run, what the dynamic linker said that it loaded."""
        traces = self.folder / "traces"
        traces.mkdir(exist_ok=True)
        for old in traces.iterdir():
            old.unlink()
        self.must(*arguments, code=code, env={"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(traces / "ld")})
        texts = [path.read_text(errors="replace") for path in traces.iterdir()]
        self.assertGreater(len(texts), 0)
        for text in texts:
            self.assertIn("libsqlite3", text)  # the trace works
        return texts

    def with_tensors(self, texts):
        return sum(any(name in text for name in TENSORS) for text in texts)

    def with_readers(self, texts):
        return sum(any(name in text for name in READERS) for text in texts)

    def test_only_addresses_map_what_fetches(self):
        self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        for place, code in ((self.folder / "docs", 0), ("http://127.0.0.1:1/x.pdf", 3)):
            texts = self.mapped("index", place, "--store", self.folder / "s", *program.QUICK,
                                *(["--fetch", "https"] if code else []), code=code)
            self.assertEqual(any("libfineprint_fetch" in text for text in texts), code != 0, place)

    def test_keyword_search_maps_no_tensors(self):
        search = ["search", "gauge", "--store", self.native_store(program.SCORERS), "--scorer", "bm25"]
        texts = self.mapped(*search)
        self.assertEqual((self.with_tensors(texts), self.with_readers(texts)), (0, 0))

    def test_commands_without_vectors_map_no_tensors(self):
        store = self.native_store(program.SCORERS)
        for arguments in (
            ["ask", "Which gauge?", "--store", store, "--scorer", "bm25"],
            ["index", "--verify", "--store", store],
            ["pipelines"],
            ["models"],
            ["models", program.DATA / "qwen25vl_a" / "model"],
            ["verify", program.DATA / "tok_bert"],
            ["--help"],
        ):
            self.assertEqual(self.with_tensors(self.mapped(*arguments)), 0, arguments)

    @program.needs_nets
    def test_search_by_meaning_maps_only_the_text_encoder(self):
        texts = self.mapped("search", "gauge", "--store", self.native_store(program.SCORERS))
        self.assertEqual((self.with_tensors(texts), len(texts)), (0, 1))
        self.assertIn("libfineprint_texts", texts[0])

    @program.needs_nets
    def test_another_number_format_maps_tensors(self):
        store = self.native_store(program.SCORERS)
        texts = self.mapped("search", "gauge", "--store", store, "--dtype", "float32")
        self.assertEqual(self.with_tensors(texts), 1)

    def test_workers_map_no_tensors(self):
        docs = self.copy_documents(self.folder / "docs")
        texts = self.mapped(
            *["index", docs, "--store", self.folder / "store", "--ocr", "never", "--jobs", "2"],
            *program.SCORERS,
        )
        self.assertGreaterEqual(len(texts), 2, "no trace of a worker")
        self.assertEqual(self.with_readers(texts), len(texts) - 1, "all but the program itself")
        self.assertEqual(self.with_tensors(texts), 0)

    @program.needs_nets
    def test_an_index_that_is_up_to_date_maps_no_tensors(self):
        store = self.native_store(program.SCORERS)
        docs = self.native_docs()
        texts = self.mapped("index", docs, "--store", store, "--ocr", "never")
        self.assertEqual(self.with_tensors(texts), 0)


if __name__ == "__main__":
    unittest.main()
