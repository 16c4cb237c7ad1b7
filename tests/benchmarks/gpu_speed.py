"""Full-size models of random weights on a GPU, beside transformers: the part of scripts/gpu-check
that takes minutes. Models are made on the spot and removed after their turn."""

import json
import pathlib
import shutil
import subprocess
import sys

from generation_peers import weights_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
PEERS = ROOT / "tests" / "benchmarks" / "generation_peers.py"
PROGRAMS = ("benchmark_generation", "benchmark_page_encoder", "benchmark_cuda_scan")
GENERATORS = ("qwen2.5-vl-7b", "phi3-vision")
ENCODER = "colqwen2"
BATCHES = (1, 8, 32)
PROMPT = 1024
LIMIT_S = 150  # of one contender, or model
# With --quick: sizes that show that everything runs.
SMALL = {"qwen2.5-vl-7b": ("512", "160"), "phi3-vision": ("384", "128"), "colqwen2": ("512", "160"),
         "colpali": ("512", "144")}  # fmt: skip


class Speed:
    def __init__(self, folder, environment, given):
        self.folder, self.environment = folder, environment
        self.device, self.work, self.quick = given.device, given.work, given.quick
        self.json = given.json  # a file for all lines, or None
        self.failed = 0
        self.problems = []  # what each failure was
        self.seconds_left = lambda: LIMIT_S

    def run(self, name, command, environment=None):
        """The JSON lines that the command prints; what it says in time when it takes too long."""
        command = [str(part) for part in command]
        limit = min(LIMIT_S, self.seconds_left())
        print(f"  {name} ...", file=sys.stderr, flush=True)
        try:
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=limit)  # fmt: skip
            out, problem = done.stdout, ""
            if done.returncode:
                told = done.stderr.decode(errors="replace").strip().splitlines()
                problem = told[-1] if told else f"exit code {done.returncode}"
        except subprocess.TimeoutExpired as expired:
            out, problem = expired.stdout or b"", f"not done after {limit:.0f} s"
        if problem:
            self.failed += 1
            self.problems.append(f"{name}: {problem}")
            print(f"FAILED: {name}: {problem}", flush=True)
        lines = [json.loads(line) for line in out.decode().splitlines() if line.startswith("{")]
        if self.json:
            with open(self.json, "a") as out:
                out.writelines(json.dumps({"contender": name, **line}) + "\n" for line in lines)
        return lines

    def ours(self, name, program, *options):
        if not (self.folder / program).exists():
            print(f"{name}: {program} is not there (-DFINEPRINT_BENCHMARKS=ON): left out")
            return []
        return self.run(name, [self.folder / program, *options], self.environment)

    def peer(self, name, kind, *options):
        return self.run(name, [sys.executable, PEERS, kind, "--device", self.device, *options])

    def make(self, shape):
        folder = self.work / shape
        command = [sys.executable, ROOT / "scripts/data/make-random-model", shape, "--out", folder,
                   "--draw-on", self.device]  # fmt: skip
        if self.quick:
            width, vision = SMALL[shape]
            command += ["--hidden", width, "--layers", 2, "--intermediate", 512, "--vision-layers",
                        2, "--vision-hidden", vision, "--vision-intermediate", 2 * int(vision),
                        "--vocabulary", 4096]  # fmt: skip
        self.run(f"making {shape}", command)
        return folder

    def generator(self, shape, rates):
        folder = self.make(shape)
        prompt, made = (128, 8) if self.quick else (PROMPT, 64)
        batches = ",".join(map(str, BATCHES))
        shared = ["--model", folder, "--dtype", "bfloat16", "--new-tokens", made, "--repeat", 2,
                  "--prompt-tokens", prompt, "--what", "prefill,decode", "--concurrent", batches,
                  "--prefill-concurrent", batches]  # fmt: skip
        found = {
            "fineprint": self.ours(f"fineprint, {shape}", "benchmark_generation", "--device",
                                   self.device, *shared),
            "transformers": self.peer(f"transformers, {shape}", "transformers", *shared),
        }  # fmt: skip
        self.print_generator(shape, found, rates, weights_of(folder))
        shutil.rmtree(folder, ignore_errors=True)

    @staticmethod
    def best(lines, what, calls):
        """0 when there is no figure."""
        return max((line.get("tokens_per_second", 0) for line in lines
                    if line["what"] == what and line["calls"] == calls), default=0)  # fmt: skip

    def print_generator(self, shape, found, rates, weights):
        layers, head = weights
        print(f"\n{shape}, bfloat16, {2 * (layers + head) / 1e9:.1f} GB of decoder weights")
        print(f"  {'':14}{'batch':>6}{'decode tokens/s':>17}{'of bandwidth':>14}"
              f"{'prefill tokens/s':>18}{'of product rate':>17}")  # fmt: skip
        for name, lines in found.items():
            for calls in BATCHES:
                decode, read = (self.best(lines, what, calls) for what in ("decode", "prefill"))
                if not decode and not read:
                    continue
                moved = decode / calls * 2 * (layers + head) / rates["copy_gb_per_s"] / 1e9
                done = read * 2 * layers / rates["product_tflops"] / 1e12
                print(f"  {name:14}{calls:6}{decode:17.1f}{moved:14.1%}{read:18.0f}{done:17.1%}",
                      flush=True)  # fmt: skip

    def encoder(self):
        folder = self.make(ENCODER)
        pages, size = (4, "112x168") if self.quick else (64, "672x896")
        shared = ["--model", folder, "--dtype", "bfloat16", "--pages", pages, "--at-once", 8,
                  "--page-size", size, "--device", self.device]  # fmt: skip
        print(f"\n{ENCODER}, bfloat16, pages of {size} pixels")
        for name, lines in (
            ("fineprint", self.ours("fineprint, pages", "benchmark_page_encoder", *shared)),
            ("transformers", self.peer("transformers, pages", "encoder", *shared)),
        ):
            rate = max((line["pages_per_second"] for line in lines), default=None)
            if rate:
                rows = lines[0]["rows"] // lines[0]["pages"]
                print(f"  {name:14}{rate:8.1f} pages/s of {rows} vectors"
                      + (", images prepared on the way" if name == "fineprint" else
                         ", images prepared before"), flush=True)  # fmt: skip
        shutil.rmtree(folder, ignore_errors=True)

    def scan(self, rates):
        print("\nscans over page vectors of 3072 numbers on the GPU, scores brought back")
        for kind in ("float32", "bfloat16"):
            for line in self.ours(f"scan, {kind}", "benchmark_cuda_scan", "--type", kind):
                print(f"  {line['what']:8}{kind:10}{line['pages']:8} pages {line['ms']:8.3f} ms "
                      f"{line['gb_per_s']:8.0f} GB/s "
                      f"{line['gb_per_s'] / rates['copy_gb_per_s']:7.1%} of the copy's rate")

    def measure(self):
        rates = self.peer("rates", "rates")
        if not rates:
            return
        rates = rates[-1]
        print(f"\n{rates['device']}, torch {rates['torch']}: copy of {rates['copy_gb_per_s']:.0f} "
              f"GB/s read and written, bfloat16 product {rates['product_tflops']:.1f} TFLOP/s",
              flush=True)  # fmt: skip
        for shape in GENERATORS:
            self.generator(shape, rates)
        self.encoder()
        if self.device != "cpu":
            self.scan(rates)


def why_no_torch(device):
    """Returns why this Python's torch cannot be used with the device; "" if it can."""
    try:
        import torch
    except (ImportError, RuntimeError) as error:
        return f"this Python has no usable torch ({error})"
    if device != "cpu" and not torch.cuda.is_available():
        return "this Python's torch sees no GPU"
    return ""


def why_not(device):
    """What is missing here; empty: nothing."""
    try:
        import transformers  # noqa: F401
    except (ImportError, RuntimeError) as error:
        return f"this Python has no usable transformers ({error})"
    return why_no_torch(device)


def run(folder, environment, given):
    """Failures. Every line goes into the file given.json too, when there is one."""
    given.work.mkdir(parents=True, exist_ok=True)
    if given.json:
        given.json.write_text("")
    speed = Speed(folder, environment, given)
    speed.measure()
    return speed.failed
