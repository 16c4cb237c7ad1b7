"""Hundreds of odd files: each ends with one status that fits, and none ends or soils the run."""

import pathlib
import sqlite3
import unittest

import odd_files
import program
from odd_names import shown
from program import QUICK, ProgramTest

CODES = {
    *("encrypted", "wrong_password", "damaged", "empty", "too_large", "timed_out"),
    *("out_of_memory", "unsupported", "unreadable", "crashed"),
}
# A folder's files of these names are left out; named on the command line they are tried.
LEFT_OUT = {".data", ".log"}


class OddFiles(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.odd = cls.class_folder / "odd"
        cls.expected = odd_files.write(cls.odd)
        cls.temporary = cls.class_folder / "tmp"
        cls.temporary.mkdir()
        cls.store = cls.class_folder / "store"
        cls.first = cls.index(cls.odd)
        cls.first_skipped = cls.skipped

    @classmethod
    def index(cls, *paths, store=None, ocr="never", more=(), code=1):
        """Indexes; the failures and the report."""
        result = cls.must(
            *["index", *paths, "--store", store or cls.store, "--json", "--ocr", ocr],
            *["--libreoffice", "never", *QUICK, *more],
            code=code,
            env={"TMPDIR": str(cls.temporary)},
        )
        *records, report = result.records()
        failures = [record for record in records if record["status"] != "skipped"]
        cls.skipped = [record["file"] for record in records if record["status"] == "skipped"]
        cls.errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
        return failures, report

    def documents(self, store=None):
        """Name: page count, of all that is in the store."""
        catalog = sqlite3.connect((store or self.store) / "catalog.sqlite")
        catalog.text_factory = lambda data: data.decode(errors="replace")
        self.addCleanup(catalog.close)
        return dict(catalog.execute("select doc, page_count from documents"))

    def statuses(self, failures, documents):
        """Name: its one status."""
        found = {}
        for failure in failures:
            name = failure["file"]
            self.assertNotIn(name, found, "two records")
            self.assertIn(failure["code"], CODES, failure)
            self.assertEqual(failure["status"] == "partly", name in documents, failure)
            found[name] = "partly" if name in documents else failure["code"]
        for name in documents:
            found.setdefault(name, "indexed")
        return found

    def assert_fitting(self, found, expected):
        wrong = {
            name: f"{found.get(shown(name), 'skipped')}, not of {sorted(allowed)}"
            for name, allowed in expected.items()
            if found.get(shown(name), "skipped") not in allowed
        }
        self.assertEqual(wrong, {})
        self.assertEqual(set(found) - {shown(name) for name in expected}, set())

    def test_each_has_one_status_that_fits(self):
        failures, report = self.first
        self.assertGreater(len(self.expected), 300)
        found = self.statuses(failures, self.documents())
        expected = {
            name: allowed | {"skipped"} if pathlib.PurePath(name).suffix in LEFT_OUT else allowed
            for name, allowed in self.expected.items()
        }
        self.assert_fitting(found, expected)
        # No file is without a line but those that are hidden, or stand for a lock.
        skipped = {shown(name) for name in expected} - set(found)
        seen = {name for name in skipped if name.split("/")[-1][0] not in ".~"}
        self.assertEqual(set(self.first_skipped), seen)
        self.assertEqual(report["files"], len(found))
        self.assertEqual(report["files"], report["indexed"] + report["failed"])
        self.assertEqual(report["indexed"], len(self.documents()))

    def test_messages_are_one_line_and_name_the_file(self):
        failures, _ = self.first
        for failure in failures:
            self.assertIn(failure["file"].split("/")[-1], failure["message"])
            self.assertNotIn("\n", failure["message"])

    def test_what_is_not_read_is_named(self):
        messages = {f["file"].split("/")[-1]: f["message"] for f in self.first[0]}
        for name, format_name in {
            "simple.webp": "WebP", "named-as.pdf": "WebP", "named.png": "WebP",
            "photo.heic": "HEIC", "photo-named.jpg": "HEIC", "photo.avif": "AVIF",
            "scan.djvu": "DjVu", "figure-named.pdf": "PostScript", "rich-text.pdf": "RTF",
            "archive-named.pdf": "ZIP", "locked-handler-unknown.pdf": "encrypted",
        }.items():
            self.assertIn(format_name, messages[name])

    def test_good_files_are_whole(self):
        documents = self.documents()
        self.assertEqual(documents["pdfs/good.pdf"], 2)
        self.assertEqual(documents["archives/two-thousand-pictures.cbz"], 2000)
        for query, doc in {
            "lighthouse": "pdfs/good.pdf", "northern pier": "pdfs/good.pdf",
            "opened": "pdfs/locked-aes-128-owner-only.pdf", "deep down": "deep.pdf",
            "inside a folder": "names/folder.pdf/inside.pdf", "plain page": "archives/good.epub",
        }.items():
            hits = self.must("search", query, "--store", self.store, "--json", "-k", "400", *QUICK)
            found = [hit["doc"] for hit in hits.records()]
            self.assertTrue(any(name.endswith(doc) for name in found), f"{query}: {found[:9]}")

    def test_the_store_is_sound_and_the_next_run_reads_nothing_again(self):
        self.must("index", "--verify", "--store", self.store)
        _, first = self.first
        failures, report = self.index(self.odd, code=0)
        self.assertEqual((report["indexed"], report["unchanged"]), (0, first["indexed"]))
        self.assertEqual(report["failed"], first["failed"])
        self.assertEqual(report["known"], report["failed"] + report["partly"])
        self.assertEqual(
            [(f["file"], f["status"], f["code"]) for f in failures],
            [(f["file"], f["status"], f["code"]) for f in self.first[0]],
        )
        self.must("index", "--verify", "--store", self.store)

    def test_nothing_is_left_behind(self):
        self.assertEqual(list(self.temporary.iterdir()), [])
        self.assertEqual(program.processes_in(self.class_folder), [])

    def test_the_password_opens_what_it_locks(self):
        locked = sorted((self.odd / "pdfs").glob("locked-*-user.pdf"))
        self.assertGreaterEqual(len(locked), 5)
        none = self.odd / "pdfs" / "zero-bytes.pdf"  # for the exit code
        store = self.folder / "store"
        failures, _ = self.index(*locked, none, store=store, more=["--password", "wrong"])
        codes = [failure["code"] for failure in failures]
        self.assertEqual(sorted(codes), ["empty"] + ["wrong_password"] * len(locked))
        more = ["--password", "wrong", "--password", "secret"]
        failures, report = self.index(*[*locked, none], store=store, more=more, code=0)
        self.assertEqual([failure["code"] for failure in failures], ["empty"])
        self.assertEqual(report["indexed"], len(locked))

    def test_files_named_on_the_command_line_whatever_their_name(self):
        named = {
            name: allowed
            for name, allowed in self.expected.items()
            if pathlib.PurePath(name).suffix in LEFT_OUT
        }
        store = self.folder / "store"
        failures, _ = self.index(*[self.odd / name for name in named], store=store)
        found = self.statuses(failures, self.documents(store))
        self.assert_fitting(found, {name.split("/")[-1]: named[name] for name in named})

    def test_odd_sizes_with_ocr(self):
        """Pages are drawn to be recognized: sizes that can't be are an error, not a crash."""
        some = [name for name in self.expected if "/box-" in name or "billion" in name]
        store = self.folder / "store"
        failures, report = self.index(*[self.odd / name for name in some], store=store, ocr="auto")
        found = self.statuses(failures, self.documents(store))
        self.assertEqual(set(found), {name.split("/")[-1] for name in some})
        self.assertNotIn("crashed", found.values())
        self.assertEqual(report["files"], len(some))


if __name__ == "__main__":
    unittest.main()
