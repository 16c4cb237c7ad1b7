"""`--layout-model`: tables, pictures and headings of scans found by two graphs, and what is refused.

FINEPRINT_LAYOUT_MODEL names a folder with real graphs (feature_imf1.onnx and table_grid_model_v4_ep.onnx of
PyMuPDF), for the test that reads a table.
"""

import os
import pathlib
import shutil
import unittest

from program import DATA, QUICK, ProgramTest, needs_nets

MODEL = DATA / "layout_model"
REAL = os.environ.get("FINEPRINT_LAYOUT_MODEL", "")
CELLS = [["Ship", "Port", "Tons"], ["Aurora", "Bergen", "1,200"], ["Bellona", "Lisbon", "950"],
         ["Cormorant", "Gdansk", "310"]]


@needs_nets
class LayoutModel(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        self.page = self.folder / "page.png"
        shutil.copy(MODEL / "page.png", self.page)

    def index(self, *more, code=0):
        return self.must("index", self.page, "--store", self.store, "--json", *QUICK, *more, code=code)

    def elements(self, kind):
        (page,) = self.must("show", "page.png#1", "--store", self.store, "--json").records()
        return [one for one in page["elements"] if one["kind"] == kind]

    def broken_copy(self, name, old, new):
        folder = self.folder / "broken"
        shutil.copytree(MODEL, folder)
        graph = (folder / name).read_bytes()
        self.assertIn(old, graph)
        (folder / name).write_bytes(graph.replace(old, new))
        return folder

    def test_by_default_a_scan_has_neither_pictures_nor_headings_of_the_size_of_its_text(self):
        self.index()
        self.assertEqual(self.elements("figure"), [])
        self.assertEqual(self.elements("heading"), [])

    def test_tables_pictures_and_headings_are_found(self):
        self.index("--layout-model", MODEL)
        (table,) = self.elements("table")
        self.assertEqual(table["rows"], CELLS)
        self.assertTrue(table["cells"][0]["head"])
        (figure,) = self.elements("figure")
        self.assertGreater(figure["box"][1], 500)  # below the table
        self.assertEqual([one["text"] for one in self.elements("heading")], ["Arrivals of the week"])

    def test_another_model_reads_the_pages_again(self):
        counts = []
        for options in ([], ["--layout-model", MODEL], ["--layout-model", MODEL], []):
            (report,) = self.index(*options).records()
            counts.append((report["indexed"], report["unchanged"]))
        self.assertEqual(counts, [(1, 0), (1, 0), (0, 1), (1, 0)])

    def test_a_folder_without_a_model_is_refused(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for folder, words in ((empty, "finds regions"), (self.folder / "none", "is no folder")):
            self.assertIn(words, self.index("--layout-model", folder, code=2).err)

    def test_a_file_cut_short_is_refused(self):
        folder = self.folder / "short"
        shutil.copytree(MODEL, folder)
        graph = (folder / "grid.onnx").read_bytes()
        (folder / "grid.onnx").write_bytes(graph[:len(graph) // 2])
        self.assertIn("grid.onnx", self.index("--layout-model", folder, code=4).err)

    def test_a_graph_that_does_not_run_ends_the_run(self):
        # An operator of another name is read, and found out when the worker loads the graph.
        folder = self.broken_copy("regions.onnx", b"AveragePool", b"AveragePoul")
        self.assertIn("--layout-model", self.index("--layout-model", folder, code=4).err)

    def test_a_graph_without_one_of_its_outputs_is_not_taken(self):
        folder = self.broken_copy("grid.onnx", b"v_offset", b"v_offs_t")
        self.assertIn("finds rows and columns", self.index("--layout-model", folder, code=2).err)

    @unittest.skipUnless(REAL, "FINEPRINT_LAYOUT_MODEL names no folder with the real graphs")
    def test_the_real_graphs_read_a_table(self):
        self.index("--layout-model", pathlib.Path(REAL))
        (table,) = self.elements("table")
        self.assertEqual(table["rows"], CELLS)


if __name__ == "__main__":
    unittest.main()
