#!/usr/bin/env python3
"""Writes cases of Qwen3.5's and Qwen3-VL's mixtures of experts into tests/data: tiny and with random
weights, and what transformers computes with them.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_mixtures.py all|NAME...

Everything that the cases share with those of make_models.py and make_text_models.py comes from there.
"""
import pathlib
import shutil
import sys
import tempfile
from importlib.metadata import version

import gguf
import make_models as made
import make_text_models as texts
import numpy as np
import torch
import transformers
from make_models import DATA, QWEN_SOURCE, read_json
from safetensors.torch import load_file, save_file

QWEN35 = transformers.Qwen3_5MoeForCausalLM
QWEN3_VL = transformers.Qwen3VLMoeForConditionalGeneration


def add_expert_facts(writer, config):
    writer.add_expert_count(config["num_experts"])
    writer.add_expert_used_count(config["num_experts_per_tok"])
    writer.add_expert_feed_forward_length(config["moe_intermediate_size"])


# ---- Qwen3.5 -----------------------------------------------------------------------------------

SHARED = {"shared_expert.gate_proj": "ffn_gate_shexp", "shared_expert.up_proj": "ffn_up_shexp",
          "shared_expert.down_proj": "ffn_down_shexp", "shared_expert_gate": "ffn_gate_inp_shexp",
          "gate": "ffn_gate_inp"}  # fmt: skip


def qwen35_config(**changes):
    config = made.qwen35_config(
        architectures=["Qwen3_5MoeForCausalLM"], model_type="qwen3_5_moe_text", num_experts=5,
        num_experts_per_tok=2, moe_intermediate_size=16, shared_expert_intermediate_size=24,
        linear_num_value_heads=4, head_dim=16,
        rope_parameters={"rope_type": "default", "rope_theta": 10000000.0,
                         "partial_rotary_factor": 0.5, "mrope_interleaved": True,
                         "mrope_section": [2, 1, 1]}, **changes)  # fmt: skip
    del config["intermediate_size"]
    return config


def make_qwen35moe_a(case):
    made.text_case(case, QWEN35, qwen35_config(), made.THINKING_TEMPLATE, made.QWEN35_RUNS[:1], 814,
                   norm_at=made.qwen35_norm)  # fmt: skip


def put_mixture(writer, name, tensor):
    """Matrices in half precision, routers and the gate in float32, the latter as a list."""
    _, _, layer, below = name.split(".", 3)
    below = below.removeprefix("mlp.")
    if below.startswith("experts."):
        parts = texts.stacked_experts(name, tensor.numpy())
        for known_as, values in parts.items():
            writer.add_tensor(known_as, np.ascontiguousarray(values.astype(np.float16)))
        return
    stem, ending = below.rsplit(".", 1)
    values = tensor.numpy().squeeze()
    kind = np.float32 if stem.endswith("gate") else np.float16
    writer.add_tensor(f"blk.{layer}.{SHARED[stem]}.{ending}", values.astype(kind))


def make_qwen35moe_gguf(case):
    """No layer has a feed-forward network of its own: such files do not give its width."""
    config = qwen35_config(linear_value_head_dim=16)
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    model = made.draw_weights(made.new_model(QWEN35, config), 813, torch.float16, made.qwen35_norm)
    writer = gguf.GGUFWriter(case / "model.gguf", "qwen35moe")
    made.write_qwen35_facts(writer, config)
    add_expert_facts(writer, config)
    writer.add_expert_shared_feed_forward_length(config["shared_expert_intermediate_size"])
    state = model.state_dict()
    mixed = {name: tensor for name, tensor in state.items() if ".mlp." in name}
    others = {name: tensor for name, tensor in state.items() if name not in mixed}
    made.put_whole_tensors(writer, others, config, made.QWEN35_LAYER)
    for name, tensor in mixed.items():
        put_mixture(writer, name, tensor)
    made.finish_gguf(writer)
    tokenizer = transformers.AutoTokenizer.from_pretrained(QWEN_SOURCE / "model")

    def one_run(net, at, run):
        return made.llama_run(net, tokenizer, at, run)

    tensors, done = made.run_all(model, case, made.QWEN35_RUNS[:1], one_run)
    facts = made.run_facts(QWEN35, 813, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


# ---- Qwen3-VL ----------------------------------------------------------------------------------

RUNS = [{**run, "prompt": run["prompt"].removeprefix(made.SYSTEM)} for run in made.CHAT_RUNS[:2]]


def qwen3_vl_config():
    config = made.qwen3_vl_config(True)
    config["text_config"] |= {
        "model_type": "qwen3_vl_moe_text", "num_experts": 5, "num_experts_per_tok": 2,
        "moe_intermediate_size": 16, "norm_topk_prob": True, "decoder_sparse_step": 1,
        "mlp_only_layers": [1]}  # fmt: skip
    config["vision_config"]["model_type"] = "qwen3_vl_moe_vision"
    return config | {"architectures": ["Qwen3VLMoeForConditionalGeneration"],
                     "model_type": "qwen3_vl_moe"}  # fmt: skip


def one_vl_run(net, processor, at, run):
    return made.qwen_run(net, processor, at, run, False)


def make_qwen3vlmoe_a(case):
    """Arrays of experts with rows and columns exchanged, and one layer without experts."""
    save = made.save_model

    def save_as_published(model, folder, *more, **named):
        save(model, folder, *more, **named)
        path = folder / "model.safetensors"
        weights = load_file(path)
        for name, tensor in weights.items():
            if ".experts." in name:
                weights[name] = tensor.transpose(1, 2).contiguous()
        save_file(weights, path, {"format": "pt"})

    made.save_model = save_as_published
    made.qwen3_vl_case(case, QWEN3_VL, qwen3_vl_config(), RUNS, 821, one_vl_run)
    made.save_model = save


def make_qwen3vlmoe_gguf(case):
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    config = qwen3_vl_config()
    text = config["text_config"] = config["text_config"] | {"mlp_only_layers": []}
    runs = RUNS[1:]
    made.copy_pages(case, QWEN_SOURCE, runs)
    model = made.draw_weights(made.new_model(QWEN3_VL, config), 822, torch.float16)
    writer = gguf.GGUFWriter(case / "model.gguf", "qwen3vlmoe")
    made.write_gguf_facts(writer, text, read_json(QWEN_SOURCE / "model/tokenizer.json"),
                          made.THINKING_TEMPLATE.split("{% if enable_thinking")[0] + "{% endif %}")
    add_expert_facts(writer, text)
    writer.add_rope_dimension_sections([*text["rope_scaling"]["mrope_section"], 0])
    writer.add_num_deepstack_layers(len(config["vision_config"]["deepstack_visual_indexes"]))
    state = {name.replace("language_model.", "", 1): tensor
             for name, tensor in model.state_dict().items() if "visual" not in name}  # fmt: skip
    texts.put_tensors(writer, state, text, texts.IN_LAYER, False, 0)
    made.finish_gguf(writer)
    with tempfile.TemporaryDirectory() as folder:
        processor = made.qwen3_vl_processor(pathlib.Path(folder), config)
    size = processor.image_processor.size
    made.write_projector(case / "mmproj-model.gguf", config, model,
                         {edge: size[edge] for edge in ("shortest_edge", "longest_edge")})

    def one_run(net, at, run):
        return one_vl_run(net, processor, at, run)

    tensors, done = made.run_all(model, case, runs, one_run)
    facts = made.run_facts(QWEN3_VL, 822, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


CASES = {
    "qwen35moe_a": make_qwen35moe_a,
    "qwen35moe_gguf": make_qwen35moe_gguf,
    "qwen3vlmoe_a": make_qwen3vlmoe_a,
    "qwen3vlmoe_gguf": make_qwen3vlmoe_gguf,
}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
