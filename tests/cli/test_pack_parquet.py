"""scripts/data/pack-parquet: which rows stand in which table. Parquet itself is pyarrow's to write, which a
stand-in takes the place of here."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import sys
import types
import unittest
from unittest import mock

import program


class Schema:
    def __init__(self, fields):
        self.names = [name for name, _ in fields]
        self.metadata = {}

    def with_metadata(self, metadata):
        copy = Schema([(name, None) for name in self.names])
        copy.metadata = metadata
        return copy


class Writer:
    """Keeps a table as a file of JSON."""

    def __init__(self, path, schema):
        self.path, self.schema, self.rows = path, schema, []
        self.batches = 0

    def write_table(self, rows):
        self.rows += rows
        self.batches += 1

    def close(self):
        told = {"rows": self.rows, "facts": json.loads(self.schema.metadata["fineprint"]),
                "batches": self.batches}
        pathlib.Path(self.path).write_text(json.dumps(told))


def load_script():
    arrow = mock.MagicMock()
    arrow.schema = Schema
    arrow.Table.from_pylist = lambda rows, schema: rows
    arrow.ArrowException = type("ArrowException", (Exception,), {})
    arrow.parquet = types.ModuleType("pyarrow.parquet")
    arrow.parquet.ParquetWriter = Writer
    with mock.patch.dict(sys.modules, {"pyarrow": arrow, "pyarrow.parquet": arrow.parquet}):
        path = str(program.REPOSITORY / "scripts" / "data" / "pack-parquet")
        loader = importlib.machinery.SourceFileLoader("pack_parquet", path)
        module = importlib.util.module_from_spec(
            importlib.util.spec_from_loader("pack_parquet", loader))
        loader.exec_module(module)
    return module


class PackParquet(program.ProgramTest):
    def pack(self, file):
        module = load_script()
        with mock.patch.object(sys, "argv", ["pack-parquet", str(file), "--out",
                                             str(self.folder / "tables")]):
            with contextlib.redirect_stderr(io.StringIO()) as told:
                module.main()
        self.told = told.getvalue()
        return {path.name: json.loads(path.read_text())
                for path in (self.folder / "tables").iterdir()}

    def test_every_record_of_an_export_is_a_row(self):
        out = self.folder / "all.jsonl"
        self.must("export", "--out", out, "--store", self.native_store())
        records = program.read_records(out)
        tables = self.pack(out)
        self.assertEqual(sorted(tables), ["chunks.parquet", "documents.parquet", "pages.parquet"])
        for name, kind in [("chunks", "chunk"), ("documents", "document"), ("pages", "page")]:
            wanted = [record for record in records if record["type"] == kind]
            rows = tables[f"{name}.parquet"]["rows"]
            self.assertEqual([row["doc"] for row in rows], [record["doc"] for record in wanted])
        page = next(record for record in records if record["type"] == "page")
        row = tables["pages.parquet"]["rows"][0]
        self.assertEqual([word["text"] for word in row["words"]],
                         [word[0] for word in page["words"]])
        self.assertEqual(json.loads(row["elements"]), page["elements"])
        self.assertEqual(tables["pages.parquet"]["facts"], records[0])
        self.assertIn("documents.parquet (3 rows)", self.told)

    def test_each_set_has_a_table_and_rows_come_in_batches(self):
        store = {"type": "store", "schema": "fineprint.export/1", "sets": [{"name": "late"}]}
        rows = [{"type": "vectors", "set": "late", "doc": "a.pdf", "unit": unit,
                 "rows": [[0.5, unit], [1, 2]]} for unit in range(300)]
        file = self.write("all.jsonl", "".join(json.dumps(one) + "\n" for one in [store, *rows]))
        table = self.pack(file)["vectors-late.parquet"]
        self.assertEqual([row["rows"][0][1] for row in table["rows"]], list(range(300)))
        self.assertEqual(table["batches"], 2)

    def test_what_is_no_export_is_refused(self):
        for text in ("", '{"schema": "other"}\n'):
            with self.assertRaisesRegex(ValueError, "not that of an export"):
                self.pack(self.write("other.jsonl", text))
        self.assertFalse((self.folder / "tables").exists())


if __name__ == "__main__":
    unittest.main()
