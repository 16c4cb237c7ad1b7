#!/usr/bin/env python3
"""Times peers on a model folder or GGUF file, as generation_benchmark.cpp times ours.

Usage: python tests/benchmarks/generation_peers.py transformers|llama.cpp|encoder --model PATH ...
       python tests/benchmarks/generation_peers.py rates [--device NAME]

Prints the same JSON lines: `prefill` reads --prefill-concurrent prompts of random ids in one batch,
`decode` greedily writes more after --concurrent short ones. `encoder` is transformers' ColQwen2 on
random pages, one line a run as benchmark_page_encoder's. `rates` is what torch reaches on the
device: bytes read and written by a copy, and products in bfloat16. Peers keep nothing between
calls, so cached_tokens is 0. One run before the first does not count. With --read-speed LIBRARY
(libread_speed.so, built with the benchmarks) lines of a decode also have read_gb_per_s: the mean of
memory's speed just before and just after.
"""

import argparse
import ctypes
import json
import os
import pathlib
import random
import struct
import sys
import time

DECODE_PROMPT = 64
SMALLEST_ID, LARGEST_ID = 100, 1200  # ordinary tokens of every test tokenizer


def numbers(text):
    return [int(part) for part in text.split(",")]


def random_ids(calls, tokens, seed):
    source = random.Random(seed)
    return [[source.randint(SMALLEST_ID, LARGEST_ID) for _ in range(tokens)] for _ in range(calls)]


def say(what, run, calls, prompt, output, seconds, tokens, **more):
    print(json.dumps({"benchmark": "generation", "what": what, "run": run, "calls": calls,
                      "prompt_tokens": prompt, "image_tokens": 0, "cached_tokens": 0,
                      "output_tokens": output, "ms": seconds * 1e3,
                      "tokens_per_second": tokens / seconds, **more}), flush=True)  # fmt: skip


def read_speed(given):
    """A function that gives memory's speed in GB/s; None without --read-speed."""
    if not given.read_speed:
        return None
    function = ctypes.CDLL(str(given.read_speed.resolve())).fineprint_read_gb_per_s
    function.restype = ctypes.c_double
    return lambda: function(ctypes.c_int(given.threads))


def measure_decode(peer, given, speed, calls, run):
    before = speed and speed()
    seconds = peer.decode(random_ids(calls, DECODE_PROMPT, run), given.new_tokens)
    beside = {"read_gb_per_s": (before + speed()) / 2} if speed else {}
    made = calls * (given.new_tokens - 1)
    say("decode", run, calls, calls * DECODE_PROMPT, made, seconds, made, **beside)


def measure(peer, given):
    """`peer.prefill(ids)` gives seconds; `peer.decode(ids, count)` those after the first token."""
    speed = read_speed(given)
    peer.prefill(random_ids(1, 32, 0))
    for what in given.what.split(","):
        for run in range(1, given.repeat + 1):
            decodes = what == "decode"
            for calls in given.concurrent if decodes else given.prefill_concurrent:
                if decodes:
                    measure_decode(peer, given, speed, calls, run)
                    continue
                for tokens in given.prompt_tokens:
                    seconds = peer.prefill(random_ids(calls, tokens, run))
                    say(what, run, calls, calls * tokens, calls, seconds, calls * tokens)


def weights_of(folder):
    """Numbers in the decoder's matrices that every new token is multiplied with: those of the
    layers, and those of the head."""
    layers = embeddings = head = 0
    for file in pathlib.Path(folder).glob("*.safetensors"):
        with open(file, "rb") as opened:
            header = json.loads(opened.read(struct.unpack("<Q", opened.read(8))[0]))
        header.pop("__metadata__", None)
        for name, facts in header.items():
            count = facts["data_offsets"][1] - facts["data_offsets"][0]
            count //= {"F32": 4, "BF16": 2, "F16": 2}[facts["dtype"]]
            layers += count if name.startswith("model.layers.") else 0
            embeddings += count if name == "model.embed_tokens.weight" else 0
            head += count if name == "lm_head.weight" else 0
    return layers, head or embeddings


def measure_rates(given):
    import torch

    on_cpu = given.device == "cpu"
    # Products in bfloat16 are slow on processors without instructions for them.
    size, side = (1 << 26, 256) if on_cpu else (1 << 31, 8192)

    def seconds(work, times):
        for _ in range(3):
            work()
        best = float("inf")
        for _ in range(3):
            if not on_cpu:
                torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(times):
                work()
            if not on_cpu:
                torch.cuda.synchronize()
            best = min(best, (time.perf_counter() - start) / times)
        return best

    source = torch.empty(size, dtype=torch.uint8, device=given.device)
    target = torch.empty_like(source)
    copy = 2 * size / seconds(lambda: target.copy_(source), 10)
    # Of random numbers: zeros draw less power and run faster.
    a, b = (torch.randn(side, side, device=given.device, dtype=torch.bfloat16) for _ in range(2))
    product = 2 * side**3 / seconds(lambda: a @ b, 10)
    name = "cpu" if on_cpu else torch.cuda.get_device_name()
    print(json.dumps({"benchmark": "rates", "device": name, "torch": torch.__version__,
                      "copy_gb_per_s": copy / 1e9, "product_tflops": product / 1e12}))  # fmt: skip


# ---- Transformers ------------------------------------------------------------------------------


def import_transformers():
    """torchvision's own operators are built for one build of torch; where they do not load, its
    import only asks that these two are known."""
    import torch

    try:
        import torchvision  # noqa: F401
    except (ImportError, RuntimeError):
        for module in [name for name in sys.modules if name.startswith("torchvision")]:
            del sys.modules[module]
        import_transformers.operators = torch.library.Library("torchvision", "FRAGMENT")
        for name in ("nms", "qnms"):
            import_transformers.operators.define(
                name + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")  # fmt: skip
    import transformers

    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return torch, transformers


def phi3_config(transformers, facts):
    """The decoder of Phi-3-vision is Phi-3's, which transformers has; it lacks the whole."""
    same = ("vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers", "rms_norm_eps",
            "num_attention_heads", "num_key_value_heads", "max_position_embeddings", "rope_theta",
            "original_max_position_embeddings", "tie_word_embeddings")  # fmt: skip
    rope = {**facts["rope_scaling"], "type": "longrope", "rope_type": "longrope"}
    return transformers.Phi3Config(**{key: facts[key] for key in same}, rope_scaling=rope,
                                   sliding_window=None, pad_token_id=0)  # fmt: skip


class Transformers:
    def __init__(self, given):
        self.torch, transformers = import_transformers()
        self.torch.set_num_threads(given.threads)
        folder, dtype = str(given.model), getattr(self.torch, given.dtype)
        facts = json.loads((given.model / "config.json").read_text())
        if facts["model_type"] == "phi3_v":
            self.model = transformers.Phi3ForCausalLM.from_pretrained(
                folder, config=phi3_config(transformers, facts), dtype=dtype)  # fmt: skip
        else:
            kind = transformers.Qwen2_5_VLForConditionalGeneration
            self.model = kind.from_pretrained(folder, dtype=dtype)
        self.model.eval().to(given.device)
        self.device = given.device
        self.model.generation_config.eos_token_id = None  # every reply has the length asked for
        self.model.generation_config.pad_token_id = 0

    def now(self):
        if self.device != "cpu":
            self.torch.cuda.synchronize()
        return time.perf_counter()

    def prefill(self, prompts):
        ids = self.torch.tensor(prompts, device=self.device)
        with self.torch.inference_mode():
            start = self.now()
            self.model(input_ids=ids, use_cache=True, logits_to_keep=1).logits.argmax(-1).tolist()
            return self.now() - start

    def decode(self, prompts, count):
        import transformers

        marks, torch = [], self.torch
        this = self

        class Clock(transformers.StoppingCriteria):
            def __call__(self, input_ids, scores, **kwargs):
                marks.append(this.now())
                return torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)

        ids = torch.tensor(prompts, device=self.device)
        with torch.inference_mode():
            self.model.generate(input_ids=ids, attention_mask=torch.ones_like(ids),
                                do_sample=False, max_new_tokens=count,
                                stopping_criteria=transformers.StoppingCriteriaList([Clock()]),
                                )  # fmt: skip
        assert len(marks) == count
        return marks[-1] - marks[0]


def measure_encoder(given):
    """ColQwen2 on random pages of the size given: pixels of as many patches, drawn, not resized."""
    torch, transformers = import_transformers()
    torch.set_num_threads(given.threads)
    kind, dtype = transformers.ColQwen2ForRetrieval, getattr(torch, given.dtype)
    model = kind.from_pretrained(str(given.model), dtype=dtype).eval().to(given.device)
    facts = json.loads((given.model / "config.json").read_text())["vlm_config"]
    width, height = (int(side) // 28 * 2 for side in given.page_size.split("x"))
    slots = width * height // 4

    def embed(count):
        start_id, end_id = facts["vision_start_token_id"], facts["vision_end_token_id"]
        row = random_ids(1, 4, 1)[0] + [start_id] + [facts["image_token_id"]] * slots + [end_id]
        ids = torch.tensor([row + random_ids(1, 12, 2)[0]] * count, device=given.device)
        # As ColQwen2's own processor lays patches out: a row of pages, each as long as the longest.
        pixels = torch.randn(count, width * height, 3 * 2 * 14 * 14, device=given.device)
        grid = torch.tensor([[1, height, width]] * count, device=given.device)
        with torch.inference_mode():
            made = model(input_ids=ids, attention_mask=torch.ones_like(ids),
                         pixel_values=pixels.to(dtype), image_grid_thw=grid)  # fmt: skip
            return made.embeddings.float().cpu().shape[1]

    embed(min(given.at_once, given.pages))
    for run in range(1, given.repeat + 1):
        start, rows = time.perf_counter(), 0
        for begin in range(0, given.pages, given.at_once):
            count = min(given.at_once, given.pages - begin)
            rows += count * embed(count)
        seconds = time.perf_counter() - start
        print(json.dumps({"benchmark": "page_encoder", "run": run, "pages": given.pages,
                          "rows": rows, "ms": seconds * 1e3,
                          "pages_per_second": given.pages / seconds}), flush=True)  # fmt: skip


# ---- llama.cpp ---------------------------------------------------------------------------------


class Llama:
    """llama.cpp's own functions, through ctypes: none of the Python package's sampling."""

    def __init__(self, given):
        import llama_cpp
        import numpy

        self.lib, self.numpy, self.threads = llama_cpp, numpy, given.threads
        quiet = llama_cpp.llama_log_callback(lambda level, text, data: None)
        self.keep_alive = quiet
        llama_cpp.llama_log_set(quiet, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        options = llama_cpp.llama_model_default_params()
        options.n_gpu_layers = 0
        self.model = llama_cpp.llama_model_load_from_file(str(given.model).encode(), options)
        if not self.model:
            sys.exit(f"llama.cpp cannot load {given.model}")
        vocabulary = llama_cpp.llama_model_get_vocab(self.model)
        self.vocabulary = llama_cpp.llama_vocab_n_tokens(vocabulary)
        self.batch_tokens = 2048
        self.batch = llama_cpp.llama_batch_init(self.batch_tokens, 0, 1)

    def context(self, calls, tokens):
        options = self.lib.llama_context_default_params()
        options.n_ctx = calls * (-(-tokens // 256) * 256)
        options.n_batch, options.n_ubatch = self.batch_tokens, 512
        options.n_threads = options.n_threads_batch = self.threads
        options.n_seq_max = calls
        return self.lib.llama_init_from_model(self.model, options)

    def read(self, context, items):
        """Items are (id, position, sequence, whether its logits are wanted); gives the likeliest
        tokens after those, in order."""
        best = []
        for begin in range(0, len(items), self.batch_tokens):
            part = items[begin : begin + self.batch_tokens]
            for at, (token, position, sequence, wanted) in enumerate(part):
                self.batch.token[at], self.batch.pos[at] = token, position
                self.batch.n_seq_id[at], self.batch.seq_id[at][0] = 1, sequence
                self.batch.logits[at] = wanted
            self.batch.n_tokens = len(part)
            if self.lib.llama_decode(context, self.batch) != 0:
                sys.exit("llama.cpp cannot read the prompt")
            for at, item in enumerate(part):
                if item[3]:
                    logits = self.lib.llama_get_logits_ith(context, at)
                    values = self.numpy.ctypeslib.as_array(logits, shape=(self.vocabulary,))
                    best.append(int(values.argmax()))
        return best

    @staticmethod
    def items(prompts):
        return [(token, position, sequence, position == len(prompt) - 1)
                for sequence, prompt in enumerate(prompts)
                for position, token in enumerate(prompt)]  # fmt: skip

    def prefill(self, prompts):
        context = self.context(len(prompts), len(prompts[0]))
        start = time.perf_counter()
        self.read(context, self.items(prompts))
        seconds = time.perf_counter() - start
        self.lib.llama_free(context)
        return seconds

    def decode(self, prompts, count):
        length = len(prompts[0])
        context = self.context(len(prompts), length + count)
        best = self.read(context, self.items(prompts))
        start = time.perf_counter()
        for position in range(length, length + count - 1):
            best = self.read(context, [(token, position, sequence, True)
                                       for sequence, token in enumerate(best)])  # fmt: skip
        seconds = time.perf_counter() - start
        self.lib.llama_free(context)
        return seconds


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("peer", choices=("transformers", "llama.cpp", "encoder", "rates"))
    options.add_argument("--model", type=pathlib.Path, metavar="PATH")
    options.add_argument("--what", default="prefill,decode")
    options.add_argument("--device", default="cpu")
    options.add_argument("--dtype", default="bfloat16", help="of transformers")
    options.add_argument("--read-speed", type=pathlib.Path, metavar="LIBRARY")
    options.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    options.add_argument("--prompt-tokens", type=numbers, default=[512, 2048])
    options.add_argument("--prefill-concurrent", type=numbers, default=[1])
    options.add_argument("--concurrent", type=numbers, default=[1, 8])
    options.add_argument("--new-tokens", type=int, default=64)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--pages", type=int, default=8)
    options.add_argument("--at-once", type=int, default=8)
    options.add_argument("--page-size", default="672x896")
    given = options.parse_args()
    if given.peer == "rates":
        return measure_rates(given)
    if given.model is None:
        options.error("--model is missing")
    if given.peer == "encoder":
        return measure_encoder(given)
    return measure({"transformers": Transformers, "llama.cpp": Llama}[given.peer](given), given)


if __name__ == "__main__":
    main()
