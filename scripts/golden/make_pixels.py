#!/usr/bin/env python3
"""Writes tests/golden/pixels.safetensors: random pictures resized by Pillow and by PyTorch.

    pip install pillow==11.3.0 torch==2.13.0 safetensors==0.8.0 numpy
    python3 scripts/golden/make_pixels.py

torchvision resizes 8-bit tensors on the CPU with torch's interpolate with antialias, which is
called here directly. It fails for results of 1 x 1, so these have no values from it. Each case is
"in.<i>" [height, width, 3] and "<filter>.<arithmetic>.<i>"; float cases are "plain.in.<i>" and
"plain.out.<i>".
"""
import pathlib

import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image
from safetensors.numpy import save_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = 31
RESIZES = [  # width, height -> width, height
    ((1, 1), (1, 1)), ((1, 1), (5, 7)), ((1, 9), (4, 3)), ((11, 1), (3, 6)), ((2, 2), (1, 1)),
    ((7, 5), (7, 9)), ((7, 5), (10, 5)), ((13, 17), (13, 4)), ((17, 13), (5, 13)),
    ((23, 19), (46, 38)), ((31, 20), (84, 56)), ((33, 27), (32, 28)), ((27, 33), (28, 32)),
    ((64, 3), (5, 21)), ((3, 97), (21, 6)), ((200, 1), (14, 14)), ((1, 200), (14, 2)),
    ((90, 61), (41, 37)), ((61, 90), (59, 89)), ((75, 75), (3, 2)), ((101, 11), (16, 160)),
    ((16, 16), (17, 15)), ((40, 30), (6, 101)), ((5, 4), (33, 48)), ((83, 29), (22, 11)),
]  # fmt: skip
PLAIN = [
    ((8, 6), (4, 3)), ((5, 9), (7, 7)), ((1, 1), (3, 2)), ((12, 12), (3, 4)), ((20, 7), (9, 8)),
]  # fmt: skip
FILTERS = {"bilinear": Image.BILINEAR, "bicubic": Image.BICUBIC, "lanczos": Image.LANCZOS}


def draw(rng, width, height):
    """Noise, hard edges (which make bicubic overshoot) or a slope."""
    kind = rng.integers(3)
    if kind == 0:
        return rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    if kind == 1:
        return (rng.integers(0, 2, (height, width, 3)) * 255).astype(np.uint8)
    slope = np.add.outer(np.arange(height) * 3, np.arange(width) * 5)[..., None]
    return ((slope + np.array([0, 40, 90])) % 256).astype(np.uint8)


def by_torch(pixels, size, mode):
    planes = torch.from_numpy(pixels).permute(2, 0, 1).contiguous()[None]
    out = F.interpolate(planes, size=size[::-1], mode=mode, antialias=True, align_corners=False)
    return np.ascontiguousarray(out[0].permute(1, 2, 0).numpy())


def main():
    rng = np.random.default_rng(SEED)
    tensors = {}
    for i, ((width, height), size) in enumerate(RESIZES):
        pixels = draw(rng, width, height)
        tensors[f"in.{i}"] = pixels
        for name, filter_ in FILTERS.items():
            resized = np.asarray(Image.fromarray(pixels).resize(size, filter_))
            tensors[f"{name}.pillow.{i}"] = np.ascontiguousarray(resized)
            if size != (1, 1):
                tensors[f"{name}.torchvision.{i}"] = by_torch(pixels, size, name)
    for i, ((width, height), size) in enumerate(PLAIN):
        planes = rng.standard_normal((2, height, width)).astype(np.float32)
        out = F.interpolate(torch.from_numpy(planes)[None], size=size[::-1], mode="bicubic")
        tensors[f"plain.in.{i}"] = planes
        tensors[f"plain.out.{i}"] = out[0].numpy()
    save_file(tensors, ROOT / "tests/golden/pixels.safetensors")


if __name__ == "__main__":
    main()
