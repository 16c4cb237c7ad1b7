"""Office files: through LibreOffice where it is installed, else as running text."""

import http.server
import json
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
    "slides.pptx": office.pptx("a lighthouse on a first slide", "a buoy", "a pier"),
    "letter.rtf": office.rtf("a lighthouse in rich text"),
}
READ_WITHOUT = {"letter.docx", "sheet.xlsx", "slides.pptx"}
# Locked by the password "secret"; scripts/golden/make_locked_files.py made them.
LOCKED = {path.name: path.read_bytes() for path in (program.DATA / "locked").iterdir()}


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
        self.assertEqual({name.rpartition(".")[2] for name in LOCKED},
                         {"doc", "docx", "odt", "ods", "odp", "pptx", "xls", "xlsx"})
        folder = self.put(LOCKED)
        # No password is tried on them, so that none is wrong.
        for more in (["--libreoffice", "never"], [], ["--password", "secret"]):
            failures, report, _ = self.index(folder, *more, "--retry-failed", code=1)
            self.assertEqual({name: failure["code"] for name, failure in failures.items()},
                             dict.fromkeys(LOCKED, "encrypted"), more)
            for name, failure in failures.items():
                self.assertIn("save it without a password", failure["message"])
                self.assertIn(f"docs/{name}", failure["message"])
            self.assertEqual(report["indexed"], 0)

    def test_a_program_that_is_not_there_is_wrong_usage(self):
        result = self.must("index", self.put(GOOD), "--store", self.folder / "store",
                           "--libreoffice", "/nowhere/soffice", code=2)
        self.assertIn("--libreoffice", result.err)

    @needs_office
    def test_with_libreoffice(self):
        folder = self.put(GOOD)
        _, report, said = self.index(folder)
        self.assertEqual(self.rows(), dict.fromkeys(GOOD, 0))
        self.assertEqual(report["pages"], len(GOOD) + 3)
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
    def test_a_slide_is_a_page_with_its_text_where_it_stands(self):
        self.index(self.put({"slides.pptx": GOOD["slides.pptx"]}))
        for page, word in enumerate(("lighthouse", "buoy", "pier"), 1):
            [hit] = self.must("search", word, "--store", self.folder / "store", "--json",
                              *QUICK).records()
            self.assertEqual((hit["doc"], hit["page"]), ("slides.pptx", page))
            [[left, top, right, bottom]] = hit["boxes"]
            # The box of the text begins at 2 and 1 inches; its letters are 24 points high.
            self.assertAlmostEqual(left, 144, delta=4)
            self.assertTrue(72 <= top < bottom <= 72 + 36, hit)
            self.assertTrue(left < right <= 144 + 432, hit)

    @needs_office
    def test_runs_at_the_same_time_do_not_disturb_each_other(self):
        files = {name: GOOD[name] for name in ("letter.docx", "slides.pptx", "letter.odt")}
        folder = self.put(files)
        stores = [self.folder / f"store-{i}" for i in range(2)]
        runs = [self.start("index", folder, "--store", store, "--json", *QUICK) for store in stores]
        said = [run.communicate(timeout=600) for run in runs]
        for run, (out, err), store in zip(runs, said, stores):
            self.assertEqual(run.returncode, 0, err)
            self.assertEqual(json.loads(out)["indexed"], len(files))
            self.assertEqual(len(list((store / "pdfs").glob("*/*.pdf"))), len(files))
            self.assertEqual([path for path in (store / "pdfs").iterdir()
                              if path.name.startswith(".")], [])
        self.assertEqual(program.processes_in(self.class_folder), [])

    def test_one_that_hangs_is_ended_and_the_others_are_read(self):
        hangs = self.folder / "soffice"
        hangs.write_text("#!/bin/sh\nsleep 600 & sleep 600\n")
        hangs.chmod(0o755)
        files = {"letter.odt": GOOD["letter.odt"], "note.txt": b"a lighthouse in a note"}
        failures, report, _ = self.index(self.put(files), "--libreoffice", hangs,
                                         "--worker-seconds", "2", code=1)
        self.assertEqual({name: f["code"] for name, f in failures.items()},
                         {"letter.odt": "timed_out"})
        self.assertEqual(report["indexed"], 1)
        self.assertEqual(program.processes_in(self.class_folder), [])

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
