"""`fineprint train qa`: a short form of the recipe makes a model that answers a made-up table."""

import json
import os
import pathlib
import random
import shutil
import signal
import time
import unittest

import program
from model_files import model_of
from program import ProgramTest
from test_full_disk import no_larger_than

RECIPE = pathlib.Path(__file__).resolve().parents[2] / "configs" / "train" / "qa.toml"
ROWS = ["Ferries", "Lamps", "Bridges", "Engines", "Schools", "Gardens", "Audits", "Tunnels", "Boats", "Fees"]


def table(drawn):
    years = drawn.sample(range(2001, 2020), 2)
    names = drawn.sample(ROWS, 3)
    rows = [["", str(years[0]), str(years[1])]]
    rows += [[name, str(drawn.randint(10, 999)), str(drawn.randint(10, 999))] for name in names]
    return rows


def example(drawn, number):
    """The cell of a row and a year, or a year that the table does not have."""
    rows = table(drawn)
    row, column = drawn.randint(1, 3), drawn.randint(1, 2)
    line = {"id": str(number), "passages": [{"context": "", "rows": rows, "header_rows": 1}]}
    if number % 4 == 0:
        line.update(question=f"How many {rows[row][0].lower()} were there in 1987?", answers=[], gold=None)
    else:
        line.update(question=f"How many {rows[row][0].lower()} were there in {rows[0][column]}?",
                    answers=[{"passage": 0, "operator": "span", "cells": [[row, column]]}],
                    gold=rows[row][column])
    return line


def written(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


@program.needs_nets
class TrainQa(ProgramTest):
    def tables(self, name, seed, count):
        drawn = random.Random(seed)
        return written(self.folder / name, [example(drawn, number) for number in range(count)])

    def arguments(self, out, examples, *more):
        return ["train", "qa", "--config", RECIPE, "--dtype", "float32", "--examples", examples, "--out",
                self.folder / out, *more]

    def small(self, out, *more, model=None):
        examples = self.tables("few.jsonl", 3, 32)
        return self.arguments(out, examples, "--retriever", model or model_of("bert_mean_a"), "--batch", "8",
                              "--epochs", "4", *more)

    def test_the_short_form_learns_and_answers_a_table_that_it_never_saw(self):
        trained = self.must(*self.arguments("out", self.tables("train.jsonl", 1, 1600), "--batch", "16",
                                            "--rate", "6e-4", "--json"))
        record = json.loads(trained.out)
        self.assertEqual(record["steps"], 100)
        self.assertLess(record["last_loss"], 0.3 * record["first_loss"])
        seen = self.tables("test.jsonl", 2, 40)
        gold = [json.loads(line) for line in seen.read_text().splitlines()]
        for folder in ("model", "reader"):
            out = self.must("read", "--qa", self.folder / "out" / folder, "--examples", seen).out
            answers = [json.loads(line) for line in out.splitlines()]
            self.assertEqual([answer["id"] for answer in answers], [line["id"] for line in gold])
            right = sum(answer["answer"] == line["gold"]
                        for answer, line in zip(answers, gold) if line["gold"])
            told = sum((answer["null"] > 0.5) == (line["gold"] is None)
                       for answer, line in zip(answers, gold))
            self.assertGreaterEqual(right, 24, folder)  # of 30; by chance 5
            self.assertGreaterEqual(told, 32, folder)

    def test_it_is_found_by_what_takes_readers_and_refused_elsewhere(self):
        self.must(*self.small("out"))
        reader = self.folder / "out" / "reader"
        self.assertIn("point at answers", self.must("models", reader).out)
        self.assert_one_error(self.call("embed", "--retriever", reader, "--text", "a", "--out",
                                        self.folder / "v.safetensors"), 2, "is a QA model")
        self.must(*self.small("further", model=self.folder / "out" / "model"))

    def test_a_training_goes_on_from_a_packed_reader_as_from_the_plain_one(self):
        self.must(*self.small("out"))
        plain, packed = (self.folder / "out" / name for name in ("model", "reader"))
        losses = [json.loads(self.must(*self.small(f"from_{model.name}", "--json", model=model)).out)
                  ["first_loss"] for model in (plain, packed)]
        self.assertNotEqual(*losses)
        self.assertAlmostEqual(losses[1] / losses[0], 1, delta=0.02)
        # Steps of nothing lead back to the same codes.
        self.must(*self.small("still", "--rate", "1e-15", model=packed))
        self.assertEqual((self.folder / "still/reader/model.safetensors").read_bytes(),
                         (packed / "model.safetensors").read_bytes())

    def test_codes_of_a_model_that_is_no_reader_are_refused(self):
        self.must(*self.small("out"))
        trained = self.folder / "out" / "reader"
        packed = shutil.copytree(model_of("bert_mean_a"), self.folder / "packed")
        shutil.copy(trained / "model.safetensors", packed)
        config = json.loads((trained / "config.json").read_text())
        (packed / "config.json").write_text(json.dumps(config | {"architectures": ["BertModel"]}))
        self.assert_one_error(self.call(*self.small("more", model=packed)), 4, "weights are codes")

    def test_the_old_name_is_taken_with_a_warning(self):
        result = self.call("train", "reader", "--examples", self.tables("few.jsonl", 3, 1))
        self.assertEqual(result.code, 2)
        self.assertIn("'train reader' is now 'train qa'", result.err)
        self.assertIn("--out DIR is missing", result.err)

    def test_a_training_killed_again_and_again_ends_as_one_left_alone(self):
        self.must(*self.small("alone"))
        killed = 0
        for _ in range(10):
            process = self.start(*self.small("killed", "--save-every", "1"))
            path = self.folder / "killed" / "steps.jsonl"
            begun = len(path.read_bytes().splitlines()) if path.exists() else 0
            until = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                if path.exists() and len(path.read_bytes().splitlines()) > begun:
                    break
                time.sleep(0.01)
            if process.poll() is None:
                killed += 1
                process.send_signal(signal.SIGKILL)
            process.communicate()
        self.assertGreaterEqual(killed, 5)
        self.must(*self.small("killed"))
        for folder in ("model", "reader"):
            name = folder + "/model.safetensors"
            self.assertEqual((self.folder / "killed" / name).read_bytes(),
                             (self.folder / "alone" / name).read_bytes())

    def test_the_number_of_threads_changes_nothing(self):
        alone = {min(os.sched_getaffinity(0))}
        self.must(*self.small("all", "--tokens-at-once", "100"))
        self.must(*self.small("one", "--tokens-at-once", "100"),
                  preexec_fn=lambda: os.sched_setaffinity(0, alone))
        name = "model/model.safetensors"
        self.assertEqual((self.folder / "all" / name).read_bytes(), (self.folder / "one" / name).read_bytes())

    def test_what_cannot_be_trained_is_told(self):
        bad = written(self.folder / "bad.jsonl", [{"question": "q"}])
        self.assert_one_error(self.call(*self.arguments("out", bad)), 3, "bad.jsonl, line 1")
        self.assert_one_error(self.call(*self.small("out", model=model_of("gte_a"))), 4, "must be a BERT")
        self.assert_one_error(self.call(*self.small("out", "--lora-rank", "4")), 2, "lora-rank")

    def test_flags_of_other_trainings_are_refused(self):
        for flag, value in [("--loss", "infonce"), ("--mask-alpha", "1"), ("--store", "x.store")]:
            self.assert_one_error(self.call(*self.small("out", flag, value)), 2, flag)

    def test_numbers_that_are_none_end_it(self):
        result = self.call(*self.small("out", "--longest-step", "0", "--rate", "1e30"))
        self.assert_one_error(result, 4, "no longer finite")

    def test_a_full_disk_loses_nothing(self):
        result = self.call(*self.small("out", "--save-every", "1"), preexec_fn=no_larger_than(100_000),
                           restore_signals=False)
        self.assert_one_error(result, 3, self.folder / "out")
        self.must(*self.small("out"))


if __name__ == "__main__":
    unittest.main()
