"""`fineprint index`: reports, OCR modes, what is found under a path, the writer's lock, damage."""

import contextlib
import re
import shutil
import signal
import sqlite3
import time
import unittest

import program
from program import DOCS, QUICK, ProgramTest


class Index(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"

    def index(self, *paths, more=(), code=0):
        arguments = [*paths, "--store", self.store, "--json", *QUICK, *more]
        return self.must("index", *arguments, code=code).records()

    def documents(self, query):
        hits = self.must("search", query, "--store", self.store, "--json", "-k", "50", *QUICK)
        return {hit["doc"] for hit in hits.records()}

    def test_the_report_has_every_count(self):
        docs = self.copy_documents(self.folder / "docs")
        (report,) = self.index(docs)
        self.assertEqual(
            list(report),
            ["files", "indexed", "partly", "unchanged", "failed", "known", "skipped", "removed"]
            + ["pages", "ocr_pages", "hidden_words", "hidden_pages", "hidden_documents", "vectors", "seconds"],
        )
        self.assertEqual(report["vectors"], {})
        self.assertEqual((report["files"], report["indexed"], report["pages"]), (3, 3, 17))
        self.assertEqual(report["ocr_pages"], 0)
        self.assertGreater(report["seconds"], 0)

    def test_ocr_never_reads_text_layers_only(self):
        (report,) = self.index(DOCS / "scanned-letter.pdf", more=["--ocr", "never"])
        self.assertEqual((report["pages"], report["ocr_pages"]), (2, 0))
        self.assertEqual(self.documents("letter"), set())

    def test_ocr_auto_reads_pages_without_text(self):
        (report,) = self.index(DOCS / "scanned-letter.pdf", DOCS / "rotated-table.pdf")
        self.assertEqual((report["pages"], report["ocr_pages"]), (4, 2))
        self.assertIn("scanned-letter.pdf", self.documents("estimate for rewiring the hoist"))

    def test_ocr_always_reads_every_page(self):
        (report,) = self.index(DOCS / "rotated-table.pdf", more=["--ocr", "always"])
        self.assertEqual((report["pages"], report["ocr_pages"]), (2, 2))
        self.assertEqual(self.documents("battery volts of the gauge"), {"rotated-table.pdf"})

    def test_an_ocr_language_that_is_not_installed_is_named(self):
        result = self.call(
            *["index", DOCS / "ticket.jpg", "--store", self.store, "--ocr-lang", "xyz", *QUICK]
        )
        self.assertIn(result.code, (1, 3))
        self.assertIn("xyz", result.err)

    def test_several_paths_and_odd_names(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        for name in ["with space.pdf", "ünï\u2603.pdf", "UPPER.PDF", "-dash.pdf"]:
            shutil.copy(DOCS / "rotated-table.pdf", docs / name)
            with open(docs / name, "ab") as file:
                file.write(f"\n%% {name}\n".encode())
        (docs / ".hidden.pdf").write_bytes(b"not a document")
        (docs / "~$lock.pdf").write_bytes(b"not a document")
        (docs / "notes.xyz").write_bytes(b"not a document either")
        (docs / "loop").symlink_to(docs)
        skipped, report = self.index(docs)
        self.assertEqual((report["indexed"], report["failed"], report["skipped"]), (5, 0, 1))
        self.assertEqual(skipped, {"file": "notes.xyz", "path": str(docs / "notes.xyz"),
                                   "status": "skipped"})
        self.assertIn("ünï\u2603.pdf", self.documents("battery volts of the gauge"))

    def test_an_empty_folder_is_no_error(self):
        empty = self.folder / "empty"
        empty.mkdir()
        (report,) = self.index(empty)
        self.assertEqual(report["files"], 0)
        self.assertEqual(self.documents("anything"), set())

    def documents_in_store(self):
        try:
            with contextlib.closing(sqlite3.connect(f"file:{self.store}/catalog.sqlite?mode=ro",
                                                    uri=True)) as catalog:
                return catalog.execute("SELECT COUNT(*) FROM documents").fetchone()[0]
        except sqlite3.Error:
            return 0  # there is none yet

    def test_two_writers_do_not_mix(self):
        docs = self.folder / "docs"
        for number in range(8):
            self.copy_documents(docs / str(number))
        for number, file in enumerate(sorted(docs.rglob("*.pdf"))):
            with open(file, "ab") as end:
                end.write(b"\n%% %d\n" % number)
        first = self.start("index", docs, "--store", self.store, "--scorer", "bm25")
        deadline = time.monotonic() + 60
        while self.documents_in_store() == 0 and time.monotonic() < deadline:
            time.sleep(0.002)
        first.send_signal(signal.SIGSTOP)  # in the middle, however fast it is
        try:
            second = self.call("index", docs, "--store", self.store, "--scorer", "bm25")
            self.assert_one_error(second, 3, self.store)
            # Readers are not kept out.
            self.must("search", "x", "--store", self.store, "--scorer", "bm25")
        finally:
            first.send_signal(signal.SIGCONT)
        first.communicate()
        self.assertEqual(first.returncode, 0)
        self.must("index", "--verify", "--store", self.store)

    def test_verify_finds_damage_and_names_the_document(self):
        self.index(DOCS / "rotated-table.pdf", DOCS / "reef-survey-paper.pdf")
        result = self.must("index", "--verify", "--store", self.store)
        self.assertRegex(result.err, r"2 documents, 6 pages")
        self.damage_a_page("rotated-table.pdf")
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertIn("rotated-table.pdf", result.out)
        self.assertNotIn("reef-survey-paper.pdf", result.out)
        remedy = re.search(r"fineprint (index --repair --store \S+)", result.err).group(1)
        report = self.must(*remedy.split(), "--json", *QUICK, "--ocr", "never").records()[-1]
        self.assertEqual((report["files"], report["indexed"]), (1, 1))
        self.must("index", "--verify", "--store", self.store)

    def test_what_cannot_be_mended_says_so(self):
        self.index(DOCS / "rotated-table.pdf")
        catalog = sqlite3.connect(self.store / "catalog.sqlite")
        catalog.execute("update meta set value = 'x'")
        catalog.commit()
        catalog.close()
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertNotIn("--repair", result.out + result.err)
        self.assertIn("new folder", result.err)
        result = self.call("index", "--repair", "--store", self.store, *QUICK)
        self.assert_one_error(result, 3, "new folder")

    def test_a_store_of_another_format_is_refused_by_every_command(self):
        self.index(DOCS / "rotated-table.pdf")
        catalog = self.store / "catalog.sqlite"
        for version in (-1, -2000000000, 5, 7):
            database = sqlite3.connect(catalog)
            database.execute(f"pragma user_version = {version}")
            database.close()
            before = catalog.read_bytes()
            for command in (
                ["index", DOCS / "rotated-table.pdf"],
                ["index", "--verify"],
                ["index", "--repair"],
                ["search", "battery", "--scorer", "bm25"],
            ):
                with self.subTest(version=version, command=command[:2]):
                    result = self.call(*command, "--store", self.store)
                    self.assert_one_error(result, 3, f"its format is {version},", "new folder")
                    self.assertEqual(catalog.read_bytes(), before)

    def damage_a_page(self, doc):
        """Changes one byte of the packed words of the document's last page."""
        catalog = sqlite3.connect(self.store / "catalog.sqlite")
        tables = [r[0] for r in catalog.execute("select name from sqlite_master where type='table'")]
        columns = {t: [c[1:3] for c in catalog.execute(f"pragma table_info({t})")] for t in tables}
        pages = columns["pages"]
        blob = next(name for name, kind in pages if kind.upper() == "BLOB")
        owner = next(name for name, _ in pages if name.startswith("document"))
        (number,) = catalog.execute("select id from documents where doc = ?", (doc,)).fetchone()
        rowid, data = catalog.execute(
            f"select rowid, {blob} from pages where {owner} = ? order by rowid desc", (number,)
        ).fetchone()
        data = data[:-3] + bytes([data[-3] ^ 1]) + data[-2:]
        catalog.execute(f"update pages set {blob} = ? where rowid = ?", (data, rowid))
        catalog.commit()
        catalog.close()

    @program.needs_nets
    def test_a_damaged_vector_file_is_found(self):
        self.must("index", DOCS / "rotated-table.pdf", "--store", self.store)
        (segment,) = (self.store / "vectors").rglob("*.safetensors")
        data = bytearray(segment.read_bytes())
        data[-5] ^= 1
        segment.write_bytes(data)
        self.must("index", "--verify", "--store", self.store, code=3)


if __name__ == "__main__":
    unittest.main()
