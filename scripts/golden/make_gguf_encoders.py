#!/usr/bin/env python3
"""Writes text encoders as GGUF files, as llama.cpp's converter does, into tests/data or elsewhere.

    python3 scripts/golden/make_gguf_encoders.py all|CASE...
    python3 scripts/golden/make_gguf_encoders.py FOLDER OUT.gguf f32|f16|bf16|q8_0

CASE is a case of tests/data. All but bert_gguf hold the unchanged weights of the case that is a model folder, so that the same reference applies. For bert_gguf the vectors
are computed again (transformers), because the file can state its pooling, but not the layer after
it. The second form converts any folder of BERT's kind.

Needs gguf 0.19.0, numpy, safetensors, torch 2.13.0, transformers 5.24.0.
"""

import base64
import json
import pathlib
import shutil
import sys

import gguf
import numpy as np
import torch
import transformers
from case_files import write_json
from safetensors.torch import load_file, save_file

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests/data"
TYPES = gguf.GGMLQuantizationType
POOLING = {"mean_tokens": gguf.PoolingType.MEAN, "cls_token": gguf.PoolingType.CLS,
           "lasttoken": gguf.PoolingType.LAST}  # fmt: skip
BLANK = "▁"
ARCHITECTURES = {"bert": gguf.MODEL_ARCH.BERT, "xlm-roberta": gguf.MODEL_ARCH.BERT,
                 "nomic_bert": gguf.MODEL_ARCH.NOMIC_BERT, "qwen3": gguf.MODEL_ARCH.QWEN3,
                 "gemma3_text": gguf.MODEL_ARCH.GEMMA_EMBEDDING}  # fmt: skip


def read_json(path):
    return json.loads(path.read_text())


def first_of(config, *names):
    return next(config[name] for name in names if name in config)


def listed(tokenizer, count):
    """Texts and types of all tokens, and the tokenizer's added ones by their text."""
    vocabulary = tokenizer["model"]["vocab"]
    if isinstance(vocabulary, list):
        vocabulary = {token: at for at, (token, _) in enumerate(vocabulary)}
    texts = {at: token for token, at in vocabulary.items()}
    kinds = dict.fromkeys(texts, gguf.TokenType.NORMAL)
    added = {}
    for token in tokenizer["added_tokens"]:
        added[token["content"]] = token["id"]
        texts[token["id"]] = token["content"]
        special = gguf.TokenType.CONTROL if token["special"] else gguf.TokenType.USER_DEFINED
        kinds[token["id"]] = special
    return ([texts.get(at, f"[PAD{at}]") for at in range(count)],
            [kinds.get(at, gguf.TokenType.UNUSED) for at in range(count)], added)  # fmt: skip


def phantom(token):
    """A piece of WordPiece in the words of SentencePiece."""
    if token.startswith("[") and token.endswith("]"):
        return token
    return token[2:] if token.startswith("##") else BLANK + token


def write_word_pieces(writer, tokenizer, count):
    tokens, kinds, added = listed(tokenizer, count)
    writer.add_tokenizer_model("bert")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([phantom(token) for token in tokens])
    writer.add_token_types(kinds)
    writer.add_unk_token_id(added["[UNK]"])
    writer.add_sep_token_id(added["[SEP]"])
    writer.add_pad_token_id(added["[PAD]"])
    writer.add_uint32("tokenizer.ggml.cls_token_id", added["[CLS]"])


def write_likeliest_pieces(writer, tokenizer, count):
    tokens, kinds, added = listed(tokenizer, count)
    scores = [score for _, score in tokenizer["model"]["vocab"]]
    kinds[tokenizer["model"]["unk_id"]] = gguf.TokenType.UNKNOWN
    writer.add_tokenizer_model("t5")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_scores(scores + [-10000.0] * (count - len(scores)))
    writer.add_token_types(kinds)
    writer.add_add_space_prefix(True)
    writer.add_remove_extra_whitespaces(True)
    steps = tokenizer["normalizer"].get("normalizers", [tokenizer["normalizer"]])
    for step in steps:
        if step["type"] == "Precompiled":
            writer.add_precompiled_charsmap(base64.b64decode(step["precompiled_charsmap"]))
    writer.add_bos_token_id(added["<s>"])
    writer.add_eos_token_id(added["</s>"])
    writer.add_unk_token_id(tokenizer["model"]["unk_id"])
    writer.add_add_bos_token(True)
    writer.add_add_eos_token(True)


def write_byte_pairs(writer, tokenizer, count, end, ends):
    tokens, kinds, _ = listed(tokenizer, count)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types(kinds)
    writer.add_token_merges([pair if isinstance(pair, str) else " ".join(pair)
                             for pair in tokenizer["model"]["merges"]])  # fmt: skip
    writer.add_eos_token_id(end)
    writer.add_add_eos_token(ends)


def write_tokenizer(writer, tokenizer, count, config):
    kind = tokenizer["model"]["type"]
    if kind == "WordPiece":
        write_word_pieces(writer, tokenizer, count)
    elif kind == "Unigram":
        write_likeliest_pieces(writer, tokenizer, count)
    elif config["model_type"] == "gemma3_text":
        import make_models

        make_models.write_scored_pairs(writer, tokenizer, count, False)
        writer.add_bos_token_id(config["bos_token_id"])
        writer.add_eos_token_id(config["eos_token_id"])
        writer.add_add_eos_token(True)
    else:
        end = config["eos_token_id"]
        # The tokenizers of rerankers add nothing to a text.
        write_byte_pairs(writer, tokenizer, count, end[0] if isinstance(end, list) else end,
                         "post_processor" in tokenizer and "<|endoftext|>" in json.dumps(
                             tokenizer["post_processor"]))  # fmt: skip


def write_facts(writer, config, pooling, longest):
    writer.add_block_count(first_of(config, "num_hidden_layers", "n_layer"))
    writer.add_context_length(longest)
    writer.add_embedding_length(first_of(config, "hidden_size", "n_embd"))
    writer.add_feed_forward_length(first_of(config, "intermediate_size", "n_inner"))
    writer.add_head_count(first_of(config, "num_attention_heads", "n_head"))
    writer.add_pooling_type(pooling)
    if pooling == gguf.PoolingType.RANK and config["model_type"] == "qwen3":
        writer.add_classifier_output_labels(["yes", "no"])
    if "rotary_emb_base" in config:
        writer.add_rope_freq_base(config["rotary_emb_base"])
    if config["model_type"] == "gemma3_text":
        writer.add_sliding_window(config["sliding_window"])
    if config["model_type"] in ("qwen3", "gemma3_text"):
        writer.add_head_count_kv(config["num_key_value_heads"])
        writer.add_key_length(config["head_dim"])
        writer.add_value_length(config["head_dim"])
        writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
        writer.add_rope_freq_base(config["rope_theta"])
    else:
        writer.add_layer_norm_eps(first_of(config, "layer_norm_eps", "layer_norm_epsilon"))
        writer.add_causal_attention(False)
        writer.add_token_type_count(config["type_vocab_size"])


def stored(name, values, kind):
    """What the file holds; tables of positions and types keep all bits, as norms and biases do."""
    wide = values.ndim == 1 or name.startswith(("position_embd", "token_types"))
    kind = TYPES.F32 if wide else kind
    return gguf.quantize(values, kind), kind


def tensor_name(names, name):
    """The name in the file; folders of encoders may leave out the model's outer name."""
    suffixes = (".weight", ".bias")
    return names.get_name(name, try_suffixes=suffixes) or names.get_name(
        "model." + name, try_suffixes=suffixes
    )


def convert(folder, out, kind):
    """Writes the file. Returns the weights that it represents, by their names in the folder."""
    config, state = read_json(folder / "config.json"), {}
    architecture = ARCHITECTURES[config["model_type"]]
    layers = first_of(config, "num_hidden_layers", "n_layer")
    names = gguf.get_tensor_name_map(architecture, layers)
    way = gguf.PoolingType.RANK
    if (folder / "1_Pooling").exists():
        pooling = read_json(folder / "1_Pooling/config.json")
        (way,) = [type_ for name, type_ in POOLING.items() if pooling.get("pooling_mode_" + name)]
    weights = load_file(folder / "model.safetensors")
    # XLM-R's table of positions begins after the padding's row, which the file leaves out.
    skipped = config["pad_token_id"] + 1 if config["model_type"] == "xlm-roberta" else 0
    longest = first_of(config, "max_position_embeddings", "n_positions") - skipped
    writer = gguf.GGUFWriter(out, gguf.MODEL_ARCH_NAMES[architecture])
    writer.add_type(gguf.GGUFType.MODEL)
    write_facts(writer, config, way, longest)
    count = len(weights[next(name for name in weights if name.endswith(
        ("word_embeddings.weight", "embed_tokens.weight")))])  # fmt: skip
    write_tokenizer(writer, read_json(folder / "tokenizer.json"), count, config)
    for name, tensor in weights.items():
        if "pooler" in name or "position_ids" in name or name.startswith("cls."):
            continue
        new = tensor_name(names, name.removeprefix("roberta."))
        values = tensor.float().numpy()
        # The converter adds the 1 of Gemma's norms.
        added = 1 if config["model_type"] == "gemma3_text" and values.ndim == 1 else 0
        values = values + added
        if new.startswith("position_embd"):
            values = values[skipped:]
        held, own = stored(new, np.ascontiguousarray(values), kind)
        writer.add_tensor(new, held, raw_dtype=own)
        state[name] = torch.from_numpy(gguf.dequantize(held, own).reshape(values.shape) - added)
    if way == gguf.PoolingType.RANK and config["model_type"] == "qwen3":
        tokenizer = read_json(folder / "tokenizer.json")
        vocabulary = {**tokenizer["model"]["vocab"],
                      **{token["content"]: token["id"] for token in tokenizer["added_tokens"]}}  # fmt: skip
        rows = weights["model.embed_tokens.weight"].float().numpy()
        verdicts = rows[[vocabulary["yes"], vocabulary["no"]]]
        held, own = stored("cls.output.weight", verdicts, kind)
        writer.add_tensor("cls.output.weight", held, raw_dtype=own)
    for number in (2, 3) if config["model_type"] == "gemma3_text" else ():
        weight = load_file(folder / f"{number}_Dense/model.safetensors")["linear.weight"]
        held, own = stored(f"dense_{number}.weight", weight.float().numpy(), kind)
        writer.add_tensor(f"dense_{number}.weight", held, raw_dtype=own)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return state


def write_case(case, facts, tensors, held):
    save_file(tensors, case / "expected.safetensors")
    facts["tolerances"]["held"] = held
    facts["versions"]["gguf"] = gguf.__version__ if hasattr(gguf, "__version__") else "0.19.0"
    write_json(case / "case.json", facts)
    for file in case.iterdir():
        file.chmod(0o644)


def same_weights(case, source, file, kind, left_out=()):
    """The weights and the reference of another case; `file`: a name that says the prefixes."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir()
    state = convert(source / "model", case / file, kind)
    for name, tensor in load_file(source / "model/model.safetensors").items():
        kept = name not in state or torch.equal(state[name], tensor[-len(state[name]):].float())
        assert kept, f"{name} is not as in the folder"
    tensors = {name: tensor for name, tensor in load_file(source / "expected.safetensors").items()
               if name not in left_out}  # fmt: skip
    facts = {**read_json(source / "case.json"), "case": case.name, "model": file}
    write_case(case, facts, tensors, 1e-5 if kind != TYPES.Q8_0 else 0.05)


@torch.no_grad()
def make_bert(case, source, file):
    """In float16, the first token's vector."""
    shutil.rmtree(case, ignore_errors=True)
    case.mkdir()
    folder = source / "model"
    state = convert(folder, case / file, TYPES.F16)
    config = transformers.BertConfig(**read_json(folder / "config.json"))
    config._attn_implementation = "eager"
    model = transformers.BertModel(config, add_pooling_layer=False).eval()
    model.load_state_dict({name: value for name, value in state.items()}, strict=False)
    missing = model.state_dict().keys() - state.keys()
    assert not {name for name in missing if "position_ids" not in name}, missing
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    facts = read_json(source / "case.json")
    longest = config.max_position_embeddings
    ids, rows, first = [], [], None
    for sentence in facts["sentences"]:
        inputs = tokenizer(sentence, truncation=True, max_length=longest, return_tensors="pt")
        states = model(**inputs, output_hidden_states=True)
        first = first or states.hidden_states
        ids.append(inputs["input_ids"][0])
        rows.append(torch.nn.functional.normalize(states.last_hidden_state[0, 0], dim=0))
    ends = torch.tensor([0] + [len(row) for row in ids]).cumsum(0)
    tensors = {"ids.flat": torch.cat(ids), "ids.offsets": ends, "embeddings": torch.stack(rows),
               **{f"sentence0.hidden{at}": value[0].clone() for at, value in enumerate(first)}}  # fmt: skip
    write_case(case, {**facts, "case": case.name, "model": file}, tensors, 1e-5)


CASES = {
    "bert_gguf": lambda case: make_bert(case, DATA / "bert_cls_a", "model.gguf"),
    "xlmr_gguf": lambda case: same_weights(case, DATA / "xlmr_a", "multilingual-e5-tiny.gguf",
                                           TYPES.F32),
    "nomic_gguf": lambda case: same_weights(case, DATA / "nomic_a", "nomic-embed-text-tiny.gguf",
                                            TYPES.F32),
    "qwen3_embed_gguf": lambda case: same_weights(case, DATA / "qwen3_embed", "model.gguf",
                                                  TYPES.BF16, ("query_embeddings",)),
    "rerank_xlmr_gguf": lambda case: same_weights(case, DATA / "rerank_xlmr_a", "model.gguf",
                                                  TYPES.F32),
    "rerank_qwen3_gguf": lambda case: same_weights(case, DATA / "rerank_qwen3", "model.gguf",
                                                   TYPES.BF16),
    "gemma_embed_gguf": lambda case: same_weights(case, DATA / "gemma_embed_a",
                                                  "embeddinggemma-tiny.gguf", TYPES.BF16),
}  # fmt: skip


def main(given):
    if len(given) == 3 and given[1].endswith(".gguf"):
        convert(pathlib.Path(given[0]), given[1], TYPES[given[2].upper()])
        return
    for name in CASES if given == ["all"] else given or sys.exit(__doc__):
        CASES[name](DATA / name)


if __name__ == "__main__":
    main(sys.argv[1:])
