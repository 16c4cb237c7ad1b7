#!/usr/bin/env python3
"""Writes tests/golden/blocks.safetensors: random quantised blocks and their values.

Usage: scripts/golden/make_blocks.py    (needs numpy, safetensors and gguf 0.19.0 from PyPI)

For each type: TYPE.blocks (bytes) and TYPE.values (float32), as the package's `dequantize` computes
them. All bytes are random except half-precision scales. These are finite, because no writer stores
others, and include denormal ones and zeros of both signs.
"""

import pathlib

import gguf
import numpy as np
from safetensors.numpy import save_file

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/golden/blocks.safetensors"
SEED = 2901
# The places of half-precision numbers in a block.
HALVES = {
    "Q4_0": [0], "Q4_1": [0, 2], "Q5_0": [0], "Q5_1": [0, 2], "Q8_0": [0], "Q2_K": [80, 82],
    "Q3_K": [108], "Q4_K": [0, 2], "Q5_K": [0, 2], "Q6_K": [208], "IQ4_NL": [0], "IQ4_XS": [0],
    "MXFP4": [],
}  # fmt: skip


def finite_halves(source, count):
    bits = source.integers(0, 1 << 16, count, dtype=np.uint16)
    bits[np.isinf(bits.view(np.float16)) | np.isnan(bits.view(np.float16))] = 0x3C01
    bits[:4] = [0x0000, 0x8000, 0x0001, 0x83FF]
    return bits.view(np.uint8).reshape(count, 2)


def main():
    source = np.random.default_rng(SEED)
    tensors = {}
    for name, halves in HALVES.items():
        kind = gguf.GGMLQuantizationType[name]
        values, size = gguf.GGML_QUANT_SIZES[kind]
        count = 32 if values == 32 else 6
        blocks = source.integers(0, 256, (count, size), dtype=np.uint8)
        for at in halves:
            blocks[:, at : at + 2] = finite_halves(source, count)
        if name == "MXFP4":
            blocks[:5, 0] = [0, 1, 2, 254, 255]
        tensors[f"{name}.blocks"] = blocks
        tensors[f"{name}.values"] = gguf.dequantize(blocks, kind).astype(np.float32, copy=False)
    save_file(tensors, OUT)


if __name__ == "__main__":
    main()
