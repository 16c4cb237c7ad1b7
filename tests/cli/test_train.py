"""`fineprint train`: it learns, goes on after kills, and says what is wrong."""

import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

import program
from model_files import model_of
from program import ProgramTest
from test_full_disk import no_larger_than

THINGS = ["ferry", "lamp", "bridge", "engine", "school", "garden", "river", "audit", "harbour", "tunnel"]
DEEDS = ["built", "sold", "repaired", "painted", "opened", "closed", "moved", "measured"]


def examples(seed):
    """Each thing and deed once; passages are about both, in words of their own order."""
    drawn = random.Random(seed)
    lines = []
    for thing in THINGS:
        for deed in DEEDS:
            lines.append({"query": f"When was the {thing} {deed}?",
                          "positive": f"In {drawn.randint(1900, 2020)} they {deed} what the report "
                                      f"calls a {thing}."})
    drawn.shuffle(lines)
    return lines


@program.needs_nets
class Train(ProgramTest):
    def setUp(self):
        super().setUp()
        self.pairs = self.folder / "pairs.jsonl"
        self.pairs.write_text("".join(json.dumps(line) + "\n" for line in examples(1)))

    def arguments(self, out, *more, rate="1e-3", epochs=4):
        return ["train", "retriever", "--retriever", model_of("bert_mean_a"), "--examples", self.pairs,
                "--out", self.folder / out, "--batch", "16", "--epochs", epochs, "--rate", rate,
                "--temperature", "0.05", "--tokens-at-once", "200", *more]

    def steps(self, out):
        return [json.loads(line) for line in (self.folder / out / "steps.jsonl").read_text().splitlines()]

    def test_it_learns_and_the_model_is_used_as_any_other(self):
        result = self.must(*self.arguments("out", "--held-back", self.pairs, "--json"))
        record = json.loads(result.out)
        self.assertEqual(record["steps"], 20)
        self.assertLess(record["last_loss"], 0.7 * record["first_loss"])
        self.assertRegex(result.err, r"held back: \d+\.\d% of 80 questions rank their passage first")
        self.assertEqual([step["step"] for step in self.steps("out")], list(range(1, 21)))
        self.assertIn("<polyline", (self.folder / "out" / "curve.svg").read_text())
        for model in (record["model"], model_of("bert_mean_a")):
            self.must("embed", "--retriever", model, "--text", "When was the ferry built?", "--out",
                      self.folder / "v.safetensors")

    def test_a_training_killed_again_and_again_ends_as_one_left_alone(self):
        kills = program.kills(few=3, many=10)
        epochs = (2 * kills + 4) // 5  # two steps between two kills
        self.must(*self.arguments("alone", epochs=epochs))
        killed = 0
        for _ in range(kills):
            process = self.start(*self.arguments("killed", "--save-every", "1", epochs=epochs))
            begun = len(self.steps("killed")) if (self.folder / "killed" / "steps.jsonl").exists() else 0
            until = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                path = self.folder / "killed" / "steps.jsonl"
                if path.exists() and len(path.read_bytes().splitlines()) > begun + 1:
                    break
                time.sleep(0.01)
            if process.poll() is None:
                killed += 1
                process.send_signal(signal.SIGKILL)
            process.communicate()
        self.assertGreaterEqual(killed, kills / 2)
        self.must(*self.arguments("killed", epochs=epochs))
        model = "model/model.safetensors"
        self.assertEqual((self.folder / "killed" / model).read_bytes(),
                         (self.folder / "alone" / model).read_bytes())
        self.assertEqual(self.steps("killed"), self.steps("alone"))

    def test_ctrl_c_saves_what_there_is(self):
        process = self.start(*self.arguments("out", "--save-every", "1000", epochs=2))
        path = self.folder / "out" / "steps.jsonl"
        until = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < until:
            if path.exists() and len(path.read_bytes().splitlines()) >= 2:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertIn(process.returncode, (0, 130))  # 0: it had taken its last step
        result = self.must(*self.arguments("out", "--save-every", "1000", epochs=2))
        self.assertRegex(result.err, r"continuing after step \d+")

    def test_low_rank_changes_are_an_adapter(self):
        out = self.folder / "out"
        result = self.must("train", "retriever", "--retriever", model_of("dse_qwen2"), "--examples",
                           self.pairs, "--out", out, "--batch", "4", "--most-steps", "3",
                           "--lora-rank", "2", "--loss", "infonce", "--json")
        self.assertEqual(json.loads(result.out)["steps"], 3)
        self.assertEqual(sorted(p.name for p in (out / "model").iterdir()),
                         ["adapter_config.json", "adapter_model.safetensors", "fineprint_training.json"])
        record = json.loads((out / "model" / "fineprint_training.json").read_text())
        self.assertEqual(record, {"loss": "infonce", "mask": False})
        self.assertEqual(json.loads((out / "model" / "adapter_config.json").read_text())["r"], 2)
        self.must("embed", "--retriever", out / "model", "--text", "a lamp", "--out",
                  self.folder / "v.safetensors")

    def test_a_search_masks_pages_only_for_weights_that_were_trained_with_the_mask(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        for loss, mode in (("infonce", "cosine"), ("din+sin", "hybrid")):
            with self.subTest(loss=loss):
                out, store = self.folder / loss, self.folder / f"{loss}.store"
                self.must("train", "retriever", "--retriever", model_of("dse_qwen2"), "--examples", self.pairs,
                          "--out", out, "--batch", "4", "--most-steps", "1", "--lora-rank", "2", "--loss", loss)
                self.must("index", docs, "--store", store, "--ocr", "never", "--retriever", out / "model")
                found = self.must("search", "which gauge", "--store", store, "--scorer", "hybrid-mask",
                                  "--mask-mode", "auto", "--explain")
                (step,) = [step for step in json.loads(found.err.splitlines()[-1]) if step["step"] == "mask_mode"]
                self.assertEqual(step["mode"], mode)

    def test_rounded_products_train_every_kind(self):
        for model, more in [("bert_mean_a", []), ("gte_a", []), ("dse_qwen2", ["--lora-rank", "2"])]:
            self.must("train", "retriever", "--retriever", model_of(model), "--examples", self.pairs,
                      "--out", self.folder / model, "--batch", "4", "--most-steps", "2", "--loss",
                      "infonce", "--dtype", "bfloat16", *more)

    def test_another_training_is_not_gone_on_with(self):
        self.must(*self.arguments("out", "--most-steps", "2"))
        result = self.call(*self.arguments("out", "--most-steps", "2", "--beta", "3"))
        self.assert_one_error(result, 3, "checkpoint.safetensors")
        self.assertIn("--out", result.err)

    def test_what_cannot_be_trained_on_is_named(self):
        self.pairs.write_text('{"query": "q", "positive": "p"}\n{"query": "q"}\n')
        self.assert_one_error(self.call(*self.arguments("out")), 3, "pairs.jsonl, line 2")
        self.pairs.write_text('{"query": "q", "positive": "p"}\n')
        self.assert_one_error(self.call(*self.arguments("out")), 2, "batch")

    def test_a_model_that_cannot_be_trained_is_4(self):
        for model in ("colpali_a", "rerank_bert_a"):
            arguments = self.arguments("out")
            arguments[3] = model_of(model)
            self.assertIn(self.call(*arguments).code, (2, 4), model)
        arguments[3] = self.folder
        self.assert_one_error(self.call(*arguments), 4, self.folder)

    def test_numbers_that_are_none_end_it(self):
        result = self.call(*self.arguments("out", "--longest-step", "0", rate="1e30"))
        self.assert_one_error(result, 4, "no longer finite")

    def test_a_full_disk_loses_nothing(self):
        result = self.call(*self.arguments("out", "--save-every", "1"),
                           preexec_fn=no_larger_than(100_000), restore_signals=False)
        self.assert_one_error(result, 3, self.folder / "out")
        self.must(*self.arguments("out", epochs=1))

    def test_a_program_without_the_library_of_trainings_says_how_to_get_it(self):
        alone = self.folder / "alone"
        alone.mkdir()
        copied = shutil.copy(program.FINEPRINT, alone)
        done = subprocess.run([str(word) for word in (copied, *self.arguments("out"))], capture_output=True, text=True,
                              env={"HOME": str(alone), "PATH": os.environ["PATH"]}, check=False)
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("libfineprint_train.so does not exist: run this command by scripts/fineprint", done.stderr)

    def test_wrong_usage_is_2(self):
        for arguments, part in [(["train"], "retriever"), (["train", "poet", "--out", "x"], "poet"),
                                (["train", "retriever", "--out", "x"], "--examples"),
                                (["train", "retriever", "--examples", "x"], "--out")]:
            self.assert_one_error(self.call(*arguments), 2, part)


if __name__ == "__main__":
    unittest.main()
