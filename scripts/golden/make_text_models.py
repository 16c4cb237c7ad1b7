#!/usr/bin/env python3
"""Writes cases of further language models into tests/data: a folder and a GGUF file of each family,
tiny and with random weights, and what transformers computes with them.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_text_models.py all|NAME...

Everything that the cases share with those of make_models.py comes from there.
"""
import json
import shutil
import sys
from importlib.metadata import version

import gguf
import make_models as made
import numpy as np
import torch
import transformers
from make_models import DATA, QWEN_SOURCE, read_json

# Biases make the values of these models larger than those of make_models.py, and their last bits
# depend on where the weights are in memory.
made.SAME = 4e-5
ASKED = ("What is retrieval-augmented generation?",
         "The harbour took in 1,840 tonnes of timber and 212 ships in 2023; the fees were 7% higher. "
         "Which of these numbers is a share, and who reads the report of the year before?")  # fmt: skip
IN_LAYER = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
            "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
            "self_attn.k_norm": "attn_k_norm", "self_attn.qkv_proj": "attn_qkv",
            "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
            "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.gate_up_proj": "ffn_up",
            "mlp.down_proj": "ffn_down", "mlp.gate": "ffn_gate_inp"}  # fmt: skip


def runs_of(before, after, system=""):
    return [{"name": name, "prompt": system + before + text + after, "images": []}
            for name, text in zip(("short", "long"), ASKED)]  # fmt: skip


def renamed_tokenizer(names):
    """Copies Qwen's tokenizer with other names of added tokens."""

    def copy(folder):
        text = (QWEN_SOURCE / "model/tokenizer.json").read_text()
        for before, after in names.items():
            text = text.replace(before, after)
        (folder / "tokenizer.json").write_text(text)
        return read_json(QWEN_SOURCE / "model/tokenizer_config.json")

    return copy


def stacked_experts(name, values):
    """transformers' two arrays of all experts as the three of GGUF files."""
    below, part = name.rsplit(".", 1)
    layer = below.split(".")[2]
    if part == "down_proj":
        return {f"blk.{layer}.ffn_down_exps.weight": values}
    inner = values.shape[1] // 2
    return {f"blk.{layer}.ffn_gate_exps.weight": values[:, :inner],
            f"blk.{layer}.ffn_up_exps.weight": values[:, inner:]}  # fmt: skip


def put_tensors(writer, state, config, names, interleaved, norm_added):
    """Matrices in half precision, everything else in float32; routers too, as converters leave
    them."""
    outside = {"model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output"}
    for name, tensor in state.items():
        if name == "lm_head.weight" and config["tie_word_embeddings"]:
            continue
        values = tensor.numpy()
        if ".experts." in name:
            for known_as, part in stacked_experts(name, values).items():
                writer.add_tensor(known_as, np.ascontiguousarray(part.astype(np.float16)))
            continue
        stem, ending = name.rsplit(".", 1)
        if interleaved and stem.endswith(("q_proj", "k_proj")):
            heads = "num_attention_heads" if stem.endswith("q_proj") else "num_key_value_heads"
            values = made.halves_of_heads(values, config[heads])
        if stem.endswith("norm"):
            values = values + norm_added
        known_as = outside.get(stem)
        if known_as is None:
            _, _, layer, below = stem.split(".", 3)
            known_as = f"blk.{layer}.{names[below]}"
        wide = values.ndim == 1 or stem.endswith("mlp.gate")
        kind = np.float32 if wide else np.float16
        writer.add_tensor(f"{known_as}.{ending}", np.ascontiguousarray(values.astype(kind)))


def gguf_case(case, kind, architecture, config, runs, seed, write_facts, tokenizer, names=IN_LAYER,
              interleaved=False, gemma=False):  # fmt: skip
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    drawn = made.new_model(kind, config)
    model = made.draw_weights(drawn, seed, torch.float16, lambda name: 0 if gemma else 1)
    writer = gguf.GGUFWriter(case / "model.gguf", architecture)
    write_facts(writer)
    put_tensors(writer, model.state_dict(), config, names, interleaved, 1 if gemma else 0)
    made.finish_gguf(writer)

    def one_run(net, at, run):
        return made.llama_run(net, tokenizer, at, run)

    tensors, done = made.run_all(model, case, runs, one_run)
    facts = made.run_facts(kind, seed, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


def qwen_facts(config, template, more=lambda writer: None, names=None, pre="qwen2"):
    """What writes the facts of a file with Qwen's tokenizer."""

    def write(writer):
        text = (QWEN_SOURCE / "model/tokenizer.json").read_text()
        for before, after in (names or {}).items():
            text = text.replace(before, after)
        made.write_gguf_facts(writer, config, json.loads(text), template, pre)
        more(writer)

    return write


def tokenizer_of(case):
    return transformers.AutoTokenizer.from_pretrained(DATA / case / "model")


# ---- Qwen2 -------------------------------------------------------------------------------------

QWEN2 = transformers.Qwen2ForCausalLM


def qwen2_config(**changes):
    config = made.llama_config(hidden_size=64, intermediate_size=128, num_attention_heads=4,
                               num_key_value_heads=2, num_hidden_layers=2, rope_theta=1000000.0)  # fmt: skip
    for key in ("attention_bias", "mlp_bias", "pretraining_tp"):
        del config[key]
    return {**config, "architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2",
            "rms_norm_eps": 1e-06, "sliding_window": 128, "use_sliding_window": False,
            "max_window_layers": 2, **changes}  # fmt: skip


def make_qwen2_a(case):
    made.text_case(case, QWEN2, qwen2_config(tie_word_embeddings=True), made.CHAT_TEMPLATE,
                   made.LLAMA_RUNS, 701)  # fmt: skip


def make_qwen2_gguf(case):
    config = qwen2_config(tie_word_embeddings=False)
    gguf_case(case, QWEN2, "qwen2", config, made.LLAMA_RUNS, 702,
              qwen_facts(config, made.CHAT_TEMPLATE), tokenizer_of("qwen2_a"))  # fmt: skip


# The folder of a family comes first: the GGUF file's case takes its tokenizer.
CASES = {
    "qwen2_a": make_qwen2_a,
    "qwen2_gguf": make_qwen2_gguf,
}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
