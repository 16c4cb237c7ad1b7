"""`fineprint train verdicts` and `fineprint train judge`: examples, and a judge that learns them."""

import json
import signal
import time
import unittest

import program
from model_files import Tensors, model_of
from program import QUICK, ProgramTest

MODEL = "qwen25vl_b_tied_v5layout"
DOC = "harbor-annual-report.pdf"


class Verdicts(ProgramTest):
    def make(self, *more, mark="3", out="verdicts.jsonl", query="What was built?", seed="5"):
        reply = {"query": query, "relevance_score": 3, "answer": "A pier."}
        lines = [{"agent": "molorag.question", "reply": reply}, {"agent": "molorag.relevance", "reply": mark}]
        script = self.write("replies.jsonl", "".join((json.dumps(line) + "\n") * 400 for line in lines))
        return self.call("train", "verdicts", "--store", self.native_store(), "--generator",
                         f"script:{script}", "--out", self.folder / out, "--seed", seed, "--json", *more)

    def test_questions_near_their_mark_are_kept(self):
        result = self.make("--verdicts", "12")
        self.assertEqual(result.code, 0, result.err)
        record = json.loads(result.out)
        lines = program.read_records(self.folder / "verdicts.jsonl")
        self.assertEqual((record["examples"], len(lines)), (12, 12))
        self.assertGreater(record["misjudged"], 0)
        self.assertEqual({line["label"] for line in lines}, {3})
        self.assertEqual({line["target"] for line in lines}, {2, 3, 4})
        self.assertEqual({line["query"] for line in lines}, {"What was built?"})
        self.assertGreater(len({(line["image"], line["focus"]) for line in lines}), 8)
        for line in lines:
            file, page = line["image"].split("#")
            self.assertEqual(file, str(self.native_docs() / line["source"]["doc"]))
            self.assertEqual(int(page), line["source"]["page"])

    def test_a_run_goes_on_where_it_stopped(self):
        self.assertEqual(self.make("--verdicts", "9", out="whole.jsonl").code, 0)
        self.assertEqual(self.make("--verdicts", "4", out="parts.jsonl").code, 0)
        with (self.folder / "parts.jsonl").open("a") as file:
            file.write('{"query": "torn')
        result = self.make("--verdicts", "9", out="parts.jsonl")
        self.assertIn("continuing after 4 examples", result.err)
        self.assertEqual((self.folder / "parts.jsonl").read_bytes(), (self.folder / "whole.jsonl").read_bytes())
        result = self.make("--verdicts", "9", seed="6", out="parts.jsonl")
        self.assert_one_error(result, 3, "parts.jsonl, line 1", "--out")

    def test_pages_are_those_of_the_documents_that_are_named(self):
        self.assertEqual(self.make("--verdicts", "6", "--doc", DOC).code, 0)
        lines = program.read_records(self.folder / "verdicts.jsonl")
        self.assertEqual({line["source"]["doc"] for line in lines}, {DOC})

    def test_a_generator_of_no_use_comes_to_an_end(self):
        result = self.make("--verdicts", "2", query=" ")
        self.assertEqual(result.code, 0, result.err)
        record = json.loads(result.out)
        self.assertEqual(record["examples"], 0)
        self.assertGreater(record["no_use"], 20)
        self.assertIn("0 of 2 examples", result.err)

    def test_what_is_missing_is_named(self):
        for arguments, part in [(["--out", "x", "--store", "y"], "--generator"),
                                (["--generator", "script:x", "--store", "y"], "--out"),
                                (["--generator", "script:x", "--out", "x"], "--store")]:
            self.assert_one_error(self.call("train", "verdicts", *arguments), 2, part)


@program.needs_nets
class TrainJudge(ProgramTest):
    def setUp(self):
        super().setUp()
        self.examples = self.folder / "verdicts.jsonl"
        self.pages = program.DATA / MODEL / "input"
        self.write_examples({"query": f"How many {thing} were sold?", "image": str(self.pages / page),
                             "label": 4 if page == "page_a.png" else 1, "focus": "tables"}
                            for thing in ("lamps", "ferries", "bricks", "keys")
                            for page in ("page_a.png", "page_b.png"))

    def write_examples(self, lines):
        self.examples.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def arguments(self, out, *more, rate="1e-2", epochs="6", model=MODEL):
        return ["train", "judge", "--config", program.REPOSITORY / "configs" / "train" / "judge.toml",
                "--generator", model_of(model), "--examples", self.examples, "--out", self.folder / out,
                "--batch", "4", "--epochs", epochs, "--rate", rate, *more]

    def steps(self, out):
        path = self.folder / out / "steps.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def test_it_learns_marks_and_its_adapter_answers(self):
        result = self.must(*self.arguments("out", "--held-back", self.examples, "--json"))
        record = json.loads(result.out)
        self.assertEqual(record["steps"], 12)
        self.assertLess(record["last_loss"], 0.3 * record["first_loss"])
        self.assertRegex(result.err, r"held back: \d+\.\d% of 8 examples get the right mark")
        self.assertEqual(sorted(p.name for p in (self.folder / "out" / "model").iterdir()),
                         ["adapter_config.json", "adapter_model.safetensors"])
        # As PEFT itself names them for the model as transformers builds it.
        adapter = Tensors(self.folder / "out" / "model" / "adapter_model.safetensors")
        published = Tensors(program.DATA / "qwen25vl_lora" / "adapter" / "adapter_model.safetensors")
        of_trunk = {name for name in published.names() if ".visual." not in name}
        self.assertLess(of_trunk, set(adapter.names()))
        (answer,) = self.must(
            "ask", "How is the table rotated?", "--store", self.native_store(), "--doc", "rotated-table.pdf",
            "--pipeline", "molorag-plus", "--molorag.all-pages", *QUICK, "--generator", record["model"],
            "--answer-tokens", "64", "--json", "--trace").records()
        verdicts = [step["verdict"] for step in answer["trace"] if step["step"] == "relevance"]
        self.assertGreater(len(verdicts), 0)
        self.assertLessEqual(set(verdicts), {1, 4})

    def test_one_killed_again_and_again_ends_as_one_left_alone(self):
        kills = program.kills(few=2, many=4)
        epochs = kills // 2 + 1  # of two steps
        self.must(*self.arguments("alone", epochs=epochs))
        killed = 0
        for _ in range(kills):
            process = self.start(*self.arguments("killed", "--save-every", "1", epochs=epochs))
            begun, until = len(self.steps("killed")), time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                path = self.folder / "killed" / "steps.jsonl"
                if path.exists() and len(path.read_bytes().splitlines()) > begun:
                    break
                time.sleep(0.01)
            if process.poll() is None:
                killed += 1
                process.send_signal(signal.SIGKILL)
            process.communicate()
        self.assertGreaterEqual(killed, kills / 2)
        self.must(*self.arguments("killed", epochs=epochs))
        adapter = "model/adapter_model.safetensors"
        self.assertEqual((self.folder / "killed" / adapter).read_bytes(),
                         (self.folder / "alone" / adapter).read_bytes())
        self.assertEqual(self.steps("killed"), self.steps("alone"))

    def test_pieces_change_nothing_but_rounding(self):
        for out, most in (("whole", "4096"), ("pieces", "1")):
            self.must(*self.arguments(out, "--tokens-at-once", most, epochs="1", rate="1e-3"))
        for a, b in zip(self.steps("whole"), self.steps("pieces"), strict=True):
            self.assertAlmostEqual(a["loss"], b["loss"], delta=1e-3 * a["loss"])

    def test_other_examples_are_not_gone_on_with(self):
        self.must(*self.arguments("out", epochs="1"))
        self.examples.write_text(self.examples.read_text().replace("bricks", "stones"))
        self.assert_one_error(self.call(*self.arguments("out", epochs="1")), 3, "checkpoint.safetensors")

    def test_numbers_that_are_none_end_it(self):
        result = self.call(*self.arguments("out", "--longest-step", "0", rate="1e30"))
        self.assert_one_error(result, 4, "no longer finite")

    def test_models_that_cannot_judge_are_4(self):
        for model in ("bert_mean_a", "colqwen2_a", "qwen3_a", "qwen25vl_lora", "gemma3_gguf"):
            self.assertEqual(self.call(*self.arguments("out", model=model)).code, 4, model)

    def test_wrong_lines_and_pictures_are_named(self):
        good = {"query": "q", "image": str(self.pages / "page_a.png"), "label": 3}
        for bad, part in [({"label": 6}, "label"), ({"label": "3"}, "label"), ({"label": 2.5}, "label"),
                          ({"query": ""}, "query"), ({"image": None}, "image")]:
            self.write_examples([good, good | bad])
            self.assert_one_error(self.call(*self.arguments("out")), 3, "verdicts.jsonl, line 2", part)
        self.examples.write_text(json.dumps(good) + "\n{\n")
        self.assert_one_error(self.call(*self.arguments("out")), 3, "verdicts.jsonl, line 2")
        self.write_examples([good, good | {"image": "nowhere.png"}] * 2)
        self.assert_one_error(self.call(*self.arguments("out")), 3, "nowhere.png")

    def test_what_is_missing_is_named(self):
        for arguments, part in [(["--examples", "x", "--out", "y"], "--generator"),
                                (["--generator", "x", "--out", "y"], "--examples"),
                                (["--generator", "x", "--examples", "y"], "--out")]:
            self.assert_one_error(self.call("train", "judge", *arguments), 2, part)


if __name__ == "__main__":
    unittest.main()
