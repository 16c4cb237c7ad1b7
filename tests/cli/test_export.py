"""`fineprint export`: what goes out is what the store holds; and `show` of whole documents."""

import json
import sqlite3
import struct
import unittest

from program import QUICK, ProgramTest, needs_nets, read_records

NAMES = ("harbor-annual-report.pdf", "reef-survey-paper.pdf", "rotated-table.pdf")


def by_type(records):
    found = {}
    for record in records:
        found.setdefault(record["type"], []).append(record)
    return found


def as_float32(number):
    return struct.unpack("<f", struct.pack("<f", number))[0]


class Safetensors:
    """The arrays of a file of vectors, as bytes."""

    def __init__(self, path):
        data = path.read_bytes()
        (length,) = struct.unpack("<Q", data[:8])
        self.head = json.loads(data[8 : 8 + length])
        self.data = data[8 + length :]

    def floats(self):
        (name,) = [name for name in self.head if name != "__metadata__"]
        begin, end = self.head[name]["data_offsets"]
        assert self.head[name]["dtype"] == "F32"
        rows, dim = self.head[name]["shape"]
        values = struct.unpack(f"<{rows * dim}f", self.data[begin:end])
        return [list(values[i * dim : (i + 1) * dim]) for i in range(rows)]


class Export(ProgramTest):
    def export(self, *arguments, store=None, code=0):
        store = store or self.native_store()
        return self.must("export", *arguments, "--store", store, cwd=self.folder, code=code)

    def test_records_hold_every_word_and_chunk(self):
        store = self.native_store()
        result = self.export("--out", "all.jsonl", "--json")
        (counts,) = result.records()
        records = by_type(read_records(self.folder / "all.jsonl"))
        (head,) = records["store"]
        self.assertEqual((head["schema"], head["documents"]), ("fineprint.export/1", 3))
        self.assertEqual([one["doc"] for one in records["document"]], list(NAMES))
        listed = self.must("list", "--store", store, "--json").records()
        for document, row in zip(records["document"], listed):
            self.assertEqual(row, {key: document[key] for key in row})
        self.assertEqual(len(records["map"]), 3)
        catalogue = sqlite3.connect(store / "catalog.sqlite")
        chunks = catalogue.execute(
            "SELECT doc, ordinal, page, context, text FROM chunks JOIN documents ON document = id "
            "ORDER BY doc, ordinal").fetchall()
        keys = ("doc", "ordinal", "page", "context", "text")
        self.assertEqual([tuple(one[key] for key in keys) for one in records["chunk"]], chunks)
        pages = catalogue.execute(
            "SELECT doc, number, width_pt, height_pt, rotation FROM pages JOIN documents ON "
            "document = id ORDER BY doc, number").fetchall()
        told = [(one["doc"], one["page"], as_float32(one["width"]), as_float32(one["height"]),
                 one["rotation"]) for one in records["page"]]
        self.assertEqual(told, pages)
        boxes = catalogue.execute(
            "SELECT x0, y0, x1, y1, first_line, line_count FROM elements JOIN documents ON "
            "document = id ORDER BY doc, page, ordinal").fetchall()
        told = [(*map(as_float32, element["box"]), *element["lines"])
                for page in records["page"] for element in page["elements"]]
        self.assertEqual(told, boxes)
        for page in records["page"]:
            text = []
            for first, count, _ in page["lines"]:
                text.append([word[0] for word in page["words"][first : first + count]])
            self.assertEqual(page["text"].split(), [word for line in text for word in line])
        self.assertEqual((counts["pages"], counts["chunks"]), (len(pages), len(chunks)))

    def test_what_is_chosen_goes_out(self):
        lines = self.export("rotated*", "--out", "-").records()
        self.assertEqual({one.get("doc", "rotated-table.pdf") for one in lines},
                         {"rotated-table.pdf"})
        self.assert_one_error(self.export("x.pdf", "--out", "-", code=3), 3, "x.pdf")
        self.assert_one_error(self.export("--set", "late", "--out", "-", code=2), 2, "late", "none")
        self.assert_one_error(self.export(code=2), 2, "--out")
        self.assert_one_error(self.export("--format", "qdrant", code=2), 2, "--out FOLDER")

    def test_markdown_is_a_file_a_document(self):
        self.export("--format", "markdown", "--out", "texts")
        files = sorted(path.name for path in (self.folder / "texts").iterdir())
        self.assertEqual(files, [f"{name}.md" for name in NAMES])
        text = (self.folder / "texts" / "harbor-annual-report.pdf.md").read_text()
        self.assertTrue(text.startswith("---\ntitle: "), text[:80])
        self.assertIn("\n<!-- page 2 -->\n", text)
        self.assertRegex(text, r"(?m)^#+ \S")
        self.assertRegex(text, r"(?m)^\| --- \|")
        (self.folder / "texts" / "mine.md").write_text("mine")
        result = self.export("--format", "markdown", "--out", "texts", code=3)
        self.assert_one_error(result, 3, "texts", "empty")

    def test_documents_that_lead_out_of_the_folder_are_refused(self):
        docs, store = self.folder / "docs", self.folder / "store"
        docs.mkdir()
        (docs / "note.txt").write_text("A note.\n")
        self.must("index", docs, "--store", store, *QUICK)
        catalogue = sqlite3.connect(store / "catalog.sqlite")
        catalogue.execute("UPDATE documents SET doc = '../../out.txt'")
        catalogue.commit()
        catalogue.close()
        result = self.export("--format", "markdown", "--out", "texts", store=store, code=3)
        self.assert_one_error(result, 3, "../../out.txt")
        self.assertEqual(sorted(self.folder.rglob("*.md")), [])

    def test_a_full_file_is_not_replaced_by_half_a_one(self):
        out = self.folder / "all.jsonl"
        out.write_text("before\n")
        store = self.folder / "store"
        docs = self.copy_documents(self.folder / "docs", NAMES[2:])
        self.must("index", docs, "--store", store, "--ocr", "never", *QUICK)
        catalogue = sqlite3.connect(store / "catalog.sqlite")
        catalogue.execute("UPDATE pages SET words = x'00'")
        catalogue.commit()
        catalogue.close()
        self.assertIn("damaged", self.export("--out", out, store=store, code=3).err)
        self.assertEqual(out.read_text(), "before\n")
        self.assertEqual([path.name for path in self.folder.glob("all*")], ["all.jsonl"])


@needs_nets
class Vectors(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        docs = cls.copy_documents(cls.class_folder / "docs", NAMES[1:])
        cls.store = cls.class_folder / "store"
        cls.must("index", docs, "--store", cls.store, "--ocr", "never")
        cls.stored = []
        for path in sorted((cls.store / "vectors" / "text").glob("*.safetensors")):
            cls.stored += Safetensors(path).floats()

    def test_vectors_are_the_same_to_the_last_bit(self):
        lines = self.must("export", "--out", "-", "--store", self.store).records()
        vectors = by_type(lines)["vectors"]
        told = [tuple(map(as_float32, row)) for one in vectors for row in one["rows"]]
        self.assertGreater(len(told), 10)
        self.assertEqual(sorted(told), sorted(map(tuple, self.stored)))
        (head,) = by_type(lines)["store"]
        self.assertEqual([(one["name"], one["format"]) for one in head["sets"]],
                         [("text", "float32")])
        without = self.must("export", "--set", "none", "--out", "-", "--store", self.store)
        self.assertNotIn("vectors", by_type(without.records()))

    def test_a_collection_of_qdrant_has_them_too(self):
        out = self.folder / "points"
        self.must("export", "--format", "qdrant", "--out", out, "--store", self.store)
        body = json.loads((out / "collection.json").read_text())
        (name, facts), = body["vectors"].items()
        self.assertEqual((name, facts["distance"]), ("text", "Cosine"))
        self.assertEqual(facts["size"], len(self.stored[0]))
        points = []
        for path in sorted(out.glob("points-*.json")):
            points += json.loads(path.read_text())["points"]
        told = [tuple(map(as_float32, point["vector"]["text"])) for point in points]
        self.assertEqual(sorted(told), sorted(map(tuple, self.stored)))
        self.assertEqual(len({point["id"] for point in points}), len(points))
        payload = points[0]["payload"]
        self.assertEqual((payload["doc"], payload["unit"]), (NAMES[1], "chunk"))
        self.assertTrue(payload["text"] and payload["page"] >= 1)


if __name__ == "__main__":
    unittest.main()
