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


# ---- Phi-3 -------------------------------------------------------------------------------------

PHI3 = transformers.Phi3ForCausalLM
PHI3_SOURCE = DATA / "phi3v_a/model"
PHI3_TEMPLATE = (
    "{% for message in messages %}{% if message['role'] == 'system' %}{{'<|system|>\n' + "
    "message['content'] + '<|end|>\n'}}{% elif message['role'] == 'user' %}{{'<|user|>\n' + "
    "message['content'] + '<|end|>\n'}}{% elif message['role'] == 'assistant' %}{{'<|assistant|>\n'"
    " + message['content'] + '<|end|>\n'}}{% endif %}{% endfor %}{% if add_generation_prompt %}"
    "{{ '<|assistant|>\n' }}{% endif %}")  # fmt: skip
PHI3_RUNS = runs_of("<|user|>\n", "<|end|>\n<|assistant|>\n")
PHI3_ORIGINAL = 48  # between the lengths of the two runs, so that both sets of factors count


def phi3_config(pairs, **changes):
    return {"architectures": ["Phi3ForCausalLM"], "model_type": "phi3", "attention_bias": False,
            "attention_dropout": 0.0, "embd_pdrop": 0.0, "resid_pdrop": 0.0, "hidden_act": "silu",
            "initializer_range": 0.02, "max_position_embeddings": 512,
            "original_max_position_embeddings": PHI3_ORIGINAL, "rms_norm_eps": 1e-05,
            "rope_theta": 10000.0, "use_cache": True, "bos_token_id": 1, "eos_token_id": 1403,
            "pad_token_id": 1403, "vocab_size": 1472, "hidden_size": 64, "intermediate_size": 96,
            "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2,
            "rope_scaling": {"type": "longrope",
                             "short_factor": [1 + 0.25 * i for i in range(pairs)],
                             "long_factor": [2 + 0.75 * i * i for i in range(pairs)]},
            "torch_dtype": "float32", **changes}  # fmt: skip


def copy_phi3_tokenizer(folder):
    shutil.copyfile(PHI3_SOURCE / "tokenizer.json", folder / "tokenizer.json")
    facts = read_json(PHI3_SOURCE / "tokenizer_config.json")
    return {key: value for key, value in facts.items() if key != "processor_class"}


def make_phi3_a(case):
    """A window shorter than the prompts in every layer."""
    config = phi3_config(6, hidden_size=48, sliding_window=20, tie_word_embeddings=False)
    made.text_case(case, PHI3, config, PHI3_TEMPLATE, PHI3_RUNS, 711, copy_phi3_tokenizer)


def make_phi3_gguf(case):
    """Three quarters of each head rotated, a tied head and no window, as in Phi-4-mini."""
    config = phi3_config(6, sliding_window=None, partial_rotary_factor=0.75,
                         tie_word_embeddings=True)  # fmt: skip

    def write_facts(writer):
        writer.add_block_count(config["num_hidden_layers"])
        writer.add_context_length(config["max_position_embeddings"])
        writer.add_rope_scaling_orig_ctx_len(PHI3_ORIGINAL)
        writer.add_embedding_length(config["hidden_size"])
        writer.add_feed_forward_length(config["intermediate_size"])
        writer.add_head_count(config["num_attention_heads"])
        writer.add_head_count_kv(config["num_key_value_heads"])
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
        writer.add_rope_dimension_count(12)
        writer.add_rope_freq_base(config["rope_theta"])
        writer.add_sliding_window(0)
        made.write_scored_pairs(writer, read_json(PHI3_SOURCE / "tokenizer.json"),
                                config["vocab_size"], blank_before=True)  # fmt: skip
        writer.add_bos_token_id(1)
        writer.add_eos_token_id(1403)
        writer.add_chat_template(PHI3_TEMPLATE)
        for kind in ("long", "short"):
            factors = np.array(config["rope_scaling"][f"{kind}_factor"], dtype=np.float32)
            writer.add_tensor(f"rope_factors_{kind}.weight", factors)

    gguf_case(case, PHI3, "phi3", config, PHI3_RUNS, 712, write_facts, tokenizer_of("phi3_a"))


# ---- Gemma 2 -----------------------------------------------------------------------------------

GEMMA2 = transformers.Gemma2ForCausalLM
# Caps low enough to bend most products and logits.
GEMMA2_CAPS = {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0}


def gemma2_config(**changes):
    return {"architectures": ["Gemma2ForCausalLM"], "model_type": "gemma2",
            "attention_bias": False, "attention_dropout": 0.0, **GEMMA2_CAPS,
            "hidden_activation": "gelu_pytorch_tanh", "initializer_range": 0.02,
            "max_position_embeddings": 512, "rms_norm_eps": 1e-06, "rope_theta": 10000.0,
            "sliding_window": 16, "query_pre_attn_scalar": 24, "use_cache": True,
            "bos_token_id": 2, "eos_token_id": [1, 6], "pad_token_id": 0, "vocab_size": 1302,
            "hidden_size": 48, "intermediate_size": 96, "num_attention_heads": 4,
            "num_key_value_heads": 2, "num_hidden_layers": 4, "head_dim": 16,
            "tie_word_embeddings": True, "torch_dtype": "float32", **changes}  # fmt: skip


def make_gemma2_a(case):
    made.text_case(case, GEMMA2, gemma2_config(), made.GEMMA_TEMPLATE, made.GEMMA_RUNS, 721,
                   made.copy_gemma_tokenizer, lambda name: 0)  # fmt: skip


def make_gemma2_gguf(case):
    config = gemma2_config(query_pre_attn_scalar=16, hidden_size=32, intermediate_size=64)
    names = {**IN_LAYER, "post_attention_layernorm": "post_attention_norm",
             "pre_feedforward_layernorm": "ffn_norm",
             "post_feedforward_layernorm": "post_ffw_norm"}  # fmt: skip

    def write_facts(writer):
        writer.add_block_count(config["num_hidden_layers"])
        writer.add_context_length(config["max_position_embeddings"])
        writer.add_embedding_length(config["hidden_size"])
        writer.add_feed_forward_length(config["intermediate_size"])
        writer.add_head_count(config["num_attention_heads"])
        writer.add_head_count_kv(config["num_key_value_heads"])
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
        writer.add_attn_logit_softcapping(config["attn_logit_softcapping"])
        writer.add_final_logit_softcapping(config["final_logit_softcapping"])
        writer.add_sliding_window(config["sliding_window"])
        made.write_scored_pairs(writer, read_json(DATA / "gemma3_a/model/tokenizer.json"),
                                config["vocab_size"])  # fmt: skip
        writer.add_bos_token_id(config["bos_token_id"])
        writer.add_eos_token_id(config["eos_token_id"][0])
        writer.add_chat_template(made.GEMMA_TEMPLATE)

    gguf_case(case, GEMMA2, "gemma2", config, made.GEMMA_RUNS, 723, write_facts,
              tokenizer_of("gemma3_a"), names, gemma=True)  # fmt: skip


# ---- SmolLM3 -----------------------------------------------------------------------------------

SMOLLM3 = transformers.SmolLM3ForCausalLM
# The parts of the published template by which it is known, and what they write without the date.
SMOLLM3_TEMPLATE = (
    "{{- '<|im_start|>system\n## Metadata\n\nKnowledge Cutoff Date: June 2025\nReasoning Mode: "
    "/no_think\n\n## Custom Instructions\n\nYou are a helpful AI assistant named SmolLM, trained by "
    "Hugging Face.\n\n' -}}{%- for message in messages -%}{{ '<|im_start|>' + message.role + '\n' + "
    "message.content + '<|im_end|>\n' }}{%- endfor -%}{%- if add_generation_prompt -%}"
    "{{ '<|im_start|>assistant\n<think>\n\n</think>\n' }}{%- endif -%}")  # fmt: skip
SMOLLM3_RUNS = runs_of("<|im_start|>user\n",
                       "<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n")  # fmt: skip


def smollm3_config(**changes):
    config = made.llama_config(hidden_size=64, intermediate_size=96, num_attention_heads=4,
                               num_key_value_heads=2, num_hidden_layers=4, rope_theta=50000.0,
                               tie_word_embeddings=True, pad_token_id=900)  # fmt: skip
    return {**config, "architectures": ["SmolLM3ForCausalLM"], "model_type": "smollm3",
            "sliding_window": None, "use_sliding_window": False, "no_rope_layer_interval": 4,
            **changes}  # fmt: skip


def make_smollm3_a(case):
    """A list of its own of the layers that rotate, as it is published."""
    config = smollm3_config(no_rope_layers=[1, 0, 1, 0], layer_types=["full_attention"] * 4)
    made.text_case(case, SMOLLM3, config, SMOLLM3_TEMPLATE, SMOLLM3_RUNS, 731)


def make_smollm3_gguf(case):
    """Every fourth layer rotates nothing: such files do not say which."""
    config = smollm3_config(num_hidden_layers=5)
    gguf_case(case, SMOLLM3, "smollm3", config, SMOLLM3_RUNS, 732,
              qwen_facts(config, SMOLLM3_TEMPLATE), tokenizer_of("smollm3_a"),
              interleaved=True)  # fmt: skip


# ---- Granite -----------------------------------------------------------------------------------

GRANITE = transformers.GraniteForCausalLM
GRANITE_TOKENS = {"<|object_ref_start|>": "<|start_of_role|>", "<|object_ref_end|>": "<|end_of_role|>",
                  "<|box_start|>": "<|end_of_text|>"}  # fmt: skip
GRANITE_TEMPLATE = (
    "{%- if messages[0]['role'] != 'system' -%}{{ '<|start_of_role|>system<|end_of_role|>Knowledge "
    "Cutoff Date: April 2024.\nToday\\'s Date: ' + strftime_now('%B %d, %Y') + '.\nYou are Granite, "
    "developed by IBM. You are a helpful AI assistant.<|end_of_text|>\n' }}{%- endif -%}"
    "{%- for message in messages -%}{{ '<|start_of_role|>' + message['role'] + '<|end_of_role|>' + "
    "message['content'] + '<|end_of_text|>\n' }}{%- endfor -%}{%- if add_generation_prompt -%}"
    "{{ '<|start_of_role|>assistant<|end_of_role|>' }}{%- endif -%}")  # fmt: skip
GRANITE_RUNS = runs_of("<|start_of_role|>user<|end_of_role|>",
                       "<|end_of_text|>\n<|start_of_role|>assistant<|end_of_role|>")  # fmt: skip


def granite_config(**changes):
    config = made.llama_config(hidden_size=64, intermediate_size=96, num_attention_heads=4,
                               num_key_value_heads=2, num_hidden_layers=3, tie_word_embeddings=True,
                               eos_token_id=905, bos_token_id=905)  # fmt: skip
    return {**config, "architectures": ["GraniteForCausalLM"], "model_type": "granite",
            "embedding_multiplier": 1.5, "attention_multiplier": 0.15, "residual_multiplier": 0.6,
            "logits_scaling": 2.5, **changes}  # fmt: skip


def make_granite_a(case):
    made.text_case(case, GRANITE, granite_config(), GRANITE_TEMPLATE, GRANITE_RUNS, 741,
                   renamed_tokenizer(GRANITE_TOKENS))  # fmt: skip


def make_granite_gguf(case):
    config = granite_config(residual_multiplier=0.22, logits_scaling=1.5)

    def more(writer):
        writer.add_embedding_scale(config["embedding_multiplier"])
        writer.add_attention_scale(config["attention_multiplier"])
        writer.add_residual_scale(config["residual_multiplier"])
        writer.add_logit_scale(config["logits_scaling"])

    gguf_case(case, GRANITE, "granite", config, GRANITE_RUNS, 742,
              qwen_facts(config, GRANITE_TEMPLATE, more, GRANITE_TOKENS), tokenizer_of("granite_a"),
              interleaved=True)  # fmt: skip


# ---- Qwen3's mixtures of experts ---------------------------------------------------------------

QWEN3_MOE = transformers.Qwen3MoeForCausalLM


def qwen3_moe_config(**changes):
    return {**made.qwen3_config(tie_word_embeddings=False), "architectures": ["Qwen3MoeForCausalLM"],
            "model_type": "qwen3_moe", "num_experts": 6, "num_experts_per_tok": 2,
            "moe_intermediate_size": 32, "norm_topk_prob": True, "decoder_sparse_step": 1,
            "mlp_only_layers": [], "output_router_logits": False, "router_aux_loss_coef": 0.001,
            **changes}  # fmt: skip


def make_qwen3moe_a(case):
    """One layer without experts, and weights that do not sum to one."""
    config = qwen3_moe_config(num_hidden_layers=3, mlp_only_layers=[1], norm_topk_prob=False,
                              tie_word_embeddings=True)  # fmt: skip
    made.text_case(case, QWEN3_MOE, config, made.THINKING_TEMPLATE, made.QWEN3_RUNS, 752)


def make_qwen3moe_gguf(case):
    config = qwen3_moe_config(num_experts=5, num_experts_per_tok=3)

    def more(writer):
        writer.add_expert_count(config["num_experts"])
        writer.add_expert_used_count(config["num_experts_per_tok"])
        writer.add_expert_feed_forward_length(config["moe_intermediate_size"])

    gguf_case(case, QWEN3_MOE, "qwen3moe", config, made.QWEN3_RUNS, 752,
              qwen_facts(config, made.THINKING_TEMPLATE, more), tokenizer_of("qwen3_a"))  # fmt: skip


# ---- Qwen2-VL and Qwen2.5-VL -------------------------------------------------------------------


def write_merger(path, config, visual, pixels):
    """The tower as llama.cpp's converter writes it: frames of patches apart, queries, keys and
    values too; of Qwen2-VL the language model's width where the inner width should be."""
    vision = config["vision_config"]
    windows = "window_size" in vision
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type(gguf.GGUFType.MMPROJ)
    writer.add_clip_has_vision_encoder(True)
    kinds = gguf.VisionProjectorType
    writer.add_clip_projector_type(kinds.QWEN25VL if windows else kinds.QWEN2VL)
    writer.add_vision_image_size(560)
    writer.add_vision_patch_size(vision["patch_size"])
    writer.add_vision_embedding_length(vision["hidden_size"] if windows else vision["embed_dim"])
    writer.add_vision_feed_forward_length(
        vision["intermediate_size"] if windows else vision["hidden_size"])
    writer.add_vision_block_count(vision["depth"])
    writer.add_vision_head_count(vision["num_heads"])
    writer.add_vision_projection_dim(config["hidden_size"])
    writer.add_vision_image_mean([0.48145466, 0.4578275, 0.40821073])
    writer.add_vision_image_std([0.26862954, 0.26130258, 0.27577711])
    writer.add_vision_max_pixels(pixels)
    writer.add_vision_attention_layernorm_eps(1e-6)
    if windows:
        writer.add_vision_use_silu(True)
        writer.add_vision_n_wa_pattern(vision["fullatt_block_indexes"][0] + 1)
    names = {"norm1": "ln1", "norm2": "ln2", "attn.proj": "attn_out", "mlp.fc1": "ffn_up",
             "mlp.fc2": "ffn_down", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
             "mlp.down_proj": "ffn_down"}  # fmt: skip
    outside = {"merger.ln_q": "v.post_ln", "merger.mlp.0": "mm.0", "merger.mlp.2": "mm.2"}

    def put(name, tensor):
        writer.add_tensor(name, tensor.numpy() if tensor.dim() == 1 else tensor.half().numpy())

    for name, tensor in visual.state_dict().items():
        stem, ending = name.rsplit(".", 1)
        if stem == "patch_embed.proj":
            put("v.patch_embd.weight", tensor[:, :, 0].contiguous())
            put("v.patch_embd.weight.1", tensor[:, :, 1].contiguous())
        elif stem in outside:
            put(f"{outside[stem]}.{ending}", tensor)
        else:
            _, layer, below = stem.split(".", 2)
            if below == "attn.qkv":
                for part, values in zip("qkv", tensor.chunk(3)):
                    put(f"v.blk.{layer}.attn_{part}.{ending}", values.contiguous())
            else:
                put(f"v.blk.{layer}.{names[below]}.{ending}", tensor)
    made.finish_gguf(writer)


def seeing_gguf(case, kind, config, runs, seed, source, pixels):
    """Two files, language model and tower; `source` is the case with such a model's processor."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    made.copy_pages(case, QWEN_SOURCE, runs)
    model = made.draw_weights(made.new_model(kind, config), seed, torch.float16)
    writer = gguf.GGUFWriter(case / "model.gguf", "qwen2vl")
    qwen_facts(config, made.CHAT_TEMPLATE)(writer)
    writer.add_rope_dimension_sections([*config["rope_scaling"]["mrope_section"], 0])
    text = {name.replace("language_model.", "", 1): tensor
            for name, tensor in model.state_dict().items() if "visual" not in name}  # fmt: skip
    put_tensors(writer, text, config, IN_LAYER, False, 0)
    made.finish_gguf(writer)
    write_merger(case / "mmproj-model.gguf", config, model.model.visual, pixels)
    processor = transformers.AutoProcessor.from_pretrained(DATA / source / "model")

    def one_run(net, at, run):
        return made.qwen_run(net, processor, at, run, "window_size" in config["vision_config"])

    tensors, done = made.run_all(model, case, runs, one_run)
    facts = made.run_facts(kind, seed, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    made.write_case(case, {**facts, "model": "model.gguf"}, tensors, made.HELD_HALVES)


def make_qwen2vl_gguf(case):
    seeing_gguf(case, made.QWEN2, made.qwen2_vl(), made.CHAT_RUNS[:2], 761, "qwen2vl_gen", 12 * 784)


def make_qwen25vl_gguf(case):
    """A page wider than a window, seen by windows in the first layer and whole in the second."""
    flat = {"hidden_size": 64, "intermediate_size": 96, "num_attention_heads": 4,
            "num_hidden_layers": 2, "num_key_value_heads": 2, "vocab_size": 960,
            "rope_scaling": made.mrope(2, 3, 3)}  # fmt: skip
    vision = {"depth": 2, "hidden_act": "silu", "hidden_size": 32, "intermediate_size": 60,
              "num_heads": 2, "out_hidden_size": 64, "window_size": 112,
              "fullatt_block_indexes": [1], "tokens_per_second": 2}  # fmt: skip
    config = made.qwen_config(flat, vision, made.QWEN_FIRST_SPECIAL, made.QWEN25)
    runs = [{**made.CHAT_RUNS[1], "images": ["input/page_c.png"]}]
    seeing_gguf(case, made.QWEN25, config, runs, 762, "qwen25vl_wide", 16 * 784)


# The folder of a family comes first: the GGUF file's case takes its tokenizer.
CASES = {
    "qwen2_a": make_qwen2_a,
    "qwen2_gguf": make_qwen2_gguf,
    "phi3_a": make_phi3_a,
    "phi3_gguf": make_phi3_gguf,
    "gemma2_a": make_gemma2_a,
    "gemma2_gguf": make_gemma2_gguf,
    "smollm3_a": make_smollm3_a,
    "smollm3_gguf": make_smollm3_gguf,
    "granite_a": make_granite_a,
    "granite_gguf": make_granite_gguf,
    "qwen3moe_a": make_qwen3moe_a,
    "qwen3moe_gguf": make_qwen3moe_gguf,
    "qwen2vl_gguf": make_qwen2vl_gguf,
    "qwen25vl_gguf": make_qwen25vl_gguf,
}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
