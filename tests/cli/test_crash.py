"""kill -9 at random moments: the store opens, the answers file goes on, nothing is repeated.

Forty kills each of `index` and `batch`; FINEPRINT_TEST_KILLS=1000 asks for a thousand, and `.ci/run --all` for
a hundred. Documents are small, so that most of a run is writing rather than reading.
"""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time
import unittest

import program
from program import QUICK, SCORERS, ProgramTest

KILLS = int(os.environ.get("FINEPRINT_TEST_KILLS", "40"))
KILLS_A_STORE = 5
SEED = 20240318


class Crash(ProgramTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(SEED)

    def run_and_kill(self, seconds, *arguments):
        """Returns whether the run was still going when it was killed."""
        process = self.start(*arguments, cwd=self.folder)
        time.sleep(seconds)
        alive = process.poll() is None
        program.kill(process)
        return alive

    def timed(self, *arguments):
        begin = time.perf_counter()
        result = self.must(*arguments)
        return result, time.perf_counter() - begin

    def totals(self, store):
        said = self.must("index", "--verify", "--store", store).err
        return re.search(r"(\d+) documents, (\d+) pages, (\d+) chunks", said).groups()

    def expect_no_workers_left(self):
        deadline = time.monotonic() + 20
        while program.processes_in(self.folder):
            self.assertLess(time.monotonic(), deadline, "workers outlive their program")
            time.sleep(0.05)

    def test_index(self):
        docs = self.folder / "docs"
        docs.mkdir()
        for number in range(40):
            text = f"Gauge {number} stands in harbor {number % 7}. " * 5
            body = "".join(f"<h2>Part {part}</h2><p>{text}</p>" for part in range(3))
            (docs / f"{number}.html").write_text(f"<h1>Table of gauges {number}</h1>{body}")
        self.copy_documents(docs, ["rotated-table.pdf"])
        self.kill_index(docs, KILLS, QUICK)

    @program.needs_nets
    def test_index_with_vectors(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf", "handbook.html"])
        # A model takes a second to load: tests/unit/ingest kills the encoder stage as often.
        self.kill_index(docs, max(4, KILLS // 25), SCORERS)

    def kill_index(self, docs, kills, scorers):
        reference = self.folder / "reference"
        options = ["--ocr", "never", *scorers]
        _, whole = self.timed("index", docs, "--store", reference, *options)

        killed = round_number = 0
        while killed < kills and round_number < 3 * kills:
            store = self.folder / f"store{round_number}"
            arguments = ["index", docs, "--store", store, *options]
            # Several kills on one store, so that runs go on from what a kill left.
            for _ in range(KILLS_A_STORE):
                moment = self.random.uniform(0, whole)
                killed += self.run_and_kill(moment, *arguments)
                if (store / "catalog.sqlite").exists():
                    verified = self.call("index", "--verify", "--store", store)
                    # A store without its first tables says so; a damaged one must not be.
                    self.assertIn(verified.code, (0, 3), verified.err)
                    self.assertEqual(verified.out, "", f"killed after {moment:.3f} s")
                    if verified.code == 3:
                        self.assertNotIn("damaged", verified.err)
            report = self.must(*arguments, "--json").records()[-1]
            self.assertEqual(report["indexed"] + report["unchanged"], report["files"])
            self.assertEqual(self.totals(store), self.totals(reference))
            round_number += 1
        self.assertGreaterEqual(killed, kills, "most runs were over before they were killed")

        query = ["search", "table of gauges", "--json", *scorers]
        self.assertEqual(
            self.must(*query, "--store", store).out, self.must(*query, "--store", reference).out
        )
        # What the killed runs left behind besides the catalogue is gone.
        names = [
            sorted(path.suffix for path in folder.rglob("*") if path.is_file())
            for folder in (store, reference)
        ]
        self.assertEqual(*names)
        self.expect_no_workers_left()

    def test_the_program_may_be_replaced_while_it_runs(self):
        """As by an upgrade: workers that start later are still those of the running program."""
        own = self.folder / "fineprint"
        library = own.with_name("libfineprint_reading.so")
        for file in (own, library):
            shutil.copy(pathlib.Path(program.FINEPRINT).with_name(file.name), file)
        docs = self.copy_documents(self.folder / "docs", ["handbook.html", "harbor-annual-report.pdf"])
        process = subprocess.Popen(
            [own, "index", docs, "--store", self.folder / "store", "--ocr", "always", "--json",
             "--jobs", "1", *QUICK],
            cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        other = self.folder / "other"
        other.write_text("#!/bin/sh\nexit 1\n")
        other.chmod(0o755)
        deadline = time.monotonic() + 60
        while not (workers := self.workers_of(process)):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        for file in (own, library):
            shutil.copy(other, self.folder / "new")
            os.replace(self.folder / "new", file)
        for worker in workers:
            os.kill(worker, signal.SIGKILL)
        out, err = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(json.loads(out.splitlines()[-1])["indexed"], 2)

    def workers_of(self, process):
        """Ids of its children, whichever of its threads started them."""
        return [
            int(child)
            for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir()
            for child in (task / "children").read_text().split()
        ]

    def test_batch(self):
        store = self.native_store(QUICK)
        questions = program.many_questions(150)
        file = self.write_questions("questions.jsonl", questions)
        options = [file, "--store", store, *QUICK]
        _, whole = self.timed("batch", *options, "--out", self.folder / "reference.jsonl")
        reference = program.without_times(program.read_records(self.folder / "reference.jsonl"))

        killed = round_number = 0
        while killed < KILLS and round_number < 3 * KILLS:
            out = self.folder / f"answers{round_number}.jsonl"
            before = b""
            for _ in range(KILLS_A_STORE):
                killed += self.run_and_kill(
                    self.random.uniform(0, whole / 2), "batch", *options, "--out", out
                )
                after = out.read_bytes() if out.exists() else b""
                self.assertTrue(after.startswith(before), "a whole line was lost")
                before = after[: after.rfind(b"\n") + 1]
            self.must("batch", *options, "--out", out)
            answers = program.read_records(out)
            self.assertEqual(len(answers), len(questions))
            self.assertEqual(program.without_times(answers), reference)
            round_number += 1
        self.assertGreaterEqual(killed, KILLS, "most runs were over before they were killed")


if __name__ == "__main__":
    unittest.main()
