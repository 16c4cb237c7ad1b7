"""`scripts/gpu-check --report`: what it measures, here on the CPU with tiny models, and what it refuses."""

import json
import os
import pathlib
import subprocess
import sys
import unittest

import program

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "gpu-check"
CASE = ROOT / "tests" / "data" / "bert_mean_a"
PROGRAM = pathlib.Path(os.environ["FINEPRINT"])
GENERATOR, PAGES, SCANS = "benchmark_generation", "benchmark_page_encoder", "benchmark_cuda_scan"


def has(name):
    return (PROGRAM.parent / name).exists()


@program.needs_nets
class GpuCheck(program.ProgramTest):
    def check(self, *arguments):
        return subprocess.run(
            [sys.executable, "-W", "ignore", SCRIPT, "--program", PROGRAM, *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=600,
            env=self.environment(),
        )  # fmt: skip

    def report(self, *arguments):
        file = self.folder / "report.json"
        done = self.check("--report", file, "--work", self.folder / "work", *arguments)
        return done, json.loads(file.read_text())

    def test_everything_is_in_one_report(self):
        done, report = self.report(CASE, "--device", "cpu", "--quick")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual((report["device"], report["quick"], report["failed"]), ("cpu", True, 0))
        self.assertEqual([one["check"] for one in report["checks"]], ["verify, float32", "verify, bfloat16"])
        for check in report["checks"]:
            self.assertTrue(check["passed"])
            self.assertLessEqual(check["farthest"]["difference"], 250 * check["farthest"]["tolerance"])
        figures = {}
        for figure in report["figures"]:
            figures.setdefault(figure["figure"], []).append(figure)
        left_out = {one["step"]: one["why"] for one in report["left_out"]}
        self.assertIn("GPU", left_out["scoring kernels"])
        if "speeds" in left_out:  # this Python has no torch, so no models could be made
            return
        self.assertGreater(figures["rates"][0]["copy_gb_per_s"], 0)
        for program_name, step, name, key in [
            (GENERATOR, "qwen2.5-vl-7b", "decode", "tokens_per_second"),
            (GENERATOR, "qwen2.5-vl-7b", "first token of a page", "ms"),
            (PAGES, "colpali", "pages", "pages_per_second"),
            (SCANS, "scans", "scan", "gb_per_s"),
        ]:
            with self.subTest(name):
                if has(program_name):
                    self.assertGreater(figures[name][0][key], 0)
                else:
                    self.assertIn(program_name, left_out[step])
        if has(GENERATOR):
            self.assertGreater(figures["decode"][0]["share_of_bandwidth"], 0)
        if has(PAGES):
            self.assertGreater(figures["pages"][0]["vectors_a_page"], 1000)
        if has(SCANS):
            scans = {(one["what"], one["type"]) for one in figures["scan"]}
            kinds = ("float32", "bfloat16")
            self.assertEqual(scans, {(what, kind) for what in ("hybrid", "dot", "max_sim") for kind in kinds})

    def test_a_failure_is_in_the_report(self):
        broken = self.folder / "broken"
        broken.mkdir()
        (broken / "case.json").write_text("{}")
        done, report = self.report(broken, "--device", "cpu", "--minutes", "0.2")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertGreater(report["failed"], 0)
        self.assertFalse(report["checks"][0]["passed"])
        self.assertNotEqual(report["checks"][0].get("exit_code"), -1)  # stopped for want of time

    def test_what_there_is_no_time_for_is_named(self):
        done, report = self.report(CASE, "--device", "cpu", "--minutes", "0.02")
        self.assertEqual(report["figures"], [])
        steps = {one["step"] for one in report["left_out"]}
        self.assertTrue({"rates", "scans"} <= steps or "speeds" in steps, report["left_out"])

    def test_without_a_gpu_it_refuses(self):
        if pathlib.Path("/dev/nvidia0").exists():
            self.skipTest("this machine has a GPU")
        file = self.folder / "report.json"
        done = self.check("--report", file)
        self.assertEqual(done.returncode, 77, done.stderr)
        self.assertIn("nothing was run", done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertFalse(file.exists())

    def test_two_kinds_of_run_are_refused(self):
        done = self.check("--report", self.folder / "report.json", "--full")
        self.assertEqual(done.returncode, 2)
        self.assertIn("leave one out", done.stderr)


if __name__ == "__main__":
    unittest.main()
