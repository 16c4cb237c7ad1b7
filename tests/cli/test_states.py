"""Kept page states beside an index: verified, counted, pruned."""

import unittest

from program import DOCS, QUICK, ProgramTest


class States(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        self.store = self.folder / "store"
        self.states = self.store / "states"
        self.index()
        self.states.mkdir()

    def index(self, *more):
        command = ["index", self.docs, "--store", self.store, "--ocr", "never", *QUICK, *more]
        return self.must(*command)

    def test_damaged_states_are_listed_and_pruned(self):
        damaged = self.states / "ab12.state"
        damaged.write_bytes(b"x" * 1000)
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertEqual(len(result.out.splitlines()), 1)
        self.assertIn(str(damaged), result.out)
        self.index()
        self.assertTrue(damaged.exists())
        self.assertIn("1 of them damaged", self.index("--prune").err)
        self.assertFalse(damaged.exists())
        self.must("index", "--verify", "--store", self.store)

    def test_files_of_others_are_told_and_left(self):
        notes = self.states / "notes.txt"
        notes.write_text("mine")
        self.index("--prune", "--states-bytes", "0")
        self.assertTrue(notes.exists())
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertIn(str(notes), result.out)

    def test_sizes_are_read_before_work_begins(self):
        result = self.call("index", DOCS, "--store", self.store, "--states-bytes", "lots")
        self.assert_one_error(result, 2, "states-bytes", "500MB")


if __name__ == "__main__":
    unittest.main()
