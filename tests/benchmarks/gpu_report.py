"""Everything that a GPU must show, in one run of bounded time with one report: the part of
scripts/gpu-check behind --report. Correctness comes first, then speeds."""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import time

import gpu_speed
from generation_peers import weights_of

GENERATOR, PAGE_ENCODER = "qwen2.5-vl-7b", "colpali"
# Seconds that must be left for a step to be begun: about half of what it takes on an H200.
NEEDED = {"rates": 5, GENERATOR: 60, PAGE_ENCODER: 30, "scans": 15}


class Report:
    """Runs the steps. Those for which there is no time, no GPU or no program are left out by name."""

    def __init__(self, checker, program, environment, given):
        self.checker, self.folder, self.given = checker, program.parent, given
        self.quick, self.device = given.quick, given.device
        self.started = time.monotonic()
        self.end = self.started + 60 * given.minutes
        self.figures, self.left_out, self.rates = [], [], None
        checker.seconds_left = self.seconds_left
        wanted = argparse.Namespace(device=given.device, work=given.work, quick=given.quick, json=None)
        self.speed = gpu_speed.Speed(self.folder, environment, wanted)
        self.speed.seconds_left = self.seconds_left

    def seconds_left(self):
        return max(0.1, self.end - time.monotonic())

    def leave_out(self, step, why):
        print(f"{step}: left out, because {why}", flush=True)
        self.left_out.append({"step": step, "why": why})

    def figure(self, name, **facts):
        self.figures.append({"figure": name, **facts})
        print("  " + name + "".join(f", {key} {value}" for key, value in facts.items()), flush=True)

    def part(self, rate, key):
        """A rate as a part of what torch reaches on the device; None without a measurement."""
        return round(rate / self.rates[key], 4) if self.rates else None

    def step(self, name, programs, work):
        missing = [one for one in programs if not (self.folder / one).exists()]
        if missing:
            return self.leave_out(name, f"{missing[0]} is not in the program's folder")
        if not self.quick and self.seconds_left() < NEEDED[name]:
            return self.leave_out(name, f"only {self.seconds_left():.0f} s of --minutes were left")
        print(f"\n{name}", flush=True)
        work()

    # ---- Steps ---------------------------------------------------------------------------------

    def checks(self, cases, coded):
        """`cases`: of float32 and bfloat16; `coded`: those that are stored quantised."""
        self.checker.verify_all(cases, coded)
        if self.device == "cpu":
            for step in ("products with blocks", "scoring kernels", "search"):
                self.leave_out(step, "it compares a GPU with the CPU")
            return
        self.checker.blocks(self.folder)
        self.checker.scores(self.folder)
        self.checker.searches(self.folder)

    def measure_rates(self):
        lines = self.speed.peer("rates", "rates")
        if lines:
            self.rates = lines[-1]
            self.figure("rates", **{key: self.rates[key] for key in
                                    ("device", "torch", "copy_gb_per_s", "product_tflops")})  # fmt: skip

    def generator(self):
        folder = self.speed.make(GENERATOR)
        made = 8 if self.quick else 64
        batches = "1" if self.quick else "1,8,32"
        lines = self.speed.ours(
            "decode", "benchmark_generation", "--model", folder, "--device", self.device, "--dtype",
            "bfloat16", "--what", "decode,pages", "--concurrent", batches, "--new-tokens", made,
            "--repeat", 1 if self.quick else 2, "--pages", 1, "--page-size",
            "112x168" if self.quick else "672x896")  # fmt: skip
        layers, head = weights_of(folder)
        for line in lines:
            if line["what"] == "decode":
                steps = line["tokens_per_second"] / line["calls"]
                self.figure("decode", model=GENERATOR, calls=line["calls"],
                            tokens_per_second=round(line["tokens_per_second"], 1),
                            share_of_bandwidth=self.part(steps * 2 * (layers + head) / 1e9,
                                                         "copy_gb_per_s"))  # fmt: skip
            if line["what"] == "first_question":
                self.figure("first token of a page", model=GENERATOR, ms=round(line["ms"], 1),
                            prompt_tokens=line.get("prompt_tokens"))  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)

    def page_encoder(self):
        folder = self.speed.make(PAGE_ENCODER)
        pages = 2 if self.quick else 64
        lines = self.speed.ours("pages", "benchmark_page_encoder", "--model", folder, "--device",
                                self.device, "--dtype", "bfloat16", "--pages", pages, "--at-once",
                                min(8, pages), "--page-size", "448x448")  # fmt: skip
        if lines:
            best = max(line["pages_per_second"] for line in lines)
            self.figure("pages", model=PAGE_ENCODER, pages_per_second=round(best, 2),
                        vectors_a_page=lines[0]["rows"] // lines[0]["pages"])  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)

    def scans(self):
        for kind in ("float32", "bfloat16"):
            sizes = ["--pages", 500, "--late-pages", 4] if self.quick else []
            for line in self.speed.ours(f"scans, {kind}", "benchmark_cuda_scan", "--type", kind,
                                        "--device", self.device, *sizes):  # fmt: skip
                facts = {key: line[key] for key in ("what", "type", "pages", "ms", "gb_per_s", "apart")}
                self.figure("scan", **facts,
                            share_of_bandwidth=self.part(line["gb_per_s"], "copy_gb_per_s"))  # fmt: skip

    # ---- All of it -----------------------------------------------------------------------------

    def run(self, cases, coded):
        """Returns the number of failures, and writes the report even if a step breaks off."""
        self.given.work.mkdir(parents=True, exist_ok=True)
        try:
            self.checks(cases, coded)
            if missing := gpu_speed.why_no_torch(self.device):
                self.leave_out("speeds", missing)
            else:
                self.step("rates", [], self.measure_rates)
                self.step(GENERATOR, ["benchmark_generation"], self.generator)
                self.step(PAGE_ENCODER, ["benchmark_page_encoder"], self.page_encoder)
                self.step("scans", ["benchmark_cuda_scan"], self.scans)
        finally:
            self.write()
        return self.failed()

    def failed(self):
        return self.checker.failed + self.speed.failed

    def write(self):
        report = {
            "device": self.device,
            "program": program_version(self.checker.program),
            "quick": self.quick,
            "seconds": round(time.monotonic() - self.started, 1),
            "failed": self.failed(),
            "checks": self.checker.records,
            "figures": self.figures,
            "left_out": self.left_out,
            "problems": self.speed.problems,
        }
        pathlib.Path(self.given.report).write_text(json.dumps(report, indent=1) + "\n")
        print(f"\nthe report is {self.given.report}", flush=True)


def program_version(program):
    done = subprocess.run([program, "--version"], stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


if __name__ == "__main__":
    sys.exit("run scripts/gpu-check --report FILE")
