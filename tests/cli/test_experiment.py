"""`fineprint bench --experiment`: a small table, killed and continued, and what is refused."""

import json
import random
import signal
import time
import unittest

import program
import sample_benchmarks
from program import ProgramTest

EXPERIMENT = """
title = "Two pipelines by K"
paper = "Nobody, Table 1"
decimals = 1
heads = ["Method"]

[needs]
data = "folder/"
models = "one generator"
gpu-hours = 0
reason = "a script replies"

[roles]
reader = "Paper-7B"

[all]
data = "folder"
measure = "score.mean"
scale = 100
options = {scorer = ["bm25"]}

[[column]]
label = "K = 1"
options = {k = 1}

[[column]]
label = "K = 5"
options = {k = 5}

[[column]]
label = "Mean"
mean = ["K = 1", "K = 5"]

[[row]]
label = "Quotes"
pipeline = "extractive"
published = [10, 20, 15]

[[row]]
label = "Text RAG"
pipeline = "textrag"
models = {generator = "reader"}
published = [nan, 30, nan]
"""


class Experiments(ProgramTest):
    def setUp(self):
        super().setUp()
        self.file = self.write("small.toml", EXPERIMENT)
        self.out = self.folder / "out"

    def lay_out(self, count=24):
        data = sample_benchmarks.lay_out("folder", self.folder / "data" / "folder")
        questions = program.many_questions(count)
        (data / "questions.jsonl").write_text("".join(json.dumps(question) + "\n" for question in questions))
        return data

    def script(self, ms=20, lines=24):
        """Each call takes a while, so that questions are under way when the run is killed."""
        reply = {"answer": "612", "answerable": True, "chunks": []}
        line = json.dumps({"agent": "answer.chunks", "reply": reply, "entropy": 0, "ms": ms}) + "\n"
        return f"reader=script:{self.write('slow.jsonl', line * lines)}"

    def arguments(self, *more, out=None, file=None):
        return ["bench", "--experiment", file or self.file, "--data", self.folder / "data", "--out", out or self.out,
                "--workers", "1", *more]

    def test_killed_again_and_again_it_prints_the_table_of_one_left_alone(self):
        self.lay_out()
        model = ["--model", self.script()]
        whole = self.must(*self.arguments(*model, out=self.folder / "whole"))
        self.assertEqual(whole.out, (self.folder / "whole" / "small.md").read_text(encoding="utf-8"))
        chance = random.Random(11)
        numbers = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
        for kill in range(program.kills(few=3, many=8)):
            process = self.start(*self.arguments(*model))
            time.sleep(0.1 + 0.6 * chance.random())
            program.kill(process, numbers[kill % 3])
        killed = self.must(*self.arguments(*model))
        self.assertEqual(killed.out, whole.out)
        # Continued once more, nothing is asked again.
        again = self.must(*self.arguments(*model))
        self.assertEqual(again.out, whole.out)

    def test_cells_are_the_scores_of_runs_of_bench(self):
        self.lay_out()
        model = ["--model", self.script(ms=0)]
        (record,) = self.must(*self.arguments(*model, "--json")).records()
        quotes, text = record["rows"]
        self.assertEqual((quotes["labels"], text["labels"]), (["Quotes"], ["Text RAG"]))
        scores = {}
        for file in sorted(self.out.glob("runs/folder/*/results.json")):
            (run,) = json.loads(file.read_text(encoding="utf-8"))["runs"]
            manifest = json.loads((file.parent / run["pipeline"] / "answers.jsonl.manifest.json").read_text())
            scores[run["pipeline"], manifest["settings"]["k"]] = 100 * run["score"]["mean"]
        self.assertEqual(len(scores), 4)
        for row, pipeline in ((quotes, "extractive"), (text, "textrag")):
            ours = [cell["value"] for cell in row["cells"]]
            expected = [value for (name, k), value in sorted(scores.items(), key=lambda item: int(item[0][1]))
                        if name == pipeline]
            self.assertEqual(ours[:2], expected)
            self.assertAlmostEqual(ours[2], sum(ours[:2]) / 2)
        self.assertAlmostEqual(quotes["cells"][1]["difference"], quotes["cells"][1]["value"] - 20)
        self.assertIsNone(text["cells"][0]["published"])
        self.assertEqual(record["roles"][0]["published"], "Paper-7B")
        # One store serves all four runs, because they index alike.
        self.assertEqual(len(list((self.out / "stores").iterdir())), 1)

    def test_everything_that_is_missing_is_named_before_anything_runs(self):
        (self.folder / "data").mkdir()
        result = self.call(*self.arguments())
        self.assert_one_error(result, 2, "no data of folder", "--model reader=MODEL", "Paper-7B", "--partial")
        self.assertFalse(self.out.exists())

    def test_partial_fills_the_rest_and_says_why_cells_are_empty(self):
        self.lay_out(6)
        result = self.must(*self.arguments("--partial"))
        lines = result.out.splitlines()
        (text,) = [line for line in lines if line.startswith("| Text RAG")]
        self.assertEqual(text, "| Text RAG | - | - (30.0) | - |")
        (quotes,) = [line for line in lines if line.startswith("| Quotes")]
        self.assertRegex(quotes, r"\| Quotes \| [\d.]+ \(10\.0, [+-][\d.]+\) \|")
        self.assertTrue(any("no model for the role reader" in line for line in lines), result.out)
        self.assertIn("| reader | Paper-7B | - |", lines)

    def test_options_of_the_experiment_are_not_flags(self):
        self.lay_out(2)
        more = ["--model", self.script()]
        for flags, part in ((["-k", "3"], "--k"), (["--pipeline", "textrag"], "--pipeline"),
                            (["--model", "writer=x"], "writer=x"), (["folder"], "folder")):
            with self.subTest(flags=flags):
                self.assert_one_error(self.call(*self.arguments(*more, *flags)), 2, part)
        self.assert_one_error(self.call("bench", "folder", "--partial", "--data", "d", "--out", "o", "--store", "s"), 2,
                              "--experiment")

    def test_wrong_files_are_refused_with_the_place(self):
        self.lay_out(2)
        for old, new, part in (("pipeline = \"textrag\"", "pipeline = \"nosuch\"", "nosuch"),
                               ("k = 5", "kk = 5", "bench has no option kk"), ("published = [10, 20, 15]", "published = [10]", "Quotes"),
                               ("data = \"folder\"\nmeasure", "data = \"nosuch\"\nmeasure", "nosuch"),
                               ("measure = \"score.mean\"", "measure = \"scored\"", "scored"), ("[all]", "[al]", "al")):
            with self.subTest(new=new):
                self.assertIn(old, EXPERIMENT)
                file = self.write("wrong.toml", EXPERIMENT.replace(old, new))
                self.assert_one_error(self.call(*self.arguments("--model", self.script(), file=file)), 2, part)

    def test_a_measure_that_the_results_lack_leaves_the_cell_empty_and_fails(self):
        self.lay_out(3)
        file = self.write("odd.toml", EXPERIMENT.replace("score.mean", "totals.nosuch"))
        result = self.must(*self.arguments("--model", self.script(lines=3), file=file), code=1)
        self.assertIn("- Quotes: the results of folder/extractive have no totals.nosuch", result.out.splitlines())

    def test_the_list_says_what_each_experiment_needs(self):
        names = sorted(file.stem for file in (program.REPOSITORY / "configs" / "experiments").glob("*.toml"))
        records = self.must("bench", "--list-experiments", "--json").records()
        self.assertEqual(sorted(record["experiment"] for record in records), names)
        text = self.must("bench", "--list-experiments").out
        for part in ("molorag-table4: ", "GPU hours: about", "first: fineprint train judge", "--model colpali=MODEL"):
            self.assertIn(part, text)


if __name__ == "__main__":
    unittest.main()
