"""`fineprint list` and `remove`, and searches limited by --doc, --since and --kind."""

import json
import os
import shutil
import unittest

import coloured_lines
from coloured_lines import LINES
from program import QUICK, ProgramTest, needs_nets

OTHER = [("A page about oysters.", coloured_lines.OTHER)]
OLD, NEW = 1_700_000_000, 1_790_000_000  # 2023-11-14 and 2026-09-21


class Collections(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs, self.store = self.folder / "docs", self.folder / "store"
        (self.docs / "sub").mkdir(parents=True)
        self.put("coast.pdf", coloured_lines.pdf(LINES, OTHER), OLD)
        self.put("coat.pdf", coloured_lines.pdf(OTHER), NEW)
        self.put("sub/note.txt", b"The oysters of the note are few.\n", NEW)
        self.put("sub/torn.pdf", b"%PDF-1.7\nnothing else", NEW)
        self.index(code=1)

    def put(self, name, content, time):
        (self.docs / name).write_bytes(content)
        os.utime(self.docs / name, (time, time))

    def index(self, *more, code=0):
        return self.must("index", self.docs, "--store", self.store, *QUICK, *more, code=code)

    def list(self, *arguments, code=0):
        return self.must("list", *arguments, "--store", self.store, code=code)

    def names(self, *arguments):
        return [record["doc"] for record in self.list(*arguments, "--json").records()]

    def found(self, *arguments):
        query = ["search", "oysters", "--store", self.store, *QUICK, "--json", *arguments]
        return sorted({hit["doc"] for hit in self.must(*query).records()})


class List(Collections):
    def test_records_tell_what_there_is_of_each_document(self):
        coast, coat, note, torn = self.list("--json").records()
        self.assertEqual(coast["doc"], "coast.pdf")
        self.assertEqual(coast["path"], str(self.docs / "coast.pdf"))
        self.assertEqual((coast["status"], coast["kind"], coast["pages"]), ("indexed", "pdf", 2))
        self.assertTrue(coast["format"].startswith("PDF 1."), coast)
        self.assertEqual(coast["bytes"], (self.docs / "coast.pdf").stat().st_size)
        self.assertEqual(coast["changed"], "2023-11-14T22:13:20Z")
        self.assertEqual((coast["sets"], coast["map"]), ({}, False))
        self.assertEqual((coat["pages"], note["kind"]), (1, "txt"))
        self.assertEqual((torn["doc"], torn["status"]), ("sub/torn.pdf", "failed"))
        self.assertEqual(torn["code"], "damaged")
        self.assertIn("torn.pdf", torn["message"])

    def test_the_table_is_for_people(self):
        result = self.list()
        head, *rows = result.out.splitlines()
        self.assertEqual(head.split(), ["document", "kind", "pages", "size", "changed", "vectors",
                                        "notes"])
        self.assertEqual([row.split()[0] for row in rows],
                         ["coast.pdf", "coat.pdf", "sub/note.txt", "sub/torn.pdf"])
        self.assertIn("2023-11-14", rows[0])
        self.assertIn("failed: damaged", rows[3])
        self.assertIn("3 documents, 4 pages, 1 files that could not be read", result.err)

    def test_globs_kinds_and_dates_choose(self):
        self.assertEqual(self.names("coa*.pdf"), ["coast.pdf", "coat.pdf"])
        self.assertEqual(self.names("sub/*"), ["sub/note.txt", "sub/torn.pdf"])
        self.assertEqual(self.names("--kind", "text"), ["sub/note.txt"])
        self.assertEqual(self.names("--kind", "PDF", "--since", "2024-01-01"),
                         ["coat.pdf", "sub/torn.pdf"])
        self.assertEqual(self.names("--since", "2023-11-14T22:13:20Z", "coast.pdf"), ["coast.pdf"])
        result = self.list("--since", "2023-11-14T22:13:21Z", "coast.pdf", code=3)
        self.assert_one_error(result, 3, "--since 2023-11-14T22:13:21Z")

    def test_what_means_nothing_is_an_error(self):
        self.assert_one_error(self.list("boat.pdf", code=3), 3, "boat.pdf", self.store)
        self.assert_one_error(self.list("--kind", "sound", code=2), 2, "sound", "image")
        self.assert_one_error(self.list("--since", "2024-02-30", code=2), 2, "2024-02-30", "UTC")
        self.assert_one_error(self.list("--kind", "image", code=3), 3, "--kind image")

    def test_an_empty_store_lists_nothing(self):
        self.must("remove", "*", "--store", self.store)
        result = self.list()
        self.assertEqual(result.out, "")
        self.assertIn("0 documents", result.err)

    @needs_nets
    def test_vectors_and_maps_are_counted_and_go_with_the_document(self):
        docs, store = self.folder / "own", self.folder / "own.store"
        self.copy_documents(docs, ("reef-survey-paper.pdf", "rotated-table.pdf"))
        self.must("index", docs, "--store", store, "--map", "heuristic", "--ocr", "never")
        reef, table = self.must("list", "--store", store, "--json").records()
        self.assertEqual(reef["sets"]["text"]["missing"], 0)
        self.assertGreater(reef["sets"]["text"]["vectors"], reef["pages"])
        self.assertTrue(reef["map"] and table["map"])
        self.must("remove", "reef-survey-paper.pdf", "--store", store)
        self.must("index", "--verify", "--store", store)
        (left,) = self.must("list", "--store", store, "--json").records()
        self.assertEqual(left, table)
        hits = self.must("search", "coral reef", "--store", store, "--json").records()
        self.assertEqual({hit["doc"] for hit in hits}, {"rotated-table.pdf"})


class Remove(Collections):
    def remove(self, *arguments, code=0):
        return self.must("remove", *arguments, "--store", self.store, code=code)

    def test_what_is_named_goes_and_is_told(self):
        result = self.remove("coast.pdf", "sub/*")
        self.assertEqual(result.out.splitlines(),
                         ["removed coast.pdf (2 pages)", "removed sub/note.txt (1 pages)",
                          "removed the record of sub/torn.pdf, which could not be read"])
        self.assertEqual(self.names(), ["coat.pdf"])
        self.assertEqual(self.found(), ["coat.pdf"])
        self.must("index", "--verify", "--store", self.store)

    def test_a_name_that_is_not_there_removes_nothing(self):
        result = self.remove("coast.pdf", "boat.pdf", code=3)
        self.assert_one_error(result, 3, "boat.pdf")
        self.assertEqual(len(self.names()), 4)

    def test_kinds_limit_what_a_glob_means(self):
        records = self.remove("*", "--kind", "text", "--json").records()
        self.assertEqual(records, [{"doc": "sub/note.txt", "status": "removed", "pages": 1}])
        self.assertEqual(self.names(), ["coast.pdf", "coat.pdf", "sub/torn.pdf"])

    def test_the_files_stay_and_are_indexed_again(self):
        self.remove("coat.pdf")
        self.assertTrue((self.docs / "coat.pdf").exists())
        self.index()
        self.assertEqual(len(self.names()), 4)

    def test_nothing_is_made_where_no_store_is(self):
        nowhere = self.folder / "nowhere"
        result = self.must("remove", "x.pdf", "--store", nowhere, code=3)
        self.assert_one_error(result, 3, "nowhere")
        self.assertFalse(nowhere.exists())
        self.assert_one_error(self.must("remove", "--store", self.store, code=2), 2, "DOC")


class Filters(Collections):
    def test_searches_look_at_what_the_filters_leave(self):
        self.assertEqual(self.found(), ["coast.pdf", "coat.pdf", "sub/note.txt"])
        self.assertEqual(self.found("--kind", "pdf"), ["coast.pdf", "coat.pdf"])
        self.assertEqual(self.found("--since", "2026-01-01"), ["coat.pdf", "sub/note.txt"])
        self.assertEqual(self.found("--kind", "pdf", "--kind", "txt", "--doc", "sub/*"),
                         ["sub/note.txt"])
        query = ["search", "oysters", "--store", self.store, *QUICK]
        self.assert_one_error(self.call(*query, "--kind", "image"), 3, "--kind image")

    def test_filters_hold_for_questions_that_name_documents(self):
        questions = self.write_questions("q.jsonl", [
            {"id": "a", "question": "oysters?", "doc": "coa*.pdf"},
            {"id": "b", "question": "oysters?"},
        ])
        arguments = ["--questions", questions, "--store", self.store, *QUICK, "--json"]
        hits = self.must("search", *arguments, "--since", "2026-01-01").records()
        self.assertEqual({(hit["id"], hit["doc"]) for hit in hits},
                         {("a", "coat.pdf"), ("b", "coat.pdf"), ("b", "sub/note.txt")})

    def test_batches_and_asks_take_them(self):
        questions = self.write_questions("q.jsonl", [{"id": "a", "question": "How many oysters?"}])
        out = self.folder / "answers.jsonl"
        run = ["batch", questions, "--store", self.store, *QUICK, "--out", out]
        self.must(*run, "--kind", "txt")
        (answer,) = [json.loads(line) for line in out.read_text().splitlines()]
        self.assertEqual({page["doc"] for page in answer["retrieved"]}, {"sub/note.txt"})
        # What was limited otherwise is another run.
        self.assert_one_error(self.call(*run, "--kind", "pdf"), 2, "kind", "--force")
        asked = self.must("ask", "How many oysters?", "--store", self.store, *QUICK, "--json",
                          "--kind", "pdf", "--since", "2026-01-01").records()
        self.assertEqual({page["doc"] for page in asked[0]["retrieved"]}, {"coat.pdf"})

    def test_folders_that_are_asked_take_them(self):
        shutil.rmtree(self.store)
        (self.docs / "sub/torn.pdf").unlink()
        (answer,) = self.must("ask", "How many oysters?", self.docs / "sub", self.docs / "coat.pdf",
                              *QUICK, "--json", "--kind", "pdf").records()
        self.assertEqual({page["doc"] for page in answer["retrieved"]}, {"coat.pdf"})


if __name__ == "__main__":
    unittest.main()
