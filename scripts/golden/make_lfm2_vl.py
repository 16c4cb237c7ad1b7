#!/usr/bin/env python3
"""Writes cases of LFM2-VL into tests/data: tiny and with random weights, and what transformers computes
with them.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_lfm2_vl.py all|NAME...

Everything that the cases share with those of make_models.py and make_lfm2.py comes from there.
"""
import json
import shutil
import sys
from importlib.metadata import version

import gguf
import make_lfm2 as lfm2
import make_models as made
import make_text_models as texts
import numpy as np
import torch
import transformers
from make_models import DATA, QWEN_SOURCE, read_json, write_json
from PIL import Image

LFM2_VL = transformers.Lfm2VlForConditionalGeneration
TOKENS = {"<|vision_start|>": "<|image_start|>", "<|vision_end|>": "<|image_end|>",
          "<|vision_pad|>": "<|img_thumbnail|>", "<|image_pad|>": "<image>"}  # fmt: skip
IMAGE, FIRST_PLACE = 912, 922
PATCH, MERGE, MOST_TILES = 8, 2, 6
# What the program takes for GGUF files, which do not say it.
PUBLISHED = {"tile_size": 512, "min_tiles": 2, "max_tiles": 10, "min_image_tokens": 64,
             "max_image_tokens": 256, "max_pixels_tolerance": 2.0}  # fmt: skip
TINY = {"tile_size": 32, "min_tiles": 2, "max_tiles": MOST_TILES, "min_image_tokens": 4,
        "max_image_tokens": 32, "max_pixels_tolerance": 2.0}  # fmt: skip


def asked(text, pictures=0):
    turn = f"<|im_start|>user\n{'<image>' * pictures}{text}<|im_end|>\n"
    return turn + "<|im_start|>assistant\n"


# One image that is cut, one that is not, and one of each.
RUNS = [
    {"name": "text", "prompt": asked(texts.ASKED[1]), "images": []},
    {"name": "one", "prompt": asked("Describe the image.", 1), "images": ["input/page_a.png"]},
    {"name": "two", "prompt": asked("Compare both.", 2),
     "images": ["input/page_b.png", "input/page_c.png"]},
]  # fmt: skip
SMALL_RUNS = [RUNS[0], {**RUNS[1], "images": ["input/page_d.png"]}]


def lfm2_vl_config(text, **changes):
    vision = {"model_type": "siglip2_vision_model", "attention_dropout": 0.0,
              "hidden_act": "gelu_pytorch_tanh", "hidden_size": 32, "intermediate_size": 48,
              "layer_norm_eps": 1e-06, "num_attention_heads": 2, "num_channels": 3,
              "num_hidden_layers": 2, "num_patches": 36, "patch_size": PATCH,
              "vision_use_head": False}  # fmt: skip
    return {"architectures": ["Lfm2VlForConditionalGeneration"], "model_type": "lfm2_vl",
            "downsample_factor": MERGE, "image_token_id": IMAGE, "projector_bias": True,
            "projector_hidden_act": "gelu", "projector_hidden_size": 40,
            "projector_use_layernorm": True, "text_config": text, "vision_config": vision,
            "tie_word_embeddings": True, "bos_token_id": 901, "eos_token_id": 902,
            **changes}  # fmt: skip


def text_config(**changes):
    config = lfm2.lfm2_config(**changes)
    return {key: value for key, value in config.items() if key not in ("architectures", "torch_dtype")}


def places():
    sides = range(1, MOST_TILES + 1)
    return [f"<|img_row_{row}_col_{column}|>"
            for row in sides for column in sides if row * column <= MOST_TILES]  # fmt: skip


def write_tokenizer(folder):
    """With a token for each place in a grid."""
    text = (QWEN_SOURCE / "model/tokenizer.json").read_text()
    for before, after in TOKENS.items():
        text = text.replace(before, after)
    tokenizer = json.loads(text)
    like = {**tokenizer["added_tokens"][0], "special": True}
    tokenizer["added_tokens"] += [{**like, "id": FIRST_PLACE + at, "content": place}
                                  for at, place in enumerate(places())]  # fmt: skip
    write_json(folder / "tokenizer.json", tokenizer)
    facts = read_json(QWEN_SOURCE / "model/tokenizer_config.json")
    names = [TOKENS.get(token, token) for token in facts["additional_special_tokens"]]
    write_json(folder / "tokenizer_config.json", {
        **facts, "additional_special_tokens": names + places(),
        "processor_class": "Lfm2VlProcessor", "chat_template": made.CHAT_TEMPLATE})  # fmt: skip


def write_files(folder):
    write_tokenizer(folder)
    write_json(folder / "preprocessor_config.json", {
        "crop_size": None, "do_convert_rgb": True, "do_image_splitting": True, "do_normalize": True,
        "do_pad": True, "do_rescale": True, "do_resize": True, "downsample_factor": MERGE,
        "encoder_patch_size": PATCH, "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
        "image_processor_type": "Lfm2VlImageProcessor", "processor_class": "Lfm2VlProcessor",
        "resample": 2, "rescale_factor": 1 / 255, "use_thumbnail": True, **TINY})  # fmt: skip


def processor_of(folder, **changes):
    processor = transformers.Lfm2VlImageProcessor.from_pretrained(folder, **changes)
    return transformers.Lfm2VlProcessor(
        image_processor=processor, tokenizer=transformers.AutoTokenizer.from_pretrained(folder))


def picture_values(model, processor, inputs, images):
    shapes = inputs["spatial_shapes"]
    counts = inputs["pixel_attention_mask"].sum(1).tolist()
    facts = processor.image_processor(images, return_row_col_info=True, return_tensors="pt")
    grids = [[1, row, column] if row * column > 1 else [1, 0, 0]
             for row, column in zip(flat(facts["image_rows"]), flat(facts["image_cols"]))]  # fmt: skip
    features = model.model.get_image_features(inputs["pixel_values"], shapes,
                                              inputs["pixel_attention_mask"])  # fmt: skip
    return {"pixel_values": unpadded(inputs["pixel_values"], counts),
            "image_grid_thw": torch.tensor(grids),
            "image_sizes": torch.tensor(flat(facts["image_sizes"])),
            "vision.patches": unpadded(features.last_hidden_state, counts),
            "vision.features": torch.cat(list(features.pooler_output))}  # fmt: skip


def unpadded(views, counts):
    return torch.cat([view[:count] for view, count in zip(views, counts)])


def flat(values):
    return values.reshape(-1).tolist() if torch.is_tensor(values) else list(values)


def run_of(model, processor, case, run):
    images = [Image.open(case / file) for file in run["images"]]
    inputs = dict(processor(text=[run["prompt"]], images=[images] if images else None,
                            return_tensors="pt"))  # fmt: skip
    inputs.pop("token_type_ids", None)
    length = inputs["input_ids"].shape[1]
    tensors = {"input_ids": inputs["input_ids"][0],
               "position_ids": torch.arange(length).expand(3, length),
               "rope_delta": torch.zeros(1, dtype=torch.int64)}  # fmt: skip
    if images:
        tensors |= picture_values(model, processor, inputs, images)
    net = model.model.language_model
    modules = {f"hidden.layer{i}": layer for i, layer in enumerate(net.layers)}
    modules["hidden.final_norm"] = net.embedding_norm
    values, facts = made.generate(model, inputs, processor.tokenizer, run["name"])
    return tensors | made.call(model, inputs, modules) | values, facts


def make_lfm2vl_a(case):
    config = lfm2_vl_config(text_config())
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    write_files(folder)
    made.copy_pages(case, QWEN_SOURCE, RUNS)
    model = made.draw_weights(made.new_model(LFM2_VL, config), 851, torch.bfloat16)
    made.save_model(model, folder, config, dtype=torch.bfloat16)
    processor = processor_of(folder)

    def one_run(net, at, run):
        return run_of(net, processor, at, run)

    tensors, _ = made.run_all(model, case, RUNS, one_run)
    again, done = made.run_all(made.read_model(LFM2_VL, folder), case, RUNS, one_run)
    checks = {"read_back_max_diff": made.compare(tensors, again)}
    made.write_case(case, made.run_facts(LFM2_VL, 851, done, checks), again)


def write_text(path, text, state, tokenizer):
    writer = gguf.GGUFWriter(path, "lfm2")
    heads = [text["num_key_value_heads"] if kind == "full_attention" else 0
             for kind in text["layer_types"]]  # fmt: skip
    made.write_gguf_facts(
        writer, {**text, "intermediate_size": text["block_ff_dim"], "num_key_value_heads": heads,
                 "rms_norm_eps": text["norm_eps"]}, tokenizer, made.CHAT_TEMPLATE)  # fmt: skip
    writer.add_shortconv_l_cache(text["conv_L_cache"])
    lfm2.put_tensors(writer, state)
    made.finish_gguf(writer)


def write_tower(path, config, state):
    """The tower and the projector as llama.cpp's converter writes them."""
    vision = config["vision_config"]
    writer = gguf.GGUFWriter(path, "clip")
    # The converter always writes this size.
    made.write_siglip_facts(writer, vision | {"image_size": 256}, config["text_config"]["hidden_size"])
    writer.add_clip_projector_type(gguf.VisionProjectorType.LFM2)
    writer.add_vision_projector_scale_factor(MERGE)
    writer.add_string("clip.vision.image_resize_algo", "bilinear")
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.MMPROJ, vision["num_hidden_layers"])
    for name, tensor in state.items():
        stem, ending = name.replace("vision_tower.", "vision_tower.vision_model.").rsplit(".", 1)
        values = tensor.numpy()
        if stem.endswith("patch_embedding") and ending == "weight":
            values = values.reshape(-1, PATCH, PATCH, 3).transpose(0, 3, 1, 2)
        wide = values.ndim == 1 or stem.endswith("position_embedding")
        # The names of layers of projectors are counted as the layers of towers are, of which there are two.
        known_as = "mm.2" if stem.endswith("linear_2") else names.get_name(stem)
        writer.add_tensor(f"{known_as}.{ending}",
                          np.ascontiguousarray(values, np.float32 if wide else np.float16))  # fmt: skip
    made.finish_gguf(writer)


def make_lfm2vl_gguf(case):
    """Two files; a projector without a norm, as in LFM2.5-VL."""
    text = text_config(hidden_size=32, block_ff_dim=64, block_auto_adjust_ff_dim=False)
    config = lfm2_vl_config(text, projector_use_layernorm=False)
    shutil.rmtree(case, ignore_errors=True)
    (case / "input").mkdir(parents=True)
    page = Image.open(QWEN_SOURCE / "input/page_c.png")
    page.crop((0, 0, 120, 72)).save(case / "input/page_d.png")
    model = made.draw_weights(made.new_model(LFM2_VL, config), 853, torch.float16)
    folder = DATA / "lfm2vl_a/model"
    parts = {True: {}, False: {}}
    for name, tensor in model.model.state_dict().items():
        of_text = name.startswith("language_model.")
        parts[of_text][name.replace("language_model.", "model.", 1)] = tensor
    write_text(case / "model.gguf", text, parts[True], read_json(folder / "tokenizer.json"))
    write_tower(case / "mmproj-model.gguf", config, parts[False])
    processor = processor_of(folder, **PUBLISHED)

    def one_run(net, at, run):
        return run_of(net, processor, at, run)

    tensors, done = made.run_all(model, case, SMALL_RUNS, one_run)
    facts = made.run_facts(LFM2_VL, 853, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


CASES = {"lfm2vl_a": make_lfm2vl_a, "lfm2vl_gguf": make_lfm2vl_gguf}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
