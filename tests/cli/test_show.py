"""`fineprint show`: a page as text, and as a picture with quotes marked."""

import unittest

import coloured_lines
from coloured_lines import LINES, QUOTE
from pixels import Picture
from program import QUICK, ProgramTest


class Show(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.docs = cls.class_folder / "docs"
        cls.docs.mkdir()
        other = [("A page about oysters.", coloured_lines.OTHER)]
        (cls.docs / "coast.pdf").write_bytes(coloured_lines.pdf(LINES, other))
        (cls.docs / "coat.pdf").write_bytes(coloured_lines.pdf(other))
        cls.store = cls.class_folder / "store"
        cls.must("index", cls.docs, "--store", cls.store, *QUICK)

    def show(self, *arguments, code=0):
        return self.must("show", *arguments, "--store", self.store, cwd=self.folder, code=code)

    def test_a_page_is_its_text(self):
        result = self.show("coast.pdf#1")
        self.assertEqual(result.out.splitlines(), [text for text, _ in LINES])
        self.assertEqual(result.err, "")
        (record,) = self.show("coast.pdf#2", "--json").records()
        self.assertEqual(record["text"], "A page about oysters.")
        self.assertEqual((record["width"], record["height"]), (360, 240))

    def test_a_mark_lies_over_the_quoted_words(self):
        result = self.show("coast.pdf#1", "--mark", QUOTE, "--out", "page.png")
        self.assertEqual(result.out, "")
        picture = Picture(self.folder / "page.png")
        self.assertEqual((picture.width, picture.height), (550, 367))  # at 110 dpi
        coloured_lines.assert_mark_over_quote(self, picture)

    def test_the_resolution_can_be_chosen_and_boxes_are_told(self):
        arguments = ["--mark", "seventeen lamps", "--mark", "white", "--json", "--dpi", "144"]
        (record,) = self.show("coast.pdf#1", *arguments, "--out", "page.jpg").records()
        self.assertEqual((record["width"], record["height"]), (720, 480))
        self.assertEqual([mark["quote"] for mark in record["marks"]], ["seventeen lamps", "white"])
        ((x0, y0, x1, y1),) = record["marks"][0]["boxes"]
        # The line stands 110 points from the top; its letters are 13 points high.
        self.assertTrue(150 < x0 < x1 < 310 and 88 < y0 < 97 and 110 < y1 < 118, record)
        picture = Picture(self.folder / "page.jpg")
        self.assertEqual((picture.width, picture.height), (720, 480))
        (told,) = self.show("coast.pdf#1", "--mark", "seventeen lamps", "--json").records()
        self.assertEqual(told["marks"], record["marks"][:1])

    def test_a_quote_that_is_not_there_is_an_error_that_says_what_is_nearest(self):
        def refused(quote, *parts):
            out = self.folder / "page.png"
            result = self.show("coast.pdf#1", "--mark", quote, "--out", out, code=3)
            self.assert_one_error(result, 3, "coast.pdf, page 1", quote, *parts)
            self.assertFalse(out.exists())

        refused("keeper owns seventy lamps", 'the nearest words are "keeper owns seventeen lamps."')
        refused("a page about oysters", "it is on page 2")
        refused("trams in Ghent", "no words of the page are similar")

    def test_a_page_that_is_not_there(self):
        self.assert_one_error(self.show("coast.pdf#3", code=3), 3, "has no page 3", "1 to 2")
        self.assert_one_error(self.show("boat.pdf#1", code=3), 3, "boat.pdf")
        self.assert_one_error(self.show("coa*.pdf#1", code=3), 3, "coast.pdf", "coat.pdf")
        for name in ("coast.pdf#0", "coast.pdf#x"):
            self.assert_one_error(self.show(name, code=2), 2, name, "DOC#PAGE")

    def test_a_document_is_all_its_pages(self):
        lines = "\n".join(text for text, _ in LINES)
        self.assertEqual(self.show("coast.pdf").out, f"{lines}\n\fA page about oysters.\n")
        records = self.show("coast.pdf", "--json").records()
        self.assertEqual([record["page"] for record in records], [1, 2])
        self.assert_one_error(self.show("coast.pdf", "--out", "a.png", code=2), 2, "coast.pdf#1")
        self.assert_one_error(
            self.show("coast.pdf", "--json", "--mark", QUOTE, code=2), 2, "one page"
        )

    def test_a_page_is_markdown_or_its_elements(self):
        text = self.show("coast.pdf#2", "--format", "markdown").out
        self.assertEqual(text, "A page about oysters.\n")
        both = self.show("coast.pdf", "--format", "markdown").out
        self.assertTrue(both.startswith("<!-- page 1 -->\n\n"), both)
        self.assertIn("\n<!-- page 2 -->\n\nA page about oysters.\n", both)
        (record,) = self.show("coast.pdf#2", "--format", "json").records()
        (element,) = record["elements"]
        self.assertEqual((element["kind"], element["text"]), ("paragraph", "A page about oysters."))
        x0, y0, x1, y1 = element["box"]
        self.assertTrue(0 <= x0 < x1 <= 360 and 0 <= y0 < y1 <= 240, element)

    def test_tables_keep_their_cells(self):
        store = self.native_store()
        show = ["show", "harbor-annual-report.pdf", "--store", store]
        records = self.must(*show, "--json").records()
        tables = [one for record in records for one in record["elements"] if "rows" in one]
        self.assertTrue(tables)
        text = self.must(*show, "--format", "markdown").out
        for row in tables[0]["rows"]:
            line = next(line for line in text.splitlines()
                        if line.startswith("|") and all(cell in line for cell in row))
            self.assertEqual(line.count("|"), len(row) + 1)

    def test_what_cannot_be_written_is_said_first(self):
        self.assert_one_error(self.show("coast.pdf#1", "--out", "page.gif", code=2), 2, "page.gif")
        self.assert_one_error(
            self.show("coast.pdf#1", "--out", "nowhere/page.png", code=3), 3, "nowhere"
        )
        self.assert_one_error(self.show("coast.pdf#1", "--mark", QUOTE, code=2), 2, "--out")

    def test_a_file_that_is_gone_is_named(self):
        docs, store = self.folder / "docs", self.folder / "store"
        docs.mkdir()
        (docs / "gone.pdf").write_bytes(coloured_lines.pdf(LINES))
        self.must("index", docs, "--store", store, *QUICK)
        (docs / "gone.pdf").unlink()
        arguments = ["--store", store, "--out", self.folder / "page.png"]
        result = self.call("show", "gone.pdf#1", *arguments)
        self.assert_one_error(result, 3, "gone.pdf", "page 1", "cannot show", "--prune")
        # What was read of it is still there.
        self.assertIn(QUOTE, self.must("show", "gone.pdf#1", "--store", store).out)


if __name__ == "__main__":
    unittest.main()
