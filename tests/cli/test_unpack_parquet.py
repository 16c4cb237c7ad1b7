"""scripts/data/unpack-parquet: rows, pictures and their names. Parquet itself is pyarrow's to read, which a
stand-in takes the place of here."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import tempfile
import types
import unittest
from unittest import mock

import program

PNG, JPEG = b"\x89PNG\r\n\x1a\nx", b"\xff\xd8\xff\xe0x"


class Table:
    """A file of rows, which come in batches of two."""

    rows = {}

    def __init__(self, path):
        self.mine = self.rows[pathlib.Path(path).name]

    def iter_batches(self, batch_size):
        assert batch_size > 0
        for start in range(0, len(self.mine), 2):
            batch = mock.Mock()
            batch.to_pylist.return_value = self.mine[start : start + 2]
            yield batch


def load_script():
    arrow = types.ModuleType("pyarrow")
    arrow.parquet = types.ModuleType("pyarrow.parquet")
    arrow.parquet.ParquetFile = Table
    with mock.patch.dict(sys.modules, {"pyarrow": arrow, "pyarrow.parquet": arrow.parquet}):
        path = str(program.REPOSITORY / "scripts" / "data" / "unpack-parquet")
        loader = importlib.machinery.SourceFileLoader("unpack_parquet", path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader("unpack_parquet", loader))
        loader.exec_module(module)
    return module


class UnpackParquet(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.script = load_script()

    def unpack(self, rows, *arguments):
        Table.rows = {f"{i}.parquet": rows[i] for i in range(len(rows))}
        out = self.folder / "rows.jsonl"
        words = ["unpack-parquet", *Table.rows, "--out", str(out), *map(str, arguments)]
        with mock.patch.object(sys, "argv", words), contextlib.redirect_stderr(io.StringIO()):
            self.script.main()
        return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]

    def test_rows_of_all_files_in_order(self):
        rows = [[{"a": 1, "b": ["x", "ä"]}, {"a": 2, "b": []}, {"a": 3, "b": None}], [{"a": 4}]]
        self.assertEqual(self.unpack(rows), [*rows[0], *rows[1]])
        self.assertEqual(self.unpack(rows, "--without", "b"), [{"a": n} for n in (1, 2, 3, 4)])

    def test_pictures_become_files_named_as_the_loader_looks_for_them(self):
        rows = [[{"id": "board/1", "image": {"bytes": PNG, "path": None}},
                 {"id": "t.2 ä", "image": {"bytes": JPEG, "path": "x.png"}}]]
        pages = self.folder / "pages"
        for _ in range(2):  # again into the same folder
            found = self.unpack(rows, "--pictures", pages, "--named-by", "id")
            self.assertEqual([row["image"] for row in found], ["board%2F1.png", "t%2E2%20ä.jpg"])
        self.assertEqual((pages / "board%2F1.png").read_bytes(), PNG)
        self.assertEqual(sorted(file.name for file in pages.iterdir()),
                         ["board%2F1.png", "t%2E2%20ä.jpg"])

    def test_what_cannot_be_unpacked_is_named(self):
        picture = {"bytes": PNG, "path": None}
        with self.assertRaisesRegex(ValueError, "--pictures FOLDER"):
            self.unpack([[{"id": "a", "image": picture}]])
        pages = ["--pictures", self.folder / "pages", "--named-by", "id"]
        with self.assertRaisesRegex(ValueError, "unknown kind"):
            self.unpack([[{"id": "a", "image": {"bytes": b"text", "path": None}}]], *pages)
        other = {"bytes": PNG + b"y", "path": None}
        with self.assertRaisesRegex(ValueError, "two rows are named a"):
            self.unpack([[{"id": "a", "image": picture}, {"id": "a", "image": other}]], *pages)
        self.assertFalse((self.folder / "rows.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
