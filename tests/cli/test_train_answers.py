"""`fineprint train answers`: a model that learns to answer from pages."""

import json
import signal
import time
import unittest

import program
from model_files import model_of
from program import ProgramTest

MODEL = "qwen25vl_b_tied_v5layout"
DOC = "rotated-table.pdf"


@program.needs_nets
class TrainAnswers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.examples = self.folder / "answers.jsonl"
        self.pages = program.DATA / MODEL / "input"
        self.write_examples({"question": f"How many {thing} were sold?", "answers": [str(number), "many"],
                             "pages": [{"image": str(self.pages / page)} for page in pages]}
                            for thing in ("lamps", "ferries", "bricks", "keys")
                            for number, pages in ((4, ["page_a.png"]), (17, ["page_b.png", "page_a.png"])))

    def write_examples(self, lines):
        self.examples.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def arguments(self, out, *more, rate="1e-2", epochs="6", model=MODEL, batch="4"):
        return ["train", "answers", "--config", program.REPOSITORY / "configs" / "train" / "answers.toml",
                "--generator", model_of(model), "--examples", self.examples, "--out", self.folder / out,
                "--batch", batch, "--epochs", epochs, "--rate", rate, *more]

    def steps(self, out):
        path = self.folder / out / "steps.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def reply(self, generator):
        """The replies to a question; none if the tiny model writes blanks alone, which is an error."""
        result = self.call(
            "ask", "How many lamps were sold?", "--store", self.native_store(), "--doc", DOC, "--pipeline", "direct",
            "--answer-format", "text", "--generator", generator, "--answer-tokens", "8", "--json", "--trace")
        if result.code == 4 and "the reply is empty" in result.err:
            return []
        (answer,) = result.records()
        return [step["reply"] for step in answer["trace"] if step["step"] == "call"]

    def test_it_learns_answers_and_its_adapter_answers(self):
        record = json.loads(self.must(*self.arguments("out", "--json")).out)
        self.assertEqual(record["steps"], 12)
        self.assertLess(record["last_loss"], 0.5 * record["first_loss"])
        self.assertEqual(sorted(p.name for p in (self.folder / "out" / "model").iterdir()),
                         ["adapter_config.json", "adapter_model.safetensors"])
        self.assertNotEqual(self.reply(record["model"]), self.reply(model_of(MODEL)))

    def test_a_model_that_reads_only_texts_learns_from_passages_and_without_them(self):
        for out, texts in (("passages", ["Sold: 4 lamps.", {"heading": "sales.pdf, page 2", "text": "17 keys."}]),
                           ("closed", [])):
            self.write_examples({"question": f"How many {thing} were sold?", "texts": texts, "answer": answer}
                                for thing, answer in (("lamps", "4"), ("keys", "17")) for _ in range(4))
            record = json.loads(self.must(*self.arguments(out, "--json", model="qwen3_a")).out)
            self.assertEqual(record["steps"], 12)
            self.assertLess(record["last_loss"], 0.8 * record["first_loss"])
            self.assertTrue((self.folder / out / "model" / "adapter_model.safetensors").exists())

    def test_pages_of_a_store_are_those_of_their_files(self):
        for out, pages, more in (
                ("store", [{"doc": DOC, "page": 1}], ["--store", self.native_store()]),
                ("file", [{"image": f"{self.native_docs() / DOC}#1"}], [])):
            self.write_examples({"question": question, "pages": pages, "answer": "1962"}
                                for question in ("When?", "Since when?"))
            self.must(*self.arguments(out, *more, batch="2", epochs="1"))
        self.assertEqual(len(self.steps("store")), 1)
        self.assertEqual(self.steps("store"), self.steps("file"))

    def test_one_killed_again_and_again_ends_as_one_left_alone(self):
        kills = program.kills(few=2, many=4)
        epochs = str(kills // 2 + 1)  # of two steps
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

    def test_another_prompt_or_other_examples_are_not_gone_on_with(self):
        self.must(*self.arguments("out", epochs="1"))
        prompts = self.folder / "prompts" / "answer"
        prompts.mkdir(parents=True)
        (prompts / "pages_text.txt").write_text("[user]\nReply briefly.\n\n{question}\n")
        result = self.call(*self.arguments("out", "--prompts", prompts.parent, epochs="1"))
        self.assert_one_error(result, 3, "checkpoint.safetensors")
        self.examples.write_text(self.examples.read_text().replace("bricks", "stones"))
        self.assert_one_error(self.call(*self.arguments("out", epochs="1")), 3, "checkpoint.safetensors")

    def test_models_that_cannot_answer_from_pages_are_4(self):
        for model in ("bert_mean_a", "colqwen2_a", "qwen3_a", "qwen25vl_lora"):
            self.assertEqual(self.call(*self.arguments("out", model=model)).code, 4, model)

    def test_wrong_lines_and_pages_are_named(self):
        good = {"question": "q", "pages": [{"image": str(self.pages / "page_a.png")}], "answer": "a"}
        for bad, part in [({"question": ""}, "question"), ({"answer": None}, "answer"), ({"pages": []}, "pages"),
                          ({"pages": [{"doc": DOC}]}, "page")]:
            self.write_examples([good, good | bad])
            self.assert_one_error(self.call(*self.arguments("out")), 3, "answers.jsonl, line 2", part)
        for page, part in [({"image": "nowhere.png"}, "nowhere.png"), ({"doc": "nowhere.pdf", "page": 1}, "nowhere.pdf"),
                           ({"doc": DOC, "page": 99}, "page 99")]:
            self.write_examples([good, good | {"pages": [page]}] * 2)
            result = self.call(*self.arguments("out", "--store", self.native_store()))
            self.assert_one_error(result, 3, part)
        self.write_examples([good | {"pages": [{"doc": DOC, "page": 1}]}] * 4)
        self.assert_one_error(self.call(*self.arguments("out")), 2, "--store", DOC)

    def test_flags_without_an_effect_and_missing_ones_are_named(self):
        for flag, value in (("--held-back", self.examples), ("--doc", DOC), ("--loss", "din")):
            self.assert_one_error(self.call(*self.arguments("out", flag, value)), 2, flag, "train answers")
        for arguments, part in [(["--examples", "x", "--out", "y"], "--generator"),
                                (["--generator", "x", "--out", "y"], "--examples"),
                                (["--generator", "x", "--examples", "y"], "--out")]:
            self.assert_one_error(self.call("train", "answers", *arguments), 2, part)


if __name__ == "__main__":
    unittest.main()
