"""Office files: through LibreOffice where it is installed, else as running text."""

import http.server
import os
import pathlib
import shutil
import signal
import sqlite3
import threading
import time
import unittest

import office_files as office
import program
from program import QUICK, ProgramTest

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
needs_office = unittest.skipUnless(OFFICE, "LibreOffice is not installed")

GOOD = {
    "letter.docx": office.docx("a lighthouse in a letter"),
    "sheet.xlsx": office.xlsx("a lighthouse in a cell"),
    "letter.odt": office.odt("a lighthouse in an open letter"),
    "sheet.ods": office.ods("a lighthouse in an open cell"),
    "slides.odp": office.odp("a lighthouse on a slide", "and another one"),
    "letter.rtf": office.rtf("a lighthouse in rich text"),
}
READ_WITHOUT = {"letter.docx", "sheet.xlsx"}


class OfficeFiles(ProgramTest):
    def put(self, files):
        folder = self.folder / "docs"
        folder.mkdir(exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)
        return folder

    def index(self, folder, *more, code=0, **options):
        """The failures by file, the counts, and what was said."""
        result = self.must("index", folder, "--store", self.folder / "store", "--json", *QUICK,
                           *more, code=code, timeout=600, **options)
        *failures, report = result.records()
        return {failure["file"]: failure for failure in failures}, report, result.err

    def rows(self):
        catalog = sqlite3.connect(self.folder / "store" / "catalog.sqlite")
        self.addCleanup(catalog.close)
        return dict(catalog.execute("select doc, reflowable from documents"))

    def found(self, query):
        hits = self.must("search", query, "--store", self.folder / "store", "--json", *QUICK)
        return {hit["doc"] for hit in hits.records()}

    def kept(self):
        return sorted((self.folder / "store" / "pdfs").glob("*/*.pdf"))

    def test_without_libreoffice(self):
        folder = self.put(GOOD)
        failures, report, said = self.index(folder, "--libreoffice", "never", code=1)
        self.assertEqual(self.rows(), dict.fromkeys(READ_WITHOUT, 1))
        self.assertEqual({f["code"] for f in failures.values()}, {"unsupported"})
        self.assertEqual(set(failures), set(GOOD) - READ_WITHOUT)
        for failure in failures.values():
            self.assertIn("LibreOffice", failure["message"])
        self.assertEqual(said.count("warning: "), 1, said)
        self.assertIn("reflowed", said)
        self.assertEqual(self.found("lighthouse"), READ_WITHOUT)

    def test_locked_ones_are_told(self):
        folder = self.put({"a.docx": office.locked_ooxml(), "b.odt": office.locked_odt()})
        for choice in ("never", "auto"):
            failures, _, _ = self.index(folder, "--libreoffice", choice, code=1)
            self.assertEqual({n: f["code"] for n, f in failures.items()},
                             {"a.docx": "encrypted", "b.odt": "encrypted"})

    def test_a_program_that_is_not_there_is_wrong_usage(self):
        result = self.must("index", self.put(GOOD), "--store", self.folder / "store",
                           "--libreoffice", "/nowhere/soffice", code=2)
        self.assertIn("--libreoffice", result.err)

    @needs_office
    def test_with_libreoffice(self):
        folder = self.put(GOOD)
        _, report, said = self.index(folder)
        self.assertEqual(self.rows(), dict.fromkeys(GOOD, 0))
        self.assertEqual(report["pages"], len(GOOD) + 1)
        self.assertNotIn("warning", said)
        self.assertEqual(self.found("lighthouse"), set(GOOD))
        self.assertEqual(len(self.kept()), len(GOOD))
        self.must("index", "--verify", "--store", self.folder / "store")
        # Also where it has gone since.
        self.assertEqual(self.index(folder, "--libreoffice", "never")[1]["unchanged"], len(GOOD))
        (folder / "slides.odp").unlink()
        self.index(folder, "--prune")
        self.assertEqual(len(self.kept()), len(GOOD) - 1)

    @needs_office
    def test_running_text_becomes_pages_when_libreoffice_has_come(self):
        folder = self.put({"letter.docx": GOOD["letter.docx"]})
        self.index(folder, "--libreoffice", "never")
        self.assertEqual(self.rows(), {"letter.docx": 1})
        self.assertEqual(self.index(folder)[1]["indexed"], 1)
        self.assertEqual(self.rows(), {"letter.docx": 0})

    @needs_office
    def test_a_damaged_pdf_is_found(self):
        self.index(self.put({"letter.odt": GOOD["letter.odt"]}))
        [pdf] = self.kept()
        data = bytearray(pdf.read_bytes())
        data[len(data) // 2] ^= 1
        pdf.write_bytes(data)
        result = self.must("index", "--verify", "--store", self.folder / "store", code=3)
        self.assertIn(pdf.name, result.out)

    def processes_naming(self, text):
        """Ids of processes that have it in their arguments."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if text.encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass
        return found

    def wait_for(self, is_so):
        deadline = time.monotonic() + 60
        while not is_so():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_no_conversion_outlives_the_program(self):
        slow = self.folder / "soffice"
        slow.write_text("#!/bin/sh\nwhile :; do :; done\n")
        slow.chmod(0o755)
        folder = self.put({"letter.odt": GOOD["letter.odt"]})
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL):
            process = self.start("index", folder, "--store", self.folder / "store", *QUICK,
                                 "--libreoffice", slow, start_new_session=True)
            self.wait_for(lambda: self.processes_naming(f"{slow}\0-env:"))
            os.killpg(process.pid, number)
            process.communicate()
            self.wait_for(lambda: not self.processes_naming(str(self.folder)))

    @needs_office
    def test_odd_ones_end_with_one_status_and_call_nobody(self):
        asked = []

        class Listener(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

            do_HEAD = do_OPTIONS = do_GET

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        good = GOOD["letter.docx"]
        odd = {
            "links.docx": office.with_links(f"http://127.0.0.1:{server.server_port}"),
            "macros.docm": office.with_macros(), "macros-named.docx": office.with_macros(),
            "bomb.docx": office.bomb(60), "half.docx": good[: len(good) // 2],
            "half.odt": GOOD["letter.odt"][:200], "sheet-named.docx": GOOD["sheet.xlsx"],
            "open-named.docx": GOOD["letter.odt"], "words.docx": b"only words",
            "zero.odt": b"",
            "report.docx": (program.DOCS / program.NATIVE_TEXT[0]).read_bytes(),
            "old.doc": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600),
        }
        temporary = self.folder / "tmp"
        temporary.mkdir()
        failures, report, _ = self.index(self.put(odd), "--worker-seconds", "10", code=1,
                                         env={"TMPDIR": str(temporary)})
        self.assertEqual(report["files"], len(odd))
        stored = self.rows()
        self.assertEqual(set(stored) | set(failures), set(odd))
        for name in ("links.docx", "macros.docm", "macros-named.docx", "sheet-named.docx",
                     "report.docx"):
            self.assertIn(name, stored, failures.get(name))
        self.assertEqual(failures["zero.odt"]["code"], "empty")
        self.assertEqual(failures["old.doc"]["code"], "damaged")
        for failure in failures.values():
            self.assertNotIn(".making-", failure["message"])
            self.assertNotIn("\n", failure["message"])
        self.assertEqual(asked, [])
        self.assertEqual(list(temporary.iterdir()), [])
        self.assertEqual(program.processes_in(self.class_folder), [])


if __name__ == "__main__":
    unittest.main()
