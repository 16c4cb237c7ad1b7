"""Files of text with structure, and pictures of other formats: each is read, and found again."""

import shutil
import unittest

import mail_files
import office_files
from program import DATA, QUICK, ProgramTest

TIDES = "Port,High water,Low water\nAberdeen,4.2 m,0.6 m\nHull,7.1 m,0.9 m\n"

FILES = {
    "tides.csv": TIDES,
    "tides.tsv": TIDES.replace(",", "\t"),
    "settings.json": '{"pier":{"lantern":"kerosene","keeper":"Olaf"}}',
    "guide.rst": "Guide\n=====\n\nThe foghorn sounds twice a minute.\n",
    "paper.tex": "\\section{Currents}\nThe ebb runs at three knots.\n",
}


class Formats(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.folder / "docs"
        self.docs.mkdir()
        self.store = self.folder / "store"

    def index(self, *more, code=0):
        return self.must("index", self.docs, "--store", self.store, "--json", *QUICK,
                         "--libreoffice", "never", *more, code=code)

    def hits(self, query):
        return self.must("search", query, "--store", self.store, "--json", *QUICK).records()

    def found(self, query):
        return {hit["doc"] for hit in self.hits(query)}

    def test_text_with_structure_is_read(self):
        for name, text in FILES.items():
            (self.docs / name).write_text(text)
        (report,) = self.index().records()
        self.assertEqual((report["indexed"], report["skipped"]), (len(FILES), 0))
        self.assertEqual(self.found("Aberdeen high water"), {"tides.csv", "tides.tsv"})
        self.assertEqual(self.found("kerosene"), {"settings.json"})
        self.assertEqual(self.found("foghorn"), {"guide.rst"})
        self.assertEqual(self.found("ebb knots"), {"paper.tex"})
        self.must("index", "--verify", "--store", self.store)

    def test_saved_web_pages_that_name_other_files_are_read(self):
        head = '<meta charset="UTF-8"><link rel="stylesheet" href="site.css"><script src="a.js"></script>'
        body = '<img src="logo.png"><p>The dredger leaves at noon.</p><img src="/b.svg">'
        (self.docs / "plain.html").write_text(f"<html><head>{head}</head><body>{body}</body></html>")
        (self.docs / "search.html").write_text(f"{head}{body}<input placeholder='Search'>")
        report = self.index().records()[-1]
        self.assertEqual((report["indexed"], report["failed"]), (2, 0))
        self.assertEqual(self.found("dredger"), {"plain.html", "search.html"})
        page = self.must("show", "plain.html", "--store", self.store).out
        self.assertEqual(page.split(), "The dredger leaves at noon.".split())

    def test_a_row_of_a_table_answers_with_its_header(self):
        rows = "".join(f"Harbour {i},{i}.5 m\n" for i in range(300))
        (self.docs / "depths.csv").write_text("Name,Depth\n" + rows)
        (report,) = self.index().records()
        self.assertGreater(report["pages"], 3)
        (first, *_) = self.hits("Harbour 250 depth")
        self.assertEqual(first["doc"], "depths.csv")
        self.assertIn("250.5 m", first["snippet"])
        # Its column's name stands on its page too, wherever that is.
        answer = self.must("ask", "What is the depth of Harbour 250?", "--store", self.store,
                           "--json", *QUICK).records()[0]
        self.assertIn("250.5", answer["answer"])

    def test_mail_is_read(self):
        (self.docs / "one.eml").write_bytes(
            mail_files.eml("Dredging", "The dredger arrives on Monday.", "chart.pdf"))
        (self.docs / "two.msg").write_bytes(
            mail_files.msg("Mooring", "The mooring chain is worn.", inner="Buoy seven drifts."))
        (self.docs / "three.msg").write_bytes(
            mail_files.msg_of_html("Crane", "<p>The crane is <b>repaired</b>.</p>"))
        (self.docs / "bad.msg").write_bytes(b"no message")
        *failures, report = self.index(code=1).records()
        self.assertEqual({(one["file"], one["status"]) for one in failures},
                         {("bad.msg", "failed"), ("one.eml", "partly"), ("two.msg", "partly")})
        # Their attachments are named: one is no PDF, the other has no content.
        for one in failures:
            self.assertIn({"bad.msg": "Outlook", "one.eml": "chart.pdf", "two.msg": "plan.xlsx"}[
                one["file"]], one["message"])
        self.assertEqual(report["indexed"], 3)
        self.assertEqual(self.found("dredger Monday"), {"one.eml"})
        self.assertEqual(self.found("attachment chart"), {"one.eml", "two.msg"})
        for query in ("mooring chain worn", "Buoy seven drifts", "plan.xlsx",
                      "Tuesday 14 May 2024 07:30", "Ann Reeve Harbour office"):
            self.assertIn("two.msg", self.found(query), query)
        self.assertEqual(self.found("crane repaired"), {"three.msg"})

    def test_texts_in_cells_are_read_without_libreoffice(self):
        sheet = ('<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
                 '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>Lantern</t></is></c>'
                 '<c r="B1" t="inlineStr"><is><t>Range</t></is></c></row><row r="2">'
                 '<c r="A2" t="inlineStr"><is><t>North pier</t></is></c><c r="B2"><v>18.5</v></c>'
                 "</row></sheetData></worksheet>")
        (self.docs / "lights.xlsx").write_bytes(office_files.package(
            "xl/workbook.xml", "spreadsheetml.sheet", {
                "xl/workbook.xml": '<workbook xmlns:r="' + office_files.OFFICE + '"><sheets>'
                                   '<sheet name="S" sheetId="1" r:id="s1"/></sheets></workbook>',
                "xl/_rels/workbook.xml.rels": office_files.relations(
                    ("s1", "worksheet", "worksheets/sheet1.xml")),
                "xl/worksheets/sheet1.xml": sheet}))
        self.index()
        (hit,) = self.hits("North pier lantern range")
        self.assertIn("18.5", hit["snippet"])
        self.assertIn("North pier", hit["snippet"])

    def test_pictures_of_other_formats_are_read(self):
        for name in ("line.webp", "line.heic", "line.avif", "two.heic"):
            shutil.copy(DATA / "converted" / name, self.docs)
        report = self.index().records()[-1]
        self.assertEqual([report[k] for k in ("indexed", "pages", "ocr_pages")], [4, 5, 5])
        self.assertEqual(self.found("lighthouse closed"),
                         {"line.webp", "line.heic", "line.avif"})
        self.assertEqual({hit["page"] for hit in self.hits("second lantern")}, {2})

    def test_damaged_ones_are_told(self):
        for name in ("line.webp", "line.heic", "line.avif"):
            data = (DATA / "converted" / name).read_bytes()
            (self.docs / name).write_bytes(data[: len(data) // 2])
        *failures, report = self.index(code=1).records()
        self.assertEqual({failure["code"] for failure in failures}, {"damaged"})
        self.assertEqual(len(failures), 3)

    def test_text_in_a_picture_beside_text_is_read(self):
        shutil.copy(DATA / "converted" / "with-picture.pdf", self.docs)
        self.index()
        self.assertEqual(self.found("anemometer"), {"with-picture.pdf"})
        shutil.rmtree(self.store)
        self.index("--ocr", "never")
        self.assertEqual(self.found("anemometer"), set())


if __name__ == "__main__":
    unittest.main()
