"""Indexing again: what did not change costs nothing, what changed is read, what went is dropped."""

import os
import shutil
import unittest

import program
from program import DOCS, QUICK, ProgramTest


class Incremental(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs")
        (self.docs / "sub").mkdir()
        shutil.move(self.docs / "rotated-table.pdf", self.docs / "sub" / "rotated-table.pdf")
        self.store = self.folder / "store"
        first = self.index()
        self.assertEqual((first["files"], first["indexed"], first["failed"]), (3, 3, 0))
        self.pages = first["pages"]

    def index(self, *more, code=0):
        arguments = [self.docs, "--store", self.store, "--ocr", "never", "--json", *QUICK, *more]
        return self.must("index", *arguments, code=code).records()[-1]

    def expect(self, report, **counts):
        found = {name: report[name] for name in ("indexed", "unchanged", "failed", "removed")}
        self.assertEqual(found, dict(dict.fromkeys(found, 0), **counts))

    def found_documents(self, query="table"):
        hits = self.must("search", query, "--store", self.store, "--json", "-k", "50", *QUICK)
        return {hit["doc"] for hit in hits.records()}

    def test_the_report_counts_pages(self):
        self.assertEqual(self.pages, 11 + 4 + 2)

    def test_unchanged_files_are_not_read(self):
        report = self.index()
        self.expect(report, unchanged=3)
        self.assertEqual(report["pages"], 0)

    def test_a_touched_file_is_not_read_again(self):
        os.utime(self.docs / "harbor-annual-report.pdf")
        report = self.index()
        self.expect(report, unchanged=3)
        self.assertEqual(report["pages"], 0)
        # The new time is remembered: now a stat is enough, even if the bytes can't be read.
        self.expect(self.index(), unchanged=3)

    def test_a_changed_file_takes_the_place_of_the_old_one(self):
        shutil.copy(DOCS / "reef-survey-paper.pdf", self.docs / "harbor-annual-report.pdf")
        report = self.index()
        self.expect(report, indexed=1, unchanged=2)
        self.assertEqual(report["pages"], 4)
        hits = self.must(
            *["search", "coral cover", "--store", self.store, "--json", *QUICK],
            *["--doc", "harbor-annual-report.pdf"],
        ).records()
        self.assertGreater(len(hits), 0)
        self.assertLessEqual(max(hit["page"] for hit in hits), 4)
        self.must("index", "--verify", "--store", self.store)

    def test_a_new_file_is_added(self):
        shutil.copy(DOCS / "rotated-table.pdf", self.docs / "again.pdf")
        with open(self.docs / "again.pdf", "ab") as file:
            file.write(b"\n%% another one\n")
        self.expect(self.index(), indexed=1, unchanged=3)
        self.assertIn("again.pdf", self.found_documents("gauge"))

    def test_gone_files_stay_until_pruned(self):
        (self.docs / "reef-survey-paper.pdf").unlink()
        self.expect(self.index(), unchanged=2)
        self.assertIn("reef-survey-paper.pdf", self.found_documents("coral reef"))
        self.expect(self.index("--prune"), unchanged=2, removed=1)
        self.assertNotIn("reef-survey-paper.pdf", self.found_documents("coral reef"))
        self.must("index", "--verify", "--store", self.store)

    def test_prune_leaves_other_folders_alone(self):
        other = self.copy_documents(self.folder / "other", ["handbook.html"])
        self.must("index", other, "--store", self.store, "--ocr", "never", *QUICK)
        self.expect(self.index("--prune"), unchanged=3)
        self.assertIn("handbook.html", self.found_documents("leave"))

    def test_other_reading_settings_read_again(self):
        report = self.must(
            *["index", self.docs, "--store", self.store, "--ocr", "auto", "--json", *QUICK]
        ).records()[-1]
        self.expect(report, indexed=3)

    @program.needs_nets
    def test_vectors_follow_the_documents(self):
        docs = self.copy_documents(self.folder / "few", ["rotated-table.pdf", "handbook.html"])
        store = self.folder / "vectors.store"

        def found():
            query = ["search", "how long may staff be away", "--scorer", "text", "-k", "50"]
            hits = self.must(*query, "--store", store, "--json").records()
            return {hit["doc"] for hit in hits}

        self.must("index", docs, "--store", store)
        self.assertEqual(found(), {"rotated-table.pdf", "handbook.html"})
        (docs / "handbook.html").unlink()
        self.must("index", docs, "--store", store, "--prune")
        self.assertEqual(found(), {"rotated-table.pdf"})
        self.must("index", "--verify", "--store", store)

    def test_paths_are_relative_to_the_folder_given(self):
        self.assertIn("sub/rotated-table.pdf", self.found_documents("gauge"))


if __name__ == "__main__":
    unittest.main()
