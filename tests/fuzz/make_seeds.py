#!/usr/bin/env python3
"""Writes the inputs that the fuzzers start from.

    tests/fuzz/make_seeds.py OUT

OUT/safetensors and OUT/model_folder are made from tests/data; OUT/words is a dictionary of the keys
that occur in its files, for the option -dict.
"""
import json
import pathlib
import struct
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
# As in fuzz_model_folder.cpp: the place in the list is the first byte.
TARGETS = [
    ("qwen25vl_a", "config.json"),
    ("qwen25vl_a", "generation_config.json"),
    ("qwen25vl_a", "preprocessor_config.json"),
    ("qwen25vl_a", "model.safetensors.index.json"),
    ("qwen25vl_a", "processor_config.json"),
    ("qwen25vl_b_tied_v5layout", "config.json"),
    ("phi3v_a", "config.json"),
    ("phi3v_a", "preprocessor_config.json"),
    ("colpali_a", "config.json"),
    ("colpali_a", "preprocessor_config.json"),
    ("colqwen2_a", "config.json"),
    ("bert_mean_a", "config.json"),
    ("bert_mean_a", "modules.json"),
    ("bert_mean_a", "sentence_bert_config.json"),
    ("bert_mean_a", "1_Pooling/config.json"),
    ("colbert_a", "config.json"),
    ("colbert_a", "artifact.metadata"),
    ("colbert_a", "adapter_config.json"),
]
ADAPTER = {"peft_type": "LORA", "base_model_name_or_path": "../model", "r": 2, "lora_alpha": 4,
           "target_modules": ["query"], "bias": "none", "use_dora": False, "rank_pattern": {}}


def safetensors(tensors, metadata=None):
    header = {"__metadata__": metadata} if metadata else {}
    end = 0
    for name, dtype, shape, size in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + bytes(end)


def words(value, found):
    if isinstance(value, dict):
        for key, item in value.items():
            found.add(key)
            words(item, found)
    elif isinstance(value, list):
        for item in value:
            words(item, found)
    elif isinstance(value, str) and len(value) < 40:
        found.add(value)


def main(out):
    files = out / "safetensors"
    folders = out / "model_folder"
    files.mkdir(parents=True, exist_ok=True)
    folders.mkdir(parents=True, exist_ok=True)
    (files / "none").write_bytes(safetensors([]))
    (files / "one").write_bytes(safetensors([("a", "F32", [2, 3], 24)], {"format": "pt"}))
    (files / "many").write_bytes(safetensors(
        [("a", "F16", [2], 4), ("b", "BF16", [], 2), ("c", "I64", [0, 4], 0), ("d", "U8", [7], 7)]))
    found = {"F32", "F16", "BF16", "dtype", "shape", "data_offsets", "18446744073709551615"}
    for place, (case, name) in enumerate(TARGETS):
        path = DATA / case / "model" / name
        if path.exists():
            text = path.read_text()
        elif name == "adapter_config.json":
            text = json.dumps(ADAPTER)
        else:
            inner = json.loads((path.parent / "preprocessor_config.json").read_text())
            text = json.dumps({"image_processor": inner})
        words(json.loads(text), found)
        (folders / f"{place}").write_bytes(bytes([place]) + text.encode())
    quoted = [json.dumps(word) for word in sorted(found) if word.isascii()]
    lines = ['"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in quoted]
    (out / "words").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
