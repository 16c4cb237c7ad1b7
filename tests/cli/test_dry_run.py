"""`fineprint index --dry-run`: what an index would take, without making one."""

import pathlib
import unittest

from program import DOCS, SCORERS, ProgramTest


class DryRun(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "s.store"
        self.index = ["index", DOCS, "--store", self.store, "--json", *SCORERS]

    def size_of_store(self):
        return sum(p.stat().st_size for p in pathlib.Path(self.store).rglob("*") if p.is_file())

    def files(self):
        """All but what SQLite has beside a catalogue that is open or was."""
        paths = {str(path) for path in self.store.rglob("*")}
        return sorted(path for path in paths if "catalog.sqlite-" not in path)

    def test_tells_what_index_then_does_and_writes_nothing(self):
        (told,) = self.must(*self.index, "--dry-run").records()
        self.assertFalse(self.store.exists())
        done = self.must(*self.index).records()[-1]
        self.assertEqual(told["files"], done["files"])
        self.assertEqual(told["pages"], done["pages"])
        self.assertEqual(told["unchanged"], 0)
        # Pages that OCR only adds words to count as read by it, or not.
        self.assertGreaterEqual(told["ocr_pages"], done["ocr_pages"])
        self.assertLessEqual(told["ocr_pages"], done["ocr_pages"] + 3)
        self.assertGreater(told["seconds"], 0)
        self.assertFalse(told["at_least"])
        self.assertGreater(told["bytes"], self.size_of_store() / 4)
        self.assertLess(told["bytes"], self.size_of_store() * 4)

    def test_knows_what_the_store_has(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        index = ["index", docs, "--store", self.store, "--json", *SCORERS]
        self.must(*index)
        before = self.files()
        self.copy_documents(docs, ["reef-survey-paper.pdf"])
        (told,) = self.must(*index, "--dry-run").records()
        self.assertEqual((told["files"], told["unchanged"]), (2, 1))
        self.assertEqual(self.files(), before)
        self.must(*index)
        (told,) = self.must(*index, "--dry-run").records()
        self.assertEqual((told["pages"], told["ocr_pages"], told["chunks"]), (0, 0, 0))

    def test_a_file_that_cannot_be_read_is_named(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        (docs / "broken.pdf").write_text("%PDF-1.4 and no more")
        result = self.must("index", docs, "--dry-run", "--json", *SCORERS, code=1)
        self.assertIn("broken.pdf", result.err)
        self.assertEqual(result.records()[0]["failed"], 1)

    def test_for_people(self):
        result = self.must("index", DOCS, "--dry-run", *SCORERS)
        self.assertRegex(result.out, r"to read: \d+ pages, \d+ of them by OCR")
        self.assertRegex(result.out, r"about \d+:\d\d on this machine, and \d+ MB of disk")


if __name__ == "__main__":
    unittest.main()
