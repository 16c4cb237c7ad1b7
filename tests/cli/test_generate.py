"""`fineprint generate`: replies of the small models, streamed, stopped, drawn, chosen."""

import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time
import unittest

import program
from model_files import CODED_CASES, FORMAT_CASES, GENERATING, case_of, model_of
from program import DATA, DOCS, ProgramTest

QWEN = ["--generator", model_of("qwen25vl_a")]
GREEDY = ["--temperature", "0", "--repetition-penalty", "1"]
# How the prompts of the cases write a user's turn around its text.
USER_TEXT = re.compile(
    r"<\|im_start\|>user\n(?:<\|vision_start\|><\|image_pad\|><\|vision_end\|>)*(.*?)<\|im_end\|>"
    r"|<\|user\|>\n(?:<\|image_\d+\|>\n)*(.*?)<\|end\|>",
    re.S,
)


def runs_of(case):
    """(user's text, arguments for the images, the reference's reply) of each generating run."""
    for run in case_of(case)["runs"]:
        if "gen_text" in run:
            images = [word for name in run["images"] for word in ("--image", DATA / case / name)]
            text = next(group for group in USER_TEXT.search(run["prompt"]).groups() if group)
            yield text, images, run["gen_text"]


class Usage(ProgramTest):
    def test_wrong_usage_is_2(self):
        for arguments, part in [
            (["x"], "--generator"),
            (QWEN, "PROMPT"),
            (["x", "y", *QWEN], "quotes"),
            (["x", *QWEN, "--max-new-tokens", "0"], "--max-new-tokens"),
            (["x", *QWEN, "--stop", ""], "--stop"),
            (["x", *QWEN, "--choose", "a", "--choose", "a"], "--choose"),
            (["x", *QWEN, "--temperature", "warm"], "temperature"),
            (["x", *QWEN, "--device", "tpu"], "--device"),
            (["x", *QWEN, "--cache-bytes", "much"], "cache-bytes"),
            (["x", *QWEN, "--keep-states"], "--store"),
            (["x", *QWEN, "--raw", "--system", "y"], "--raw and --system"),
            (["x", *QWEN, "--raw", "--image", "page.png"], "--raw and --image"),
            (["x", "--generator", "script:replies.jsonl", "--raw"], "--raw needs a model"),
            (["x", "--generator", "http://localhost:1#m", "--raw"], "--raw needs a model"),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_one_error(self.call("generate", *arguments), 2, part)

    def test_a_model_that_cannot_be_used_is_4(self):
        result = self.call("generate", "x", "--generator", self.folder)
        self.assert_one_error(result, 4, self.folder)

    def test_pictures_that_cannot_be_used_are_3(self):
        text = self.write("notes.txt", "not a picture")
        broken = self.folder / "broken.png"
        broken.write_bytes((DATA / "qwen25vl_a" / "input" / "page_a.png").read_bytes()[:200])
        report = DOCS / "harbor-annual-report.pdf"
        for picture, part in [
            (self.folder / "nowhere.png", "nowhere.png"),
            (text, "notes.txt"),
            (broken, "broken.png"),
            (report, f"{report}#1"),
            (f"{report}#99", "harbor-annual-report.pdf"),
            (f"{report}#0", "harbor-annual-report.pdf#0"),
            (f"{self.folder}/nowhere.pdf#1", "nowhere.pdf"),
        ]:
            with self.subTest(picture=str(picture)):
                result = self.call("generate", "x", *QWEN, "--image", picture)
                self.assert_one_error(result, 3, part)


@program.needs_nets
class Replies(ProgramTest):
    def reply(self, *arguments, **options):
        return self.must("generate", *arguments, **options).out.removesuffix("\n")

    def record(self, *arguments, **options):
        (record,) = self.must("generate", *arguments, "--json", **options).records()
        return record

    def test_greedy_text_is_the_references(self):
        for case in [*GENERATING, "qwen3_a", "qwen3vl_a"]:
            for text, images, expected in runs_of(case):
                with self.subTest(case=case, images=len(images) // 2):
                    reply = self.reply(
                        *[text, *images, "--generator", model_of(case)],
                        *[*GREEDY, "--max-new-tokens", "12"],
                    )
                    self.assertEqual(reply, expected)

    def test_a_raw_prompt_is_read_as_it_is(self):
        """The whole prompt of a case, turns included; also of a model without a chat template."""
        folder = self.folder / "base"
        shutil.copytree(model_of("llama_a"), folder, copy_function=shutil.copyfile)
        facts = folder / "tokenizer_config.json"
        config = json.loads(facts.read_text(encoding="utf-8"))
        del config["chat_template"]
        facts.write_text(json.dumps(config), encoding="utf-8")
        for run in case_of("llama_a")["runs"]:
            for model in (model_of("llama_a"), folder):
                call = [run["prompt"], "--generator", model, *GREEDY, "--max-new-tokens", "12"]
                # Special tokens are not shown in replies.
                expected = re.sub(r"<\|\w+\|>", "", run["gen_text"])
                self.assertEqual(self.reply(*call, "--raw"), expected)
        self.assert_one_error(self.call("generate", *call), 4, "no chat template", "--raw")
        asked = ["ask", "x", DOCS / "ticket.jpg", "--generator", folder, "--pipeline", "textrag"]
        self.assert_one_error(self.call(*asked), 4, "no chat template")
        self.assertIn("generate --raw", self.must("models", folder).out)

    def test_greedy_text_of_weights_in_codes_is_the_references(self):
        """Held as they lie: the best two logits of these replies are further apart than products
        of codes round. Of folders of codes they are not, so their weights are widened, too."""
        for case in [*FORMAT_CASES, *CODED_CASES]:
            (text, _, expected), = runs_of(case)
            call = [text, "--generator", model_of(case), *GREEDY, "--max-new-tokens", "12"]
            with self.subTest(case=case):
                if case in CODED_CASES:
                    self.assertTrue(self.reply(*call))
                    call += ["--dtype", "float32"]
                self.assertEqual(self.reply(*call), expected)

    def test_a_damaged_file_beside_the_model_takes_images_only(self):
        model = self.folder / "model.gguf"
        shutil.copyfile(model_of("gguf_q4_0"), model)
        (self.folder / "mmproj.gguf").write_bytes(b"GGUF, but not whole")
        call = ["What?", "--generator", model, *GREEDY, "--max-new-tokens", "4"]
        result = self.must("generate", *call)
        self.assertIn("warning: model reads only texts: ", result.err)
        self.assertIn("mmproj.gguf", result.err)
        picture = DATA / "qwen25vl_a" / "input" / "page_a.png"
        error = self.must("generate", *call, "--image", picture, code=2).err
        self.assertIn("mmproj.gguf", error)
        call[2] = f"{model}+{self.folder / 'mmproj.gguf'}"
        self.assertIn("mmproj.gguf", self.must("generate", *call, code=4).err)

    def test_records_say_the_same_as_the_stream(self):
        text, images, _ = list(runs_of("qwen25vl_a"))[2]
        arguments = [text, *images, *QWEN, *GREEDY, "--max-new-tokens", "12"]
        record = self.record(*arguments)
        self.assertEqual(record["text"], self.reply(*arguments))
        self.assertIn(record["finish"], ("length", "end_token"))
        self.assertEqual(record["prompt_tokens"], 189)
        self.assertTrue(0 < record["image_tokens"] < 189)
        self.assertEqual(len(record["logprobs"]), record["output_tokens"])
        self.assertEqual(len(record["entropies"]), record["output_tokens"])
        self.assertTrue(all(p <= 0 for p in record["logprobs"]))
        self.assertTrue(all(e >= 0 for e in record["entropies"]))

    def test_the_prompt_may_come_from_standard_input(self):
        arguments = [*QWEN, *GREEDY, "--max-new-tokens", "8"]
        self.assertEqual(
            self.reply("-", *arguments, text="What is this?\n"),
            self.reply("What is this?", *arguments),
        )

    def test_a_system_message_changes_the_prompt(self):
        few = ["x", *QWEN, *GREEDY, "--max-new-tokens", "2"]
        with_system = self.record(*few, "--system", "Answer in one word, and never guess.")
        self.assertNotEqual(with_system["prompt_tokens"], self.record(*few)["prompt_tokens"])

    def test_a_stop_string_ends_the_reply_before_it(self):
        arguments = ["What is this?", *QWEN, *GREEDY, "--max-new-tokens", "12"]
        whole = self.reply(*arguments)
        stop = whole[len(whole) // 2 : len(whole) // 2 + 2]
        record = self.record(*arguments, "--stop", stop, "--stop", "never to be seen")
        self.assertEqual(record["text"], whole[: whole.index(stop)])
        self.assertEqual(record["finish"], "stop_text")
        self.assertEqual(self.reply(*arguments, "--stop", stop), record["text"])

    def test_draws_repeat_themselves_by_seed(self):
        arguments = ["Tell me.", *QWEN, "--max-new-tokens", "16"]
        drawing = [*arguments, "--temperature", "1"]
        first = self.reply(*drawing, "--seed", "1")
        self.assertEqual(first, self.reply(*drawing, "--seed", "1"))
        self.assertNotEqual(first, self.reply(*drawing, "--seed", "2"))
        certain = self.reply(*drawing, "--seed", "2", "--top-k", "1")
        self.assertEqual(certain, self.reply(*arguments, "--temperature", "0"))

    def test_values_out_of_range_are_2(self):
        for flag, value in [("--temperature", "-1"), ("--top-p", "1.5"), ("--top-p", "1.5")]:
            result = self.call("generate", "x", *QWEN, flag, value)
            self.assert_one_error(result, 2, flag.removeprefix("--"))

    def test_a_page_of_a_document_is_a_picture(self):
        page = f"{DOCS / 'harbor-annual-report.pdf'}#3"
        picture = DATA / "qwen25vl_a" / "input" / "page_a.png"
        record = self.record(
            "What?", "--image", page, "--image", picture, *QWEN, "--max-new-tokens", "3"
        )
        self.assertGreater(record["image_tokens"], 50)

    def test_ctrl_c_keeps_what_is_there(self):
        for json in ([], ["--json"]):
            process = self.start(
                *["generate", "Tell me everything.", *QWEN, "--max-new-tokens", "50000"],
                *["--temperature", "0", *json, "--stop", "never"],
            )
            if json:
                self.wait_for_work(process)
                begin = b""
            else:
                begin = process.stdout.read(1)  # the reply is coming
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=60)
            if process.returncode == 0:
                self.skipTest("the model ended its reply at once")
            self.assertEqual(process.returncode, 130, err)
            self.assertNotIn(b"error", err)
            self.assertTrue((begin + out).endswith(b"\n"))

    def wait_for_work(self, process):
        """Until the process has used some seconds of processor: the model is loaded by then."""
        while process.poll() is None:
            with open(f"/proc/{process.pid}/stat") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            if (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK") > 2:
                return
            time.sleep(0.1)


@program.needs_nets
class Waiting(ProgramTest):
    """How the threads of a network are told to wait: by libgomp's environment, which it reads when
    LibTorch brings it."""

    def spins(self, generator, **environment):
        """GOMP_SPINCOUNT as libgomp says that it has read it."""
        empty = {"GOMP_SPINCOUNT": None, "OMP_WAIT_POLICY": None, "OMP_DISPLAY_ENV": "verbose"}
        done = subprocess.run(
            [program.FINEPRINT, "generate", "Hi", "--generator", generator, "--max-new-tokens", "1"],
            capture_output=True,
            text=True,
            check=True,
            env={k: v for k, v in self.environment(**(empty | environment)).items() if v},
        )
        return re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)

    def test_threads_of_an_own_model_sleep_soon(self):
        self.assertEqual(self.spins(model_of("qwen25vl_a")), ["10000"])

    def test_what_the_user_set_stays(self):
        self.assertEqual(self.spins(model_of("qwen25vl_a"), GOMP_SPINCOUNT="7"), ["7"])
        self.assertEqual(self.spins(model_of("qwen25vl_a"), OMP_WAIT_POLICY="active"), ["30000000000"])

    def test_a_configuration_from_a_pipe_is_read_once(self):
        text = f'generator = "{model_of("qwen25vl_a")}"\ntemperature = 0\n'
        replies = ["generate", "Hi", "--config", "/dev/stdin", "--max-new-tokens", "3"]
        self.assertNotEqual(self.must(*replies, text=text).out, "")


@program.needs_nets
class Choices(ProgramTest):
    def test_probabilities_sum_to_one_best_first(self):
        several = [["yes", "no"], ["1", "2", "3", "4", "5"], ["a", "a b", "a b c d"]]
        for case in GENERATING:  # all by the first; by the others those of several tokens
            arguments = ["Is it relevant?", "--generator", model_of(case)]
            for answers in several if case == GENERATING[0] else several[2:]:
                choices = [word for answer in answers for word in ("--choose", answer)]
                lines = self.must("generate", *arguments, *choices).out.splitlines()
                self.assertEqual(sorted(line.split("  ", 1)[1] for line in lines), sorted(answers))
                values = [float(line.split()[0]) for line in lines]
                self.assertAlmostEqual(sum(values), 1, places=4)
                self.assertEqual(values, sorted(values, reverse=True))

    def test_records(self):
        image = DATA / "qwen25vl_a" / "input" / "page_a.png"
        (record,) = self.must(
            *["generate", "Relevant?", *QWEN, "--image", image, "--json"],
            *["--choose", "no", "--choose", "yes"],
        ).records()
        self.assertAlmostEqual(sum(record["probabilities"].values()), 1, places=9)
        best = max(record["probabilities"], key=record["probabilities"].get)
        self.assertEqual(record["choice"], best)
        self.assertEqual(next(iter(record["probabilities"])), best)
        # Each is that of the text alone, whatever else is given.
        apart = record["logprobs"]["yes"] - record["logprobs"]["no"]
        self.assertAlmostEqual(apart, math.log(record["probabilities"]["yes"] / record["probabilities"]["no"]), places=6)
        (alone,) = self.must(*["generate", "Relevant?", *QWEN, "--image", image, "--json", "--choose", "no"]).records()
        self.assertEqual(alone["probabilities"], {"no": 1.0})
        self.assertAlmostEqual(alone["logprobs"]["no"], record["logprobs"]["no"], places=4)
        self.assertLess(alone["logprobs"]["no"], 0)


if __name__ == "__main__":
    unittest.main()
