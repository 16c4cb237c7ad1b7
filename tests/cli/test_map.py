"""`fineprint map` and `index --map`: structural maps of documents, as trees and JSON."""

import json
import re
import sqlite3
import time
import unittest

import program
from program import DOCS, QUICK, ProgramTest


class Map(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs")
        self.store = self.folder / "store"

    def index(self, *more, code=0):
        arguments = [self.docs, "--store", self.store, "--ocr", "never", "--json", *QUICK, *more]
        return self.must("index", *arguments, code=code).records()[-1]

    def map(self, doc, *more):
        return self.must("map", doc, "--store", self.store, *more)

    def test_maps_are_made_once_and_counted(self):
        self.assertNotIn("maps", self.index())
        self.assertEqual(self.index("--map", "heuristic")["maps"], 3)
        self.assertEqual(self.index("--map", "heuristic")["maps"], 0)

    def test_a_map_is_a_record(self):
        self.index("--map", "heuristic")
        (found,) = self.map("harbor-annual-report.pdf", "--json").records()
        self.assertEqual(
            list(found),
            ["doc", "hash", "model", "pages_total", "sections", "pages", "elements"],
        )
        self.assertEqual((found["doc"], found["model"]), ("harbor-annual-report.pdf", "heuristic"))
        self.assertEqual([page["page"] for page in found["pages"]], list(range(1, 12)))
        numbers = {section["number"] for section in found["sections"]}
        self.assertEqual(len(numbers), len(found["sections"]))
        for section in found["sections"]:
            self.assertIn(section["parent"], numbers | {""})
            self.assertEqual(section["pages"], sorted(set(section["pages"])))
        for page in found["pages"]:
            self.assertLessEqual(set(page["sections"]), numbers)

    def test_a_map_is_a_tree(self):
        self.index("--map", "heuristic")
        (found,) = self.map("harbor-annual-report.pdf", "--json").records()
        lines = self.map("harbor-annual-report.pdf").out.splitlines()
        self.assertIn("harbor-annual-report.pdf: 11 pages", lines[0])
        for section in found["sections"]:
            indent = "  " * section["level"]
            start = f"{indent}{section['number']} {section['title']} (page"
            self.assertTrue(any(line.startswith(start) for line in lines), start)
        pages = [line for line in lines if line.strip().startswith("page ")]
        self.assertEqual(len(pages), 11)

    def test_a_pattern_names_several_documents(self):
        self.index("--map", "heuristic")
        self.assertEqual(len(self.map("*.pdf", "--json").records()), 3)

    def test_a_document_without_a_map_names_the_command_that_makes_one(self):
        self.index()
        result = self.call("map", "rotated-table.pdf", "--store", self.store)
        self.assert_one_error(
            result, 3, "fineprint index", self.docs / "rotated-table.pdf", "--map heuristic"
        )

    def test_a_pipeline_that_reads_maps_names_the_command_that_makes_them(self):
        self.index()
        script = self.write("none.jsonl", '{"agent": "none", "reply": "none"}\n')
        more = ["--store", self.store, "--pipeline", "dmap", "--generator", f"script:{script}"]
        questions = self.write_questions("q.jsonl", [{"id": "a", "question": "Who?"}])
        out = self.folder / "answers.jsonl"
        for command in (["ask", "Who?"], ["batch", questions, "--out", out]):
            result = self.call(*command, *more, *QUICK)
            self.assert_one_error(result, 3, "fineprint index", self.docs, "--map heuristic")
        self.assertFalse(out.exists())

    def test_a_document_that_is_not_there_is_named(self):
        self.index()
        self.assert_one_error(self.call("map", "x.pdf", "--store", self.store), 3, "x.pdf")

    def test_arguments_are_checked(self):
        self.assert_one_error(self.call("map", "--store", self.store), 2, "DOC")
        self.assert_one_error(self.call("map", "a.pdf"), 2, "--store")
        self.assert_one_error(self.call("map", "a", "b", "--store", self.store), 2, "b")
        result = self.call("index", DOCS, "--store", self.store, "--map", "no/such", *QUICK)
        self.assert_one_error(result, 4, "no/such")

    def test_elements_of_no_map_or_beside_no_set_are_refused(self):
        arguments = ["index", self.docs, "--store", self.store, "--elements"]
        self.assert_one_error(self.call(*arguments), 2, "--map heuristic")
        result = self.call(*arguments, "--map", "heuristic", *QUICK)
        self.assert_one_error(result, 2, "--elements", "--scorer")

    def test_damage_to_a_map_is_found_and_mended(self):
        self.index("--map", "heuristic")
        with sqlite3.connect(self.store / "catalog.sqlite") as catalog:
            catalog.execute("UPDATE document_maps SET map = '{}' WHERE document = 1")
        catalog.close()
        found = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertRegex(found.out, r"\A\S+\.pdf: its map is damaged.*--repair.*\n\Z")
        mended = self.index("--repair", "--map", "heuristic")
        self.assertEqual((mended["maps"], mended["indexed"]), (1, 0))
        self.must("index", "--verify", "--store", self.store)


class MapByModel(ProgramTest):
    """The model is a script that takes its time."""

    PAGES = 11

    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", ["harbor-annual-report.pdf"])
        self.store = self.folder / "store"
        self.index()

    def index(self, *more, code=0):
        arguments = [self.docs, "--store", self.store, "--ocr", "never", *QUICK, *more]
        return self.must("index", *arguments, code=code)

    def script(self, milliseconds):
        lines = []
        for page in range(1, self.PAGES + 1):
            sections = [{"number": str(page), "title": f"Part {page}", "inferred": True}]
            reply = {
                "new_sections": sections,
                "page_sections": [str(page)],
                "summary": f"What page {page} says.",
                "elements": [],
            }
            shown = range(max(1, page - 1), page + 1)  # the page before it too
            match = {"pages": [f"harbor-annual-report.pdf:{number}" for number in shown]}
            line = {"agent": "docmap.builder", "match": match, "reply": reply}
            lines.append(json.dumps(dict(line, ms=milliseconds)))
        return "script:" + str(self.write("script.jsonl", "\n".join(lines) + "\n"))

    def map(self):
        return self.must("map", "*.pdf", "--store", self.store, "--json").records()[0]

    def asked(self, result):
        return re.findall(r"docmap\.builder .*?:(\d+) at page", result.err)

    def test_every_page_is_asked_for_once(self):
        result = self.index("--map", self.script(0), "-v")
        self.assertEqual(self.asked(result), [str(page) for page in range(1, self.PAGES + 1)])
        found = self.map()
        self.assertEqual(found["model"], "script:script.jsonl")
        self.assertEqual(found["pages"][6]["summary"], "What page 7 says.")
        again = self.index("--map", self.script(0), "-v")
        self.assertEqual(self.asked(again), [])

    def test_a_killed_run_loses_the_page_under_way_at_most(self):
        script = self.script(300)
        arguments = [self.docs, "--store", self.store, "--ocr", "never", *QUICK, "--map", script]
        process = self.start("index", *arguments)
        stored = 0
        for _ in range(600):
            result = self.call("map", "*.pdf", "--store", self.store, "--json")
            stored = len(result.records()[0]["pages"]) if result.code == 0 else 0
            if stored >= 3 or process.poll() is not None:
                break
            time.sleep(0.05)
        program.kill(process)
        kept = len(self.map()["pages"])
        self.assertGreaterEqual(kept, stored)
        self.assertLess(kept, self.PAGES)
        tree = self.must("map", "*.pdf", "--store", self.store).out.splitlines()
        self.assertIn(f"{kept} pages of it so far", tree[0])
        self.must("index", "--verify", "--store", self.store)
        result = self.index("--map", script, "-v")
        left = [str(page) for page in range(kept + 1, self.PAGES + 1)]
        self.assertEqual(self.asked(result), left)
        self.assertEqual(
            [page["summary"] for page in self.map()["pages"]],
            [f"What page {page} says." for page in range(1, self.PAGES + 1)],
        )


if __name__ == "__main__":
    unittest.main()
