#!/usr/bin/env python3
"""Writes cases of Mistral's models into tests/data: tiny and with random weights, and what transformers
computes with them.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_mistral.py all|NAME...

Everything that the cases share with those of make_models.py and make_text_models.py comes from there.
"""
import json
import shutil
import sys
from importlib.metadata import version

import gguf
import make_models as made
import make_text_models as texts
import torch
import transformers
from make_models import DATA, QWEN_SOURCE, read_json, write_json
from PIL import Image

MISTRAL3 = transformers.Mistral3ForConditionalGeneration
# The parts of the published templates by which they are known.
TEMPLATE = (
    "{{- bos_token }}{%- for message in messages %}{%- if message['role'] == 'system' %}"
    "{{- '[SYSTEM_PROMPT]' + message['content'] + '[/SYSTEM_PROMPT]' }}"
    "{%- elif message['role'] == 'user' %}{{- '[INST]' + message['content'] + '[/INST]' }}"
    "{%- else %}{{- message['content'] + eos_token }}{%- endif %}{%- endfor %}")  # fmt: skip
TOKENS = {"<|endoftext|>": "<pad>", "<|im_start|>": "<s>", "<|im_end|>": "</s>",
          "<|object_ref_start|>": "[INST]", "<|object_ref_end|>": "[/INST]",
          "<|box_start|>": "[SYSTEM_PROMPT]", "<|box_end|>": "[/SYSTEM_PROMPT]",
          "<|vision_start|>": "[IMG_BREAK]", "<|vision_end|>": "[IMG_END]",
          "<|image_pad|>": "[IMG]"}  # fmt: skip
ENDS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}
RUNS = [
    {"name": "text", "prompt": f"[INST]{texts.ASKED[1]}[/INST]", "images": []},
    {"name": "one", "prompt": "[INST][IMG]Describe the image.[/INST]", "images": ["input/page_a.png"]},
    {"name": "two", "prompt": "[INST][IMG][IMG]Compare both.[/INST]",
     "images": ["input/page_b.png", "input/page_c.png"]},
]  # fmt: skip
PATCH, MERGE, EDGE = 8, 2, 96
TRAINED = 24  # so that queries grow within the prompts


def yarn(**changes):
    return {"rope_type": "yarn", "rope_theta": 10000.0, "factor": 8.0, "beta_fast": 32.0,
            "beta_slow": 1.0, "original_max_position_embeddings": TRAINED,
            "max_position_embeddings": 512, "llama_4_scaling_beta": 0.1, **changes}  # fmt: skip


def mistral3_config(rope, act):
    text = {"model_type": "ministral3", "attention_dropout": 0.0, "hidden_act": "silu",
            "hidden_size": 48, "intermediate_size": 80, "num_attention_heads": 4,
            "num_key_value_heads": 2, "num_hidden_layers": 2, "head_dim": 16,
            "max_position_embeddings": 512, "rms_norm_eps": 1e-05, "rope_parameters": rope,
            "sliding_window": None, "use_cache": True, "vocab_size": 960, "bos_token_id": 901,
            "eos_token_id": 902, "pad_token_id": 900, "tie_word_embeddings": False}  # fmt: skip
    vision = {"model_type": "pixtral", "attention_dropout": 0.0, "head_dim": 16, "hidden_act": act,
              "hidden_size": 32, "image_size": EDGE, "intermediate_size": 48, "num_channels": 3,
              "num_attention_heads": 2, "num_hidden_layers": 2, "patch_size": PATCH,
              "rope_parameters": {"rope_theta": 10000.0, "rope_type": "default"}}  # fmt: skip
    return {"architectures": ["Mistral3ForConditionalGeneration"], "model_type": "mistral3",
            "image_token_index": 912, "multimodal_projector_bias": False,
            "projector_hidden_act": "gelu", "spatial_merge_size": MERGE, "text_config": text,
            "vision_config": vision, "vision_feature_layer": -1, "tie_word_embeddings": False,
            "bos_token_id": 901, "eos_token_id": 902}  # fmt: skip


def write_files(folder):
    """Tokenizer and preprocessing as they are published."""
    write_json(folder / "tokenizer.json", json.loads(renamed_text()))
    facts = read_json(QWEN_SOURCE / "model/tokenizer_config.json")
    names = [TOKENS.get(token, token) for token in facts["additional_special_tokens"]]
    write_json(folder / "tokenizer_config.json", {
        **facts, **ENDS, "additional_special_tokens": names, "processor_class": "PixtralProcessor",
        "chat_template": TEMPLATE})  # fmt: skip
    write_json(folder / "processor_config.json", {
        "image_break_token": "[IMG_BREAK]", "image_end_token": "[IMG_END]", "image_token": "[IMG]",
        "patch_size": PATCH, "processor_class": "PixtralProcessor",
        "spatial_merge_size": MERGE})  # fmt: skip
    write_json(folder / "preprocessor_config.json", {
        "do_convert_rgb": True, "do_normalize": True, "do_rescale": True, "do_resize": True,
        "image_mean": [0.48145466, 0.4578275, 0.40821073],
        "image_std": [0.26862954, 0.26130258, 0.27577711],
        "image_processor_type": "PixtralImageProcessor",
        "patch_size": {"height": PATCH, "width": PATCH}, "processor_class": "PixtralProcessor",
        "resample": 3, "rescale_factor": 1 / 255, "size": {"longest_edge": EDGE}})  # fmt: skip


def renamed_text():
    text = (QWEN_SOURCE / "model/tokenizer.json").read_text()
    for before, after in TOKENS.items():
        text = text.replace(before, after)
    return text


def processor_of(folder):
    return transformers.PixtralProcessor(
        image_processor=transformers.PixtralImageProcessor.from_pretrained(folder),
        tokenizer=transformers.AutoTokenizer.from_pretrained(folder), patch_size=PATCH,
        spatial_merge_size=MERGE)  # fmt: skip


def in_patches(picture, size):
    """Of a padded picture [3, H, W], patches in blocks of merge x merge."""
    height, width = (int(side) for side in size)
    block = PATCH * MERGE
    cut = picture[:, :height, :width].reshape(3, height // block, MERGE, PATCH, width // block,
                                              MERGE, PATCH)  # fmt: skip
    return cut.permute(1, 4, 2, 5, 0, 3, 6).reshape(-1, 3 * PATCH * PATCH)


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
        sizes = inputs["image_sizes"]
        tensors["pixel_values"] = torch.cat(
            [in_patches(*pair) for pair in zip(inputs["pixel_values"], sizes)])
        grids = [[1, int(height) // PATCH, int(width) // PATCH] for height, width in sizes]
        tensors["image_grid_thw"] = torch.tensor(grids)
        features = model.model.get_image_features(inputs["pixel_values"], sizes)
        tensors["vision.features"] = torch.cat(list(features.pooler_output))
    values, facts = made.generate(model, inputs, processor.tokenizer, run["name"])
    return tensors | made.call(model, inputs, made.decoder_modules(model)) | values, facts


def make_mistral3_a(case):
    """Ministral 3's layout."""
    config = mistral3_config(yarn(), "silu")
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    write_files(folder)
    made.copy_pages(case, QWEN_SOURCE, RUNS)
    model = made.draw_weights(made.new_model(MISTRAL3, config), 801, torch.bfloat16)
    made.save_model(model, folder, config, dtype=torch.bfloat16)
    processor = processor_of(folder)

    def one_run(net, at, run):
        return run_of(net, processor, at, run)

    tensors, _ = made.run_all(model, case, RUNS, one_run)
    again, done = made.run_all(made.read_model(MISTRAL3, folder), case, RUNS, one_run)
    checks = {"read_back_max_diff": made.compare(tensors, again)}
    made.write_case(case, made.run_facts(MISTRAL3, 801, done, checks), again)


def write_text_facts(writer, text, rope):
    made.write_gguf_facts(writer, {**text, "rope_theta": rope["rope_theta"]},
                          json.loads(renamed_text()), TEMPLATE, "tekken")  # fmt: skip
    writer.add_bos_token_id(text["bos_token_id"])
    writer.add_add_bos_token(False)
    writer.add_rope_scaling_type(gguf.RopeScalingType.YARN)
    writer.add_rope_scaling_factor(rope["factor"])
    writer.add_rope_scaling_yarn_beta_fast(rope["beta_fast"])
    writer.add_rope_scaling_yarn_beta_slow(rope["beta_slow"])
    writer.add_rope_scaling_yarn_log_mul(rope["mscale_all_dim"])
    writer.add_rope_scaling_orig_ctx_len(rope["original_max_position_embeddings"])
    writer.add_attn_temperature_scale(rope["llama_4_scaling_beta"])


def write_tower(path, config, model):
    """Pixtral's tower and the patch merger as llama.cpp's converter writes them."""
    vision = config["vision_config"]
    writer = gguf.GGUFWriter(path, "clip")
    made.write_siglip_facts(writer, vision | {"layer_norm_eps": 1e-5},
                            config["text_config"]["hidden_size"])  # fmt: skip
    writer.add_clip_projector_type(gguf.VisionProjectorType.PIXTRAL)
    writer.add_vision_spatial_merge_size(MERGE)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.MMPROJ, vision["num_hidden_layers"])
    for name, tensor in model.model.state_dict().items():
        if name.startswith("language_model."):
            continue
        stem, ending = name.rsplit(".", 1)
        known_as = "mm.2" if stem.endswith("linear_2") else names.get_name(stem)
        values = tensor.numpy()
        if stem.endswith(("q_proj", "k_proj")):
            values = made.halves_of_heads(values, vision["num_attention_heads"])
        writer.add_tensor(f"{known_as}.{ending}", values if tensor.dim() == 1 else values.astype("float16"))
    # A row of the table of embeddings, which llama.cpp's tower writes itself.
    row = model.model.language_model.embed_tokens.weight[909]
    writer.add_tensor("v.token_embd.img_break", row.detach().numpy())
    made.finish_gguf(writer)


def make_mistral3_gguf(case):
    """Two files; gelu in the tower, as in Mistral Small 3.1."""
    rope = yarn(mscale=1.0, mscale_all_dim=0.5, factor=4.0)
    config = mistral3_config(rope, "gelu")
    text = config["text_config"]
    runs = [RUNS[0], RUNS[2]]
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    made.copy_pages(case, QWEN_SOURCE, runs)
    model = made.draw_weights(made.new_model(MISTRAL3, config), 804, torch.float16)
    writer = gguf.GGUFWriter(case / "model.gguf", "mistral3")
    write_text_facts(writer, text, rope)
    state = {name.replace("language_model.", "", 1): tensor
             for name, tensor in model.state_dict().items()
             if "language_model" in name or name == "lm_head.weight"}  # fmt: skip
    texts.put_tensors(writer, state, text, texts.IN_LAYER, True, 0)
    made.finish_gguf(writer)
    write_tower(case / "mmproj-model.gguf", config, model)
    processor = processor_of(DATA / "mistral3_a/model")
    # These files have the mean and deviation of SigLIP.
    processor.image_processor.image_mean = processor.image_processor.image_std = [0.5] * 3

    def one_run(net, at, run):
        return run_of(net, processor, at, run)

    tensors, done = made.run_all(model, case, runs, one_run)
    facts = made.run_facts(MISTRAL3, 804, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


CASES = {"mistral3_a": make_mistral3_a, "mistral3_gguf": make_mistral3_gguf}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
