#!/usr/bin/env python3
"""Writes tests/golden/coded.safetensors: random matrices in the formats of published quantised
folders, and their values.

Usage: python3 scripts/golden/make_coded.py    (needs torch, safetensors, compressed-tensors 0.20.0, loguru)

For each case: its arrays as they are stored (CASE.qweight, ...) and CASE.values (float32), as the
references in coded_weights.py compute them.
"""

import pathlib

import coded_weights as coded
import torch
from safetensors.torch import save_file

OUT = pathlib.Path(__file__).resolve().parents[2] / "tests/golden/coded.safetensors"
ROWS, COLUMNS = 72, 96  # more than a band of 64 rows, and than a tile of 64 columns
CASES = {
    "awq": (coded.awq, {}),
    "gptq": (coded.gptq, {}),
    "gptq_order": (coded.gptq, {"ordered": True}),
    "gptq_v2_8": (coded.gptq, {"bits": 8, "first_version": False, "group": 96}),
    "packed": (coded.packed, {"group": 32}),
    "packed_zeros": (coded.packed, {"group": 48, "symmetric": False, "dtype": torch.float16}),
    "packed_order": (coded.packed, {"group": 32, "symmetric": False, "ordered": True}),
    "packed_8": (coded.packed, {"bits": 8, "dtype": torch.float32}),
    "int8": (coded.int8, {}),
    "int8_zeros": (coded.int8, {"symmetric": False, "dtype": torch.float16}),
    "fp8_tensor": (coded.fp8, {"strategy": "tensor", "dtype": torch.float32}),
    "fp8_channel": (coded.fp8, {}),
    "fp8_block": (coded.fp8, {"strategy": "block", "block": [64, 40]}),
    "fp8_inverse": (coded.fp8_inverse, {"block": (32, 64)}),
}  # fmt: skip


def main():
    tensors = {}
    for seed, (name, (draw, facts)) in enumerate(CASES.items()):
        source = torch.Generator().manual_seed(2950 + seed)
        arrays, values = draw(ROWS, COLUMNS, 0.1, source, **facts)
        tensors |= {f"{name}.{array}": value.contiguous() for array, value in arrays.items()}
        tensors[f"{name}.values"] = values.contiguous()
    save_file(tensors, OUT)
    OUT.chmod(0o644)


if __name__ == "__main__":
    main()
