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
        told = self.index("--prune", "--states-bytes", "0").err
        self.assertIn("4 bytes are left, although --states-bytes is 0", told)
        self.assertTrue(notes.exists())
        result = self.must("index", "--verify", "--store", self.store, code=3)
        self.assertIn(str(notes), result.out)

    def test_sizes_are_read_before_work_begins(self):
        result = self.call("index", DOCS, "--store", self.store, "--states-bytes", "lots")
        self.assert_one_error(result, 2, "states-bytes", "500MB")


# A case of each family that keeps what it has read of a page.
STATEFUL = ["qwen25vl_a", "qwen3vl_a", "qwen35_seeing", "qwen35_seeing_gguf", "gemma3_seeing",
            "smolvlm_a", "phi3v_a", "qwen2vl_gguf", "qwen25vl_gguf", "mistral3_a", "mistral3_gguf",
            "qwen3vlmoe_a", "lfm2vl_a", "lfm2vl_gguf"]  # fmt: skip


@program.needs_nets
class Generating(ProgramTest):
    """A second process starts behind the page that the first has read."""

    def reply(self, question, *more, model="qwen25vl_a", pages=("page_a",)):
        images = []
        for page in pages:
            images += ["--image", DATA / "qwen25vl_a" / "input" / f"{page}.png"]
        in_files = DATA / model / "model.gguf"
        generator = in_files if in_files.exists() else model_of(model)
        result = self.must("generate", question, "--generator", generator, *images,
                           "--temperature", "0", "--max-new-tokens", "8", "--json", *more)
        return json.loads(result.out)

    def assert_same(self, first, second):
        """To the last bit."""
        for what in ("text", "logprobs", "entropies", "prompt_tokens"):
            self.assertEqual(first[what], second[what], what)
        self.assertEqual(len(first["logprobs"]), first["output_tokens"])

    def test_states_of_every_family_are_exact_in_a_new_process(self):
        for model in (*STATEFUL, "paligemma_gen"):
            with self.subTest(model=model):
                keeping = ["--keep-states", "--store", self.folder / model]
                first = self.reply("Who signs?", *keeping, model=model)
                self.assertEqual(first["cached_tokens"], 0)
                kept = self.reply("What is the total?", *keeping, model=model)
                self.assert_same(kept, self.reply("What is the total?", model=model))
                if model in STATEFUL:
                    self.assertGreaterEqual(kept["cached_tokens"], kept["image_tokens"])
                else:  # its prompts see themselves both ways; features of the page are kept
                    self.assertEqual(kept["cached_tokens"], 0)
                self.assertTrue(list((self.folder / model).rglob("*.state")))

    def test_a_state_goes_on_to_further_pages_in_a_new_process(self):
        """Also where layers keep sums that nothing can be taken back from."""
        asked, model = "Who signs?", "qwen35_seeing"
        keeping = ["--keep-states", "--store", self.folder / "kept"]
        alone = self.reply(asked, *keeping, model=model)
        for other in ("page_b", "page_c"):
            pages = ("page_a", other)
            ahead = self.reply(asked, *keeping, model=model, pages=pages)
            # Of the second page nothing was read before, of the first one all.
            self.assertGreaterEqual(ahead["cached_tokens"], alone["image_tokens"])
            self.assertLess(ahead["cached_tokens"], ahead["image_tokens"])
            self.assert_same(ahead, self.reply(asked, model=model, pages=pages))

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
