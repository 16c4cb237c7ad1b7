#!/usr/bin/env python3
"""Writes cases of text encoders and cross-encoders into tests/data: tiny models with random
weights in the layouts of published models, and what sentence-transformers (PyLate for late
interaction) computes with them from these folders.

    pip install sentence-transformers==6.2.0 transformers==5.24.0 torch==2.13.0
    python3 scripts/golden/make_encoders.py NAME...

late_modernbert_a needs pylate==1.6.0, which runs with sentence-transformers==5.3.0. GTE's models
have their own code: their folders are computed with transformers' class of the same network, whose
rotary positions have other names in the configuration. WordPiece comes from bert_mean_a, and
Unigram from tok_unigram, which this also makes, with the table of characters of e5_tiny. Both, and
the byte pairs, are trained on the licence texts and questions of this repository.
"""
import json
import pathlib
import random
import shutil
import sys
import tempfile
import unicodedata

import sentence_transformers
import tokenizers
import torch
import transformers
from case_files import as_stored, write_entries, write_json
from safetensors.torch import load_file, save_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests/data"
LONGEST = 64
VERSIONS = {
    "python": "%d.%d" % sys.version_info[:2],
    "torch": torch.__version__,
    "transformers": transformers.__version__,
    "sentence_transformers": sentence_transformers.__version__,
    "tokenizers": tokenizers.__version__,
}
SIZES = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 48,
}
SENTENCES = [
    "This is an example sentence.",
    "Which region has the highest revenue in 2023?",
    "",
    "a",
    "Revenue grew 12.5% to $1,234.56 million.",
    "naïve café résumé, Größe über Straße",
    "图像中显示了什么？",
    "Здравствуй, мир",
    "tabs\tand\nnew lines\r\nhere",
    "word " * 200,
    "The licence grants no rights in the trademarks of any contributor. " * 9,
]
PAIRS = [
    ["Which region has the highest revenue?", "Revenue in the north region grew the most."],
    ["Which region has the highest revenue?", "A footnote. See note 4..."],
    ["", "a passage without a question"],
    ["a question without a passage", ""],
    ["Größe über Straße?", "图像中显示了什么？ naïve café"],
    ["short", "word " * 100],
    ["word " * 100, "short"],
    ["word " * 50, "licence " * 60],
]
QUERIES = ["which region has the highest revenue?", "solar, wind & storage", "", "word " * 60]
DOCS = [
    "Revenue in the north region grew; the south declined.",
    "Figure 3: solar capacity (MW), wind turbines, and grid storage!",
    "A footnote. See note 4...",
    "word, " * 60,
]


def spread(name, tensor):
    """Returns mean and standard deviation of a weight. They are wide, so that a wrong position,
    mask or norm shows."""
    if tensor.dim() == 1:
        if name.endswith("bias"):
            return 0, 0.15
        return 1, 0.2
    if "embeddings" in name:
        return 0, 0.4 if "position" in name or "type" in name else 1.0
    sharp = any(part in name for part in ("query", "key", "Wqkv", "q_proj", "k_proj"))
    return 0, (1.5 if sharp else 1.1) * tensor[0].numel() ** -0.5


@torch.no_grad()
def draw_weights(model, seed):
    """Draws the weights. The seed includes the name, so that a weight does not depend on the order
    of the others."""
    for name, weight in sorted(model.named_parameters()):
        mean, deviation = spread(name, weight)
        key = sum((at + 1) * byte for at, byte in enumerate(name.encode()))
        source = torch.Generator().manual_seed(seed * 1_000_003 + key)
        weight.copy_(mean + deviation * torch.randn(weight.shape, generator=source))
    return model.eval()


# ---- Tokenizers --------------------------------------------------------------------------------


def texts_in_many_languages():
    """Returns lines of the questions and texts in this repository, in five scripts."""
    lines = (ROOT / "NOTICE").read_text().splitlines()
    for name in ("languages.jsonl", "questions.jsonl"):
        for line in (DATA / name).read_text().splitlines():
            question = json.loads(line)
            lines += [question["question"], str(question["answer"])]
    lines += [text for texts in (SENTENCES, QUERIES, DOCS) for text in texts]
    return [line for line in lines if line.strip()]


def xlmr_tokenizer(folder):
    """Writes a Unigram model in the form of XLM-R's tokenizer.json, trained on a few lines. Its
    table of characters is the published one."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
    from tokenizers import processors, trainers

    e5 = json.loads((DATA / "e5_tiny/tokenizer.json").read_text())
    table = next(step for step in e5["normalizer"]["normalizers"] if step["type"] == "Precompiled")
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    meta = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), meta])
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    trainer = trainers.UnigramTrainer(vocab_size=560, special_tokens=special, unk_token="<unk>",
                                      max_piece_length=8)  # fmt: skip
    tokenizer.train_from_iterator(texts_in_many_languages(), trainer)
    tokenizer.add_special_tokens([tokenizers.AddedToken("<mask>", lstrip=True)])
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)])  # fmt: skip
    facts = json.loads(tokenizer.to_str())
    blanks = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    facts["normalizer"] = {"type": "Sequence", "normalizers": [table, blanks]}
    write_json(folder / "tokenizer.json", facts)
    assert Regex and tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))


def byte_tokenizer(folder):
    """Writes byte pairs in the form of ModernBERT's tokenizer.json."""
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from tokenizers import trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=special,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())  # fmt: skip
    tokenizer.train_from_iterator(texts_in_many_languages(), trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)])  # fmt: skip
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)


def wordpiece_tokenizer(folder):
    shutil.copyfile(DATA / "bert_mean_a/model/tokenizer.json", folder / "tokenizer.json")


TOKENIZERS = {
    "wordpiece": (wordpiece_tokenizer, ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")),
    "bytes": (byte_tokenizer, ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")),
    "unigram": (
        lambda folder: shutil.copyfile(
            DATA / "tok_unigram/model/tokenizer.json", folder / "tokenizer.json"
        ),
        ("<pad>", "<unk>", "<s>", "</s>", "<mask>"),
    ),
}


def write_tokenizer(folder, kind, longest=LONGEST, types=True):
    write, names = TOKENIZERS[kind]
    folder.mkdir(parents=True, exist_ok=True)
    write(folder)
    pad, unk, cls, sep, mask = names
    inputs = ["input_ids", "token_type_ids", "attention_mask"]
    if not types:
        inputs.remove("token_type_ids")
    write_json(folder / "tokenizer_config.json",
               {"tokenizer_class": "PreTrainedTokenizerFast", "pad_token": pad, "unk_token": unk,
                "cls_token": cls, "sep_token": sep, "mask_token": mask,
                "model_max_length": longest, "model_input_names": inputs})  # fmt: skip
    facts = json.loads((folder / "tokenizer.json").read_text())
    known = facts["model"]["vocab"]
    size = max(len(known), 1 + max(token["id"] for token in facts["added_tokens"]))
    fast = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    return size, fast.pad_token_id


# ---- Models ------------------------------------------------------------------------------------


def save(kind, config, folder, seed, tokens=None):
    """Writes a model with random weights. The model's own classes read `config`, which is written
    too."""
    built = kind.config_class(**{**json.loads(json.dumps(config)), **(tokens or {})})
    model = kind._from_config(built, attn_implementation="eager", dtype=torch.float32)
    draw_weights(model, seed)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    write_json(folder / "config.json", config)
    return model


def bert_config(size, pad, name="BertModel", **more):
    return {"architectures": [name], "model_type": "bert", **SIZES, "vocab_size": size,
            "hidden_act": "gelu", "max_position_embeddings": LONGEST, "type_vocab_size": 2,
            "layer_norm_eps": 1e-12, "pad_token_id": pad, **more}  # fmt: skip


def xlmr_config(size, pad, name="XLMRobertaModel", **more):
    return {"architectures": [name], "model_type": "xlm-roberta", **SIZES, "vocab_size": size,
            "hidden_act": "gelu", "max_position_embeddings": LONGEST + pad + 1,
            "type_vocab_size": 1, "layer_norm_eps": 1e-5, "pad_token_id": pad, **more}  # fmt: skip


def modernbert_config(size, pad, name="ModernBertModel", **more):
    """Windows of 8 tokens to each side, in layers 1, 2 and 4 of 0 to 4."""
    return {"architectures": [name], "model_type": "modernbert", **SIZES, "num_hidden_layers": 5,
            "vocab_size": size, "hidden_activation": "gelu", "max_position_embeddings": LONGEST,
            "norm_eps": 1e-5, "norm_bias": False, "attention_bias": False, "mlp_bias": False,
            "global_attn_every_n_layers": 3, "local_attention": 16, "global_rope_theta": 160000.0,
            "local_rope_theta": 10000.0, "pad_token_id": pad, "cls_token_id": 1, "bos_token_id": 1,
            "sep_token_id": 2, "eos_token_id": 2, "classifier_pooling": "mean",
            "classifier_bias": False, "classifier_activation": "gelu",
            "decoder_bias": True, **more}  # fmt: skip


NTK = 2.0


def gte_config(size, pad, name="NewModel", **more):
    """Returns a configuration like gte-*-en-v1.5: model_type and rope_scaling are those of its own
    code."""
    return {"architectures": [name], "model_type": "new", **SIZES, "vocab_size": size,
            "hidden_act": "gelu", "max_position_embeddings": LONGEST, "type_vocab_size": 2,
            "layer_norm_eps": 1e-12, "layer_norm_type": "layer_norm", "pack_qkv": True,
            "position_embedding_type": "rope", "rope_theta": 500.0,
            "rope_scaling": {"type": "ntk", "factor": NTK}, "logn_attention_scale": False,
            "pad_token_id": pad, **more}  # fmt: skip


def native_gte(config):
    """Returns the same for transformers' class: a larger base, and all frequencies lower by one
    factor."""
    head = config["hidden_size"] // config["num_attention_heads"]
    rope = {"rope_type": "linear", "factor": NTK ** (2 / head),
            "rope_theta": config["rope_theta"] * NTK}  # fmt: skip
    dropped = ("rope_theta", "rope_scaling", "pack_qkv", "layer_norm_type", "model_type",
               "position_embedding_type", "logn_attention_scale")  # fmt: skip
    kept = {key: value for key, value in config.items() if key not in dropped}
    name = config["architectures"][0].replace("New", "Gte")
    return {**kept, "architectures": [name], "model_type": "gte", "rope_parameters": rope}


def modules(folder, *kinds, package="sentence_transformers.models"):
    paths = ["" if kind.endswith("Transformer") else f"{at}_{kind}" for at, kind in enumerate(kinds)]
    listed = [{"idx": at, "name": str(at), "path": path, "type": f"{package}.{kind}"}
              for at, (kind, path) in enumerate(zip(kinds, paths))]  # fmt: skip
    write_json(folder / "modules.json", listed)
    return [folder / path for path in paths]


def pooling(folder, mode):
    keys = {"cls": "cls_token", "mean": "mean_tokens", "lasttoken": "lasttoken"}
    others = ("max_tokens", "mean_sqrt_len_tokens", "weightedmean_tokens")
    facts = {f"pooling_mode_{key}": name == mode for name, key in keys.items()}
    write_json(folder / "config.json", {"word_embedding_dimension": SIZES["hidden_size"], **facts,
                                        **{f"pooling_mode_{key}": False for key in others},
                                        "include_prompt": True})  # fmt: skip


def dense(folder, seed, inputs, outputs, bias=True, act="Identity", **more):
    write_json(folder / "config.json",
               {"in_features": inputs, "out_features": outputs, "bias": bias,
                "activation_function": f"torch.nn.modules.activation.{act}" if act != "Identity"
                else "torch.nn.modules.linear.Identity", **more})  # fmt: skip
    source = torch.Generator().manual_seed(seed)
    tensors = {"linear.weight": torch.randn(outputs, inputs, generator=source) * inputs**-0.5}
    if bias:
        tensors["linear.bias"] = torch.randn(outputs, generator=source) * 0.2
    if more.get("use_residual") and inputs != outputs:
        tensors["residual.weight"] = torch.randn(outputs, inputs, generator=source) * 0.2
    save_file(tensors, folder / "model.safetensors")


# ---- Cases -------------------------------------------------------------------------------------


def write_case(case, facts, tensors, tolerances):
    save_file(as_stored(tensors), case / "expected.safetensors")
    write_json(case / "case.json", {"case": case.name, **facts, "model": "model",
                                    "dtype": "float32", "tolerances": tolerances,
                                    "versions": VERSIONS})  # fmt: skip
    for file in case.rglob("*"):
        if file.is_file():
            file.chmod(0o644)
    size = sum(file.stat().st_size for file in case.rglob("*") if file.is_file())
    print(f"{case.name}: {len(tensors)} tensors, {size / 1e3:.0f} kB")


def flat(rows):
    ends = torch.tensor([len(row) for row in rows]).cumsum(0)
    return torch.cat([torch.as_tensor(row, dtype=torch.int64) for row in rows]), torch.cat(
        [torch.zeros(1, dtype=torch.int64), ends]
    )


def layers_of(trunk, inputs, prefix):
    """Returns the output of the embeddings and of each layer."""
    values = []
    blocks = trunk.encoder.layer if hasattr(trunk, "encoder") else trunk.layers
    first = trunk.embeddings if hasattr(trunk, "embeddings") else trunk.embed_tokens
    hooks = [module.register_forward_hook(lambda _m, _a, out: values.append(
        out[0] if isinstance(out, tuple) else out)) for module in (first, *blocks)]  # fmt: skip
    trunk(**inputs)
    for hook in hooks:
        hook.remove()
    return {f"{prefix}.hidden{at}": value.reshape(-1, value.shape[-1]).clone()
            for at, value in enumerate(values)}  # fmt: skip


@torch.no_grad()
def sentence_values(folder):
    model = sentence_transformers.SentenceTransformer(
        str(folder),
        device="cpu",
        model_kwargs={"attn_implementation": "eager", "dtype": torch.float32},
    ).eval()
    prompts = {key: text for key, text in model.prompts.items() if text}
    passage = prompts.get("passage", prompts.get("document", ""))
    ids = [model.tokenizer(passage + text, truncation=True, max_length=model.max_seq_length)
           for text in SENTENCES]  # fmt: skip
    rows = model.encode(SENTENCES, prompt=passage, convert_to_tensor=True, batch_size=1,
                        normalize_embeddings=True)  # fmt: skip
    asked = model.encode(SENTENCES, prompt=prompts.get("query", ""), convert_to_tensor=True,
                         batch_size=1, normalize_embeddings=True)  # fmt: skip
    together = model.encode(SENTENCES, prompt=passage, convert_to_tensor=True, batch_size=32,
                            normalize_embeddings=True)  # fmt: skip
    assert (together - rows).abs().max() < 1e-5
    ids_flat, offsets = flat([one["input_ids"] for one in ids])
    first = {key: torch.tensor([value]) for key, value in ids[0].items()}
    trunk = model[0].auto_model
    if "token_type_ids" in first and "modern" in type(trunk).__name__.lower():
        del first["token_type_ids"]
    return {"ids.flat": ids_flat, "ids.offsets": offsets, "embeddings": rows,
            "query_embeddings": asked, "cosine": rows @ rows.T,
            **layers_of(trunk, first, "sentence0")}  # fmt: skip


def sentence_case(case, seed, reference=None):
    values = sentence_values(reference or case / "model")
    write_case(case, {"architecture": "a sentence encoder", "seed": seed, "sentences": SENTENCES},
               values, {"embeddings": 2e-4, "hidden": 5e-4, "ids": 0})  # fmt: skip


@torch.no_grad()
def pair_values(folder):
    model = sentence_transformers.CrossEncoder(
        str(folder), device="cpu", model_kwargs={"attn_implementation": "eager"}
    )
    model.eval()
    longest = model.max_seq_length or LONGEST
    # As lists, because an empty second text alone would count as missing.
    lists = [model.tokenizer([first], [second], truncation=True, return_token_type_ids=True,
                             max_length=min(longest, LONGEST))
             for first, second in PAIRS]  # fmt: skip
    made = [{key: rows[0] for key, rows in one.items()} for one in lists]
    ids, offsets = flat([one["input_ids"] for one in made])
    types, _ = flat([one["token_type_ids"] for one in made])
    logits = model.predict(PAIRS, activation_fn=torch.nn.Identity(), convert_to_tensor=True,
                           batch_size=1)  # fmt: skip
    together = model.predict(PAIRS, activation_fn=torch.nn.Identity(), convert_to_tensor=True)
    assert (together - logits).abs().max() < 1e-4
    network = model.model if hasattr(model, "model") else model[0].auto_model
    trunk = network.base_model
    first = {key: torch.tensor([value]) for key, value in made[0].items()}
    if "token_type_ids" not in model.tokenizer.model_input_names:
        del first["token_type_ids"]
    return {"ids.flat": ids, "ids.offsets": offsets, "types.flat": types,
            "logits": logits.double().flatten(), **layers_of(trunk, first, "pair0")}  # fmt: skip


def pair_case(case, seed, reference=None):
    values = pair_values(reference or case / "model")
    write_case(case, {"architecture": "a cross-encoder", "seed": seed, "pairs": PAIRS}, values,
               {"logits": 2e-4, "hidden": 5e-4, "ids": 0})  # fmt: skip


def fresh(case):
    shutil.rmtree(case, ignore_errors=True)
    folder = case / "model"
    folder.mkdir(parents=True)
    return folder


def write_sentence_folder(folder, mode, prompts, *behind):
    paths = modules(folder, "Transformer", "Pooling", *behind)
    pooling(paths[1], mode)
    write_json(folder / "sentence_bert_config.json",
               {"max_seq_length": LONGEST, "do_lower_case": False})  # fmt: skip
    write_json(folder / "config_sentence_transformers.json",
               {"prompts": prompts, "default_prompt_name": None,
                "similarity_fn_name": "cosine"})  # fmt: skip
    return paths


def bert_cls_a(case):
    """Like BGE and Arctic, with a layer after the pooling."""
    folder, seed = fresh(case), 301
    size, pad = write_tokenizer(folder, "wordpiece")
    save(transformers.BertModel, bert_config(size, pad), folder, seed)
    paths = write_sentence_folder(folder, "cls", {"query": "Represent this sentence: "}, "Dense",
                                  "Normalize")  # fmt: skip
    dense(paths[2], seed, 32, 24, act="Tanh")
    sentence_case(case, seed)


def xlmr_a(case):
    """Like multilingual E5."""
    folder, seed = fresh(case), 302
    size, pad = write_tokenizer(folder, "unigram", types=False)
    save(transformers.XLMRobertaModel, xlmr_config(size, pad), folder, seed)
    write_sentence_folder(folder, "mean", {"query": "query: ", "passage": "passage: "}, "Normalize")
    sentence_case(case, seed)


def modernbert_a(case):
    """Like gte-modernbert, with the prefixes of modernbert-embed."""
    folder, seed = fresh(case), 303
    size, pad = write_tokenizer(folder, "bytes", types=False)
    save(transformers.ModernBertModel, modernbert_config(size, pad), folder, seed)
    write_sentence_folder(
        folder, "cls", {"query": "search_query: ", "document": "search_document: "}
    )
    sentence_case(case, seed)


def with_native_twin(case, kind, config, seed, write):
    """Writes a folder in the layout of the models' own code, and computes its case from the same
    weights in the layout of transformers."""
    folder = case / "model"
    with tempfile.TemporaryDirectory() as place:
        twin = pathlib.Path(place) / "model"
        shutil.copytree(folder, twin)
        save(kind, native_gte(config), twin, seed)
        weights = {name.replace("gte.", "new.", 1) if name.startswith("gte.") else name: tensor
                   for name, tensor in load_file(twin / "model.safetensors").items()}  # fmt: skip
        save_file(weights, folder / "model.safetensors", {"format": "pt"})
        write_json(folder / "config.json", config)
        write(twin)


def gte_a(case):
    folder, seed = fresh(case), 304
    size, pad = write_tokenizer(folder, "wordpiece")
    write_sentence_folder(folder, "lasttoken", {}, "Normalize")
    with_native_twin(case, transformers.GteModel, gte_config(size, pad), seed,
                     lambda twin: sentence_case(case, seed, twin))  # fmt: skip


def rerank_bert_a(case):
    """Like ms-marco-MiniLM."""
    folder, seed = fresh(case), 305
    size, pad = write_tokenizer(folder, "wordpiece")
    config = bert_config(size, pad, "BertForSequenceClassification", id2label={"0": "LABEL_0"})
    save(transformers.BertForSequenceClassification, config, folder, seed)
    pair_case(case, seed)


def rerank_xlmr_a(case):
    """Like bge-reranker."""
    folder, seed = fresh(case), 306
    size, pad = write_tokenizer(folder, "unigram", types=False)
    config = xlmr_config(size, pad, "XLMRobertaForSequenceClassification",
                         id2label={"0": "LABEL_0"})  # fmt: skip
    save(transformers.XLMRobertaForSequenceClassification, config, folder, seed)
    pair_case(case, seed)


def rerank_modernbert_a(case):
    """Like gte-reranker-modernbert."""
    folder, seed = fresh(case), 307
    size, pad = write_tokenizer(folder, "bytes", types=False)
    config = modernbert_config(size, pad, "ModernBertForSequenceClassification",
                               id2label={"0": "LABEL_0"})  # fmt: skip
    save(transformers.ModernBertForSequenceClassification, config, folder, seed)
    pair_case(case, seed)


def rerank_gte_a(case):
    """Like gte-multilingual-reranker."""
    folder, seed = fresh(case), 308
    size, pad = write_tokenizer(folder, "wordpiece")
    config = gte_config(size, pad, "NewForSequenceClassification", id2label={"0": "LABEL_0"})
    with_native_twin(case, transformers.GteForSequenceClassification, config, seed,
                     lambda twin: pair_case(case, seed, twin))  # fmt: skip


def mpnet_a(case):
    """Like all-mpnet-base."""
    folder, seed = fresh(case), 311
    size, pad = write_tokenizer(folder, "wordpiece", types=False)
    config = {**bert_config(size, 1, "MPNetModel"), "model_type": "mpnet",
              "max_position_embeddings": 162, "relative_attention_num_buckets": 32}  # fmt: skip
    del config["type_vocab_size"]
    # The padding has row 1, whatever its id in the tokenizer is.
    assert pad == 0
    save(transformers.MPNetModel, config, folder, seed)
    write_sentence_folder(folder, "mean", {}, "Normalize")
    # Longer than the distances that have their own bucket.
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 160})
    sentence_case(case, seed)


def nomic_a(case):
    """Like nomic-embed-text, with the configuration of its own code."""
    folder, seed = fresh(case), 312
    size, pad = write_tokenizer(folder, "wordpiece")
    native = {**bert_config(size, pad, "NomicBertModel"), "model_type": "nomic_bert",
              "hidden_act": "silu", "rope_parameters": {"rope_type": "default",
                                                        "rope_theta": 1000.0}}  # fmt: skip
    published = {"architectures": ["NomicBertModel"], "model_type": "nomic_bert",
                 "n_embd": native["hidden_size"], "n_layer": native["num_hidden_layers"],
                 "n_head": native["num_attention_heads"], "n_inner": native["intermediate_size"],
                 "n_positions": LONGEST, "max_trained_positions": LONGEST // 2,
                 "layer_norm_epsilon": 1e-12, "rotary_emb_base": 1000, "rotary_emb_fraction": 1.0,
                 "rotary_emb_interleaved": False, "rotary_scaling_factor": None,
                 "activation_function": "swiglu", "prenorm": False, "qkv_proj_bias": False,
                 "mlp_fc1_bias": False, "mlp_fc2_bias": False, "type_vocab_size": 2,
                 "vocab_size": size}  # fmt: skip
    write_sentence_folder(
        folder, "mean", {"query": "search_query: ", "document": "search_document: "}
    )
    with tempfile.TemporaryDirectory() as place:
        twin = pathlib.Path(place) / "model"
        shutil.copytree(folder, twin)
        save(transformers.NomicBertModel, native, twin, seed)
        shutil.copyfile(twin / "model.safetensors", folder / "model.safetensors")
        write_json(folder / "config.json", published)
        sentence_case(case, seed, twin)


def gemma_tokenizer(folder):
    """Writes Gemma 3's tokenizer with a first and a last token around each text."""
    source = DATA / "gemma3_a/model"
    facts = json.loads((source / "tokenizer.json").read_text())
    ids = {token["content"]: token["id"] for token in facts["added_tokens"]}
    around = {name: {"id": name, "ids": [ids[name]], "tokens": [name]} for name in ("<bos>", "<eos>")}
    begin, end = ({"SpecialToken": {"id": name, "type_id": 0}} for name in around)
    text = {"Sequence": {"id": "A", "type_id": 0}}
    facts["post_processor"] = {"type": "TemplateProcessing", "single": [begin, text, end],
                               "pair": [begin, text, end], "special_tokens": around}  # fmt: skip
    write_json(folder / "tokenizer.json", facts)
    write_json(folder / "tokenizer_config.json",
               {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<bos>",
                "eos_token": "<eos>", "pad_token": "<pad>", "unk_token": "<unk>",
                "model_max_length": LONGEST,
                "model_input_names": ["input_ids", "attention_mask"]})  # fmt: skip
    return 1 + max(max(ids.values()), max(facts["model"]["vocab"].values()))


@torch.no_grad()
def gemma_embed_a(case):
    """Like EmbeddingGemma: tokens see both directions, in two layers of three at most 8 tokens away,
    and two layers come after the mean. The weights are stored in bfloat16."""
    folder, seed = fresh(case), 314
    size = gemma_tokenizer(folder)
    config = {"architectures": ["Gemma3TextModel"], "model_type": "gemma3_text",
              "attention_bias": False, "attn_logit_softcapping": None,
              "final_logit_softcapping": None, "hidden_activation": "gelu_pytorch_tanh",
              "use_bidirectional_attention": True, "max_position_embeddings": LONGEST,
              "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
              "rope_scaling": None, "sliding_window": 16, "_sliding_window_pattern": 6,
              "layer_types": ["sliding_attention"] * 5 + ["full_attention", "sliding_attention"],
              "query_pre_attn_scalar": 16, "vocab_size": size, "hidden_size": 32,
              "intermediate_size": 48, "num_attention_heads": 4, "num_key_value_heads": 1,
              "num_hidden_layers": 7, "head_dim": 16, "bos_token_id": 2, "eos_token_id": 1,
              "pad_token_id": 0, "dtype": "bfloat16"}  # fmt: skip
    model = save(transformers.Gemma3TextModel, config, folder, seed)
    state = {}
    for name, weight in model.state_dict().items():
        # Norms of this family multiply by 1 + weight.
        state[name] = (weight - 1 if weight.dim() == 1 else weight).bfloat16().contiguous()
    save_file(state, folder / "model.safetensors", {"format": "pt"})
    paths = write_sentence_folder(
        folder, "mean", {"query": "task: search result | query: ",
                         "document": "title: none | text: "},
        "Dense", "Dense", "Normalize")  # fmt: skip
    dense(paths[2], seed, 32, 48, bias=False)
    dense(paths[3], seed + 1, 48, 32, bias=False)
    for path in paths[2:4]:
        held = load_file(path / "model.safetensors")
        save_file({name: value.bfloat16() for name, value in held.items()},
                  path / "model.safetensors")  # fmt: skip
    sentence_case(case, seed)


# ---- Sparse encoders ---------------------------------------------------------------------------


@torch.no_grad()
def sparse_values(folder):
    """The weights of every token of the vocabulary, a row for each text."""
    model = sentence_transformers.SparseEncoder(
        str(folder),
        device="cpu",
        model_kwargs={"attn_implementation": "eager", "dtype": torch.float32},
    ).eval()
    plain = {"convert_to_sparse_tensor": False, "convert_to_tensor": True}
    rows = model.encode_document(SENTENCES, batch_size=1, **plain)
    asked = model.encode_query(SENTENCES, batch_size=1, **plain)
    together = model.encode_document(SENTENCES, batch_size=32, **plain)
    assert (together - rows).abs().max() < 1e-5
    tokenizer = transformers.PreTrainedTokenizerFast.from_pretrained(folder)
    ids, offsets = flat([tokenizer(text, truncation=True, max_length=LONGEST)["input_ids"]
                         for text in SENTENCES])  # fmt: skip
    return {"ids.flat": ids, "ids.offsets": offsets, "weights": rows, "query_weights": asked}


def sparse_case(case, seed):
    write_case(case, {"architecture": "a sparse encoder", "seed": seed, "sentences": SENTENCES},
               sparse_values(case / "model"), {"weights": 2e-4, "ids": 0})  # fmt: skip


def splade_pooling(folder, activation="relu"):
    write_json(folder / "config.json", {"pooling_strategy": "max",
                                        "activation_function": activation,
                                        "word_embedding_dimension": None})  # fmt: skip


SPARSE = "sentence_transformers.sparse_encoder.models"


def lower_biases(folder, name):
    """Lowers the biases of tokens, so that most weights are 0, as in trained models."""
    state = load_file(folder / "model.safetensors")
    state[name] = state[name] - 1.5
    save_file(state, folder / "model.safetensors", {"format": "pt"})


def splade_a(case):
    """Like splade-cocondenser: BERT's masked language model."""
    folder, seed = fresh(case), 315
    size, pad = write_tokenizer(folder, "wordpiece")
    save(transformers.BertForMaskedLM, bert_config(size, pad, "BertForMaskedLM"), folder, seed)
    lower_biases(folder, "cls.predictions.bias")
    paths = modules(folder, "MLMTransformer", "SpladePooling", package=SPARSE)
    splade_pooling(paths[1])
    write_json(folder / "sentence_bert_config.json",
               {"max_seq_length": LONGEST, "do_lower_case": False})  # fmt: skip
    write_json(folder / "config_sentence_transformers.json",
               {"model_type": "SparseEncoder", "prompts": {}, "default_prompt_name": None,
                "similarity_fn_name": "dot"})  # fmt: skip
    sparse_case(case, seed)


def splade_static_a(case):
    """Like opensearch-neural-sparse-encoding-doc-v3-distill: DistilBERT for passages, and a weight
    for each token of a question."""
    folder, seed = fresh(case), 316
    size, pad = write_tokenizer(folder, "wordpiece", types=False)
    config = {"architectures": ["DistilBertForMaskedLM"], "model_type": "distilbert",
              "activation": "gelu", "dim": SIZES["hidden_size"],
              "hidden_dim": SIZES["intermediate_size"], "n_heads": SIZES["num_attention_heads"],
              "n_layers": SIZES["num_hidden_layers"], "max_position_embeddings": LONGEST,
              "sinusoidal_pos_embds": False, "tie_weights_": True, "pad_token_id": pad,
              "vocab_size": size}  # fmt: skip
    save(transformers.DistilBertForMaskedLM, config, folder, seed)
    lower_biases(folder, "vocab_projector.bias")
    write_json(folder / "modules.json", [{"idx": 0, "name": "0", "path": "",
                                          "type": "sentence_transformers.models.Router"}])  # fmt: skip
    table, pooling = "query_0_SparseStaticEmbedding", "document_1_SpladePooling"
    write_json(folder / "router_config.json", {
        "types": {table: f"{SPARSE}.SparseStaticEmbedding", "": f"{SPARSE}.MLMTransformer",
                  pooling: f"{SPARSE}.SpladePooling"},
        "structure": {"query": [table], "document": ["", pooling]},
        "parameters": {"default_route": "document", "allow_empty_key": True}})  # fmt: skip
    splade_pooling(folder / pooling, "log1p_relu")
    write_json(folder / table / "config.json", {"frozen": False})
    for file in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copyfile(folder / file, folder / table / file)
    source = torch.Generator().manual_seed(seed)
    save_file({"weight": torch.rand(size, generator=source) * 3},
              folder / table / "model.safetensors")  # fmt: skip
    write_json(folder / "sentence_bert_config.json",
               {"max_seq_length": LONGEST, "do_lower_case": False})  # fmt: skip
    write_json(folder / "config_sentence_transformers.json",
               {"model_type": "SparseEncoder", "prompts": {}, "default_prompt_name": None,
                "similarity_fn_name": "dot"})  # fmt: skip
    sparse_case(case, seed)


# ---- Late interaction --------------------------------------------------------------------------


def late_rows(model, texts, is_query):
    tokens = model.tokenize(texts, is_query=is_query, pad=not is_query)
    masks = (model.skiplist_mask(tokens["input_ids"], model.skiplist).logical_and(
        tokens["attention_mask"].bool()) if not is_query
        else torch.ones_like(tokens["input_ids"], dtype=torch.bool))  # fmt: skip
    features = model(dict(tokens))
    vectors = torch.nn.functional.normalize(features["token_embeddings"], p=2, dim=-1)
    # One by one, so that nothing is padded.
    alone = model.encode(texts, is_query=is_query, batch_size=1)
    for row, mask, one in zip(vectors, masks, alone):
        assert (row[mask] - torch.as_tensor(one)).abs().max() < 1e-5
    return tokens["input_ids"], tokens["attention_mask"], masks, vectors


@torch.no_grad()
def late_modernbert_a(case):
    """Like mxbai-edge-colbert: ModernBERT with two layers after it."""
    from pylate import models, scores

    folder, seed = fresh(case), 309
    size, pad = write_tokenizer(folder, "bytes", types=False)
    # The markers are separate tokens.
    facts = json.loads((folder / "tokenizer.json").read_text())
    for content in ("[Q] ", "[D] "):
        facts["added_tokens"].append(
            {"id": size, "content": content, "single_word": False, "lstrip": False,
             "rstrip": False, "normalized": True, "special": False})  # fmt: skip
        size += 1
    write_json(folder / "tokenizer.json", facts)
    save(transformers.ModernBertModel, modernbert_config(size, pad), folder, seed)
    paths = modules(folder, "Transformer", "Dense", "Dense")
    listed = json.loads((folder / "modules.json").read_text())
    for entry in listed[1:]:
        entry["type"] = "pylate.models.Dense.Dense"
    write_json(folder / "modules.json", listed)
    dense(paths[1], seed, 32, 48, bias=False, use_residual=True)
    dense(paths[2], seed + 1, 48, 16, bias=False, use_residual=False)
    write_json(folder / "sentence_bert_config.json",
               {"max_seq_length": 47, "do_lower_case": False})  # fmt: skip
    write_json(folder / "config_sentence_transformers.json",
               {"prompts": {}, "default_prompt_name": None, "similarity_fn_name": "MaxSim",
                "query_prefix": "[Q] ", "document_prefix": "[D] ", "query_length": 24,
                "document_length": 48, "attend_to_expansion_tokens": True,
                "do_query_expansion": True,
                "skiplist_words": list("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")})  # fmt: skip
    model = models.ColBERT(str(folder), device="cpu",
                           model_kwargs={"attn_implementation": "eager"}).eval()  # fmt: skip
    query = late_rows(model, QUERIES, True)
    doc = late_rows(model, DOCS, False)
    scored = torch.stack([torch.stack([
        scores.colbert_scores(q[qm][None], d[dm][None])[0, 0]
        for d, dm in zip(doc[3], doc[2])]) for q, qm in zip(query[3], query[2])])  # fmt: skip
    values = {"query.input_ids": query[0], "query.attention_mask": query[1],
              "query.embeddings": query[3], "doc.input_ids": doc[0] * doc[1],
              "doc.attention_mask": doc[1], "doc.keep_mask": doc[2].long(),
              "doc.embeddings": doc[3], "scores": scored}  # fmt: skip
    write_case(case, {"architecture": "ModernBertModel in PyLate's layout", "seed": seed,
                      "queries": QUERIES, "docs": DOCS}, values,
               {"embeddings": 2e-4, "scores": 2e-3, "ids": 0})  # fmt: skip


# ---- Pages -------------------------------------------------------------------------------------

PAGE_TOKENS = ("<|begin_of_text|>", "<fake_token_around_image>", "<image>", "<end_of_utterance>",
               "<global-img>", "<row_1_col_1>", "<row_1_col_2>", "<row_1_col_3>", "<row_2_col_1>",
               "<row_2_col_2>", "<row_2_col_3>", "<row_3_col_1>")  # fmt: skip
PAGE_QUERIES = ["total revenue by region", "What does the footnote say about tax risk?"]
PAGES = {"page_a": (0, 0, 300, 180), "page_b": (0, 0, 160, 300)}


def page_files(folder, size, tile, image_tokens):
    """The tokenizer with the tokens of a model of this kind, and its processors' settings."""
    facts = json.loads((folder / "tokenizer.json").read_text())
    for at, content in enumerate(PAGE_TOKENS):
        facts["added_tokens"].append(
            {"id": size + at, "content": content, "single_word": False, "lstrip": False,
             "rstrip": False, "normalized": False, "special": True})  # fmt: skip
    write_json(folder / "tokenizer.json", facts)
    write_json(folder / "processor_config.json",
               {"image_seq_len": image_tokens, "processor_class": "ColModernVBertProcessor"})  # fmt: skip
    write_json(folder / "preprocessor_config.json", {
        "do_convert_rgb": True, "do_image_splitting": True, "do_normalize": True, "do_pad": True,
        "do_rescale": True, "do_resize": True, "image_mean": [0.5] * 3, "image_std": [0.5] * 3,
        "image_processor_type": "Idefics3ImageProcessor", "max_image_size": {"longest_edge": tile},
        "processor_class": "ColModernVBertProcessor", "resample": 1, "rescale_factor": 1 / 255,
        "size": {"longest_edge": 3 * tile}})  # fmt: skip
    return size + len(PAGE_TOKENS)


def modernvbert_config(folder):
    """Writes the tokenizer and the processors' settings. Returns the configuration, and how many
    tokens come before those of a model of this kind."""
    words, pad = write_tokenizer(folder, "bytes", types=False, longest=1024)
    size = page_files(folder, words, 32, 4)
    text = modernbert_config(size, pad, max_position_embeddings=512, local_attention=64)
    vision = {"model_type": "siglip_vision_model", "hidden_size": 24, "intermediate_size": 36,
              "num_attention_heads": 2, "num_hidden_layers": 2, "image_size": 32, "patch_size": 4,
              "num_channels": 3, "layer_norm_eps": 1e-6, "hidden_act": "gelu_pytorch_tanh",
              "vision_use_head": False}  # fmt: skip
    return {"model_type": "modernvbert", "pixel_shuffle_factor": 4,
            "image_token_id": words + PAGE_TOKENS.index("<image>"),
            "text_config": text, "vision_config": vision}, words  # fmt: skip


def cut_pages(case):
    from PIL import Image

    (case / "input").mkdir()
    pages = []
    for name, box in PAGES.items():
        page = Image.open(DATA / f"qwen25vl_a/input/{name}.png").convert("RGB").crop(box)
        page.save(case / f"input/{name}.png")
        pages.append(page)
    return pages


@torch.no_grad()
def colmodernvbert_a(case):
    folder, seed = fresh(case), 313
    body, _ = modernvbert_config(folder)
    config = {"architectures": ["ColModernVBertForRetrieval"], "model_type": "colmodernvbert",
              "embedding_dim": 16, "vlm_config": body}  # fmt: skip
    save(transformers.ColModernVBertForRetrieval, config, folder, seed)
    pages = cut_pages(case)
    processor = transformers.ColModernVBertProcessor.from_pretrained(folder)
    model = transformers.ColModernVBertForRetrieval.from_pretrained(
        folder, dtype=torch.float32, attn_implementation="eager").eval()  # fmt: skip
    tensors, vectors = {}, {}
    for name, inputs in (("pages", processor.process_images(pages)),
                         ("queries", processor.process_queries(PAGE_QUERIES))):  # fmt: skip
        inputs = {key: inputs[key] for key in ("input_ids", "attention_mask", "pixel_values")
                  if key in inputs}  # fmt: skip
        vectors[name] = model(**inputs).embeddings
        tensors |= {f"{name}.embeddings": vectors[name], f"{name}.input_ids": inputs["input_ids"],
                    f"{name}.attention_mask": inputs["attention_mask"]}  # fmt: skip
    products = torch.einsum("qtd,psd->qpts", vectors["queries"], vectors["pages"])
    tensors["scores"] = products.max(-1).values.sum(-1)
    write_case(case, {"architecture": "ColModernVBertForRetrieval", "seed": seed,
                      "images": [f"input/{name}.png" for name in PAGES], "queries": PAGE_QUERIES},
               tensors, {"ids": 0, "golden_pixels": {"embeddings": 2e-4, "scores": 2e-3},
                         "own_pixels": {"embeddings": 0.005, "scores": 0.05}})  # fmt: skip


SILENT = ("[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]")
SPARSE_QUERIES = [*PAGE_QUERIES, "tax on tax, and the tax of <image> a [MASK] [CLS] footnote", ""]


def vsplade_weights(trunk, words, seed):
    """The tensors of the model and of both heads, under the names of naver/v-splade-quality."""
    source = torch.Generator().manual_seed(seed)
    hidden = SIZES["hidden_size"]

    def drawn(*shape, scale=1.0):
        return torch.randn(*shape, generator=source) * scale

    below = "encoder.encoder.model."
    state = {below + name: value.clone() for name, value in trunk.state_dict().items()}
    table = below + "text_model.embeddings.tok_embeddings"
    rows = state.pop(f"{table}.weight")
    state[f"{table}.weight"] = rows[:words].clone()
    state[f"{table}.additional_embedding.weight"] = rows[words:].clone()
    connector = below + "connector.modality_projection"
    state[f"{connector}.proj.weight"] = state.pop(f"{connector}.weight")
    state |= {"encoder.mlm_head.dense.weight": drawn(hidden, hidden, scale=hidden**-0.5),
              "encoder.mlm_head.dense.bias": drawn(hidden, scale=0.2),
              "encoder.mlm_head.norm.weight": 1 + drawn(hidden, scale=0.2),
              "encoder.mlm_head.norm.bias": drawn(hidden, scale=0.2),
              "encoder.mlm_head.decoder.weight": drawn(words, hidden, scale=hidden**-0.5),
              # Most weights are 0, as in trained models.
              "encoder.mlm_head.decoder.bias": drawn(words, scale=0.2) - 3,
              "query_encoder.embeddings.weight": drawn(words, hidden),
              "query_encoder.projection.weight": drawn(1, hidden, scale=hidden**-0.5),
              "query_encoder.projection.bias": drawn(1, scale=0.2)}  # fmt: skip
    return {name: value.contiguous() for name, value in state.items()}


def page_weights(state, hidden, silent):
    """The reference's head (naver/v-splade, train/models): decoder(norm(gelu(dense(h)))) times
    width ** -0.25, log(1 + relu), the largest over a page's tokens."""
    head = {name.split("mlm_head.")[1]: value for name, value in state.items()
            if "mlm_head." in name}  # fmt: skip
    linear, width = torch.nn.functional.linear, hidden.shape[-1]
    x = torch.nn.functional.gelu(linear(hidden, head["dense.weight"], head["dense.bias"]))
    x = torch.nn.functional.layer_norm(x, (width,), head["norm.weight"], head["norm.bias"])
    numbers = linear(x, head["decoder.weight"], head["decoder.bias"]) * width**-0.25
    weights = torch.log1p(torch.relu(numbers)).max(dim=0).values
    weights[silent] = 0
    return weights


def question_weights(state, ids, words, silent):
    """softplus(w e + b) for each token, added up; tokens outside the vocabulary do not count."""
    table = torch.nn.functional.softplus(torch.nn.functional.linear(
        state["query_encoder.embeddings.weight"], state["query_encoder.projection.weight"],
        state["query_encoder.projection.bias"]).squeeze(-1))  # fmt: skip
    ids = torch.tensor([id for id in ids if id < words], dtype=torch.int64)
    weights = torch.zeros(words).scatter_add_(0, ids, table[ids])
    weights[silent] = 0
    return weights


@torch.no_grad()
def vsplade_a(case):
    """Like v-splade-quality: the configuration and the processor of colpali-engine."""
    folder, seed = fresh(case), 317
    body, words = modernvbert_config(folder)
    built = transformers.ModernVBertConfig(**json.loads(json.dumps(body)))
    trunk = transformers.ModernVBertModel._from_config(
        built, attn_implementation="eager", dtype=torch.float32)  # fmt: skip
    draw_weights(trunk, seed)
    state = vsplade_weights(trunk, words, seed)
    save_file(state, folder / "model.safetensors", {"format": "pt"})
    text, vision = body["text_config"], body["vision_config"]
    del text["architectures"], vision["vision_use_head"]
    vision["embed_dim"] = vision.pop("hidden_size")
    text |= {"model_type": "vbert", "vocab_size": words, "text_model_name": "a tiny one"}
    vision |= {"model_type": "vbert", "vision_model_name": "a tiny one"}
    write_json(folder / "config.json",
               {"architectures": ["BiModernVBert"], **body, "hidden_size": SIZES["hidden_size"],
                "vocab_size": words, "additional_vocab_size": len(PAGE_TOKENS),
                "tie_word_embeddings": False})  # fmt: skip
    processor = transformers.ColModernVBertProcessor.from_pretrained(folder)
    tokenizer = processor.tokenizer
    silent = tokenizer.convert_tokens_to_ids(list(SILENT))
    rows, pages = [], []
    for page in cut_pages(case):
        # One by one, so that nothing is padded.
        inputs = processor.process_images([page])
        rows.append(inputs["input_ids"][0])
        inputs = {key: inputs[key] for key in ("input_ids", "attention_mask", "pixel_values")}
        pages.append(page_weights(state, trunk(**inputs).last_hidden_state[0], silent))
    asked = [question_weights(state, tokenizer(text, add_special_tokens=False)["input_ids"], words,
                              silent) for text in SPARSE_QUERIES]  # fmt: skip
    ids, offsets = flat(rows)
    pages, asked = torch.stack(pages), torch.stack(asked)
    kept = (pages > 0).float().mean().item()
    assert 0.02 < kept < 0.5, kept
    write_case(case, {"architecture": "BiModernVBert with V-SPLADE's heads", "seed": seed,
                      "images": [f"input/{name}.png" for name in PAGES],
                      "queries": SPARSE_QUERIES},
               {"pages.ids.flat": ids, "pages.ids.offsets": offsets, "pages.weights": pages,
                "queries.weights": asked, "scores": asked @ pages.T},
               {"ids": 0, "weights": 2e-3, "query_weights": 1e-5, "scores": 0.05})  # fmt: skip


# ---- Tokenizer case ----------------------------------------------------------------------------


def strings(seed, count):
    """Texts in many languages, and mixtures of their characters with odd ones."""
    dice = random.Random(seed)
    lines = texts_in_many_languages()
    alphabet = sorted({c for line in lines for c in line})
    odd = list("\t\n\r  　​­ﬁ½㎏ｶﾞǺ̈é한각𝔘😀👩‍👩‍👧ﻻشً") + ["  ", "   ", "<mask>", "<s>", " <mask> ", "▁"]
    made = ["", " ", "  ", "a", " a", "a ", "\n", "▁", "▁▁a", "<mask>", "x <mask> y", "x<mask>y"]
    made += lines[:: max(1, len(lines) // (count // 2))]
    while len(made) < count:
        pieces = dice.choices(alphabet, k=dice.randint(1, 12)) + dice.choices(odd, k=dice.randint(0, 3))
        dice.shuffle(pieces)
        made.append("".join(pieces) if dice.random() < 0.5 else " ".join(pieces))
    known = [text for text in made if all(unicodedata.category(c) != "Cn" for c in text)]
    return known[:count]


def tok_unigram(case):
    folder, seed = fresh(case), 310
    xlmr_tokenizer(folder)
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    dice = random.Random(seed)
    texts = strings(seed, 220)
    encode = []
    for text in texts:
        plain, special = tokenizer.encode(text, add_special_tokens=False), tokenizer.encode(text)
        encode.append({"text": text, "ids": plain.ids, "ids_with_special": special.ids,
                       "offsets": [list(pair) for pair in plain.offsets],
                       "decoded": tokenizer.decode(plain.ids, skip_special_tokens=False),
                       "decoded_skip_special": tokenizer.decode(plain.ids)})  # fmt: skip
    size = tokenizer.get_vocab_size()
    drawn = [[dice.randrange(size) for _ in range(dice.randint(1, 14))] for _ in range(40)]
    ids = [{"ids": row, "decoded": tokenizer.decode(row, skip_special_tokens=False),
            "decoded_skip_special": tokenizer.decode(row)} for row in drawn]  # fmt: skip
    pairs = []
    for _ in range(20):
        a, b = dice.choice(texts), dice.choice(texts)
        one = tokenizer.encode(a, b)
        pairs.append({"a": a, "b": b, "ids": one.ids, "type_ids": one.type_ids})
    write_entries(case / "expected.json",
                  {"encode": encode, "decode_random_ids": ids, "encode_pair": pairs})  # fmt: skip
    same = sum(one["decoded_skip_special"] == one["text"] for one in encode)
    write_json(case / "case.json",
               {"case": case.name, "kind": "tokenizer", "model": "model", "seed": seed,
                "note": "XLM-R's Unigram, with the published table of characters",
                "strings": len(texts), "unchanged_by_a_round_trip": same,
                "versions": VERSIONS})  # fmt: skip
    size = sum(file.stat().st_size for file in case.rglob("*") if file.is_file())
    print(f"{case.name}: {len(texts)} texts, {size / 1e3:.0f} kB")


CASES = [tok_unigram, bert_cls_a, xlmr_a, modernbert_a, gte_a, mpnet_a, nomic_a, gemma_embed_a,
         splade_a, splade_static_a, rerank_bert_a,
         rerank_xlmr_a, rerank_modernbert_a, rerank_gte_a, late_modernbert_a,
         colmodernvbert_a, vsplade_a]  # fmt: skip


def main(names):
    known = {case.__name__: case for case in CASES}
    for name in names:
        known[name](DATA / name)


if __name__ == "__main__":
    main(sys.argv[1:] or sys.exit(__doc__))
