#!/usr/bin/env python3
"""Times how long peers take from a page's pixels to the first token of a reply, and writes the files
that they read.

Usage: .venv-peers/bin/python tests/benchmarks/smolvlm_peers.py transformers --model DIR ...
       .venv-peers/bin/python tests/benchmarks/smolvlm_peers.py llama.cpp --model DIR/TYPE ...
       .venv-peers/bin/python tests/benchmarks/smolvlm_peers.py convert --model DIR --type q8_0

A model of SmolVLM's kind as scripts/data/make-random-model writes it; `convert` makes DIR/TYPE/model.gguf
and its mmproj-model.gguf. One JSON line a run, as generation_benchmark.cpp's "first_question": the
clock starts with pixels in memory. One run before the first does not count. llama.cpp is its
package's libmtmd, driven by its C functions.
"""

import argparse
import ctypes
import json
import pathlib
import random
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUESTION = "Question {}: which of the figures on these pages are restated?"


def made_page(width, height, seed):
    """White, with bars where lines of words would stand."""
    from PIL import Image, ImageDraw

    source, page = random.Random(seed), Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(page)
    for top in range(60, height - 60, 24):
        left = 60
        while left < width - 120:
            right = left + source.randint(12, 90)
            draw.rectangle((left, top, right, top + 11), fill=(source.randint(0, 90),) * 3)
            left = right + 9
    return page


def prompt_of(number):
    return f"<|im_start|>User:<image>{QUESTION.format(number)}<end_of_utterance>\nAssistant:"


class Transformers:
    def __init__(self, given):
        sys.path.insert(0, str(ROOT / "tests/benchmarks"))
        from generation_peers import import_transformers

        torch, transformers = import_transformers()
        torch.set_num_threads(given.threads)
        self.torch = torch
        self.model = transformers.SmolVLMForConditionalGeneration.from_pretrained(
            given.model, dtype=getattr(torch, given.dtype)).eval()
        self.processor = transformers.Idefics3Processor.from_pretrained(given.model)

    def first_token(self, page, number):
        with self.torch.inference_mode():
            inputs = self.processor(text=[prompt_of(number)], images=[[page]], return_tensors="pt")
            out = self.model(**{key: inputs[key] for key in (
                "input_ids", "attention_mask", "pixel_values", "pixel_attention_mask")},
                logits_to_keep=1)  # fmt: skip
            out.logits[0, -1].argmax().item()
        return inputs["input_ids"].shape[1]


class LlamaCpp:
    def __init__(self, given):
        import llama_cpp
        from llama_cpp import mtmd_cpp

        self.llama, self.mtmd = llama_cpp, mtmd_cpp
        self.model = llama_cpp.Llama(
            str(given.model / "model.gguf"), n_ctx=2048, n_batch=2048, n_ubatch=512,
            n_threads=given.threads, n_threads_batch=given.threads, logits_all=False,
            verbose=False)  # fmt: skip
        params = mtmd_cpp.mtmd_context_params_default()
        params.use_gpu, params.n_threads, params.print_timings = False, given.threads, False
        self.vision = mtmd_cpp.mtmd_init_from_file(
            str(given.model / "mmproj-model.gguf").encode(), self.model._model.model, params)
        if not self.vision:
            sys.exit("libmtmd does not open the tower's file")

    def first_token(self, page, number):
        mtmd, llama = self.mtmd, self.llama
        context = self.model._ctx.ctx
        llama.llama_memory_clear(llama.llama_get_memory(context), True)
        pixels = page.tobytes()
        buffer = (ctypes.c_uint8 * len(pixels)).from_buffer_copy(pixels)
        bitmap = mtmd.mtmd_bitmap_init(page.width, page.height, buffer)
        marker = mtmd.mtmd_default_marker().decode()
        text = prompt_of(number).replace("<image>", marker).encode()
        given = mtmd.mtmd_input_text()
        given.text, given.text_len = text, len(text)
        given.add_special, given.parse_special = False, True
        chunks = mtmd.mtmd_input_chunks_init()
        bitmaps = (mtmd.mtmd_bitmap_p_ctypes * 1)(bitmap)
        if mtmd.mtmd_tokenize(self.vision, chunks, ctypes.byref(given), bitmaps, 1) != 0:
            sys.exit("libmtmd does not take the page")
        past = llama.llama_pos(0)
        if mtmd.mtmd_helper_eval_chunks(self.vision, context, chunks, 0, 0, 2048, True,
                                        ctypes.byref(past)) != 0:  # fmt: skip
            sys.exit("libmtmd does not read the prompt")
        logits = llama.llama_get_logits_ith(context, -1)
        max(range(self.model.n_vocab()), key=logits.__getitem__)
        mtmd.mtmd_input_chunks_free(chunks)
        mtmd.mtmd_bitmap_free(bitmap)
        return past.value


def with_two_newlines(path):
    """libmtmd looks for a token of two newlines, which published tokenizers have, and aborts where
    there is none."""
    tokenizer = json.loads(path.read_text())
    added = tokenizer["added_tokens"]
    added.append({"id": 1 + max(token["id"] for token in added), "content": "\n\n",
                  "special": False})  # fmt: skip
    path.unlink()
    path.write_text(json.dumps(tokenizer))


def convert(given):
    import gguf

    sys.path.insert(0, str(ROOT / "scripts/golden"))
    import make_models

    out = given.model / given.type
    out.mkdir(exist_ok=True)
    kind = gguf.GGMLQuantizationType[given.type.upper()]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder)
        for file in given.model.glob("*.*"):
            (source / file.name).symlink_to(file.resolve())
        with_two_newlines(source / "tokenizer.json")
        make_models.write_smolvlm_gguf(out, source, kind)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("what", choices=("transformers", "llama.cpp", "convert"))
    options.add_argument("--model", type=pathlib.Path, required=True)
    options.add_argument("--type", default="f16", help="of convert: f32, f16, bf16 or q8_0")
    options.add_argument("--dtype", default="bfloat16", help="of transformers")
    options.add_argument("--threads", type=int, default=2)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--page-size", default="1240x1754")
    given = options.parse_args()
    if given.what == "convert":
        return convert(given)
    peer = (Transformers if given.what == "transformers" else LlamaCpp)(given)
    width, height = map(int, given.page_size.split("x"))
    peer.first_token(made_page(width, height, 0), 0)
    for run in range(1, given.repeat + 1):
        page = made_page(width, height, run)
        begin = time.perf_counter()
        tokens = peer.first_token(page, run)
        milliseconds = (time.perf_counter() - begin) * 1e3
        print(json.dumps({"benchmark": "generation", "what": "first_question", "run": run,
                          "prompt_tokens": tokens, "ms": milliseconds}), flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
