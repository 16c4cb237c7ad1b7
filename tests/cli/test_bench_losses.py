"""`scripts/bench/losses`: what is held back, what is the same for all, and the table."""

import json
import subprocess
import sys
import unittest

import program
from model_files import model_of
from program import ProgramTest
from test_train import examples

SCRIPT = program.REPOSITORY / "scripts" / "bench" / "losses"


@program.needs_nets
class BenchLosses(ProgramTest):
    def setUp(self):
        super().setUp()
        self.pairs = self.folder / "pairs.jsonl"
        self.pairs.write_text("".join(json.dumps(line) + "\n" for line in examples(3)))

    def run_script(self, *more, data=None):
        arguments = [sys.executable, SCRIPT, "--data", data or self.pairs, "--out", self.folder / "out",
                     "--fineprint", program.FINEPRINT, "--retriever", model_of("bert_mean_a"),
                     "--losses", "infonce,din+sin", "--seeds", "2", "--steps", "2", "--batch", "8",
                     "--rate", "1e-3", "--held-back", "24", "--resamples", "200", "--threads", "1", *more]
        return subprocess.run(list(map(str, arguments)), capture_output=True, text=True,
                              env=self.environment(), check=False)

    def test_a_row_a_loss_over_the_same_questions(self):
        result = self.run_script()
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertIn("24 questions held back, 56 trained on in 2 steps of 8, 2 seeds", lines[0])
        self.assertEqual([line.split("|")[1].strip() for line in lines[2:]],
                         ["loss", "---", "untrained", "infonce", "din+sin"])
        self.assertRegex(lines[-1], r"[+-]\d+\.\d \([+-]\d+\.\d to [+-]\d+\.\d\) \|$")
        out = self.folder / "out"
        self.assertEqual((out / "table.md").read_text(), result.stdout)
        held_back = {line["positive"] for line in program.read_records(out / "held-back.jsonl")}
        trained_on = {line["positive"] for line in program.read_records(out / "train.jsonl")}
        self.assertFalse(held_back & trained_on)
        for run in ("infonce-1", "infonce-2", "din+sin-1", "din+sin-2"):
            self.assertEqual(len(program.read_records(out / run / "held_back.jsonl")), 24)
        again = self.run_script()
        self.assertEqual((again.returncode, again.stdout), (0, result.stdout))
        self.assertNotIn("seed", again.stderr)  # nothing is trained again
        other = self.run_script("--steps", "3")
        self.assertEqual(other.returncode, 1)
        self.assertIn("--out", other.stderr)

    def test_too_few_questions_are_said(self):
        result = self.run_script("--held-back", "80")
        self.assertEqual(result.returncode, 1)
        self.assertIn("too few", result.stderr)

    def test_questions_as_squad_has_them(self):
        paragraphs = [{"context": f"The {n}. lamp was sold in {1900 + n}.",
                       "qas": [{"question": f"When was lamp {n} sold?"}, {"question": f"Who made {n}?"},
                               {"question": "None", "is_impossible": True}]} for n in range(40)]
        data = self.write("squad.json", json.dumps({"data": [{"paragraphs": paragraphs}]}))
        result = self.run_script("--losses", "infonce", "--seeds", "1", "--steps", "1", data=data)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("24 questions held back, 56 trained on", result.stdout)


if __name__ == "__main__":
    unittest.main()
