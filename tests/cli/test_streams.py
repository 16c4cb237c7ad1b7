"""What goes to which stream, exit codes, signals, and what --help says."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

import program
from program import QUICK, ProgramTest

COMMANDS = ["index", "watch", "search", "list", "remove", "map", "ask", "chat", "batch", "table", "merge"]
COMMANDS += ["eval", "report", "show", "export", "serve", "mcp"]
COMMANDS += ["bench", "pipelines", "generate", "embed", "read", "train", "models", "verify",
             "stores", "trust", "doctor", "help", "completion", "man"]


class Help(ProgramTest):
    def test_version_is_one_line(self):
        self.assertRegex(self.must("--version").out, r"\Afineprint \d+\.\d+\.\d+\n\Z")

    def test_help_lists_exactly_the_commands(self):
        result = self.must("--help")
        listed = re.findall(r"^  ([a-z]+) {2,}\S", result.out.split("Subcommands:")[1], re.M)
        self.assertEqual(listed, COMMANDS)
        self.assertEqual(result.err, "")

    def test_every_command_has_help_with_an_example(self):
        for command in COMMANDS:
            result = self.must(command, "--help")
            self.assertIn(f"Example:\n  fineprint {command}", result.out)
            self.assertEqual(result.err, "")

    def test_flags_of_an_example_exist(self):
        for command in COMMANDS:
            text = self.must(command, "--help").out
            options, example = text.split("Example:")
            for flag in re.findall(r"(?<= )--?[a-z][a-z-]*", example):
                self.assertRegex(options, rf"(?<![\w-]){flag}(?![\w-])")

    def test_every_option_is_explained(self):
        for command in COMMANDS:
            lines = self.must(command, "--help").out.splitlines()
            for number, line in enumerate(lines):
                if re.match(r" {2,}-", line):
                    explained = re.search(r" {2,}[^- ].*[a-z]{2}", line)
                    wrapped = number + 1 < len(lines) and re.match(r" {20,}\S", lines[number + 1])
                    self.assertTrue(explained or wrapped, line)

    def test_without_a_command_help_is_an_error(self):
        result = self.call()
        self.assertEqual(result.code, 2)
        self.assertEqual(result.out, "")
        self.assertIn("index", result.err)

    def test_defaults_can_be_printed_and_used_as_configuration(self):
        defaults = self.must("--print-defaults")
        file = self.write("all.toml", defaults.out)
        self.must("pipelines", "--config", file)
        self.assertEqual(defaults.err, "")


class ExitCodes(ProgramTest):
    def test_wrong_usage_is_2(self):
        store = self.native_store()
        for arguments, part in [
            (["nonsense"], "nonsense"),
            (["search", "x", "--store", store, "--no-such-flag"], "--no-such-flag"),
            (["search", "x"], "--store"),
            (["search", "--store", store], "QUERY"),
            (["search", "x", "--store", store, "-k", "ten"], "ten"),
            (["search", "x", "--store", store, "-k", "0"], "-k"),
            (["search", "x", "--store", store, "-k", "-1"], "k"),
            (["search", "x", "--store", store, "--fusion", "max"], "rrf"),
            (["search", "x", "--store", store, "--scorer", "nonsense"], "nonsense"),
            (["index", "x", "--store", store, "--store", store], "--store"),
            (["search", "--questions", "q.jsonl", "--store", store], "--json"),
            (["index", "--store", store], "PATH"),
            (["index", "x"], "--store"),
            (["ask", "--store", store], "QUESTION"),
            (["ask", "x", "--store", store, "--pipeline", "nonsense"], "nonsense"),
            (["batch", "q.jsonl", "--store", store], "--out"),
            (["batch", "q.jsonl", "--out", "a"], "--store"),
            (["merge", "out"], "IN.jsonl"),
            (["eval", "answers"], "--gold"),
            (["eval", "--gold", "gold"], "FILE"),
        ]:
            with self.subTest(arguments=arguments[:1] + arguments[-2:]):
                self.assert_one_error(self.call(*arguments), 2, part)

    def test_positional_arguments_may_stand_anywhere(self):
        store = self.native_store()
        for arguments in [
            ["--store", store, "--scorer", "bm25", "tide gauge"],
            ["--scorer", "bm25", "tide gauge", "--store", store],
            ["--store", store, "--scorer", "bm25", "--doc", "rotated-table.pdf", "tide gauge"],
            ["--store", store, "--scorer=bm25", "--", "tide gauge"],
        ]:
            self.assertIn("rotated-table.pdf", self.must("search", *arguments).out)

    def test_unknown_keys_are_refused_by_name(self):
        config = self.write("c.toml", "k = 3\n\nstoer = 'x'\n")
        self.assert_one_error(
            self.call("pipelines", "--config", config), 2, f"{config}:3", "stoer"
        )
        self.assert_one_error(
            self.call("pipelines", env={"FINEPRINT_STOER": "x"}), 2, "FINEPRINT_STOER"
        )
        self.write("fineprint.toml", "colour = true\n")
        self.assert_one_error(
            self.call("pipelines", cwd=self.folder), 2, "fineprint.toml:1", "colour"
        )

    def test_settings_come_from_environment_and_project_file(self):
        store = self.native_store()
        self.write("fineprint.toml", f'store = "{store}"\nk = 2\nscorer = ["bm25"]\n')
        query = ["search", "profit for the year", "--json"]
        self.assertEqual(len(self.must(*query, cwd=self.folder).records()), 2)
        more = self.must(*query, cwd=self.folder, env={"FINEPRINT_K": "3"})
        self.assertEqual(len(more.records()), 3)
        most = self.must(*query, "-k", "4", cwd=self.folder, env={"FINEPRINT_K": "3"})
        self.assertEqual(len(most.records()), 4)

    def test_inputs_and_stores_that_cannot_be_used_are_3(self):
        store = self.native_store()
        nowhere = self.folder / "nowhere"
        bad = self.write("bad.jsonl", '{"id": "a", "question": "x"}\n{"id": "b"\n')
        twice = self.write_questions("twice.jsonl", [{"id": "a", "question": "x"}] * 2)
        not_a_store = self.write("file", "text")
        for arguments, parts in [
            (["search", "x", "--store", nowhere], [nowhere, "index"]),
            (["search", "x", "--store", not_a_store], [not_a_store]),
            (["index", "--verify", "--store", nowhere], [nowhere]),
            (["index", nowhere, "--store", self.folder / "s"], [nowhere]),
            (["ask", "x", nowhere], [nowhere]),
            (["batch", nowhere, "--store", store, "--out", self.folder / "a"], [nowhere]),
            (["batch", bad, "--store", store, "--out", self.folder / "a"], [f"{bad}:2"]),
            (["batch", twice, "--store", store, "--out", self.folder / "a"], [f"{twice}:2", "a"]),
            (["merge", self.folder / "out", nowhere], [nowhere]),
            (["eval", nowhere, "--gold", program.QUESTIONS], [nowhere]),
            (["eval", bad, "--gold", program.QUESTIONS], [bad]),
        ]:
            with self.subTest(arguments=arguments[:1] + arguments[-2:]):
                self.assert_one_error(self.call(*arguments), 3, *parts)

    def test_models_that_cannot_be_used_are_4(self):
        store = self.native_store(program.SCORERS)
        nowhere = self.folder / "no-model"
        wanted = ["--scorer", "bm25,text", "--retriever", nowhere]
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        self.assert_one_error(
            self.call("index", docs, "--store", self.folder / "s", *wanted), 4, nowhere
        )
        if program.HAS_NETS:
            out = self.folder / "answers.jsonl"
            questions = self.write_questions("q.jsonl", program.many_questions(3))
            for arguments in (["search", "x"], ["ask", "x"], ["batch", questions, "--out", out]):
                result = self.call(*arguments, "--store", store, *wanted)
                self.assert_one_error(result, 4, nowhere)
            self.assertEqual(out.read_text(), "")  # nothing recorded as failed


class Streams(ProgramTest):
    def test_only_results_on_stdout(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        store = self.folder / "store"
        answers = self.folder / "answers.jsonl"
        questions = self.write_questions("q.jsonl", program.many_questions(3))
        self.native_store()
        for arguments in [
            ["index", docs, "--store", store, *QUICK],
            ["index", docs, "--store", store, "-v", *QUICK],
            ["batch", questions, "--store", self.native_store(), "--out", answers, *QUICK],
            ["merge", self.folder / "merged.jsonl", answers],
            ["index", "--verify", "--store", store],
        ]:
            result = self.must(*arguments)
            self.assertEqual(result.out, "", arguments)
            self.assertNotEqual(result.err, "", arguments)

    def test_results_are_whole_records(self):
        store = self.native_store()
        hits = self.must("search", "tide gauge", "--store", store, "--json", "-v", *QUICK)
        self.assertGreater(len(hits.records()), 0)
        answer = self.must("ask", "tide gauge?", "--store", store, "--json", "-v", *QUICK)
        self.assertEqual(len(answer.records()), 1)

    def test_quiet_says_nothing_but_errors(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        store = self.folder / "store"
        answers = self.folder / "answers.jsonl"
        questions = self.write_questions("q.jsonl", program.many_questions(3))
        for arguments in [
            ["index", docs, "--store", store, *QUICK],
            ["index", "--verify", "--store", store],
            ["search", "gauge", "--store", store, *QUICK],
            ["ask", "Who is the king of Norway?", "--store", store, *QUICK],
            ["batch", questions, "--store", self.native_store(), "--out", answers, *QUICK],
            ["batch", questions, "--store", self.native_store(), "--out", answers, *QUICK],
            ["merge", self.folder / "merged.jsonl", answers],
            ["eval", answers, "--gold", questions],
        ]:
            self.assertEqual(self.must(*arguments, "--quiet").err, "", arguments)
        (docs / "empty.pdf").touch()
        result = self.must("index", docs, "--store", store, "--quiet", *QUICK, code=1)
        self.assertRegex(result.err, r"\Aerror: .*empty\.pdf.*\n\Z")

    def test_no_escape_sequences_into_pipes(self):
        result = self.must("search", "gauge", "--store", self.native_store(), "-v", *QUICK)
        self.assertNotIn("\x1b", result.out + result.err)
        self.assertNotIn("\r", result.out + result.err)

    def test_colour_is_for_terminals_that_want_it(self):
        self.assertIn(b"\x1b[", self.on_a_terminal("search", "x"))
        self.assertNotIn(b"\x1b[", self.on_a_terminal("search", "x", NO_COLOR="1"))

    def on_a_terminal(self, *arguments, **env):
        """What the program writes to a terminal on stderr."""
        ours, theirs = os.openpty()
        process = self.start(*arguments, stderr=theirs, env=env)
        process.communicate()
        os.close(theirs)
        try:
            return os.read(ours, 65536)
        finally:
            os.close(ours)

    def test_a_full_disk_under_stdout_is_an_error(self):
        with open("/dev/full", "w") as full:
            process = self.start(
                "search", "gauge", "--store", self.native_store(), *QUICK, stdout=full
            )
            _, err = process.communicate()
        self.assertNotEqual(process.returncode, 0)
        self.assertIn(b"error: ", err)


class Signals(ProgramTest):
    def searching(self, count, **options):
        questions = self.write_questions("many.jsonl", program.many_questions(count))
        return self.start(
            *["search", "--questions", questions, "--json", "--scorer", "bm25"],
            *["--store", self.native_store()],
            **options,
        )

    def test_a_reader_that_leaves_ends_the_program_quietly(self):
        for preexec in (None, lambda: signal.signal(signal.SIGPIPE, signal.SIG_IGN)):
            process = self.searching(
                3000, preexec_fn=preexec, restore_signals=preexec is None
            )
            self.assertTrue(json.loads(process.stdout.readline()))
            process.stdout.close()
            err = process.stderr.read()
            process.stderr.close()
            self.assertEqual(process.wait(60), -signal.SIGPIPE)
            self.assertEqual(err, b"")

    def test_interrupted_search_is_130(self):
        process = self.searching(20000)
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertTrue(out.endswith(b"\n"))

    def interrupt_batch(self, number):
        store = self.native_store()
        questions = program.many_questions(5000)
        file = self.write_questions("many.jsonl", questions)
        out = self.folder / "answers.jsonl"
        arguments = ["batch", file, "--store", store, "--out", out, "--scorer", "bm25"]
        process = self.start(*arguments)
        deadline = time.monotonic() + 60
        while not (out.exists() and out.stat().st_size > 5000):
            self.assertIsNone(process.poll(), "ended before it could be interrupted")
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        process.send_signal(number)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)

        ids = [record["id"] for record in program.read_records(out)]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLess(len(ids), len(questions))
        rest = self.write_questions("rest.jsonl", questions[: len(ids) + 20])
        self.must("batch", rest, *arguments[2:])
        ids = [record["id"] for record in program.read_records(out)]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertLessEqual({question["id"] for question in questions[:20]}, set(ids))

    def test_interrupted_batch_is_130_and_goes_on(self):
        self.interrupt_batch(signal.SIGINT)

    def test_terminated_batch_is_130_and_goes_on(self):
        self.interrupt_batch(signal.SIGTERM)

    def test_interrupted_index_is_130_and_goes_on(self):
        docs = self.folder / "docs"
        for number in range(12):
            self.copy_documents(docs / f"set{number:02}")
        for number, file in enumerate(sorted(docs.rglob("*.pdf"))):
            with open(file, "ab") as end:
                end.write(b"\n%% %d\n" % number)  # no two alike
        store = self.folder / "store"
        arguments = ["index", docs, "--store", store, "--ocr", "never", "--scorer", "bm25"]
        process = self.start(*arguments, "-v", stderr=subprocess.PIPE)
        while not list(store.glob("catalog.sqlite*")):
            time.sleep(0.005)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.must("index", "--verify", "--store", store)
        report = self.must(*arguments, "--json").records()[-1]
        self.assertEqual(report["indexed"] + report["unchanged"], 36)
        self.assertEqual(report["failed"], 0)


if __name__ == "__main__":
    unittest.main()
