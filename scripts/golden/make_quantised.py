#!/usr/bin/env python3
"""Writes model cases into tests/data: Llamas with random weights in the formats of published
quantised folders (coded_weights.py), and what transformers computes with the values of these
codes.

    python3 scripts/golden/make_quantised.py all|NAME...

Needs the packages of make_models.py, compressed-tensors==0.20.0 and loguru.
"""
import pathlib
import shutil
import sys
import tempfile
from importlib.metadata import version

import make_models as models  # first: it makes torchvision loadable
import coded_weights
import torch
import transformers
from safetensors.torch import save_file

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/data"


def packed_group(bits, targets, **weights):
    facts = {"num_bits": bits, "type": "int", "symmetric": True, "strategy": "channel",
             "group_size": None, "actorder": None, "dynamic": False, **weights}  # fmt: skip
    return {"targets": targets, "weights": facts, "input_activations": None,
            "output_activations": None}  # fmt: skip


def compressed(form, groups):
    return {"quant_method": "compressed-tensors", "format": form, "ignore": ["lm_head"],
            "quantization_status": "compressed", "kv_cache_scheme": None,
            "config_groups": {f"group_{at}": group for at, group in enumerate(groups)}}  # fmt: skip


IN_MLP = ["re:.*mlp.*"]
ANY = ["Linear"]
# For each case: the configuration, how matrices are drawn, and how those in "mlp" are drawn.
QUANTISED = {
    "llama_awq": (
        {"quant_method": "awq", "bits": 4, "group_size": 32, "zero_point": True, "version": "gemm",
         "modules_to_not_convert": None},
        (coded_weights.awq, {}), None),
    "llama_gptq": (
        {"quant_method": "gptq", "bits": 4, "group_size": 32, "desc_act": False, "sym": False,
         "damp_percent": 0.01, "true_sequential": True},
        (coded_weights.gptq, {}), None),
    "llama_gptq_order": (
        {"quant_method": "gptq", "bits": 8, "group_size": 32, "desc_act": True, "sym": False,
         "checkpoint_format": "gptq_v2", "pack_dtype": "int32"},
        (coded_weights.gptq, {"bits": 8, "ordered": True, "first_version": False}), None),
    "llama_w4a16": (
        compressed("pack-quantized", [
            packed_group(4, ANY, strategy="group", group_size=32),
            packed_group(4, IN_MLP, strategy="group", group_size=32, symmetric=False,
                         actorder="group")]),
        (coded_weights.packed, {"group": 32}),
        (coded_weights.packed, {"group": 32, "symmetric": False, "ordered": True})),
    "llama_w8a16": (
        compressed("mixed-precision", [
            {**packed_group(8, ANY), "format": "pack-quantized"},
            {**packed_group(8, IN_MLP, symmetric=False), "format": "int-quantized"}]),
        (coded_weights.packed, {"bits": 8}),
        (coded_weights.int8, {"symmetric": False})),
    "llama_fp8": (
        {"quant_method": "fp8", "activation_scheme": "dynamic", "fmt": "e4m3",
         "weight_block_size": [128, 128]},
        (coded_weights.fp8_inverse, {}), None),
    "llama_fp8_channel": (
        compressed("float-quantized", [
            packed_group(8, ANY, type="float"), packed_group(8, IN_MLP, type="float", strategy="tensor")]),
        (coded_weights.fp8, {}),
        (coded_weights.fp8, {"strategy": "tensor"})),
}  # fmt: skip


# Tolerances of layouts that do not stay packed: their values are rounded to scales of 16 bits.
HELD = {"llama_gptq_order": 2e-3, "llama_fp8": 2e-3, "llama_fp8_channel": 0.01}


def write_quantised(folder, model, name, seed):
    """Replaces the matrices of the layers with random codes, and in the model with their values."""
    _, anywhere, in_mlp = QUANTISED[name]
    state, stored = model.state_dict(), {}
    source = torch.Generator().manual_seed(seed)
    for key, weight in state.items():
        if "_proj" not in key:
            stored[key] = state[key] = weight.half()
            continue
        draw, facts = in_mlp if in_mlp and ".mlp." in key else anywhere
        _, deviation = models.spread(key, weight, lambda _: 1)
        arrays, values = draw(*weight.shape, deviation, source, **facts)
        module = key.removesuffix(".weight")
        stored |= {f"{module}.{array}": value.contiguous() for array, value in arrays.items()}
        if name == "llama_gptq":  # as AutoGPTQ does, whether the model has biases or not
            stored[f"{module}.bias"] = torch.zeros(len(weight), dtype=torch.float16)
        state[key] = values
    save_file(stored, folder / "model.safetensors", {"format": "pt"})
    model.load_state_dict({key: value.float() for key, value in state.items()})


def quantised_model(folder, name):
    """Writes the folder's weights and config.json. Returns the model with the values of the
    codes."""
    config = models.llama_config(hidden_size=96, intermediate_size=160, num_attention_heads=4,
                          num_key_value_heads=2, num_hidden_layers=2, tie_word_embeddings=False,
                          torch_dtype="float16")  # fmt: skip
    seed = 320 + list(QUANTISED).index(name)
    model = models.draw_weights(models.new_model(models.LLAMA, config), seed)
    write_quantised(folder, model, name, seed)
    models.write_json(folder / "config.json", {**config, "quantization_config": QUANTISED[name][0]})
    return model, seed


def write_quantised_case(case, model, seed, changes):
    tokenizer = transformers.AutoTokenizer.from_pretrained(models.QWEN_SOURCE / "model")

    def one_run(net, at, run):
        return models.llama_run(net, tokenizer, at, run)

    tensors, done = models.run_all(model, case, models.LLAMA_RUNS[:1], one_run)
    checks = {"compressed-tensors": version("compressed-tensors")}
    models.write_case(case, {**models.run_facts(models.LLAMA, seed, done, checks), **changes}, tensors,
                      HELD.get(case.name, models.HELD_CODES))  # fmt: skip


def quantised_case(case):
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    shutil.copyfile(models.QWEN_SOURCE / "model/tokenizer.json", folder / "tokenizer.json")
    facts = models.read_json(models.QWEN_SOURCE / "model/tokenizer_config.json")
    models.write_json(folder / "tokenizer_config.json", {**facts, "chat_template": models.CHAT_TEMPLATE})
    models.write_json(folder / "generation_config.json",
               {"bos_token_id": 901, "eos_token_id": 902, "do_sample": False})  # fmt: skip
    model, seed = quantised_model(folder, case.name)
    write_quantised_case(case, model, seed, {})


def make_llama_gptq_lora(case):
    """A LoRA adapter over the quantised base. Its change is added to the values of the codes."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        model, seed = quantised_model(pathlib.Path(folder), "llama_gptq")
    settings = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "down_proj"]}
    changed = models.adapted(model, settings, seed)
    changed.save_pretrained(case / "adapter", save_embedding_layers=False)
    (case / "adapter/README.md").unlink(missing_ok=True)
    facts = {**models.read_json(case / "adapter/adapter_config.json"),
             "base_model_name_or_path": "../../llama_gptq/model"}  # fmt: skip
    facts["target_modules"].sort()  # written from a set
    models.write_json(case / "adapter/adapter_config.json", facts)
    write_quantised_case(case, changed.merge_and_unload().eval(), seed, {"model": "adapter"})


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    cases = {**dict.fromkeys(QUANTISED, quantised_case), "llama_gptq_lora": make_llama_gptq_lora}
    for name in cases if chosen == ["all"] else chosen:
        cases[name](DATA / name)


if __name__ == "__main__":
    main()
