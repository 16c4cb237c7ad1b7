#!/usr/bin/env python3
"""Writes tests/golden/rope_scaling.json: configurations with scaled rotary positions, and the
frequencies and the magnitude that transformers computes of them, for short and for long texts.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_rope.py
"""
import copy
import json

import make_models as made
import transformers
from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

OUT = made.DATA.parent / "golden/rope_scaling.json"
PAIRS = 16  # of a head 32 wide
LONG = {"long_factor": [1 + 0.5 * i for i in range(PAIRS)],
        "short_factor": [1 + 0.1 * i for i in range(PAIRS)]}  # fmt: skip
LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
SCALINGS = {
    "linear": {"rope_type": "linear", "factor": 4.0},
    "dynamic": {"rope_type": "dynamic", "factor": 4.0},
    "llama3": {"rope_type": "llama3", **LLAMA3, "original_max_position_embeddings": 1024},
    "yarn": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 2048},
    "yarn of the whole length": {"type": "yarn", "factor": 4.0},
    "yarn without a factor": {
        "rope_type": "yarn", "factor": None, "original_max_position_embeddings": 512},
    "yarn with bounds": {
        "rope_type": "yarn", "factor": 16.0, "beta_fast": 8.0, "beta_slow": 2.0,
        "original_max_position_embeddings": 1024},
    "yarn untruncated": {
        "rope_type": "yarn", "factor": 32.0, "truncate": False,
        "original_max_position_embeddings": 256},
    "yarn with weights": {
        "rope_type": "yarn", "factor": 40.0, "mscale": 1.0, "mscale_all_dim": 0.707,
        "original_max_position_embeddings": 512},
    "yarn with a magnitude": {
        "rope_type": "yarn", "factor": 4.0, "attention_factor": 0.8,
        "original_max_position_embeddings": 2048},
    "yarn within one pair": {
        "rope_type": "yarn", "factor": 4.0, "beta_fast": 1.0, "beta_slow": 1.0, "truncate": False,
        "original_max_position_embeddings": 2048},
    "longrope": {"rope_type": "longrope", **LONG, "original_max_position_embeddings": 1024},
    "longrope with a factor": {
        "rope_type": "longrope", **LONG, "factor": 2.0, "original_max_position_embeddings": 1024},
    "longrope with a magnitude": {
        "rope_type": "longrope", **LONG, "attention_factor": 1.3,
        "original_max_position_embeddings": 1024},
}  # fmt: skip


def case_of(name, scaling):
    config = {"hidden_size": 64, "num_attention_heads": 2, "rope_theta": 50000.0,
              "max_position_embeddings": 8192, "rope_scaling": scaling}  # fmt: skip
    read = transformers.LlamaConfig(**copy.deepcopy(config))
    compute = ROPE_INIT_FUNCTIONS[read.rope_parameters["rope_type"]]
    values = {}
    for length, tokens in (("short", 16), ("long", 8192)):
        frequencies, magnitude = compute(read, "cpu", seq_len=tokens)
        values[length] = frequencies.tolist()
    return {"name": name, "config": config, "frequencies": values, "magnitude": magnitude}


def main():
    lines = [json.dumps(case_of(*item)) for item in SCALINGS.items()]
    OUT.write_text("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
