#!/usr/bin/env python3
"""Computes vectors of pages and queries with Phi-3-vision's own code: the first step of
make_rankings.py.

    python3 -m venv phi3v
    phi3v/bin/pip install transformers==4.44.2 pillow==10.4.0 torch==2.13.0 torchvision==0.28.0
    phi3v/bin/python scripts/golden/phi3v_vectors.py CODE MODEL PAGES QUERIES.json OUT.safetensors

CODE is a folder with modeling_phi3_v.py and the files that it imports, as published with
microsoft/Phi-3-vision-128k-instruct and carried by TIGER-AI-Lab/VLM2Vec. PAGES is a folder of page
images, taken in the order of their names. The code runs unchanged, except for the size of the
image tower, which it fixes to that of the published model.
"""

import importlib
import json
import pathlib
import re
import sys
import tempfile

import torch
from PIL import Image
from safetensors.torch import load_file, save_file

# The processor needs only the resizing of torchvision, not its operators.
try:
    import torchvision
except (ImportError, RuntimeError):
    for module in [name for name in sys.modules if name.startswith("torchvision")]:
        del sys.modules[module]
    OPERATORS = torch.library.Library("torchvision", "FRAGMENT")
    for operator in ("nms", "qnms"):
        OPERATORS.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import torchvision  # noqa: F401
import transformers

SIDE = 1344  # pages are first stretched to a square of this size
PAGE = "<|image_1|>\nWhat is shown in this image?"
END = "<|endoftext|>"


def import_code(folder, work):
    """Imports the published modules from a copy whose tower may have any size."""
    package = work / "phi3v_code"
    package.mkdir()
    for file in folder.glob("*.py"):
        text = file.read_text().replace(" and C == 1024", "")
        text = re.sub(r"from [\w.]+\.(\w+_phi3_v) import", r"from .\1 import", text)
        (package / file.name).write_text(text)
    (package / "__init__.py").touch()
    sys.path.insert(0, str(work))
    names = ("configuration", "image_embedding", "modeling", "image_processing", "processing")
    return {name: importlib.import_module(f"phi3v_code.{name}_phi3_v") for name in names}


def load_model(code, folder):
    facts = json.loads((folder / "config.json").read_text())
    config = code["configuration"].Phi3VConfig(**facts)
    config._attn_implementation = "eager"
    tower = transformers.CLIPVisionConfig(**facts["img_processor"]["clip_config"])
    tower._attn_implementation = "eager"
    code["image_embedding"].CLIP_VIT_LARGE_PATCH14_336_CONFIG = tower
    model = code["modeling"].Phi3VForCausalLM(config).eval()
    missing = model.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
    # One table of tokens has two names.
    left = [name for name in missing.missing_keys if not name.endswith("wte.weight")]
    assert not left and not missing.unexpected_keys, missing
    return model


def load_processor(code, folder):
    facts = json.loads((folder / "preprocessor_config.json").read_text())
    images = code["image_processing"].Phi3VImageProcessor(
        num_crops=facts["num_crops"], num_img_tokens=facts["num_img_tokens"],
        image_mean=facts["image_mean"], image_std=facts["image_std"])  # fmt: skip
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    processor = object.__new__(code["processing"].Phi3VProcessor)
    # Its own constructor requires a class of tokenizers that reads other files.
    processor.image_processor, processor.tokenizer = images, tokenizer
    processor.num_img_tokens = images.num_img_tokens
    return processor


def vector(model, processor, text, image=None):
    """Returns the unit vector of the last token, which is the end of the text."""
    inputs = processor(text, None if image is None else [image], return_tensors="pt")
    end = torch.tensor([[processor.tokenizer.convert_tokens_to_ids(END)]])
    inputs["input_ids"] = torch.cat([inputs["input_ids"], end], dim=1)
    inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    # This copy of the code takes a list with one entry for each text.
    images = {key: [inputs.get(key)] for key in ("pixel_values", "image_sizes")}
    out = model(inputs["input_ids"], inputs["attention_mask"], **images,
                output_hidden_states=True, use_cache=False, return_dict=True)  # fmt: skip
    return torch.nn.functional.normalize(out.hidden_states[-1][0, -1], dim=-1)


@torch.no_grad()
def main():
    code_folder, model_folder, pages, queries, out = map(pathlib.Path, sys.argv[1:])
    with tempfile.TemporaryDirectory() as work:
        code = import_code(code_folder, pathlib.Path(work))
    model, processor = load_model(code, model_folder), load_processor(code, model_folder)
    page_vectors = []
    for file in sorted(pages.iterdir()):
        image = Image.open(file).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BICUBIC)
        page_vectors.append(vector(model, processor, PAGE, image))
    query_vectors = [vector(model, processor, text) for text in json.loads(queries.read_text())]
    save_file({"pages": torch.stack(page_vectors), "queries": torch.stack(query_vectors)}, out)


if __name__ == "__main__":
    main()
