"""`fineprint ask PATH`: where the index is kept, and what happens when it cannot be written."""

import contextlib
import fcntl
import unittest

from program import QUICK, ProgramTest

QUESTION = ["ask", "How many fixed transects were surveyed?"]


class KeptIndex(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", ["reef-survey-paper.pdf"])
        self.cache = self.folder / "cache"

    def ask(self, *more, code=0, cache=None):
        env = {"XDG_CACHE_HOME": str(cache or self.cache), "TMPDIR": str(self.folder)}
        return self.must(*QUESTION, self.docs, *QUICK, "--json", *more, code=code, env=env)

    def store(self):
        (store,) = (self.cache / "fineprint" / "stores").iterdir()
        return store

    @contextlib.contextmanager
    def another_writer(self, store):
        with open(store / "writer.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def test_what_another_process_has_read_so_far_is_used(self):
        first = self.ask().records()[0]
        self.copy_documents(self.docs, ["rotated-table.pdf"])
        with self.another_writer(self.store()):
            result = self.ask()
        self.assertEqual(result.records()[0]["citations"], first["citations"])
        self.assertIn("another process is writing", result.err)
        self.assertIn("1 documents", result.err)
        pages = {page["doc"] for page in self.ask().records()[0]["retrieved"]}
        self.assertIn("rotated-table.pdf", pages)

    def test_nothing_read_so_far_is_3(self):
        store = self.folder / "new.store"
        store.mkdir()
        with self.another_writer(store):
            result = self.ask("--store", store, code=3)
        self.assert_one_error(result, 3, "another process is writing", store)

    def test_a_cache_that_cannot_be_written_is_stood_in_for(self):
        before = sorted(self.folder.iterdir())
        nowhere = self.write("file", "")
        result = self.ask(cache=nowhere)
        self.assertTrue(result.records()[0]["answerable"])
        self.assertIn("--store", result.err)
        self.assertIn(str(nowhere), result.err)
        nowhere.unlink()
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_a_store_that_was_named_is_not_stood_in_for(self):
        nowhere = self.write("file", "")
        self.assert_one_error(self.ask("--store", nowhere / "s", code=3), 3, nowhere)


if __name__ == "__main__":
    unittest.main()
