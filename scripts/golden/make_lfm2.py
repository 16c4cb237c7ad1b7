#!/usr/bin/env python3
"""Writes cases of LFM2 into tests/data: tiny and with random weights, and what transformers computes
with them.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_lfm2.py all|NAME...

Everything that the cases share with those of make_models.py and make_text_models.py comes from there.
"""
import shutil
import sys
from importlib.metadata import version

import gguf
import make_models as made
import make_text_models as texts
import numpy as np
import torch
import transformers
from make_models import DATA, QWEN_SOURCE, read_json

LFM2 = transformers.Lfm2ForCausalLM
IN_LAYER = {"operator_norm": "attn_norm", "ffn_norm": "ffn_norm", "self_attn.q_proj": "attn_q",
            "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
            "self_attn.out_proj": "attn_output", "self_attn.q_layernorm": "attn_q_norm",
            "self_attn.k_layernorm": "attn_k_norm", "feed_forward.w1": "ffn_gate",
            "feed_forward.w2": "ffn_down", "feed_forward.w3": "ffn_up",
            "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj",
            "conv.conv": "shortconv.conv"}  # fmt: skip
KINDS = ["conv", "conv", "full_attention", "conv"]


def lfm2_config(**changes):
    return {"architectures": ["Lfm2ForCausalLM"], "model_type": "lfm2",
            "block_auto_adjust_ff_dim": True, "block_ff_dim": 96, "block_ffn_dim_multiplier": 1.0,
            "block_multiple_of": 16, "bos_token_id": 901, "conv_L_cache": 3, "conv_bias": False,
            "eos_token_id": 902, "hidden_size": 48, "initializer_range": 0.02, "layer_types": KINDS,
            "max_position_embeddings": 512, "norm_eps": 1e-05, "num_attention_heads": 4,
            "num_hidden_layers": 4, "num_key_value_heads": 2, "pad_token_id": 900,
            "rope_theta": 1000000.0, "tie_embedding": True, "torch_dtype": "float32",
            "use_cache": True, "vocab_size": 960, **changes}  # fmt: skip


def make_lfm2_a(case):
    """The inner width is two thirds of the configuration's, rounded up to a multiple."""
    made.text_case(case, LFM2, lfm2_config(), made.CHAT_TEMPLATE, made.LLAMA_RUNS, 831)


def put_tensors(writer, state):
    """Vectors and convolutions in F32, all others in F16."""
    outside = {"model.embed_tokens": "token_embd", "model.embedding_norm": "token_embd_norm"}
    for name, tensor in state.items():
        if name == "lm_head.weight":  # tied
            continue
        stem, ending = name.rsplit(".", 1)
        known_as = outside.get(stem)
        if known_as is None:
            _, _, layer, below = stem.split(".", 3)
            known_as = f"blk.{layer}.{IN_LAYER[below]}"
        values = tensor.numpy().squeeze()
        wide = values.ndim == 1 or stem.endswith("conv.conv")
        writer.add_tensor(f"{known_as}.{ending}", values.astype(np.float32 if wide else np.float16))


def make_lfm2_gguf(case):
    """A convolution over four inputs, with biases."""
    config = lfm2_config(conv_L_cache=4, conv_bias=True, block_auto_adjust_ff_dim=False,
                         block_ff_dim=72)  # fmt: skip
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    model = made.draw_weights(made.new_model(LFM2, config), 833, torch.float16)
    writer = gguf.GGUFWriter(case / "model.gguf", "lfm2")
    heads = [config["num_key_value_heads"] if kind == "full_attention" else 0 for kind in KINDS]
    made.write_gguf_facts(
        writer, {**config, "intermediate_size": config["block_ff_dim"],
                 "num_key_value_heads": heads, "rms_norm_eps": config["norm_eps"]},
        read_json(QWEN_SOURCE / "model/tokenizer.json"), made.CHAT_TEMPLATE)  # fmt: skip
    writer.add_shortconv_l_cache(config["conv_L_cache"])
    put_tensors(writer, model.state_dict())
    made.finish_gguf(writer)
    tokenizer = texts.tokenizer_of("lfm2_a")

    def one_run(net, at, run):
        return made.llama_run(net, tokenizer, at, run)

    tensors, done = made.run_all(model, case, made.LLAMA_RUNS, one_run)
    facts = made.run_facts(LFM2, 833, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


CASES = {"lfm2_a": make_lfm2_a, "lfm2_gguf": make_lfm2_gguf}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
