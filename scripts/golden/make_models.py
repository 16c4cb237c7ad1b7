#!/usr/bin/env python3
"""Writes model cases into tests/data: tiny models with random weights, and what transformers
computes with them.

    pip install transformers==5.23.0 torch==2.13.0 torchvision==0.28.0 pillow==11.3.0 peft==0.21.2 gguf==0.19.0
    python3 scripts/golden/make_models.py all|NAME...

Tokenizers and pages come from existing cases. Weights are drawn wider than usual, so that a wrong
position, mask, bias or norm shows. Every case is computed with the model as read back from the
written folder, and compared with the model in memory.
"""
import json
import pathlib
import shutil
import sys
import tempfile
from importlib.metadata import version

import gguf
import numpy as np
import torch
from PIL import Image
from safetensors.torch import load_file, save_file

# torchvision's own operators are built for one build of torch and are not needed to resize; where
# they do not load, its import only asks that these two are known.
try:
    import torchvision
except (ImportError, RuntimeError):
    for module in [name for name in sys.modules if name.startswith("torchvision")]:
        del sys.modules[module]
    OPERATORS = torch.library.Library("torchvision", "FRAGMENT")
    for operator in ("nms", "qnms"):
        OPERATORS.define(operator + "(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
    import torchvision
import peft
import PIL
import tokenizers
import transformers
from case_files import as_stored, write_json

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/data"
NEW_TOKENS = 12
CLOSEST = 3e-3  # the two best logits of a greedy path must be further apart
SAME = 1e-5  # between the model in memory and as read back
TOLERANCES = {
    "ids": 0,
    "position_ids": 0,
    "golden_pixels": {"vision": 5e-4, "hidden": 5e-4, "logits": 1e-3, "embedding": 2e-4},
    "own_pixels": {"pixel_values": 0.031, "pixel_values_mean_abs": 0.001, "vision": 0.01,
                   "hidden": 0.01, "logits": 0.02},
    "note": "absolute",
}  # fmt: skip
VERSIONS = {
    "python": "%d.%d" % sys.version_info[:2],
    "torch": torch.__version__,
    "transformers": transformers.__version__,
    "tokenizers": tokenizers.__version__,
    "torchvision": torchvision.__version__,
    "peft": peft.__version__,
    "PIL": PIL.__version__,
}

SYSTEM = "<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n"
PICTURE = "<|vision_start|><|image_pad|><|vision_end|>"


def chat(text, pictures=0):
    turn = f"<|im_start|>user\n{PICTURE * pictures}{text}<|im_end|>\n"
    return SYSTEM + turn + "<|im_start|>assistant\n"


# ---- Files -------------------------------------------------------------------------------------


def read_json(path):
    return json.loads(path.read_text())


def copy_small_files(source, folder, **preprocessor):
    """Tokenizer and preprocessing of another case's model, some facts of the latter changed."""
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(source / name, folder / name)
    facts = read_json(source / "preprocessor_config.json")
    write_json(folder / "preprocessor_config.json", {**facts, **preprocessor})


def copy_pages(case, source, runs):
    (case / "input").mkdir(exist_ok=True)
    for run in runs:
        for file in run["images"]:
            shutil.copyfile(source / file, case / file)


# For quantised models whose weights are used as stored: the largest norm of the difference, relative
# to the norm of the expected values. Products with codes round their other factor to 8 bits, which is
# an error of 1 to 4% here; values of 16 bits are used unchanged.
HELD_CODES = 0.05
HELD_HALVES = 1e-5


def write_case(case, facts, tensors, held=None):
    save_file(as_stored(tensors), case / "expected.safetensors")
    tolerances = TOLERANCES if held is None else TOLERANCES | {"held": held}
    write_json(case / "case.json", {"case": case.name, **facts, "tolerances": tolerances,
                                    "versions": VERSIONS})  # fmt: skip
    for file in case.rglob("*.safetensors"):
        file.chmod(0o644)
    size = sum(file.stat().st_size for file in case.rglob("*") if file.is_file())
    print(f"{case.name}: {len(tensors)} tensors, {size / 1e6:.1f} MB")


# ---- Weights -----------------------------------------------------------------------------------


def spread(name, tensor, norm_at):
    """Mean and standard deviation of a weight."""
    if tensor.dim() == 1:
        is_norm = "norm" in name or "ln_q" in name or "LayerNorm" in name
        if name.endswith("bias"):
            return 0, 0.1 if is_norm else 0.2
        return norm_at(name), 0.2
    if "position_embedding" in name or "pos_embed" in name or "token_type" in name:
        return 0, 0.4
    # Gemma multiplies its embeddings by the root of the width and its head is tied: were they as
    # large as what the layers add, each token would only call for itself again.
    gemma = norm_at(name) == 0
    if "embed_tokens" in name or "word_embeddings" in name:
        return 0, 0.6 * tensor.shape[1] ** -0.5 if gemma else 1.0
    # The matrices of a layer's experts are one array.
    inputs = tensor.shape[-1] if ".experts." in name else tensor[0].numel()
    sharp = any(part in name for part in ("q_proj", "k_proj", "qkv", "query", "key"))
    wide = 3.0 if "lm_head" in name else 1.5 if sharp else 1.1
    return 0, wide * (1.6 if gemma and "self_attn" in name else 1) * inputs**-0.5


def draw_weights(model, seed, dtype=torch.float32, norm_at=lambda name: 1):
    """Seeded by name too, so that one weight does not depend on the order of the others."""
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            mean, deviation = spread(name, weight, norm_at)
            key = sum((at + 1) * byte for at, byte in enumerate(name.encode()))
            source = torch.Generator().manual_seed(seed * 1_000_003 + key)
            drawn = mean + deviation * torch.randn(weight.shape, generator=source)
            weight.copy_(drawn.to(dtype).float())
    model.tie_weights()
    return model.eval()


def gemma_norm(name):
    return 0 if "language_model" in name else 1  # the norm multiplies by 1 + weight


# ---- Values ------------------------------------------------------------------------------------


class Taps:
    """What some modules return during one call."""

    def __init__(self, modules):
        self.values = {}
        self.hooks = [
            module.register_forward_hook(self.keep(name)) for name, module in modules.items()
        ]

    def keep(self, name):
        def hook(_module, _args, result):
            tensor = result[0] if isinstance(result, tuple) else result
            self.values[name] = tensor.detach().clone()

        return hook

    def close(self):
        for hook in self.hooks:
            hook.remove()
        return self.values


def decoder_modules(model):
    text = model.model.language_model
    names = {f"hidden.layer{i}": layer for i, layer in enumerate(text.layers)}
    return {**names, "hidden.final_norm": text.norm}


def gap(logits):
    best = logits.topk(2).values
    return (best[:, 0] - best[:, 1]).min().item()


def penalised(logits, ids, factor):
    """Raw logits after the repetition penalty over all tokens so far, row by row."""
    rows = []
    for at, row in enumerate(logits):
        seen = ids[: len(ids) - len(logits) + at].unique()
        row = row.clone()
        row[seen] = torch.where(row[seen] < 0, row[seen] * factor, row[seen] / factor)
        rows.append(row)
    return torch.stack(rows)


def generate(model, inputs, tokenizer, name):
    """Greedy decoding with and without a repetition penalty, and facts about it."""
    tensors, facts = {}, {}
    length = inputs["input_ids"].shape[1]
    for prefix, penalty in (("gen", 1.0), ("gen_rep1.3", 1.3)):
        if hasattr(model.model, "rope_deltas"):
            model.model.rope_deltas = None
        out = model.generate(**inputs, max_new_tokens=NEW_TOKENS, do_sample=False,
                             repetition_penalty=penalty, output_logits=True,
                             return_dict_in_generate=True)  # fmt: skip
        ids, logits = out.sequences[0], torch.cat(out.logits)
        tensors[f"{prefix}.ids"] = ids[length:]
        distance = gap(penalised(logits, ids, penalty))
        if distance < CLOSEST:
            raise SystemExit(f"{name}.{prefix}: the two best logits are only {distance} apart, too "
                             "close for a greedy reply; choose another seed")
        facts["gen_top1_top2_gap_min" if penalty == 1 else f"{prefix}_gap_min"] = distance
        if penalty == 1:
            tensors["gen.logits"] = logits
            facts["gen_text"] = tokenizer.decode(ids[length:])
    return tensors, facts


def call(model, inputs, modules):
    """One pass over the prompt: taps, embeddings, logits."""
    taps = Taps(modules)
    if hasattr(model.model, "rope_deltas"):
        model.model.rope_deltas = None
    out = model(**inputs, output_hidden_states=True)
    tensors = {}
    for key, value in taps.close().items():
        tensors[key] = value[0] if key.startswith("hidden.") else value
    tensors["inputs_embeds"] = out.hidden_states[0][0].clone()
    tensors["logits_last4"] = out.logits[0, -4:].clone()
    tensors["logits_argmax"] = out.logits[0].argmax(-1)
    return tensors


# ---- Qwen --------------------------------------------------------------------------------------


def qwen_inputs(processor, case, run):
    images = [Image.open(case / file) for file in run["images"]]
    return dict(processor(text=[run["prompt"]], images=images or None, return_tensors="pt"))


def qwen_positions(model, inputs):
    length = inputs["input_ids"].shape[1]
    if "image_grid_thw" not in inputs:
        return torch.arange(length).expand(3, length), torch.zeros(1, dtype=torch.int64)
    positions, delta = model.model.get_rope_index(
        input_ids=inputs["input_ids"], mm_token_type_ids=inputs["mm_token_type_ids"],
        image_grid_thw=inputs["image_grid_thw"])  # fmt: skip
    return positions[:, 0].clone(), delta.flatten().clone()


def qwen_modules(model, windows):
    visual = model.model.visual
    names = {"vision.patch_embed": visual.patch_embed}
    names |= {f"vision.block{i}": block for i, block in enumerate(visual.blocks)}
    if windows:
        names["vision.merger_windowed_order"] = visual.merger
    return names


def qwen_run(model, processor, case, run, windows):
    inputs = qwen_inputs(processor, case, run)
    positions, delta = qwen_positions(model, inputs)
    tensors = {"input_ids": inputs["input_ids"][0], "position_ids": positions, "rope_delta": delta}
    modules = decoder_modules(model) | (qwen_modules(model, windows) if run["images"] else {})
    if run["images"]:
        tensors |= {key: inputs[key] for key in ("pixel_values", "image_grid_thw")}
        features = model.model.get_image_features(inputs["pixel_values"], inputs["image_grid_thw"])
        tensors["vision.features"] = torch.cat(list(features.pooler_output))
        for depth, deep in enumerate(getattr(features, "deepstack_features", None) or [], 1):
            tensors[f"vision.depth{depth}"] = torch.cat(list(deep))
    if run.get("kind") == "embed":
        last = model.model(**inputs).last_hidden_state[0, -1]
        tensors["embedding"] = torch.nn.functional.normalize(last, dim=-1)
        return tensors, {}
    values, facts = generate(model, inputs, processor.tokenizer, run["name"])
    return tensors | call(model, inputs, modules) | values, facts


@torch.no_grad()
def run_all(model, case, runs, one_run):
    tensors, done = {}, []
    for run in runs:
        values, facts = one_run(model, case, run)
        tensors |= {f"{run['name']}.{key}": value for key, value in values.items()}
        done.append({**run, **facts, "expanded_prompt_tokens": len(values["input_ids"])})
    return tensors, done


def compare(first, second):
    """The largest difference; the ids must be the same."""
    assert first.keys() == second.keys()
    worst = max((first[key].double() - second[key].double()).abs().max().item() for key in first)
    if worst > SAME:
        raise SystemExit(f"the model read back from its folder gives values that differ by {worst} "
                         "from those of the model in memory; the folder is not written right")
    return worst


def run_facts(kind, seed, runs, checks):
    return {"architecture": kind.__name__, "seed": seed, "dtype": "float32", "attention": "eager",
            "model": "model", "runs": runs, "checks": checks,
            "generation": {"max_new_tokens": NEW_TOKENS, "do_sample": False,
                           "repetition_penalty_variant": 1.3}}  # fmt: skip


def save_model(model, folder, config, shard="5GB", dtype=torch.float32):
    # Not model.to(dtype): that would round the rotation's frequencies too.
    weights = {name: tensor.to(dtype) for name, tensor in model.state_dict().items()}
    model.save_pretrained(folder, max_shard_size=shard, state_dict=weights)
    write_json(folder / "config.json", config)
    ends = {key: config[key] for key in ("bos_token_id", "eos_token_id") if key in config}
    write_json(folder / "generation_config.json", {**ends, "do_sample": False})


def read_model(kind, folder):
    return kind.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()


def new_model(kind, config):
    built = kind.config_class(**json.loads(json.dumps(config)))
    return kind._from_config(built, attn_implementation="eager", dtype=torch.float32)


def qwen_case(case, kind, config, source, runs, seed, max_pixels, shard="5GB",
              dtype=torch.float32):  # fmt: skip
    """Writes the case; `source` is the case that the tokenizer and the pages are taken from."""
    windows = "window_size" in config["vision_config"]
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    name = "Qwen2_5_VLProcessor" if windows else "Qwen2VLProcessor"
    copy_small_files(source / "model", folder, max_pixels=max_pixels, processor_class=name)
    copy_pages(case, source, runs)
    model = draw_weights(new_model(kind, config), seed, dtype)
    save_model(model, folder, config, shard, dtype)
    processor = transformers.AutoProcessor.from_pretrained(folder)

    def one_run(net, at, run):
        return qwen_run(net, processor, at, run, windows)

    tensors, _ = run_all(model, case, runs, one_run)
    again, done = run_all(read_model(kind, folder), case, runs, one_run)
    facts = run_facts(kind, seed, done, {"read_back_max_diff": compare(tensors, again)})
    scores(again, done)
    write_case(case, {**facts, "dtype": str(dtype).removeprefix("torch.")}, again)


def scores(tensors, runs):
    """Adds the products of the queries' and the pages' vectors, where there are some."""
    def stack(pages):
        chosen = sorted(run["name"] for run in runs
                        if run.get("kind") == "embed" and bool(run["images"]) == pages)  # fmt: skip
        return torch.stack([tensors[f"{name}.embedding"] for name in chosen]) if chosen else None

    queries, pages = stack(False), stack(True)
    if queries is not None and pages is not None:
        tensors["scores_query_x_doc"] = queries @ pages.T


def qwen_config(flat, vision, first_special, kind):
    """A configuration as published ones are laid out; special tokens follow one another."""
    names = {"bos": 0, "eos": 2, "vision_start": 9, "vision_end": 10, "vision": 11, "image": 12,
             "video": 13}  # fmt: skip
    ids = {f"{name}_token_id": first_special + at for name, at in names.items()}
    model_type = "qwen2_5_vl" if "2_5" in kind.__name__ else "qwen2_vl"
    shared = {"architectures": [kind.__name__], "model_type": model_type, "attention_dropout": 0.0,
              "hidden_act": "silu", "initializer_range": 0.02, "max_position_embeddings": 32768,
              "max_window_layers": 2, "rms_norm_eps": 1e-6, "rope_theta": 1000000.0,
              "sliding_window": 32768, "use_sliding_window": False, "use_cache": True,
              "tie_word_embeddings": False, "torch_dtype": "float32"}  # fmt: skip
    tower = {"in_chans": 3, "patch_size": 14, "spatial_merge_size": 2, "spatial_patch_size": 14,
             "temporal_patch_size": 2, "model_type": model_type}  # fmt: skip
    return {**shared, **ids, **flat, "vision_config": {**tower, **vision}}


def mrope(*sections):
    return {"type": "mrope", "mrope_section": list(sections)}


QWEN2 = transformers.Qwen2VLForConditionalGeneration
QWEN25 = transformers.Qwen2_5_VLForConditionalGeneration
QWEN_SOURCE = DATA / "qwen25vl_b_tied_v5layout"
QWEN_FIRST_SPECIAL = 900
CHAT_RUNS = [
    {"name": "text", "prompt": chat("What is retrieval-augmented generation?"), "images": []},
    {"name": "one", "prompt": chat("Describe the image.", 1), "images": ["input/page_a.png"]},
    {"name": "two", "prompt": chat("Which page has the highest revenue? Compare both.", 2),
     "images": ["input/page_b.png", "input/page_c.png"]},
]  # fmt: skip


def qwen2_vl(**changes):
    flat = {"hidden_size": 64, "intermediate_size": 136, "num_attention_heads": 4,
            "num_hidden_layers": 2, "num_key_value_heads": 2, "vocab_size": 960,
            "rope_scaling": mrope(2, 3, 3), **changes}  # fmt: skip
    vision = {"depth": 2, "embed_dim": 32, "hidden_size": flat["hidden_size"], "mlp_ratio": 4,
              "num_heads": 2, "hidden_act": "quick_gelu", "in_channels": 3}  # fmt: skip
    return qwen_config(flat, vision, QWEN_FIRST_SPECIAL, QWEN2)


def make_qwen2vl_gen(case):
    qwen_case(case, QWEN2, qwen2_vl(), QWEN_SOURCE, CHAT_RUNS, 201, 12 * 784)


def make_qwen25vl_wide(case):
    """The proportions of the larger models: heads of 128 and 80, five query heads a key head."""
    flat = {"hidden_size": 640, "intermediate_size": 40, "num_attention_heads": 5,
            "num_hidden_layers": 2, "num_key_value_heads": 1, "vocab_size": 960,
            "rope_scaling": mrope(16, 24, 24), "torch_dtype": "bfloat16"}  # fmt: skip
    vision = {"depth": 8, "hidden_act": "silu", "hidden_size": 80, "intermediate_size": 108,
              "num_heads": 1, "out_hidden_size": 640, "window_size": 112,
              "fullatt_block_indexes": [7], "tokens_per_second": 2}  # fmt: skip
    config = qwen_config(flat, vision, QWEN_FIRST_SPECIAL, QWEN25)
    # A page wider than a window, so that there are two of them.
    runs = [{**CHAT_RUNS[1], "images": ["input/page_c.png"]}]
    qwen_case(case, QWEN25, config, QWEN_SOURCE, runs, 202, 16 * 784, "5MB", torch.bfloat16)


def make_dse_qwen2(case):
    """One vector a page or query: the last token after the last norm, of length 1."""
    end = "<|im_end|>\n<|endoftext|>"
    page = f"{SYSTEM}<|im_start|>user\n{PICTURE}What is shown in this image?{end}"
    runs = [{"name": f"doc{i}", "kind": "embed", "prompt": page, "images": [f"input/page_{c}.png"]}
            for i, c in enumerate("ab")]  # fmt: skip
    texts = ("total revenue by region", "What does the footnote say about tax risk?")
    runs += [{"name": f"query{i}", "kind": "embed", "images": [],
              "prompt": f"{SYSTEM}<|im_start|>user\nQuery: {text}{end}"}
             for i, text in enumerate(texts)]  # fmt: skip
    config = qwen2_vl(num_key_value_heads=1, tie_word_embeddings=True)
    qwen_case(case, QWEN2, config, QWEN_SOURCE, runs, 203, 14 * 784)


# ---- Adapters ----------------------------------------------------------------------------------


def adapted(base, settings, seed):
    """The base model with a random change of every target, as trained ones are not zero."""
    model = peft.get_peft_model(base, peft.LoraConfig(**settings))
    source = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in sorted(model.named_parameters()):
            if "lora_" in name:
                drawn = torch.randn(weight.shape, generator=source)
                weight.copy_(drawn * 0.5 * weight.shape[1] ** -0.5)
    return model.eval()


def lora_case(case, settings, runs, seed):
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    base, source = QWEN_SOURCE / "model", "../../qwen25vl_b_tied_v5layout/model"
    copy_pages(case, QWEN_SOURCE, runs)
    processor = transformers.AutoProcessor.from_pretrained(base)

    def one_run(net, at, run):
        return qwen_run(net, processor, at, run, True)

    model = adapted(read_model(QWEN25, base), settings, seed)
    model.save_pretrained(case / "adapter", save_embedding_layers=False)
    (case / "adapter/README.md").unlink(missing_ok=True)
    facts = {**read_json(case / "adapter/adapter_config.json"), "base_model_name_or_path": source}
    if isinstance(facts["target_modules"], list):
        facts["target_modules"].sort()  # written from a set
    write_json(case / "adapter/adapter_config.json", facts)
    tensors, _ = run_all(model.merge_and_unload(), case, runs, one_run)
    plain, _ = run_all(read_model(QWEN25, base), case, runs, one_run)
    back = peft.PeftModel.from_pretrained(read_model(QWEN25, base), case / "adapter")
    again, done = run_all(back.merge_and_unload().eval(), case, runs, one_run)
    name = f"{runs[0]['name']}.logits_last4"
    checks = {"read_back_max_diff": compare(tensors, again),
              "changed_by_the_adapter": (again[name] - plain[name]).abs().max().item()}
    write_case(case, {**run_facts(QWEN25, seed, done, checks), "model": "adapter"}, again)


def make_qwen25vl_lora(case):
    settings = {"r": 4, "lora_alpha": 8, "target_modules": ["q_proj", "v_proj", "down_proj"]}
    runs = [CHAT_RUNS[0], {**CHAT_RUNS[1], "images": ["input/page_b.png"]}]
    lora_case(case, settings, runs, 204)


def make_qwen25vl_rslora(case):
    """Scaled by the root of the rank; its targets are a pattern, in the decoder only."""
    settings = {"r": 3, "lora_alpha": 2, "use_rslora": True,
                "target_modules": r".*language_model\.layers\..*\.(k_proj|o_proj|gate_proj)"}
    lora_case(case, settings, CHAT_RUNS[:1], 205)


# ---- PaliGemma ---------------------------------------------------------------------------------


def paligemma_config(text, vision, side, image_token):
    """`side`: patches of an image's side."""
    count = side * side
    gemma = {"model_type": "gemma", "num_image_tokens": count, "torch_dtype": "float32",
             "hidden_act": "gelu_pytorch_tanh", "hidden_activation": None, "rms_norm_eps": 1e-6,
             "rope_theta": 10000.0, "max_position_embeddings": 8192, "bos_token_id": 2,
             "eos_token_id": 1, "pad_token_id": 0, **text}  # fmt: skip
    siglip = {"model_type": "siglip_vision_model", "image_size": 14 * side, "patch_size": 14,
              "num_image_tokens": count, "projection_dim": text["hidden_size"],
              "projector_hidden_act": "gelu_fast", "vision_use_head": False,
              "torch_dtype": "float32", **vision}  # fmt: skip
    return {"architectures": ["PaliGemmaForConditionalGeneration"], "bos_token_id": 2,
            "eos_token_id": 1, "pad_token_id": 0, "hidden_size": vision["hidden_size"],
            "ignore_index": -100, "image_token_index": image_token, "model_type": "paligemma",
            "projection_dim": text["hidden_size"], "text_config": gemma, "vision_config": siglip,
            "torch_dtype": "float32"}  # fmt: skip


def publish_paligemma(folder):
    """Gives the weights the names that they have in published folders."""
    path = folder / "model.safetensors"
    tensors, names = load_file(path), {}
    for name in tensors:
        new = name.removeprefix("model.")
        if new.startswith("language_model.") and not new.startswith("language_model.model."):
            new = new.replace("language_model.", "language_model.model.", 1)
        if new.startswith("vision_tower.") and not new.startswith("vision_tower.vision_model."):
            new = new.replace("vision_tower.", "vision_tower.vision_model.", 1)
        names[new] = tensors[name]
    save_file(names, path, {"format": "pt"})


def paligemma_inputs(processor, case, run):
    """A prompt without a picture is one that the reference's processor refuses."""
    if run["images"]:
        images = [[Image.open(case / file).convert("RGB") for file in run["images"]]]
        inputs = dict(processor(text=[run["question"]], images=images, return_tensors="pt"))
        inputs.pop("labels", None)
        return inputs
    ids = processor.tokenizer(run["prompt"], add_special_tokens=False, return_tensors="pt")
    return {"input_ids": ids["input_ids"], "attention_mask": ids["attention_mask"],
            "token_type_ids": torch.zeros_like(ids["input_ids"])}  # fmt: skip


def paligemma_run(model, processor, case, run):
    inputs = paligemma_inputs(processor, case, run)
    length = inputs["input_ids"].shape[1]
    tensors = {"input_ids": inputs["input_ids"][0],
               "position_ids": torch.arange(1, length + 1).expand(3, length),
               "rope_delta": torch.ones(1, dtype=torch.int64)}  # fmt: skip
    if run["images"]:
        tensors["pixel_values"] = inputs["pixel_values"]
        features = model.get_image_features(inputs["pixel_values"])
        tensors["vision.patches"] = features.last_hidden_state
        tensors["vision.features"] = features.pooler_output.flatten(0, 1)
    values, facts = generate(model, inputs, processor.tokenizer, run["name"])
    return tensors | call(model, inputs, decoder_modules(model)) | values, facts


def paligemma_case(case, config, source, runs, seed):
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    kind = transformers.PaliGemmaForConditionalGeneration
    size = config["vision_config"]["image_size"]
    copy_small_files(source / "model", folder, processor_class="PaliGemmaProcessor",
                     image_seq_length=config["vision_config"]["num_image_tokens"],
                     size={"height": size, "width": size})  # fmt: skip
    copy_pages(case, source, runs)
    model = draw_weights(new_model(kind, config), seed, norm_at=gemma_norm)
    save_model(model, folder, config)
    publish_paligemma(folder)
    processor = transformers.PaliGemmaProcessor.from_pretrained(folder)

    def one_run(net, at, run):
        return paligemma_run(net, processor, at, run)

    tensors, _ = run_all(model, case, runs, one_run)
    again, done = run_all(read_model(kind, folder), case, runs, one_run)
    checks = {"read_back_max_diff": compare(tensors, again)}
    write_case(case, run_facts(kind, seed, done, checks), again)


def make_paligemma_gen(case):
    text = {"hidden_size": 48, "intermediate_size": 100, "num_attention_heads": 4,
            "num_key_value_heads": 1, "head_dim": 16, "num_hidden_layers": 2, "vocab_size": 1344}
    vision = {"hidden_size": 48, "intermediate_size": 84, "num_attention_heads": 3,
              "num_hidden_layers": 2}  # fmt: skip
    questions = ("which region has the highest revenue?", "caption en", "compare both pages")
    runs = [{"name": name, "question": "<image>" * count + text_, "images": pages,
             "prompt": "<image>" * count + f"<bos>{text_}\n"}
            for name, count, text_, pages in zip(
                ("text", "one", "two"), (0, 1, 2), questions,
                ([], ["input/page_a.png"], ["input/page_a.png", "input/page_b.png"]))]  # fmt: skip
    config = paligemma_config(text, vision, 6, 1300)
    paligemma_case(case, config, DATA / "colpali_a", runs, 206)


# ---- Llama -------------------------------------------------------------------------------------

LLAMA = transformers.LlamaForCausalLM
# ChatML with a default system message, as SmolLM2's template.
CHAT_TEMPLATE = (
    "{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ "
    "'<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n' }}{% endif %}{{'<|im_start|>' "
    "+ message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")  # fmt: skip
LLAMA_RUNS = [
    {"name": "short", "prompt": chat("What is retrieval-augmented generation?"), "images": []},
    {"name": "long", "images": [], "prompt": chat(
        "The harbour took in 1,840 tonnes of timber and 212 ships in 2023; the fees were 7% higher. "
        "Which of these numbers is a share, and who reads the report of the year before?")},
]  # fmt: skip


def llama_config(**changes):
    return {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": False,
            "attention_dropout": 0.0, "hidden_act": "silu", "initializer_range": 0.02,
            "max_position_embeddings": 512, "mlp_bias": False, "pretraining_tp": 1,
            "rms_norm_eps": 1e-05, "rope_theta": 10000.0, "rope_scaling": None, "use_cache": True,
            "bos_token_id": 901, "eos_token_id": 902, "vocab_size": 960,
            "torch_dtype": "float32", **changes}  # fmt: skip


def llama_run(model, tokenizer, _case, run):
    inputs = dict(tokenizer(run["prompt"], return_tensors="pt"))
    inputs.pop("token_type_ids", None)
    length = inputs["input_ids"].shape[1]
    tensors = {"input_ids": inputs["input_ids"][0],
               "position_ids": torch.arange(length).expand(3, length),
               "rope_delta": torch.zeros(1, dtype=torch.int64)}  # fmt: skip
    net = model.model
    modules = {f"hidden.layer{i}": layer for i, layer in enumerate(net.layers)}
    modules["hidden.final_norm"] = getattr(net, "norm", None) or net.embedding_norm
    values, facts = generate(model, inputs, tokenizer, run["name"])
    return tensors | call(model, inputs, modules) | values, facts


def copy_qwen_tokenizer(folder):
    shutil.copyfile(QWEN_SOURCE / "model/tokenizer.json", folder / "tokenizer.json")
    return read_json(QWEN_SOURCE / "model/tokenizer_config.json")


def text_case(case, kind, config, template, runs, seed, copy_tokenizer=copy_qwen_tokenizer,
              norm_at=lambda name: 1):  # fmt: skip
    """A folder of a model that reads texts alone."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    facts = copy_tokenizer(folder)
    write_json(folder / "tokenizer_config.json", {**facts, "chat_template": template})
    model = draw_weights(new_model(kind, config), seed, norm_at=norm_at)
    save_model(model, folder, config)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def one_run(net, at, run):
        return llama_run(net, tokenizer, at, run)

    tensors, _ = run_all(model, case, runs, one_run)
    again, done = run_all(read_model(kind, folder), case, runs, one_run)
    checks = {"read_back_max_diff": compare(tensors, again)}
    write_case(case, run_facts(kind, seed, done, checks), again)


def make_llama_a(case):
    """A folder as Llama 3's are published, with its scaled frequencies; heads wider than their
    share of the width."""
    config = llama_config(
        hidden_size=96, intermediate_size=160, num_attention_heads=4, num_key_value_heads=2,
        num_hidden_layers=3, head_dim=32, tie_word_embeddings=False, rope_theta=500000.0,
        rope_scaling={"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0,
                      "high_freq_factor": 4.0, "original_max_position_embeddings": 64})  # fmt: skip
    text_case(case, LLAMA, config, CHAT_TEMPLATE, LLAMA_RUNS, 301)


# ---- Qwen3 -------------------------------------------------------------------------------------

QWEN3 = transformers.Qwen3ForCausalLM
# ChatML without a default system message, and a switch for thoughts.
THINKING_TEMPLATE = (
    "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + "
    "'<|im_end|>\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}"
    "{% if enable_thinking is defined and enable_thinking is false %}"
    "{{ '<think>\n\n</think>\n\n' }}{% endif %}{% endif %}")  # fmt: skip
NOTHING_THOUGHT = "<think>\n\n</think>\n\n"
QWEN3_RUNS = [{**run, "prompt": run["prompt"].removeprefix(SYSTEM) + NOTHING_THOUGHT}
              for run in LLAMA_RUNS]  # fmt: skip


def qwen3_config(**changes):
    return {"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "attention_bias": False,
            "attention_dropout": 0.0, "hidden_act": "silu", "initializer_range": 0.02,
            "max_position_embeddings": 512, "max_window_layers": 2, "rms_norm_eps": 1e-06,
            "rope_theta": 1000000.0, "rope_scaling": None, "sliding_window": None,
            "use_sliding_window": False, "use_cache": True, "bos_token_id": 901,
            "eos_token_id": 902, "vocab_size": 960, "hidden_size": 64, "intermediate_size": 128,
            "num_attention_heads": 4, "num_key_value_heads": 2, "num_hidden_layers": 2,
            "head_dim": 32, "torch_dtype": "float32", **changes}  # fmt: skip


def qwen3_vl_config(tied, width=48):
    """As published ones are laid out; features of two further depths."""
    names = {"vision_start": 9, "vision_end": 10, "image": 12, "video": 13}
    ids = {f"{name}_token_id": QWEN_FIRST_SPECIAL + at for name, at in names.items()}
    text = qwen3_config(num_hidden_layers=3, tie_word_embeddings=tied, hidden_size=width,
                        intermediate_size=96, model_type="qwen3_vl_text",
                        rope_theta=5000000.0, rope_scaling={
                            "mrope_interleaved": True, "mrope_section": [6, 5, 5],
                            "rope_type": "default"})  # fmt: skip
    for key in ("architectures", "max_window_layers", "sliding_window", "use_sliding_window"):
        del text[key]
    vision = {"deepstack_visual_indexes": [0, 2], "depth": 4, "hidden_act": "gelu_pytorch_tanh",
              "hidden_size": 32, "in_channels": 3, "initializer_range": 0.02,
              "intermediate_size": 72, "model_type": "qwen3_vl", "num_heads": 2,
              "num_position_embeddings": 49, "out_hidden_size": text["hidden_size"],
              "patch_size": 8, "spatial_merge_size": 2, "temporal_patch_size": 2}  # fmt: skip
    return {"architectures": ["Qwen3VLForConditionalGeneration"], "model_type": "qwen3_vl",
            "eos_token_id": 902, "bos_token_id": 901, "tie_word_embeddings": tied, **ids,
            "text_config": text, "vision_config": vision}  # fmt: skip


def qwen3_vl_processor(folder, config):
    """Writes tokenizer and preprocessing as they are published."""
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(QWEN_SOURCE / "model" / name, folder / name)
    patch = config["vision_config"]["patch_size"]
    write_json(folder / "preprocessor_config.json", {
        "size": {"longest_edge": 16 * (2 * patch) ** 2, "shortest_edge": 4 * (2 * patch) ** 2},
        "patch_size": patch, "temporal_patch_size": 2, "merge_size": 2,
        "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5],
        "processor_class": "Qwen3VLProcessor", "image_processor_type": "Qwen2VLImageProcessorFast"})
    return qwen3_vl_processor_of(folder)


def qwen3_vl_processor_of(folder):
    return transformers.Qwen3VLProcessor(
        image_processor=transformers.Qwen2VLImageProcessor.from_pretrained(folder),
        tokenizer=transformers.AutoTokenizer.from_pretrained(folder),
        video_processor=transformers.Qwen3VLVideoProcessor())  # fmt: skip


def qwen3_vl_case(case, kind, config, runs, seed, one_run, norm_at=lambda name: 1):
    """`one_run(net, processor, case, run)`."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    processor = qwen3_vl_processor(folder, config)
    copy_pages(case, QWEN_SOURCE, runs)
    model = draw_weights(new_model(kind, config), seed, torch.bfloat16, norm_at)
    save_model(model, folder, config, dtype=torch.bfloat16)

    def run_once(net, at, run):
        return one_run(net, processor, at, run)

    tensors, _ = run_all(model, case, runs, run_once)
    again, done = run_all(read_model(kind, folder), case, runs, run_once)
    facts = run_facts(kind, seed, done, {"read_back_max_diff": compare(tensors, again)})
    scores(again, done)
    write_case(case, facts, again)


QWEN3_VL = transformers.Qwen3VLForConditionalGeneration


def make_qwen3vl_a(case):
    runs = [{**run, "prompt": run["prompt"].removeprefix(SYSTEM)} for run in CHAT_RUNS[::2]]

    def one_run(net, processor, at, run):
        return qwen_run(net, processor, at, run, False)

    qwen3_vl_case(case, QWEN3_VL, qwen3_vl_config(False), runs, 403, one_run)


EMBED_QUERY = ("<|im_start|>system\nRetrieve images or text relevant to the user's query.<|im_end|>\n"
               "<|im_start|>user\n{}<|im_end|>\n<|im_start|>assistant\n")
EMBED_PAGE = ("<|im_start|>system\nRepresent the user's input.<|im_end|>\n"
              f"<|im_start|>user\n{PICTURE}<|im_end|>\n<|im_start|>assistant\n")
QUERIES = ("total revenue by region", "What does the footnote say about tax risk?")


def make_qwen3vl_embed(case):
    """As Qwen3-VL-Embedding: the state of the last token, of length 1; a tied head."""
    runs = [{"name": f"doc{i}", "kind": "embed", "prompt": EMBED_PAGE,
             "images": [f"input/page_{c}.png"]} for i, c in enumerate("bc")]  # fmt: skip
    runs += [{"name": f"query{i}", "kind": "embed", "images": [], "prompt": EMBED_QUERY.format(text)}
             for i, text in enumerate(QUERIES)]  # fmt: skip

    def one_run(net, processor, at, run):
        return qwen_run(net, processor, at, run, False)

    qwen3_vl_case(case, QWEN3_VL, qwen3_vl_config(True), runs, 404, one_run)


COLQWEN3_PAGE = f"<|im_start|>user\n{PICTURE}Describe the image.<|im_end|><|endoftext|>"
COLQWEN3_QUERY = "Query: {}" + "<|endoftext|>" * 10


def make_colqwen3_a(case):
    """Qwen3-VL without its head, and a projection of every token, as colpali-engine computes and
    names them."""
    width = 24
    shutil.rmtree(case, ignore_errors=True)
    runs = [{"images": [f"input/page_{c}.png"], "prompt": COLQWEN3_PAGE} for c in "bc"]
    runs += [{"images": [], "prompt": COLQWEN3_QUERY.format(text)} for text in QUERIES]
    folder = case / "model"
    folder.mkdir(parents=True)
    config = qwen3_vl_config(True)
    processor = qwen3_vl_processor(folder, config)
    copy_pages(case, QWEN_SOURCE, runs)
    model = draw_weights(new_model(QWEN3_VL, config), 405, torch.bfloat16)
    source = torch.Generator().manual_seed(405)
    hidden = config["text_config"]["hidden_size"]
    weight = (torch.randn(width, hidden, generator=source) * hidden**-0.5).bfloat16().float()
    bias = (torch.randn(width, generator=source) * 0.2).bfloat16().float()
    state = {name.removeprefix("model."): tensor.to(torch.bfloat16)
             for name, tensor in model.state_dict().items() if name != "lm_head.weight"}  # fmt: skip
    state |= {"custom_text_proj.weight": weight.bfloat16(), "custom_text_proj.bias": bias.bfloat16()}
    save_file({name: tensor.contiguous() for name, tensor in state.items()},
              folder / "model.safetensors", {"format": "pt"})  # fmt: skip
    write_json(folder / "config.json", {**config, "architectures": ["ColQwen3"], "dim": width})
    write_json(folder / "generation_config.json", {"eos_token_id": 902, "do_sample": False})

    @torch.no_grad()
    def embed(run):
        inputs = qwen_inputs(processor, case, run)
        positions, _ = qwen_positions(model, inputs)
        states = model.model(**inputs).last_hidden_state[0]
        vectors = torch.nn.functional.normalize(states @ weight.T + bias, dim=-1)
        return {"input_ids": inputs["input_ids"][0], "position_ids": positions,
                "embeddings": vectors,
                **{key: inputs[key] for key in ("pixel_values", "image_grid_thw") if key in inputs}}

    made = [embed(run) for run in runs]
    tensors = {}
    for name, rows in (("pages", made[:2]), ("queries", made[2:])):
        length = max(len(row["input_ids"]) for row in rows)

        def padded(key, size=length, rows=rows):
            first = rows[0][key]
            shape = (len(rows), size, *first.shape[1:])
            all_rows = torch.zeros(shape, dtype=first.dtype)
            for at, row in enumerate(rows):
                all_rows[at, : len(row[key])] = row[key]
            return all_rows

        tensors[f"{name}.input_ids"] = padded("input_ids")
        tensors[f"{name}.embeddings"] = padded("embeddings")
        tensors[f"{name}.attention_mask"] = torch.stack([
            (torch.arange(length) < len(row["input_ids"])).long() for row in rows])  # fmt: skip
    tensors["pages.image_grid_thw"] = torch.cat([row["image_grid_thw"] for row in made[:2]])
    patches = max(len(row["pixel_values"]) for row in made[:2])
    tensors["pages.pixel_values"] = torch.stack([
        torch.nn.functional.pad(row["pixel_values"], (0, 0, 0, patches - len(row["pixel_values"])))
        for row in made[:2]])  # fmt: skip
    length = tensors["pages.input_ids"].shape[1]
    tensors["pages.position_ids"] = torch.stack([
        torch.nn.functional.pad(row["position_ids"], (0, length - row["position_ids"].shape[1]))
        for row in made[:2]], 1)  # fmt: skip
    tensors["scores"] = torch.stack([torch.stack([
        (query["embeddings"] @ page["embeddings"].T).max(1).values.sum() for page in made[:2]])
        for query in made[2:]])  # fmt: skip
    facts = {"architecture": "ColQwen3", "seed": 405, "dtype": "bfloat16", "model": "model",
             "images": [run["images"][0] for run in runs[:2]], "queries": list(QUERIES)}
    write_case(case, facts, tensors)
    late = {"golden_pixels": {"embeddings": 2e-4, "scores": 2e-3},
            "own_pixels": {"pixel_values": 0.031, "embeddings": 0.005, "scores": 0.05}}
    write_json(case / "case.json", {**read_json(case / "case.json"),
                                    "tolerances": {"ids": 0, **late, "note": "absolute"}})


def make_qwen3_embed(case):
    """Like Qwen3-Embedding: the state of the last token, which the tokenizer appends to texts."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    (folder / "1_Pooling").mkdir(parents=True)
    tokenizer = read_json(QWEN_SOURCE / "model/tokenizer.json")
    end = {"SpecialToken": {"id": "<|endoftext|>", "type_id": 0}}
    tokenizer["post_processor"] = {"type": "Sequence", "processors": [
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": False, "use_regex": False},
        {"type": "TemplateProcessing", "single": [{"Sequence": {"id": "A", "type_id": 0}}, end],
         "pair": [{"Sequence": {"id": "A", "type_id": 0}}, end,
                  {"Sequence": {"id": "B", "type_id": 1}}, end],
         "special_tokens": {"<|endoftext|>": {"id": "<|endoftext|>", "ids": [900],
                                              "tokens": ["<|endoftext|>"]}}}]}  # fmt: skip
    write_json(folder / "tokenizer.json", tokenizer)
    shutil.copyfile(QWEN_SOURCE / "model/tokenizer_config.json", folder / "tokenizer_config.json")
    task = "Given a question, find the passages that answer it"
    prompts = {"query": f"Instruct: {task}\nQuery:", "document": ""}
    write_json(folder / "config_sentence_transformers.json",
               {"prompts": prompts, "default_prompt_name": None, "similarity_fn_name": "cosine"})
    names = ("Transformer", "Pooling", "Normalize")
    write_json(folder / "modules.json", [
        {"idx": at, "name": str(at), "path": f"{at}_{name}" if at else "",
         "type": f"sentence_transformers.models.{name}"} for at, name in enumerate(names)])
    config = qwen3_config(tie_word_embeddings=True, eos_token_id=900)
    write_json(folder / "1_Pooling/config.json", {
        "word_embedding_dimension": config["hidden_size"], "pooling_mode_cls_token": False,
        "pooling_mode_mean_tokens": False, "pooling_mode_max_tokens": False,
        "pooling_mode_mean_sqrt_len_tokens": False, "pooling_mode_weightedmean_tokens": False,
        "pooling_mode_lasttoken": True, "include_prompt": True})
    model = draw_weights(new_model(QWEN3, config), 406, torch.bfloat16)
    state = {name.removeprefix("model."): tensor.to(torch.bfloat16).contiguous()
             for name, tensor in model.state_dict().items() if name != "lm_head.weight"}  # fmt: skip
    save_file(state, folder / "model.safetensors", {"format": "pt"})
    write_json(folder / "config.json", config)
    sentences = [*QUERIES, "The harbour took in 1,840 tonnes of timber.", ""]
    encode = transformers.AutoTokenizer.from_pretrained(folder)
    tensors = {}

    @torch.no_grad()
    def embed(texts, taps=None):
        rows = []
        for text in texts:
            ids = encode(text, return_tensors="pt")["input_ids"]
            assert ids[0, -1] == 900
            out = model.model(input_ids=ids, output_hidden_states=True)
            if taps is not None and not taps:
                for at, states in enumerate(out.hidden_states[:-1]):
                    taps[f"hidden{at}"] = states[0]
            rows.append(torch.nn.functional.normalize(out.last_hidden_state[0, -1], dim=-1))
        return torch.stack(rows)

    taps = {}
    tensors["embeddings"] = embed(sentences, taps)
    tensors |= {f"sentence0.{name}": value for name, value in taps.items()}
    tensors["query_embeddings"] = embed([prompts["query"] + text for text in sentences])
    tensors["cosine"] = tensors["embeddings"] @ tensors["embeddings"].T
    ids = [encode(text)["input_ids"] for text in sentences]
    tensors["ids.flat"] = torch.tensor([id_ for one in ids for id_ in one])
    tensors["ids.offsets"] = torch.tensor([0, *np.cumsum([len(one) for one in ids])])
    facts = {"architecture": "Qwen3ForCausalLM", "seed": 406, "dtype": "bfloat16", "model": "model",
             "sentences": sentences}  # fmt: skip
    write_case(case, facts, tensors)
    write_json(case / "case.json", {**read_json(case / "case.json"), "tolerances": {
        "ids": 0, "embeddings": 2e-4, "hidden": 5e-4, "note": "absolute"}})


# ---- Models that judge -------------------------------------------------------------------------

JUDGE_BEFORE = ("<|im_start|>system\nJudge whether the Document meets the requirements based on the "
                'Query and the Instruct provided. Note that the answer can only be "yes" or "no".'
                "<|im_end|>\n<|im_start|>user\n")  # fmt: skip
JUDGE_BEHIND = "<|im_end|>\n<|im_start|>assistant\n"
JUDGE_WORDS = ("yes", "no")
JUDGED = [
    ("total revenue by region", "Revenue in the north was 4.1 million, in the south 2.9 million."),
    ("total revenue by region", ""),
    ("What does the footnote say about tax risk?", "The harbour took in 1,840 tonnes of timber."),
    ("Who signs?", "The ledger lists 212 ships and their fees. " * 40),
]  # fmt: skip


def add_judges_words(folder):
    """The tokenizer's file with one token for each of the two words, as published ones have."""
    tokenizer = read_json(folder / "tokenizer.json")
    added = tokenizer["added_tokens"]
    for word in JUDGE_WORDS:
        added.append({**added[-1], "id": QWEN_FIRST_SPECIAL + len(added), "content": word,
                      "special": False})  # fmt: skip
    write_json(folder / "tokenizer.json", tokenizer)


def leaning(model, tokenizer, inputs):
    """Returns the logit of "yes" minus that of "no" after the prompt."""
    if hasattr(model.model, "rope_deltas"):
        model.model.rope_deltas = None
    logits = model(**inputs).logits[0, -1]
    yes, no = (tokenizer.convert_tokens_to_ids(word) for word in JUDGE_WORDS)
    return (logits[yes] - logits[no]).double()


def write_judge_case(case, kind, seed, judged, ids, leanings, more):
    tensors = {"ids.flat": torch.cat(ids), "leanings": torch.stack(leanings),
               "ids.offsets": torch.tensor([0, *np.cumsum([len(one) for one in ids])]), **more}
    facts = {"architecture": kind.__name__, "seed": seed, "dtype": "bfloat16", "model": "model",
             "judged": judged}  # fmt: skip
    write_case(case, facts, tensors)
    tolerances = {"ids": 0, "leanings": 1e-3, "note": "absolute",
                  "own_pixels": {"pixel_values": 0.031, "leanings": 0.02}}  # fmt: skip
    write_json(case / "case.json", {**read_json(case / "case.json"), "tolerances": tolerances})


@torch.no_grad()
def make_rerank_qwen3(case):
    """Like Qwen3-Reranker's model card: the texts before and after a pair are tokenised separately,
    and the pair is cut to the rest of the model's length."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    facts = copy_qwen_tokenizer(folder)
    add_judges_words(folder)
    write_json(folder / "tokenizer_config.json", {**facts, "chat_template": THINKING_TEMPLATE})
    config = qwen3_config(tie_word_embeddings=True)
    model = draw_weights(new_model(QWEN3, config), 408, torch.bfloat16)
    save_model(model, folder, config, dtype=torch.bfloat16)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    task = "Given a web search query, retrieve relevant passages that answer the query"
    before, behind = (tokenizer(text)["input_ids"]
                      for text in (JUDGE_BEFORE, JUDGE_BEHIND + NOTHING_THOUGHT))  # fmt: skip
    room = config["max_position_embeddings"] - len(before) - len(behind)
    ids, leanings = [], []
    for question, passage in JUDGED:
        pair = f"<Instruct>: {task}\n<Query>: {question}\n<Document>: {passage}"
        ids.append(torch.tensor(before + tokenizer(pair)["input_ids"][:room] + behind))
        leanings.append(leaning(model, tokenizer, {"input_ids": ids[-1][None]}))
    assert len(ids[-1]) == config["max_position_embeddings"]
    judged = [{"question": question, "passage": passage} for question, passage in JUDGED]
    write_judge_case(case, QWEN3, 408, judged, ids, leanings, {})


@torch.no_grad()
def make_rerank_qwen3vl(case):
    """As Qwen3-VL-Reranker's own program asks it: of pages' pictures, and of a text."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    config = qwen3_vl_config(True)
    qwen3_vl_processor(folder, config)
    add_judges_words(folder)
    processor = qwen3_vl_processor_of(folder)
    files = ["input/page_b.png", "input/page_c.png"]
    copy_pages(case, QWEN_SOURCE, [{"images": files}])
    model = draw_weights(new_model(QWEN3_VL, config), 409, torch.bfloat16)
    save_model(model, folder, config, dtype=torch.bfloat16)
    judged = [{"question": QUERIES[0], "image": file} for file in files]
    judged.append({"question": JUDGED[0][0], "passage": JUDGED[0][1]})
    task = "Given a search query, retrieve relevant candidates that answer the query."
    ids, leanings, pixels = [], [], []
    for item in judged:
        document = PICTURE if "image" in item else item["passage"]
        prompt = (f"{JUDGE_BEFORE}<Instruct>: {task}<Query>:{item['question']}"
                  f"\n<Document>:{document}{JUDGE_BEHIND}")  # fmt: skip
        images = [item["image"]] if "image" in item else []
        inputs = qwen_inputs(processor, case, {"images": images, "prompt": prompt})
        ids.append(inputs["input_ids"][0])
        leanings.append(leaning(model, processor.tokenizer, inputs))
        pixels += [inputs["pixel_values"]] if images else []
    write_judge_case(case, QWEN3_VL, 409, judged, ids, leanings, {"pixel_values": torch.cat(pixels)})


def make_qwen3_a(case):
    text_case(case, QWEN3, qwen3_config(tie_word_embeddings=True), THINKING_TEMPLATE, QWEN3_RUNS, 401)


# ---- Idefics3 ----------------------------------------------------------------------------------

SMOLVLM = transformers.SmolVLMForConditionalGeneration
SMOL_FIRST = 922  # of the tokens that are added to the tokenizer's
SMOL_TOKENS = ("<fake_token_around_image>", "<image>", "<global-img>", "<end_of_utterance>",
               "<row_1_col_1>", "<row_1_col_2>", "<row_2_col_1>", "<row_2_col_2>")  # fmt: skip
SMOL_TEMPLATE = (
    "<|im_start|>{% for message in messages %}{{message['role'] | capitalize}}"
    "{% if message['content'][0]['type'] == 'image' %}{{':'}}{% else %}{{': '}}{% endif %}"
    "{% for line in message['content'] %}{% if line['type'] == 'text' %}{{line['text']}}"
    "{% elif line['type'] == 'image' %}{{ '<image>' }}{% endif %}{% endfor %}<end_of_utterance>\n"
    "{% endfor %}{% if add_generation_prompt %}{{ 'Assistant:' }}{% endif %}")  # fmt: skip


def smol_chat(text, pictures=0):
    colon = ":" if pictures else ": "
    return f"<|im_start|>User{colon}{'<image>' * pictures}{text}<end_of_utterance>\nAssistant:"


SMOL_RUNS = [
    {"name": "text", "prompt": smol_chat("Which harbour took in more timber?"), "images": []},
    # Of three columns, the last of which no token of the tokenizer names.
    {"name": "one", "prompt": smol_chat("Describe the image.", 1), "images": ["input/block.png"]},
    {"name": "two", "prompt": smol_chat("Compare both.", 2),
     "images": ["input/wide.png", "input/tall.png"]},
]  # fmt: skip
SMOL_PICTURES = {"block": ("page_c", (260, 104)), "wide": ("page_c", (260, 70)),
                 "tall": ("page_a", (60, 260))}  # fmt: skip


def smol_tokenizer():
    """The tokenizer of the other cases with the tokens of a model of this kind."""
    tokenizer = read_json(QWEN_SOURCE / "model/tokenizer.json")
    like = tokenizer["added_tokens"][-1]
    for at, text in enumerate(SMOL_TOKENS):
        tokenizer["added_tokens"].append(
            {**like, "id": SMOL_FIRST + at, "content": text, "special": True})  # fmt: skip
    return tokenizer


def write_smol_files(folder, tile, longest_edge, image_tokens):
    write_json(folder / "tokenizer.json", smol_tokenizer())
    facts = read_json(QWEN_SOURCE / "model/tokenizer_config.json")
    facts["additional_special_tokens"] = list(SMOL_TOKENS)
    write_json(folder / "tokenizer_config.json", {**facts, "eos_token": "<end_of_utterance>",
                                                  "processor_class": "Idefics3Processor"})  # fmt: skip
    (folder / "chat_template.jinja").write_text(SMOL_TEMPLATE)
    write_json(folder / "processor_config.json", {
        "image_seq_len": image_tokens, "processor_class": "Idefics3Processor"})  # fmt: skip
    write_json(folder / "preprocessor_config.json", {
        "do_convert_rgb": True, "do_image_splitting": True, "do_normalize": True, "do_pad": True,
        "do_rescale": True, "do_resize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
        "image_processor_type": "Idefics3ImageProcessor", "max_image_size": {"longest_edge": tile},
        "processor_class": "Idefics3Processor", "resample": 1, "rescale_factor": 1 / 255,
        "size": {"longest_edge": longest_edge}})  # fmt: skip


def smol_config(kind, vision, **changes):
    text = llama_config(
        architectures=["VLlama3ForCausalLM"], hidden_size=32, intermediate_size=96,
        num_attention_heads=4, num_key_value_heads=2, num_hidden_layers=2, head_dim=8,
        max_position_embeddings=1024, eos_token_id=SMOL_FIRST + 3, qk_layer_norms=False)  # fmt: skip
    model_type = "smolvlm" if kind is SMOLVLM else "idefics3"
    tower = {"model_type": model_type + "_vision", "num_channels": 3, "layer_norm_eps": 1e-6,
             "hidden_act": "gelu_pytorch_tanh", "tie_word_embeddings": False, **vision}  # fmt: skip
    return {"architectures": [kind.__name__], "model_type": model_type, "scale_factor": 2,
            "image_token_id": SMOL_FIRST + 1, "tie_word_embeddings": False, "use_cache": True,
            "bos_token_id": 901, "eos_token_id": SMOL_FIRST + 3, "pad_token_id": 900,
            "text_config": text, "torch_dtype": "float32", "vision_config": tower, **changes}  # fmt: skip


def smol_inputs(processor, case, run):
    images = [Image.open(case / file) for file in run["images"]]
    inputs = dict(processor(text=[run["prompt"]], images=[images] if images else None,
                            return_tensors="pt"))  # fmt: skip
    return {key: inputs[key] for key in ("input_ids", "attention_mask", "pixel_values",
                                         "pixel_attention_mask") if key in inputs}  # fmt: skip


def smol_run(model, processor, case, run):
    inputs = smol_inputs(processor, case, run)
    length = inputs["input_ids"].shape[1]
    tensors = {"input_ids": inputs["input_ids"][0],
               "position_ids": torch.arange(length).expand(3, length),
               "rope_delta": torch.zeros(1, dtype=torch.int64)}  # fmt: skip
    if run["images"]:
        tensors["pixel_values"] = inputs["pixel_values"][0]
        features = model.model.get_image_features(inputs["pixel_values"],
                                                  inputs["pixel_attention_mask"])  # fmt: skip
        tensors["vision.patches"] = features.last_hidden_state
        tensors["vision.features"] = torch.cat(list(features.pooler_output))
    text = model.model.text_model
    modules = {f"hidden.layer{i}": layer for i, layer in enumerate(text.layers)}
    values, facts = generate(model, inputs, processor.tokenizer, run["name"])
    return tensors | call(model, inputs, modules | {"hidden.final_norm": text.norm}) | values, facts


def make_smolvlm_a(case):
    """Tiles of six patches a side and a rest that no patch covers."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    vision = {"hidden_size": 48, "intermediate_size": 84, "num_attention_heads": 3,
              "num_hidden_layers": 2, "image_size": 26, "patch_size": 4}  # fmt: skip
    config = smol_config(SMOLVLM, vision)
    write_smol_files(folder, 26, 78, 9)
    (case / "input").mkdir()
    for name, (page, corner) in SMOL_PICTURES.items():
        picture = Image.open(QWEN_SOURCE / f"input/{page}.png").crop((0, 0, *corner))
        picture.save(case / f"input/{name}.png")
    model = draw_weights(new_model(SMOLVLM, config), 501)
    save_model(model, folder, config)
    processor = transformers.Idefics3Processor.from_pretrained(folder)

    def one_run(net, at, run):
        return smol_run(net, processor, at, run)

    tensors, _ = run_all(model, case, SMOL_RUNS, one_run)
    again, done = run_all(read_model(SMOLVLM, folder), case, SMOL_RUNS, one_run)
    checks = {"read_back_max_diff": compare(tensors, again)}
    write_case(case, run_facts(SMOLVLM, 501, done, checks), again)


# ---- ColIdefics3 -------------------------------------------------------------------------------


class ColIdefics3(transformers.Idefics3PreTrainedModel):
    """As colpali-engine 0.3.17 has it: every token's last hidden state, projected, of unit
    length."""

    config_class = transformers.Idefics3Config

    def __init__(self, config):
        super().__init__(config)
        self.model = transformers.Idefics3Model(config)
        self.linear = torch.nn.Linear(config.text_config.hidden_size, 128)
        self.post_init()

    def forward(self, **inputs):
        rows = self.linear(self.model(**inputs).last_hidden_state)
        rows = rows / rows.norm(dim=-1, keepdim=True)
        return rows * inputs["attention_mask"].unsqueeze(-1)


COL_SMOL_PAGE = "<|im_start|>User:<image>Describe the image.<end_of_utterance>\nAssistant:"
COL_SMOL_QUERY = "{query}" + "<end_of_utterance>" * 10
COL_SMOL_QUERIES = ["total revenue by region", "What does the footnote say about tax risk?"]


@torch.no_grad()
def col_smol_values(model, processor, pages, queries):
    processor.tokenizer.padding_side = "left"
    tensors, vectors = {}, {}
    groups = {"pages": {"text": [COL_SMOL_PAGE] * len(pages), "images": [[page] for page in pages]},
              "queries": {"text": [COL_SMOL_QUERY.format(query=query) for query in queries]}}  # fmt: skip
    for name, group in groups.items():
        inputs = dict(processor(**group, padding="longest", return_tensors="pt"))
        inputs.pop("mm_token_type_ids", None)
        vectors[name] = model(**inputs)
        tensors |= {f"{name}.embeddings": vectors[name], f"{name}.input_ids": inputs["input_ids"],
                    f"{name}.attention_mask": inputs["attention_mask"]}  # fmt: skip
    products = torch.einsum("qtd,psd->qpts", vectors["queries"], vectors["pages"])
    tensors["scores"] = products.max(-1).values.sum(-1)
    return tensors


def make_colsmol_a(case):
    """A folder as the base of ColSmol is published, and an adapter over it; of 25 patches a side,
    where two neighbours share a position."""
    shutil.rmtree(case, ignore_errors=True)
    base, folder = case / "base", case / "model"
    base.mkdir(parents=True)
    files = ["input/page_a.png", "input/page_b.png"]
    copy_pages(case, QWEN_SOURCE, [{"images": files}])
    vision = {"hidden_size": 24, "intermediate_size": 36, "num_attention_heads": 2,
              "num_hidden_layers": 2, "image_size": 50, "patch_size": 2}  # fmt: skip
    config = smol_config(transformers.Idefics3ForConditionalGeneration, vision, scale_factor=5,
                         architectures=["ColIdefics3"])  # fmt: skip
    write_smol_files(base, 50, 96, 25)
    built = transformers.Idefics3Config(**json.loads(json.dumps(config)))
    model = ColIdefics3._from_config(built, attn_implementation="eager", dtype=torch.float32)
    draw_weights(model, 502)
    save_model(model, base, config)
    settings = {"r": 4, "lora_alpha": 8, "lora_dropout": 0.1, "bias": "none",
                "target_modules": r"(.*(model.text_model).*(down_proj|gate_proj|up_proj|k_proj|"
                                  r"q_proj|v_proj|o_proj).*$|.*(linear).*$)"}  # fmt: skip
    adapter = adapted(read_model(ColIdefics3, base), settings, 503)
    adapter.save_pretrained(folder)
    written = read_json(folder / "adapter_config.json")
    write_json(folder / "adapter_config.json", {**written, "base_model_name_or_path": "../base"})
    (folder / "README.md").unlink(missing_ok=True)
    processor = transformers.Idefics3Processor.from_pretrained(base)
    pages = [Image.open(case / file) for file in files]
    tensors = col_smol_values(adapter.eval(), processor, pages, COL_SMOL_QUERIES)
    save_file(as_stored(tensors), case / "expected.safetensors")
    tolerances = {"ids": 0, "golden_pixels": {"embeddings": 2e-4, "scores": 2e-3},
                  "own_pixels": {"pixel_values": 0.031, "embeddings": 0.005, "scores": 0.05},
                  "note": "absolute"}  # fmt: skip
    write_json(case / "case.json", {
        "case": case.name, "architecture": "ColIdefics3", "seed": 502, "dtype": "float32",
        "model": "model", "images": files, "queries": COL_SMOL_QUERIES,
        "page_prompt": COL_SMOL_PAGE, "query_prompt": COL_SMOL_QUERY, "tolerances": tolerances,
        "versions": VERSIONS})  # fmt: skip
    for file in case.rglob("*.safetensors"):
        file.chmod(0o644)
    size = sum(file.stat().st_size for file in case.rglob("*") if file.is_file())
    print(f"{case.name}: {len(tensors)} tensors, {size / 1e6:.1f} MB")


# ---- Gemma 3 -----------------------------------------------------------------------------------

GEMMA3 = transformers.Gemma3ForCausalLM
GEMMA_TEMPLATE = (
    "{{ bos_token }}{%- if messages[0]['role'] == 'system' -%}{%- set first_user_prefix = "
    "messages[0]['content'] + '\n\n' -%}{%- set loop_messages = messages[1:] -%}{%- else -%}"
    "{%- set first_user_prefix = '' -%}{%- set loop_messages = messages -%}{%- endif -%}"
    "{%- for message in loop_messages -%}{%- if message['role'] == 'assistant' -%}"
    "{%- set role = 'model' -%}{%- else -%}{%- set role = message['role'] -%}{%- endif -%}"
    "{{ '<start_of_turn>' + role + '\n' + (first_user_prefix if loop.first else '') }}"
    "{{ message['content'] | trim }}{{ '<end_of_turn>\n' }}{%- endfor -%}"
    "{%- if add_generation_prompt -%}{{ '<start_of_turn>model\n' }}{%- endif -%}")  # fmt: skip


def gemma_chat(text):
    return f"<start_of_turn>user\n{text}<end_of_turn>\n<start_of_turn>model\n"


GEMMA_RUNS = [
    {"name": "short", "prompt": gemma_chat("What is retrieval-augmented generation?"), "images": []},
    {"name": "long", "images": [], "prompt": gemma_chat(
        "Say what stands on the page.\n\nThe harbour took in 1,840 tonnes of timber and 212 ships "
        "in 2023; the fees were 7% higher. Which of these numbers is a share?")},
]  # fmt: skip


def copy_gemma_tokenizer(folder):
    """PaliGemma's, with the names of Gemma 3's turns."""
    source = DATA / "colpali_a/model"
    text = (source / "tokenizer.json").read_text()
    for unused, name in (("<unused0>", "<start_of_turn>"), ("<unused1>", "<end_of_turn>")):
        text = text.replace(unused, name)
    tokenizer = json.loads(text)
    turns = ("<start_of_turn>", "<end_of_turn>")
    tokenizer["added_tokens"] = [{**token, "special": token["special"] or token["content"] in turns}
                                 for token in tokenizer["added_tokens"]]  # fmt: skip
    write_json(folder / "tokenizer.json", tokenizer)
    facts = read_json(source / "tokenizer_config.json")
    return {key: value for key, value in facts.items()
            if key in ("tokenizer_class", "bos_token", "eos_token", "pad_token", "unk_token",
                       "add_bos_token", "add_eos_token", "clean_up_tokenization_spaces")}  # fmt: skip


def gemma3_config(**changes):
    return {"architectures": ["Gemma3ForCausalLM"], "model_type": "gemma3_text",
            "attention_bias": False, "attention_dropout": 0.0, "attn_logit_softcapping": None,
            "final_logit_softcapping": None, "hidden_activation": "gelu_pytorch_tanh",
            "initializer_range": 0.02, "max_position_embeddings": 512, "rms_norm_eps": 1e-06,
            "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
            "rope_scaling": {"factor": 8.0, "rope_type": "linear"}, "sliding_window": 16,
            "sliding_window_pattern": 3, "query_pre_attn_scalar": 24, "use_cache": True,
            "bos_token_id": 2, "eos_token_id": [1, 6], "pad_token_id": 0, "vocab_size": 1302,
            "hidden_size": 48, "intermediate_size": 96, "num_attention_heads": 4,
            "num_key_value_heads": 1, "num_hidden_layers": 4, "head_dim": 16,
            "tie_word_embeddings": True, "torch_dtype": "float32", **changes}  # fmt: skip


def make_gemma3_a(case):
    """Layers of a window shorter than the prompts, and one that sees all."""
    text_case(case, GEMMA3, gemma3_config(), GEMMA_TEMPLATE, GEMMA_RUNS, 501,
              copy_gemma_tokenizer, lambda name: 0)  # fmt: skip


GEMMA3_SEEING = transformers.Gemma3ForConditionalGeneration
GEMMA_IMAGE = "\n\n<start_of_image>{}<end_of_image>\n\n"
GEMMA_IMAGE_TOKENS = 16
GEMMA_SEEING_RUNS = [
    {"name": name, "images": pages, "prompt": gemma_chat(
        GEMMA_IMAGE.format("<image_soft_token>") * len(pages) + text)}
    for name, text, pages in (
        ("text", "Which region has the highest revenue?", []),
        ("one", "Describe the page.", ["input/page_a.png"]),
        ("two", "Compare both pages.", ["input/page_a.png", "input/page_b.png"]))]  # fmt: skip


def copy_seeing_gemma_tokenizer(folder):
    facts = copy_gemma_tokenizer(folder)
    text = (folder / "tokenizer.json").read_text().replace("<unused2>", "<start_of_image>")
    tokenizer = json.loads(text)
    like = next(token for token in tokenizer["added_tokens"] if token["content"] == "<eos>")
    for at, name in enumerate(("<end_of_image>", "<image_soft_token>")):
        tokenizer["added_tokens"].append({**like, "id": 1309 + at, "content": name})
    for token in tokenizer["added_tokens"]:
        token["special"] = token["special"] or token["content"] == "<start_of_image>"
    write_json(folder / "tokenizer.json", tokenizer)
    return {**facts, "extra_special_tokens": {
        "boi_token": "<start_of_image>", "eoi_token": "<end_of_image>",
        "image_token": "<image_soft_token>"}}  # fmt: skip


def gemma_seeing_run(model, processor, case, run):
    text = run["prompt"].replace(GEMMA_IMAGE.format("<image_soft_token>"), "<start_of_image>")
    pages = [Image.open(case / file) for file in run["images"]]
    inputs = dict(processor(text=[text], images=[pages] if pages else None, return_tensors="pt"))
    inputs = {key: inputs[key] for key in ("input_ids", "attention_mask", "token_type_ids",
                                           "pixel_values") if key in inputs}  # fmt: skip
    length = inputs["input_ids"].shape[1]
    tensors = {"input_ids": inputs["input_ids"][0],
               "position_ids": torch.arange(length).expand(3, length),
               "rope_delta": torch.zeros(1, dtype=torch.int64)}  # fmt: skip
    if pages:
        tensors["pixel_values"] = inputs["pixel_values"]
        features = model.get_image_features(inputs["pixel_values"])
        tensors["vision.patches"] = features.last_hidden_state
        tensors["vision.features"] = features.pooler_output.flatten(0, 1)
    values, facts = generate(model, inputs, processor.tokenizer, run["name"])
    return tensors | call(model, inputs, decoder_modules(model)) | values, facts


def gemma_seeing_norm(name):
    return 0 if "language_model" in name or "soft_emb" in name else 1


def gemma_seeing_processor(folder):
    return transformers.Gemma3Processor(
        transformers.AutoImageProcessor.from_pretrained(folder),
        transformers.AutoTokenizer.from_pretrained(folder), image_seq_length=GEMMA_IMAGE_TOKENS)  # fmt: skip


def make_gemma3_seeing(case):
    """Images whose tokens see each other both ways, longer than the windows."""
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    write_json(folder / "tokenizer_config.json", {
        **copy_seeing_gemma_tokenizer(folder), "chat_template": GEMMA_TEMPLATE,
        "processor_class": "Gemma3Processor"})  # fmt: skip
    write_json(folder / "preprocessor_config.json", {
        "do_convert_rgb": None, "do_normalize": True, "do_pan_and_scan": None, "do_rescale": True,
        "do_resize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3, "resample": 2,
        "image_processor_type": "Gemma3ImageProcessor", "rescale_factor": 1 / 255,
        "image_seq_length": GEMMA_IMAGE_TOKENS, "processor_class": "Gemma3Processor",
        "size": {"height": 56, "width": 56}})  # fmt: skip
    copy_pages(case, QWEN_SOURCE, GEMMA_SEEING_RUNS)
    text = gemma3_config(vocab_size=1311, hidden_size=32, intermediate_size=64, sliding_window=12)
    vision = {"model_type": "siglip_vision_model", "hidden_size": 24, "intermediate_size": 40,
              "num_attention_heads": 3, "num_hidden_layers": 2, "image_size": 56, "patch_size": 7,
              "vision_use_head": False}  # fmt: skip
    config = {"architectures": [GEMMA3_SEEING.__name__], "model_type": "gemma3", "text_config": text,
              "vision_config": vision, "mm_tokens_per_image": GEMMA_IMAGE_TOKENS,
              "boi_token_index": 7, "eoi_token_index": 1309, "image_token_index": 1310,
              "eos_token_id": [1, 6], "bos_token_id": 2, "tie_word_embeddings": True,
              "torch_dtype": "float32"}  # fmt: skip
    model = draw_weights(new_model(GEMMA3_SEEING, config), 504, norm_at=gemma_seeing_norm)
    save_model(model, folder, config)
    processor = gemma_seeing_processor(folder)

    def one_run(net, at, run):
        return gemma_seeing_run(net, processor, at, run)

    tensors, _ = run_all(model, case, GEMMA_SEEING_RUNS, one_run)
    again, done = run_all(read_model(GEMMA3_SEEING, folder), case, GEMMA_SEEING_RUNS, one_run)
    checks = {"read_back_max_diff": compare(tensors, again)}
    write_case(case, run_facts(GEMMA3_SEEING, 504, done, checks), again)


# ---- Qwen3.5 -----------------------------------------------------------------------------------

QWEN35 = transformers.Qwen3_5ForCausalLM
QWEN35_RUNS = [QWEN3_RUNS[0], {"name": "longer", "images": [], "prompt": " ".join(
    [QWEN3_RUNS[1]["prompt"].removesuffix("<|im_start|>assistant\n" + NOTHING_THOUGHT)] * 2)
    + "<|im_start|>assistant\n" + NOTHING_THOUGHT}]  # fmt: skip


def qwen35_config(**changes):
    return {"architectures": ["Qwen3_5ForCausalLM"], "model_type": "qwen3_5_text",
            "attention_bias": False, "attention_dropout": 0.0, "hidden_act": "silu",
            "initializer_range": 0.02, "max_position_embeddings": 512, "rms_norm_eps": 1e-06,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000000.0,
                                "partial_rotary_factor": 0.25, "mrope_interleaved": True,
                                "mrope_section": [2, 1, 1]},
            "layer_types": ["linear_attention", "linear_attention", "linear_attention",
                            "full_attention"],
            "linear_conv_kernel_dim": 4, "linear_key_head_dim": 16, "linear_value_head_dim": 24,
            "linear_num_key_heads": 2, "linear_num_value_heads": 6, "use_cache": True,
            "bos_token_id": 901, "eos_token_id": 902, "vocab_size": 960, "hidden_size": 40,
            "intermediate_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
            "num_hidden_layers": 4, "head_dim": 32, "tie_word_embeddings": True,
            "torch_dtype": "float32", **changes}  # fmt: skip


def qwen35_norm(name):
    """Norms multiply by 1 + weight, but for those of the delta rule; decays are slow."""
    if name.endswith("A_log"):
        return -2
    return 0 if "norm" in name and "linear_attn" not in name else 1


QWEN35_SEEING = transformers.Qwen3_5ForConditionalGeneration
QWEN35_SEEING_RUNS = [{**run, "prompt": run["prompt"].removeprefix(SYSTEM) + NOTHING_THOUGHT}
                      for run in CHAT_RUNS]  # fmt: skip


def qwen35_seeing_norm(name):
    return 1 if "visual" in name else qwen35_norm(name)


def qwen35_seeing_config(**changes):
    """Qwen3-VL's tower without further depths before the text's layers."""
    config = qwen3_vl_config(True)
    text = qwen35_config(**changes)
    del text["architectures"]
    vision = config["vision_config"] | {"model_type": "qwen3_5_vision",
                                        "out_hidden_size": text["hidden_size"]}  # fmt: skip
    del vision["deepstack_visual_indexes"]
    return {**config, "architectures": [QWEN35_SEEING.__name__], "model_type": "qwen3_5",
            "text_config": text, "vision_config": vision}  # fmt: skip


def make_qwen35_seeing(case):
    """Tokens of images through layers of the delta rule; of the heads a quarter is rotated, by
    positions of three dimensions."""
    def one_run(net, processor, at, run):
        return qwen_run(net, processor, at, run, False)

    qwen3_vl_case(case, QWEN35_SEEING, qwen35_seeing_config(), QWEN35_SEEING_RUNS[:2], 603, one_run,
                  qwen35_seeing_norm)  # fmt: skip


def make_qwen35_a(case):
    """Of four layers three of the delta rule, one of gated attention; two chunks of tokens."""
    text_case(case, QWEN35, qwen35_config(), THINKING_TEMPLATE, QWEN35_RUNS, 601,
              norm_at=qwen35_norm)  # fmt: skip


# ---- GGUF --------------------------------------------------------------------------------------

# Which type each matrix of the case has, in its two layers.
BLOCK_TYPES = {
    "attn_q": ("Q4_K", "Q4_1"), "attn_k": ("Q5_K", "Q5_0"), "attn_v": ("Q6_K", "Q5_1"),
    "attn_output": ("IQ4_XS", "Q8_0"), "ffn_gate": ("Q2_K", "IQ4_NL"), "ffn_up": ("Q3_K", "MXFP4"),
    "ffn_down": ("Q4_0", "BF16"), "token_embd": ("Q8_0",), "output": ("F16",),
}  # fmt: skip
# The places of the half-precision scales in a block (of the values, and of the minimum), and the ratio
# of the minimum to the scale at which values are zero on average.
BLOCK_SCALES = {
    "Q4_0": (0, None, 0), "Q4_1": (0, 2, -7.5), "Q5_0": (0, None, 0), "Q5_1": (0, 2, -15.5),
    "Q8_0": (0, None, 0), "Q2_K": (80, 82, 1.5), "Q3_K": (108, None, 0), "Q4_K": (0, 2, 7.5),
    "Q5_K": (0, 2, 15.5), "Q6_K": (208, None, 0), "IQ4_NL": (0, None, 0), "IQ4_XS": (0, None, 0),
}  # fmt: skip


def drawn_blocks(kind, rows, columns, deviation, source):
    """Random codes, with scales that give the values this standard deviation; the bytes, and the
    values as the gguf package widens them."""
    values, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = source.integers(0, 256, (rows * columns // values, size), dtype=np.uint8)
    if kind.name == "MXFP4":
        blocks[:, 0] = 127 + round(np.log2(deviation / 2.5))
    else:
        scale, least, below = BLOCK_SCALES[kind.name]
        wide = source.uniform(0.8, 1.2, len(blocks)).astype(np.float32)

        def put(unit):
            halves = (wide * unit).astype(np.float16)
            blocks[:, scale : scale + 2] = halves.view(np.uint8).reshape(-1, 2)
            if least is not None:
                halves = (halves.astype(np.float32) * below).astype(np.float16)
                blocks[:, least : least + 2] = halves.view(np.uint8).reshape(-1, 2)

        put(1e-2)
        put(1e-2 * deviation / gguf.dequantize(blocks, kind).std())
    widened = gguf.dequantize(blocks, kind).reshape(rows, columns)
    return blocks.reshape(rows, -1), widened


def gguf_matrix(name, kind, shape, source, embedding=1.0):
    """Returns what the file stores, and the values that it represents; `embedding` is the deviation
    of embeddings."""
    deviation = embedding if name == "token_embd" else 3.0 * shape[1] ** -0.5 if name == "output" else (
        (1.5 if name in ("attn_q", "attn_k") else 1.1) * shape[1] ** -0.5)  # fmt: skip
    if kind in (gguf.GGMLQuantizationType.F16, gguf.GGMLQuantizationType.BF16):
        drawn = source.normal(0, deviation, shape).astype(np.float32)
        stored = gguf.quantize(drawn, kind)
        return stored, gguf.dequantize(stored, kind).reshape(shape)
    return drawn_blocks(kind, *shape, deviation, source)


def rows_of_heads(matrix, heads):
    """From the order of GGUF files, in which the two halves of a head alternate."""
    rows, columns = matrix.shape
    pairs = matrix.reshape(heads, rows // heads // 2, 2, columns)
    return pairs.swapaxes(1, 2).reshape(rows, columns)


IN_LAYER = {"attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
            "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
            "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj",
            "ffn_down": "mlp.down_proj"}  # fmt: skip


def head_width(config):
    return config.get("head_dim", config["hidden_size"] // config["num_attention_heads"])


def write_gguf_tensors(writer, config, types, seed, embedding=1.0):
    """Draws every tensor; the same as transformers names and orders them."""
    source, state = np.random.default_rng(seed), {}
    width, inner = config["hidden_size"], config["intermediate_size"]
    queries = head_width(config) * config["num_attention_heads"]
    keys = head_width(config) * config["num_key_value_heads"]
    shapes = {"attn_q": (queries, width), "attn_k": (keys, width), "attn_v": (keys, width),
              "attn_output": (width, queries), "ffn_gate": (inner, width), "ffn_up": (inner, width),
              "ffn_down": (width, inner)}  # fmt: skip
    heads = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    if config["model_type"] != "llama":
        heads = {}  # in their own order

    def put_matrix(name, below, layer, shape):
        kind = gguf.GGMLQuantizationType[types[name][layer]]
        stored, values = gguf_matrix(name, kind, shape, source, embedding)
        writer.add_tensor(f"{below}{name}.weight", stored, raw_dtype=kind)
        return torch.from_numpy(np.ascontiguousarray(
            rows_of_heads(values, heads[name]) if name in heads else values))  # fmt: skip

    def put_norm(name, width=width):
        values = source.normal(1, 0.2, width).astype(np.float32)
        writer.add_tensor(name, values)
        return torch.from_numpy(values)

    vocabulary = (config["vocab_size"], width)
    state["model.embed_tokens.weight"] = put_matrix("token_embd", "", 0, vocabulary)
    for layer in range(config["num_hidden_layers"]):
        ours, theirs = f"blk.{layer}.", f"model.layers.{layer}."
        state[theirs + "input_layernorm.weight"] = put_norm(ours + "attn_norm.weight")
        state[theirs + "post_attention_layernorm.weight"] = put_norm(ours + "ffn_norm.weight")
        for part in ("q", "k") if config["model_type"].startswith("qwen3") else ():
            name = f"{theirs}self_attn.{part}_norm.weight"
            state[name] = put_norm(f"{ours}attn_{part}_norm.weight", head_width(config))
        for name, shape in shapes.items():
            state[f"{theirs}{IN_LAYER[name]}.weight"] = put_matrix(name, ours, layer, shape)
    state["model.norm.weight"] = put_norm("output_norm.weight")
    if config["tie_word_embeddings"]:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    else:
        state["lm_head.weight"] = put_matrix("output", "", 0, vocabulary)
    return state


def write_gguf_facts(writer, config, tokenizer, template, pre="qwen2"):
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    if "intermediate_size" in config:
        writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    if "head_dim" in config:
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
    else:
        writer.add_rope_dimension_count(head_width(config))
    model, added = tokenizer["model"], tokenizer["added_tokens"]
    texts = {id_: token for token, id_ in model["vocab"].items()}
    kinds = dict.fromkeys(texts, gguf.TokenType.NORMAL)
    for token in added:
        texts[token["id"]] = token["content"]
        special = gguf.TokenType.CONTROL if token["special"] else gguf.TokenType.USER_DEFINED
        kinds[token["id"]] = special
    count = config["vocab_size"]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(pre)
    writer.add_token_list([texts.get(at, f"[PAD{at}]") for at in range(count)])
    writer.add_token_types([kinds.get(at, gguf.TokenType.UNUSED) for at in range(count)])
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair)
                             for pair in model["merges"]])  # fmt: skip
    writer.add_eos_token_id(config["eos_token_id"])
    writer.add_chat_template(template)


def gguf_case(case, kind, config, types, template, runs, seed, tokenizer=None, held=HELD_CODES,
              embedding=1.0):  # fmt: skip
    """One GGUF file; the reference has the widened values. `tokenizer`: that of tokenizer.json."""
    tokenizer = tokenizer or read_json(QWEN_SOURCE / "model/tokenizer.json")
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    writer = gguf.GGUFWriter(case / "model.gguf", config["model_type"])
    write_gguf_facts(writer, config, tokenizer, template)
    state = write_gguf_tensors(writer, config, types, seed, embedding)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    model = new_model(kind, config)
    model.load_state_dict(state)
    model.eval()
    fast = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizers.Tokenizer.from_str(json.dumps(tokenizer)))

    def one_run(net, at, run):
        return llama_run(net, fast, at, run)

    tensors, done = run_all(model, case, runs, one_run)
    names = sorted({name for layers in types.values() for name in layers})
    facts = run_facts(kind, seed, done, {"gguf": version("gguf"), "types": names})
    write_case(case, {**facts, "model": "model.gguf"}, tensors, held)


def make_llama_gguf(case):
    """Every type of block that is read."""
    config = llama_config(hidden_size=256, intermediate_size=256, num_attention_heads=4,
                          num_key_value_heads=2, num_hidden_layers=2,
                          tie_word_embeddings=False)  # fmt: skip
    gguf_case(case, LLAMA, config, BLOCK_TYPES, CHAT_TEMPLATE, LLAMA_RUNS, 302)


def make_qwen3_gguf(case):
    types = {**dict.fromkeys(IN_LAYER, ("Q8_0", "Q8_0")), "token_embd": ("Q8_0",)}
    config = qwen3_config(tie_word_embeddings=True)
    gguf_case(case, QWEN3, config, types, THINKING_TEMPLATE, QWEN3_RUNS, 402)


GEMMA3_LAYER = {
    "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output", "self_attn.q_norm": "attn_q_norm",
    "self_attn.k_norm": "attn_k_norm", "input_layernorm": "attn_norm",
    "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
    "post_feedforward_layernorm": "post_ffw_norm", "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}  # fmt: skip
QWEN35_LAYER = GEMMA3_LAYER | {
    "linear_attn.in_proj_qkv": "attn_qkv", "linear_attn.in_proj_z": "attn_gate",
    "linear_attn.in_proj_b": "ssm_beta", "linear_attn.in_proj_a": "ssm_alpha",
    "linear_attn.conv1d": "ssm_conv1d", "linear_attn.norm": "ssm_norm",
    "linear_attn.out_proj": "ssm_out",
}  # fmt: skip


def gguf_name(name, layer_names):
    outside = {"model.embed_tokens.weight": "token_embd.weight",
               "model.norm.weight": "output_norm.weight"}  # fmt: skip
    if name in outside:
        return outside[name]
    _, _, layer, below = name.split(".", 3)
    own = {"linear_attn.A_log": "ssm_a", "linear_attn.dt_bias": "ssm_dt.bias"}
    if below not in own:
        below, ending = below.rsplit(".", 1)
        return f"blk.{layer}.{layer_names[below]}.{ending}"
    return f"blk.{layer}.{own[below]}"


def tiled_heads(name, values, config):
    """Value heads as GGUF files order them: those of one key head apart, not side by side."""
    if "linear_attn" not in name or name.endswith("linear_attn.norm.weight"):
        return values
    keys, heads = config["linear_num_key_heads"], config["linear_num_value_heads"]
    before = 2 * keys * config["linear_key_head_dim"]  # queries and keys stay where they are

    def tiled(rows):
        groups = rows.reshape(keys, heads // keys, -1, *rows.shape[1:])
        return groups.swapaxes(0, 1).reshape(rows.shape)

    if "out_proj" in name:
        return tiled(values.T).T
    if "in_proj_qkv" in name or "conv1d" in name:
        return np.concatenate([values[:before], tiled(values[before:])])
    return tiled(values)


def put_whole_tensors(writer, state, config, layer_names):
    for name, tensor in state.items():
        if name == "lm_head.weight":  # tied
            continue
        values = tiled_heads(name, tensor.numpy().squeeze(), config)
        if name.endswith("norm.weight") and not name.endswith("linear_attn.norm.weight"):
            values = values + 1
        if name.endswith("A_log"):
            values = -np.exp(values)
        matrix = values.ndim == 2 and "conv1d" not in name
        writer.add_tensor(gguf_name(name, layer_names),
                          np.ascontiguousarray(values.astype(np.float16 if matrix else np.float32)))  # fmt: skip


def whole_gguf(case, kind, architecture, config, runs, seed, norm_at, layer_names, write_facts,
               tokenizer):  # fmt: skip
    """One GGUF file with matrices in half precision, norms as llama.cpp's converter leaves them."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    model = draw_weights(new_model(kind, config), seed, torch.float16, norm_at)
    writer = gguf.GGUFWriter(case / "model.gguf", architecture)
    write_facts(writer)
    put_whole_tensors(writer, model.state_dict(), config, layer_names)
    finish_gguf(writer)

    def one_run(net, at, run):
        return llama_run(net, tokenizer, at, run)

    tensors, done = run_all(model, case, runs, one_run)
    facts = run_facts(kind, seed, done, {"gguf": version("gguf"), "types": ["F16"]})
    write_case(case, {**facts, "model": "model.gguf"}, tensors, HELD_HALVES)


def write_scored_pairs(writer, tokenizer, count, blank_before=False):
    """A tokenizer of pairs as SentencePiece's: the earlier joined, the better its score."""
    model = tokenizer["model"]
    texts = {id_: token for token, id_ in model["vocab"].items()}
    kinds = {id_: gguf.TokenType.BYTE if token.startswith("<0x") else gguf.TokenType.NORMAL
             for id_, token in texts.items()}  # fmt: skip
    for token in tokenizer["added_tokens"]:
        texts[token["id"]] = token["content"]
        special = gguf.TokenType.CONTROL if token["special"] else gguf.TokenType.USER_DEFINED
        kinds[token["id"]] = special
    kinds[model["vocab"]["<unk>"]] = gguf.TokenType.UNKNOWN
    pairs = [pair if isinstance(pair, list) else pair.split(" ") for pair in model["merges"]]
    ranks = {}
    for rank, (left, right) in enumerate(pairs):
        ranks.setdefault(left + right, rank)
    writer.add_tokenizer_model("llama")
    writer.add_token_list([texts.get(at, f"<unused{at}>") for at in range(count)])
    writer.add_token_scores([-float(ranks.get(texts.get(at), 10_000)) for at in range(count)])
    writer.add_token_types([kinds.get(at, gguf.TokenType.UNUSED) for at in range(count)])
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(blank_before)


def write_gemma3_facts(writer, config, tokenizer):
    writer.add_block_count(config["num_hidden_layers"])
    writer.add_context_length(config["max_position_embeddings"])
    writer.add_embedding_length(config["hidden_size"])
    writer.add_feed_forward_length(config["intermediate_size"])
    writer.add_head_count(config["num_attention_heads"])
    writer.add_head_count_kv(config["num_key_value_heads"])
    writer.add_key_length(config["head_dim"])
    writer.add_value_length(config["head_dim"])
    writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
    writer.add_rope_freq_base(config["rope_theta"])
    writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
    writer.add_rope_scaling_factor(config["rope_scaling"]["factor"])
    writer.add_sliding_window(config["sliding_window"])
    write_scored_pairs(writer, tokenizer, config["vocab_size"])
    writer.add_bos_token_id(config["bos_token_id"])
    writer.add_eos_token_id(config["eos_token_id"][0])
    writer.add_chat_template(GEMMA_TEMPLATE)


def make_gemma3_gguf(case):
    config = gemma3_config(head_dim=16, query_pre_attn_scalar=16, num_hidden_layers=7,
                           sliding_window_pattern=6, hidden_size=32, intermediate_size=64)  # fmt: skip
    folder = DATA / "gemma3_a/model"
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)

    def write_facts(writer):
        write_gemma3_facts(writer, config, read_json(folder / "tokenizer.json"))

    whole_gguf(case, GEMMA3, "gemma3", config, GEMMA_RUNS, 502, lambda name: 0, GEMMA3_LAYER,
               write_facts, tokenizer)  # fmt: skip


def write_siglip_facts(writer, vision, out):
    writer.add_type(gguf.GGUFType.MMPROJ)
    writer.add_clip_has_vision_encoder(True)
    writer.add_vision_projection_dim(out)
    writer.add_vision_image_size(vision["image_size"])
    writer.add_vision_patch_size(vision["patch_size"])
    writer.add_vision_embedding_length(vision["hidden_size"])
    writer.add_vision_feed_forward_length(vision["intermediate_size"])
    writer.add_vision_block_count(vision["num_hidden_layers"])
    writer.add_vision_head_count(vision["num_attention_heads"])
    writer.add_vision_image_mean([0.5] * 3)
    writer.add_vision_image_std([0.5] * 3)
    writer.add_vision_attention_layernorm_eps(vision.get("layer_norm_eps", 1e-6))
    writer.add_vision_use_gelu(True)


def make_gemma3_seeing_gguf(case):
    """As gemma3_seeing in a pair of files as llama.cpp's converter writes them: the names are the
    gguf package's, norms of Gemma's own have the 1 added; of six layers one sees all, which such
    files do not say."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    source, runs = DATA / "gemma3_seeing", GEMMA_SEEING_RUNS[:2]
    folder = source / "model"
    config = read_json(folder / "config.json")
    text, vision = config["text_config"], config["vision_config"]
    text |= {"num_hidden_layers": 6, "sliding_window_pattern": 6,
             "query_pre_attn_scalar": text["head_dim"]}  # fmt: skip
    copy_pages(case, source, runs)
    writers = {False: gguf.GGUFWriter(case / "model.gguf", "gemma3"),
               True: gguf.GGUFWriter(case / "mmproj-model.gguf", "clip")}  # fmt: skip
    write_gemma3_facts(writers[False], text, read_json(folder / "tokenizer.json"))
    write_siglip_facts(writers[True], vision, text["hidden_size"])
    writers[True].add_clip_projector_type(gguf.VisionProjectorType.GEMMA3)
    patches = vision["image_size"] // vision["patch_size"]
    pooled = patches // round(config["mm_tokens_per_image"] ** 0.5)
    writers[True].add_vision_projector_scale_factor(pooled)
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.MMPROJ, vision["num_hidden_layers"])
    model = draw_weights(new_model(GEMMA3_SEEING, config), 508, torch.float16, gemma_seeing_norm)
    for name, tensor in model.state_dict().items():
        if name == "lm_head.weight":  # tied
            continue
        name = name.removeprefix("model.")
        of_tower = not name.startswith("language_model.")
        if of_tower:
            name = name.replace("_weight", ".weight")
            new = names.get_name(name.replace("vision_tower.", "vision_tower.vision_model."),
                                 (".weight", ".bias"))  # fmt: skip
        else:
            new = gguf_name(name.replace("language_model.", "model."), GEMMA3_LAYER)
        own_norm = "soft_emb" in name or not of_tower and name.endswith("norm.weight")
        values = tensor.numpy() + 1 if own_norm else tensor.numpy()
        wide = tensor.dim() == 1 or "embeddings." in name
        writers[of_tower].add_tensor(new, values if wide else values.astype(np.float16))
    for writer in writers.values():
        finish_gguf(writer)
    processor = gemma_seeing_processor(folder)

    def one_run(net, at, run):
        return gemma_seeing_run(net, processor, at, run)

    tensors, done = run_all(model, case, runs, one_run)
    facts = run_facts(GEMMA3_SEEING, 508, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    write_case(case, {**facts, "model": "model.gguf"}, tensors, HELD_HALVES)


def write_qwen35_facts(writer, config):
    rope = config["rope_parameters"]
    source = read_json(QWEN_SOURCE / "model/tokenizer.json")
    write_gguf_facts(writer, {**config, "rope_theta": rope["rope_theta"]}, source,
                     THINKING_TEMPLATE, "qwen35")  # fmt: skip
    width = config["linear_value_head_dim"] * config["linear_num_value_heads"]
    writer.add_rope_dimension_count(round(config["head_dim"] * rope["partial_rotary_factor"]))
    writer.add_rope_dimension_sections([*rope["mrope_section"], 0])
    writer.add_ssm_conv_kernel(config["linear_conv_kernel_dim"])
    writer.add_ssm_inner_size(width)
    writer.add_ssm_state_size(config["linear_key_head_dim"])
    writer.add_ssm_time_step_rank(config["linear_num_value_heads"])
    writer.add_ssm_group_count(config["linear_num_key_heads"])
    writer.add_uint32("qwen35.full_attention_interval", 4)


def make_qwen35_gguf(case):
    config = qwen35_config(linear_value_head_dim=16)

    def write_facts(writer):
        write_qwen35_facts(writer, config)

    tokenizer = transformers.AutoTokenizer.from_pretrained(QWEN_SOURCE / "model")
    whole_gguf(case, QWEN35, "qwen35", config, QWEN35_RUNS, 602, qwen35_norm, QWEN35_LAYER,
               write_facts, tokenizer)  # fmt: skip


def make_qwen35_seeing_gguf(case):
    """As qwen35_seeing in two files: the projector is Qwen3-VL's kind without further depths."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    config = qwen35_seeing_config(linear_value_head_dim=16)
    runs = QWEN35_SEEING_RUNS[1:2]
    copy_pages(case, QWEN_SOURCE, runs)
    model = draw_weights(new_model(QWEN35_SEEING, config), 604, torch.float16, qwen35_seeing_norm)
    text = {name.replace("language_model.", "", 1): tensor
            for name, tensor in model.state_dict().items() if "visual" not in name}  # fmt: skip
    writer = gguf.GGUFWriter(case / "model.gguf", "qwen35")
    write_qwen35_facts(writer, config["text_config"])
    put_whole_tensors(writer, text, config["text_config"], QWEN35_LAYER)
    finish_gguf(writer)
    with tempfile.TemporaryDirectory() as folder:
        processor = qwen3_vl_processor(pathlib.Path(folder), config)
    size = processor.image_processor.size
    write_projector(case / "mmproj-model.gguf", config, model,
                    {"shortest_edge": size["shortest_edge"], "longest_edge": size["longest_edge"]})

    def one_run(net, at, run):
        return qwen_run(net, processor, at, run, False)

    tensors, done = run_all(model, case, runs, one_run)
    facts = run_facts(QWEN35_SEEING, 604, done, {"gguf": version("gguf"), "types": ["F16"]})
    write_case(case, {**facts, "model": "model.gguf"}, tensors, HELD_HALVES)


def finish_gguf(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_projector(path, config, model, pixels):
    """Qwen3-VL's tower as llama.cpp's converter writes it: patches of the two frames apart, further
    mergers by the numbers of their layers."""
    vision = config["vision_config"]
    deep = vision.get("deepstack_visual_indexes", [])
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type(gguf.GGUFType.MMPROJ)
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type(gguf.VisionProjectorType.QWEN3VL)
    side = round(vision["num_position_embeddings"] ** 0.5)
    writer.add_vision_image_size(side * vision["patch_size"])
    writer.add_vision_patch_size(vision["patch_size"])
    writer.add_vision_embedding_length(vision["hidden_size"])
    writer.add_vision_feed_forward_length(vision["intermediate_size"])
    writer.add_vision_block_count(vision["depth"])
    writer.add_vision_head_count(vision["num_heads"])
    writer.add_vision_projection_dim(vision["out_hidden_size"])
    writer.add_vision_image_mean([0.5] * 3)
    writer.add_vision_image_std([0.5] * 3)
    writer.add_vision_min_pixels(pixels["shortest_edge"])
    writer.add_vision_max_pixels(pixels["longest_edge"])
    writer.add_vision_use_gelu(True)
    writer.add_vision_spatial_merge_size(vision["spatial_merge_size"])
    writer.add_vision_attention_layernorm_eps(config["text_config"]["rms_norm_eps"])
    writer.add_vision_is_deepstack_layers([at in deep for at in range(vision["depth"])])
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH.MMPROJ, vision["depth"])
    mergers = {"norm": "v.post_ln", "linear_fc1": "mm.0", "linear_fc2": "mm.2"}
    further = {"norm": "norm", "linear_fc1": "fc1", "linear_fc2": "fc2"}

    def put(name, tensor):
        wide = tensor.dim() == 1 or "position" in name
        writer.add_tensor(name, tensor.numpy() if wide else tensor.half().numpy())

    for name, tensor in model.model.visual.state_dict().items():
        stem, kind = name.rsplit(".", 1)
        if name == "patch_embed.proj.weight":
            put("v.patch_embd.weight", tensor[:, :, 0].contiguous())
            put("v.patch_embd.weight.1", tensor[:, :, 1].contiguous())
        elif name == "patch_embed.proj.bias":
            put("v.patch_embd.bias", tensor)
        elif stem.startswith("merger."):
            put(f"{mergers[stem.removeprefix('merger.')]}.{kind}", tensor)
        elif stem.startswith("deepstack_merger_list."):
            _, number, part = stem.split(".")
            put(f"v.deepstack.{deep[int(number)]}.{further[part]}.{kind}", tensor)
        else:
            put(f"{names.get_name('visual.' + stem)}.{kind}", tensor)
    finish_gguf(writer)


def make_qwen3vl_gguf(case):
    """A language model in one file and its tower in the other, as llama.cpp has them."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    config = qwen3_vl_config(True, 64)
    text = config["text_config"]
    runs = [{**run, "prompt": run["prompt"].removeprefix(SYSTEM)} for run in CHAT_RUNS[1:]]
    copy_pages(case, QWEN_SOURCE, runs)
    writer = gguf.GGUFWriter(case / "model.gguf", "qwen3vl")
    write_gguf_facts(writer, text, read_json(QWEN_SOURCE / "model/tokenizer.json"),
                     THINKING_TEMPLATE.split("{% if enable_thinking")[0] + "{% endif %}")
    writer.add_rope_dimension_sections([*text["rope_scaling"]["mrope_section"], 0])
    writer.add_num_deepstack_layers(len(config["vision_config"]["deepstack_visual_indexes"]))
    types = {**dict.fromkeys(IN_LAYER, ("Q8_0",) * 3), "token_embd": ("Q8_0",)}
    state = write_gguf_tensors(writer, text, types, 407)
    finish_gguf(writer)
    model = draw_weights(new_model(QWEN3_VL, config), 407, torch.float16)
    state = {name.replace("model.", "model.language_model.", 1) if name.startswith("model.") else name:
             tensor for name, tensor in state.items()}  # fmt: skip
    missing, surplus = model.load_state_dict(state, strict=False)
    assert not surplus and all("visual" in name for name in missing)
    with tempfile.TemporaryDirectory() as folder:
        processor = qwen3_vl_processor(pathlib.Path(folder), config)
    write_projector(case / "mmproj-model.gguf", config, model,
                    {"shortest_edge": processor.image_processor.size["shortest_edge"],
                     "longest_edge": processor.image_processor.size["longest_edge"]})  # fmt: skip

    def one_run(net, at, run):
        return qwen_run(net, processor, at, run, False)

    tensors, done = run_all(model, case, runs, one_run)
    facts = run_facts(QWEN3_VL, 407, done, {"gguf": version("gguf")})
    write_case(case, {**facts, "model": "model.gguf"}, tensors, HELD_CODES)


def halves_of_heads(matrix, heads):
    """The other way round: to the order of GGUF files."""
    rows, columns = matrix.shape
    halves = matrix.reshape(heads, 2, rows // heads // 2, columns)
    return halves.swapaxes(1, 2).reshape(rows, columns)


TOWER_IN_LAYER = {"layer_norm1": "ln1", "layer_norm2": "ln2", "self_attn.q_proj": "attn_q",
                  "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
                  "self_attn.out_proj": "attn_out", "mlp.fc1": "ffn_up", "mlp.fc2": "ffn_down"}  # fmt: skip
TOWER_OUTSIDE = {"vision_model.embeddings.patch_embedding": "v.patch_embd",
                 "vision_model.embeddings.position_embedding": "v.position_embd",
                 "vision_model.post_layernorm": "v.post_ln",
                 "connector.modality_projection.proj": "mm.model.fc"}  # fmt: skip
TEXT_OUTSIDE = {"text_model.embed_tokens": "token_embd", "text_model.norm": "output_norm"}
TEXT_NORMS = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}


def smolvlm_gguf_name(name):
    """As llama.cpp's converter calls a tensor of SmolVLM, and whether it is the tower's file's."""
    stem, kind = name.removeprefix("model.").rsplit(".", 1)
    if stem == "lm_head":
        return f"output.{kind}", False
    if stem in TEXT_OUTSIDE:
        return f"{TEXT_OUTSIDE[stem]}.{kind}", False
    if stem in TOWER_OUTSIDE:
        return f"{TOWER_OUTSIDE[stem]}.{kind}", True
    where, layer, part = stem.split("layers.")[0], *stem.split("layers.")[1].split(".", 1)
    if where.startswith("vision_model"):
        return f"v.blk.{layer}.{TOWER_IN_LAYER[part]}.{kind}", True
    names = {value: key for key, value in IN_LAYER.items()} | TEXT_NORMS
    return f"blk.{layer}.{names[part]}.{kind}", False


def write_clip_facts(writer, config, preprocessor):
    vision = config["vision_config"]
    writer.add_type(gguf.GGUFType.MMPROJ)
    writer.add_clip_has_vision_encoder(True)
    writer.add_clip_projector_type(gguf.VisionProjectorType.IDEFICS3)
    writer.add_vision_projection_dim(config["text_config"]["hidden_size"])
    writer.add_vision_image_size(vision["image_size"])
    writer.add_vision_patch_size(vision["patch_size"])
    writer.add_vision_embedding_length(vision["hidden_size"])
    writer.add_vision_feed_forward_length(vision["intermediate_size"])
    writer.add_vision_block_count(vision["num_hidden_layers"])
    writer.add_vision_head_count(vision["num_attention_heads"])
    writer.add_vision_image_mean(preprocessor["image_mean"])
    writer.add_vision_image_std(preprocessor["image_std"])
    writer.add_vision_attention_layernorm_eps(vision["layer_norm_eps"])
    writer.add_vision_projector_scale_factor(config["scale_factor"])
    writer.add_vision_use_gelu(True)
    writer.add_vision_preproc_image_size(preprocessor["size"]["longest_edge"])


def stored_matrix(name, values, kind):
    """Stores a matrix as llama.cpp's converter does: embeddings of patches in float32, and rows
    whose length is not a multiple of a block in float16."""
    types = gguf.GGMLQuantizationType
    if "patch_embd" in name or "position_embd" in name:
        kind = types.F32
    elif kind == types.Q8_0 and values.shape[-1] % 32:
        kind = types.F16
    return gguf.quantize(np.ascontiguousarray(values), kind), kind


def write_smolvlm_gguf(case, source, kind=gguf.GGMLQuantizationType.F16):
    """A folder's model as a pair of files, matrices of this kind; what these hold, under
    transformers' names."""
    config = read_json(source / "config.json")
    text = config["text_config"]
    writers = {False: gguf.GGUFWriter(case / "model.gguf", "llama"),
               True: gguf.GGUFWriter(case / "mmproj-model.gguf", "clip")}  # fmt: skip
    write_gguf_facts(writers[False], text, read_json(source / "tokenizer.json"), SMOL_TEMPLATE)
    write_clip_facts(writers[True], config, read_json(source / "preprocessor_config.json"))
    state, heads = {}, {"q_proj": text["num_attention_heads"], "k_proj": text["num_key_value_heads"]}
    files = sorted(source.glob("*.safetensors"))
    for name, tensor in (item for file in files for item in load_file(file).items()):
        new, of_tower = smolvlm_gguf_name(name)
        values = tensor.float().numpy()
        count = 0 if of_tower else next((n for part, n in heads.items() if f".{part}." in name), 0)
        if count:
            values = halves_of_heads(values, count)
        if tensor.dim() == 1:
            writers[of_tower].add_tensor(new, values)
            state[name] = tensor.float()
            continue
        stored, own = stored_matrix(new, values, kind)
        writers[of_tower].add_tensor(new, stored, raw_dtype=own)
        held = gguf.dequantize(stored, own).reshape(tensor.shape)
        state[name] = torch.from_numpy(rows_of_heads(held, count) if count else held)
    for writer in writers.values():
        writer.write_header_to_file()
        writer.write_kv_data_to_file()
        writer.write_tensors_to_file()
        writer.close()
    return state


def make_smolvlm_gguf(case):
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir(parents=True)
    source = DATA / "smolvlm_a"
    runs = SMOL_RUNS[:2]
    copy_pages(case, source, runs)
    state = write_smolvlm_gguf(case, source / "model")
    model = new_model(SMOLVLM, read_json(source / "model/config.json"))
    model.load_state_dict(state)
    model.eval()
    processor = transformers.Idefics3Processor.from_pretrained(source / "model")

    def one_run(net, at, run):
        return smol_run(net, processor, at, run)

    tensors, done = run_all(model, case, runs, one_run)
    facts = run_facts(SMOLVLM, 501, done, {"gguf": version("gguf"), "types": ["F16", "F32"]})
    write_case(case, {**facts, "model": "model.gguf"}, tensors, HELD_HALVES)


CASES = {
    "llama_a": make_llama_a,
    "smolvlm_a": make_smolvlm_a,
    "colsmol_a": make_colsmol_a,
    "llama_gguf": make_llama_gguf,
    "qwen3_a": make_qwen3_a,
    "gemma3_a": make_gemma3_a,
    "qwen35_a": make_qwen35_a,
    "gemma3_gguf": make_gemma3_gguf,
    "gemma3_seeing": make_gemma3_seeing,
    "gemma3_seeing_gguf": make_gemma3_seeing_gguf,
    "qwen35_gguf": make_qwen35_gguf,
    "qwen35_seeing": make_qwen35_seeing,
    "qwen35_seeing_gguf": make_qwen35_seeing_gguf,
    "qwen3_gguf": make_qwen3_gguf,
    "qwen3vl_a": make_qwen3vl_a,
    "qwen3vl_embed": make_qwen3vl_embed,
    "qwen3vl_gguf": make_qwen3vl_gguf,
    "colqwen3_a": make_colqwen3_a,
    "qwen3_embed": make_qwen3_embed,
    "rerank_qwen3": make_rerank_qwen3,
    "rerank_qwen3vl": make_rerank_qwen3vl,
    "smolvlm_gguf": make_smolvlm_gguf,
    "qwen2vl_gen": make_qwen2vl_gen,
    "paligemma_gen": make_paligemma_gen,
    "qwen25vl_lora": make_qwen25vl_lora,
    "qwen25vl_rslora": make_qwen25vl_rslora,
    "qwen25vl_wide": make_qwen25vl_wide,
    "dse_qwen2": make_dse_qwen2,
}


def main():
    chosen = sys.argv[1:] or sys.exit(__doc__)
    for name in CASES if chosen == ["all"] else chosen:
        CASES[name](DATA / name)


if __name__ == "__main__":
    main()
