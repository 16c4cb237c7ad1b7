"""Kept page states beside an index: verified, counted, pruned."""

import json
import unittest

import program
from model_files import model_of
from program import DATA, DOCS, QUICK, ProgramTest


class States(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        self.store = self.folder / "store"
        self.states = self.store / "states"
        self.index()
        self.states.mkdir()

    def index(self, *more):
        command = ["index", self.docs, "--store", self.store, "--ocr", "never", *QUICK, *more]
        return self.must(*command)

    def test_damaged_states_are_listed_and_pruned(self):
        damaged = self.states / "ab12.state"
        damaged.write_bytes(b"x" * 1000)
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertEqual(len(result.out.splitlines()), 1)
        self.assertIn(str(damaged), result.out)
        self.index()
        self.assertTrue(damaged.exists())
        self.assertIn("1 of them damaged", self.index("--prune").err)
        self.assertFalse(damaged.exists())
        self.must("index", "--verify", "--store", self.store)

    def test_files_of_others_are_told_and_left(self):
        notes = self.states / "notes.txt"
        notes.write_text("mine")
        self.index("--prune", "--states-bytes", "0")
        self.assertTrue(notes.exists())
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertIn(str(notes), result.out)

    def test_sizes_are_read_before_work_begins(self):
        result = self.call("index", DOCS, "--store", self.store, "--states-bytes", "lots")
        self.assert_one_error(result, 2, "states-bytes", "500MB")


@program.needs_nets
class Generating(ProgramTest):
    """A second process starts behind the page that the first has read."""

    def reply(self, question, *more, model="qwen25vl_a"):
        page = DATA / "qwen25vl_a" / "input" / "page_a.png"
        result = self.must("generate", question, "--generator", model_of(model), "--image", page,
                           "--temperature", "0", "--max-new-tokens", "8", "--json", *more)
        return json.loads(result.out)

    def test_a_later_process_reads_the_question_only(self):
        keeping = ["--keep-states", "--store", self.folder / "kept"]
        self.reply("Who signs?", *keeping)
        for question in ["Who signs?", "What is the total?"]:
            with self.subTest(question=question):
                alone, kept = self.reply(question), self.reply(question, *keeping)
                self.assertEqual(alone["cached_tokens"], 0)
                self.assertGreaterEqual(kept["cached_tokens"], kept["image_tokens"])
                self.assertEqual(kept["text"], alone["text"])
        doctor = self.call("doctor", "--store", self.folder / "kept")
        self.assertIn("state", doctor.out + doctor.err)

    def test_another_model_reads_the_page_itself(self):
        keeping = ["--keep-states", "--store", self.folder / "kept"]
        self.reply("Who signs?", *keeping)
        other = self.reply("Who signs?", *keeping, model="qwen2vl_gen")
        self.assertEqual(other["cached_tokens"], 0)


if __name__ == "__main__":
    unittest.main()
