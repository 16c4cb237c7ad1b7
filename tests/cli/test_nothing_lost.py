"""What is not read is said: skipped kinds, missing paths, pages and files that fail, long messages."""

import json
import shutil
import unittest

from program import DATA, QUICK, ProgramTest


def few_words(box, more=""):
    """A PDF of one page with three words, which is drawn to see whether OCR would find more."""
    text = "BT /F 12 Tf 40 200 Td (Pump house 7) Tj ET\n" + more
    return (
        "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        f"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[{box}]/Contents 4 0 R"
        "/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
        f"4 0 obj<</Length {len(text)}>>stream\n{text}\nendstream endobj\n"
        "5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R>>\n"
    )


class NothingLost(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        self.docs = self.folder / "docs"
        self.docs.mkdir()

    def index(self, *paths, more=(), code=0):
        arguments = ["--store", self.store, *QUICK, *more]
        return self.must("index", *(paths or [self.docs]), *arguments, code=code)

    def documents(self, query):
        hits = self.must("search", query, "--store", self.store, "--json", "-k", "50", *QUICK)
        return {hit["doc"] for hit in hits.records()}

    def test_other_kinds_are_counted_by_extension_and_named_when_asked(self):
        shutil.copy(DATA / "odd" / "good.pdf", self.docs)
        for name in ("a.zzz", "b.zzz", "deep/c.ZZZ", "film.mp4", "Makefile"):
            (self.docs / name).parent.mkdir(exist_ok=True)
            (self.docs / name).write_text("x")
        result = self.index()
        self.assertIn(
            "5 files skipped because fineprint does not read their kind: 2 .zzz, 1 .ZZZ, 1 .mp4, "
            "1 without extension",
            result.err,
        )
        self.assertNotIn("film.mp4", result.err)
        self.assertIn("film.mp4: skipped", self.index(more=["-v"]).err)
        *skipped, report = self.index(more=["--json"]).records()
        self.assertEqual(
            [(s["file"], s["status"]) for s in skipped],
            [(n, "skipped") for n in ("Makefile", "a.zzz", "b.zzz", "deep/c.ZZZ", "film.mp4")],
        )
        self.assertEqual(skipped[3]["path"], str(self.docs / "deep/c.ZZZ"))
        self.assertEqual((report["files"], report["skipped"]), (1, 5))

    def test_a_pdf_without_extension_and_plain_pictures_are_read(self):
        shutil.copy(DATA / "odd" / "good.pdf", self.docs / "report")
        (self.docs / "grey.pgm").write_bytes(b"P5 20 10 255\n" + bytes([200]) * 200)
        (self.docs / "colour.ppm").write_bytes(b"P6 20 10 255\n" + bytes([200]) * 600)
        (self.docs / "bits.pbm").write_bytes(b"P4 16 10\n" + bytes(20))
        (self.docs / "any.pam").write_bytes(
            b"P7\nWIDTH 20\nHEIGHT 10\nDEPTH 1\nMAXVAL 255\nTUPLTYPE GRAYSCALE\nENDHDR\n"
            + bytes([200]) * 200
        )
        (report,) = self.index(more=["--json"]).records()
        self.assertEqual((report["indexed"], report["skipped"], report["failed"]), (5, 0, 0))
        self.assertIn("report", self.documents("office kettle"))

    def test_one_missing_path_is_named_and_the_others_are_read(self):
        shutil.copy(DATA / "odd" / "good.pdf", self.docs)
        missing = self.folder / "nowhere"
        failure, report = self.index(missing, self.docs, more=["--json"], code=1).records()
        self.assertEqual((failure["code"], failure["path"]), ("unreadable", str(missing)))
        self.assertEqual((report["indexed"], report["failed"]), (1, 1))
        self.assertEqual(self.documents("kettle"), {"good.pdf"})
        self.index(missing, self.docs, code=1)  # also when it is said again
        asked = self.must("ask", "When is the kettle descaled?", self.docs, missing, *QUICK, code=1)
        self.assertIn("nowhere", asked.err)
        self.assertIn("good.pdf, page", asked.out)
        # A word of a question without quotes looks like a missing path, too: nothing is answered.
        asked = self.call("ask", "When", "is", "the", "kettle", "descaled?", self.docs, *QUICK)
        self.assert_one_error(asked, 3, "is: ", "in quotes")
        self.assert_one_error(self.call("index", missing, "--store", self.store, *QUICK), 3, missing)

    def test_a_page_too_large_to_be_drawn_keeps_its_text(self):
        (self.docs / "huge.pdf").write_text(few_words("0 0 10000000 10000000"))
        failure, report = self.index(more=["--json"], code=1).records()
        self.assertEqual((failure["status"], failure["code"]), ("partly", "too_large"))
        self.assertIn("text layer are kept", failure["message"])
        self.assertNotIn("dpi;", failure["message"])
        self.assertEqual(report["indexed"], 1)
        self.assertEqual(self.documents("pump house"), {"huge.pdf"})

    def test_a_page_that_takes_too_long_to_draw_keeps_its_text(self):
        strokes = "".join(
            f"{i * 7919 % 600} {i * 104729 % 800} m {i * 1299709 % 600} {i * 15485863 % 800} l S\n"
            for i in range(20_000)
        )
        page = few_words("0 0 600 800", "8 w [0.1 0.1] 0 d\n" + strokes)
        (self.docs / "strokes.pdf").write_text(page)
        failure, report = self.index(more=["--json", "--worker-seconds", "3"], code=1).records()
        self.assertEqual((failure["status"], failure["code"]), ("partly", "timed_out"))
        self.assertEqual(self.documents("pump house"), {"strokes.pdf"})

    def test_pages_lost_in_an_earlier_run_are_told_by_later_ones(self):
        (self.docs / "huge.pdf").write_text(few_words("0 0 10000000 10000000"))
        self.index(code=1)
        failure, report = self.index(more=["--json"]).records()
        self.assertEqual((failure["status"], failure["known"]), ("partly", True))
        self.assertEqual([report[k] for k in ("unchanged", "partly", "known")], [1, 1, 1])
        self.assertIn("huge.pdf", self.index().err)

    def test_what_a_bad_line_quotes_is_cut(self):
        shutil.copy(DATA / "odd" / "good.pdf", self.docs)
        self.index()
        digits = "5" * 5_000_000
        for line in ('{"id":"a","question":' + digits + "}", '{"id":"' + digits,
                     '{"question":["' + digits + '"]}', '{"id":"a","doc":' + digits + "}"):
            questions = self.write("q.jsonl", line + "\n")
            result = self.call("batch", questions, "--store", self.store, "--out",
                               self.folder / "a.jsonl", *QUICK)
            self.assertEqual(result.code, 3, result.err[:500])
            self.assertLess(len(result.err), 2500)
            self.assertIn("q.jsonl:1", result.err)

    def test_a_question_of_very_many_words_says_how_many_it_is_looked_up_by(self):
        shutil.copy(DATA / "odd" / "good.pdf", self.docs)
        self.index()
        words = " ".join(f"word{i}" for i in range(80_000))
        questions = self.write("q.jsonl", json.dumps({"id": "a", "question": words}) + "\n")
        result = self.must("batch", questions, "--store", self.store, "--out",
                           self.folder / "a.jsonl", *QUICK)
        self.assertRegex(result.err, r"8\d{4} different words; only the first 1000 are looked up")


if __name__ == "__main__":
    unittest.main()
