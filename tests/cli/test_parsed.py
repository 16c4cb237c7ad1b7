"""What docling and MinerU have read, beside the PDF and alone."""

import json
import os
import unittest

import coloured_lines
from coloured_lines import LINES
from pixels import Picture
from program import QUICK, ProgramTest

TEXT = "Lighthouses were counted by nobody"


def docling(*texts, size=(360, 240)):
    """A DoclingDocument of one page."""
    return {
        "schema_name": "DoclingDocument", "version": "1.8.0", "name": "coast",
        "pages": {"1": {"size": {"width": size[0], "height": size[1]}, "page_no": 1}},
        "body": {"self_ref": "#/body",
                 "children": [{"$ref": f"#/texts/{i}"} for i in range(len(texts))]},
        "texts": [{"label": "text", "text": text, "content_layer": "body", "prov": [
            {"page_no": 1, "charspan": [0, len(text)],
             "bbox": {"l": 20, "t": 20 + 30 * i, "r": 340, "b": 40 + 30 * i,
                      "coord_origin": "TOPLEFT"}}]} for i, text in enumerate(texts)]}


class Parsed(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs, self.store = self.folder / "docs", self.folder / "store"
        self.docs.mkdir()

    def put(self, name, document):
        (self.docs / name).write_text(json.dumps(document))

    def index(self, *more, code=0):
        return self.must("index", self.docs, "--store", self.store, *QUICK, *more, code=code)

    def text(self, page):
        return self.must("show", page, "--store", self.store).out

    def documents(self):
        return self.must("list", "--store", self.store, "--json").records()

    def test_beside_its_pdf_it_is_what_is_read_of_it(self):
        (self.docs / "coast.pdf").write_bytes(coloured_lines.pdf(LINES))
        self.index()
        native = self.text("coast.pdf#1")
        self.put("coast.json", docling(TEXT, LINES[0][0]))
        self.index()
        self.assertEqual(self.text("coast.pdf#1"), f"{TEXT}\n{LINES[0][0]}\n")
        (document,) = self.documents()
        self.assertIn("read by docling 1.8.0", document["format"])
        # Pictures come of the PDF, and marks lie where the text is said to be.
        out = self.folder / "page.png"
        self.must("show", "coast.pdf#1", "--mark", TEXT, "--out", out, "--store", self.store)
        self.assertEqual((Picture(out).width, Picture(out).height), (550, 367))
        hits = self.must("search", "lighthouses", "--store", self.store, *QUICK, "--json").records()
        self.assertEqual([hit["doc"] for hit in hits], ["coast.pdf"])
        # As before, nothing is read twice; a change is, and so is the end.
        self.assertIn("1 unchanged", self.index().err)
        self.put("coast.json", docling("Another text"))
        self.assertIn("1 indexed", self.index().err)
        self.assertEqual(self.text("coast.pdf#1"), "Another text\n")
        os.unlink(self.docs / "coast.json")
        self.index()
        self.assertEqual(self.text("coast.pdf#1"), native)

    def test_alone_it_is_a_document_without_pictures(self):
        self.put("coast.json", docling(TEXT))
        self.index()
        self.assertEqual(self.text("coast.json#1"), f"{TEXT}\n")
        (document,) = self.documents()
        self.assertEqual((document["kind"], document["pages"]), ("json", 1))
        result = self.call("show", "coast.json#1", "--out", self.folder / "a.png", "--store",
                           self.store)
        self.assertEqual(result.code, 3, result.err)
        self.assertIn("put the PDF next to it", result.err)

    def test_minerus_files_are_one_document(self):
        self.put("coast_middle.json", {"pdf_info": [{"page_idx": 0, "page_size": [360, 240],
                 "para_blocks": [{"type": "text", "bbox": [20, 20, 340, 40], "lines": [
                     {"bbox": [20, 20, 340, 40], "spans": [{"type": "text", "content": TEXT}]}]}],
                 "discarded_blocks": []}]})
        self.put("coast_content_list.json", [{"type": "text", "text": TEXT, "page_idx": 0}])
        self.index()
        self.assertEqual([one["doc"] for one in self.documents()], ["coast_middle.json"])
        self.assertEqual(self.text("coast_middle.json#1"), f"{TEXT}\n")

    def test_a_torn_file_is_named_and_other_json_is_text(self):
        (self.docs / "torn.json").write_text('{"schema_name": "DoclingDocument", "pages": ')
        self.put("plain.json", {"oysters": 7})
        result = self.index(code=1)
        self.assertIn("torn.json", result.err)
        self.assertIn("oysters", self.text("plain.json#1"))
        statuses = {one["doc"]: one.get("code") for one in self.documents()}
        self.assertEqual(statuses, {"plain.json": None, "torn.json": "damaged"})


if __name__ == "__main__":
    unittest.main()
