"""Golden cases and safetensors files, read and tampered with by means of Python alone."""

import array
import json
import pathlib
import shutil
import struct

import program

GENERATING = ["qwen25vl_a", "qwen25vl_b_tied_v5layout", "phi3v_a"]
PAGE_ENCODERS = ["colpali_a", "colqwen2_a"]
MODEL_CASES = [*GENERATING, *PAGE_ENCODERS, "colbert_a", "bert_mean_a"]
# A model each in one type of GGUF's blocks, and folders of published codes.
FORMAT_CASES = ["gguf_q4_0", "gguf_q4_1", "gguf_q8_0", "gguf_mxfp4", "gguf_f16", "gguf_bf16",
                "gguf_q4_k", "gguf_q5_k", "gguf_q6_k", "gguf_iq4_xs"]
CODED_CASES = ["llama_awq", "llama_gptq", "llama_gptq_lora", "llama_gptq_order", "llama_w4a16",
               "llama_w8a16", "llama_fp8", "llama_fp8_channel"]
# Encoders of texts as GGUF files.
GGUF_ENCODERS = ["bert_gguf", "xlmr_gguf", "nomic_gguf", "qwen3_embed_gguf", "gemma_embed_gguf"]
GGUF_RERANKERS = ["rerank_xlmr_gguf", "rerank_qwen3_gguf"]
# Further language models, of each a folder and a GGUF file.
DECODER_CASES = [f"{family}_{form}" for family in ("qwen2", "phi3", "gemma2", "smollm3", "granite",
                                                   "qwen3moe") for form in ("a", "gguf")]  # fmt: skip
DECODER_CASES += ["qwen2vl_gguf", "qwen25vl_gguf"]
DECODER_CASES += [f"{family}_{form}" for family in ("mistral3", "qwen35moe", "qwen3vlmoe", "lfm2",
                                                     "lfm2vl")
                  for form in ("a", "gguf")]  # fmt: skip
# Every case of a model that `verify` runs; minilm_real takes the weights that the set-up installed.
VERIFIED_CASES = [*MODEL_CASES, "minilm_real", "qwen25vl_wide", "qwen25vl_lora", "qwen25vl_rslora",
                  "qwen2vl_gen", "dse_qwen2", "paligemma_gen", "llama_a", "llama_gguf", "qwen3_a",
                  "qwen3_gguf", "qwen3vl_a", "qwen3vl_embed", "qwen3vl_gguf", "colqwen3_a",
                  "qwen3_embed",
                  "bert_cls_a", "xlmr_a", "modernbert_a", "gte_a", "mpnet_a",
                  "nomic_a", "gemma_embed_a", "splade_a", "splade_static_a",
                  "rerank_bert_a", "rerank_xlmr_a", "rerank_modernbert_a",
                  "rerank_qwen3", "rerank_qwen3vl",
                  "rerank_gte_a", "late_modernbert_a", "smolvlm_a", "colsmol_a", "smolvlm_gguf",
                  "colmodernvbert_a", "vsplade_a",
                  "gemma3_a", "gemma3_gguf", "gemma3_seeing", "gemma3_seeing_gguf",
                  "qwen35_a", "qwen35_gguf", "qwen35_seeing", "qwen35_seeing_gguf",
                  *DECODER_CASES,
                  *FORMAT_CASES, *CODED_CASES, *GGUF_ENCODERS, *GGUF_RERANKERS]
TOKENIZER_CASES = ["tok_qwen", "tok_phi3", "tok_gemma", "tok_bert", "tok_minilm_real",
                   "tok_unigram"]

TYPES = {"F32": "f", "I64": "q", "F64": "d", "I32": "i"}
SIZES = {"F32": 4, "I64": 8, "F64": 8, "I32": 4, "F16": 2, "BF16": 2, "F8_E4M3": 1, "I8": 1}


def model_of(case):
    """The folder, or the GGUF file."""
    return program.DATA / case / case_of(case).get("model", "model")


def case_of(case):
    return json.loads((program.DATA / case / "case.json").read_text(encoding="utf-8"))


def copy_folder(source, target):
    """A copy that may be changed, also of read-only files."""
    shutil.copytree(source, target, copy_function=shutil.copyfile)
    return target


class Tensors:
    """A safetensors file in memory."""

    def __init__(self, path):
        self.path = pathlib.Path(path)
        data = self.path.read_bytes()
        length = struct.unpack("<Q", data[:8])[0]
        self.header = json.loads(data[8 : 8 + length])
        self.body = bytearray(data[8 + length :])

    def names(self):
        return [name for name in self.header if name != "__metadata__"]

    def metadata(self):
        return self.header.get("__metadata__", {})

    def shape(self, name):
        return self.header[name]["shape"]

    def values(self, name):
        begin, end = self.header[name]["data_offsets"]
        return array.array(TYPES[self.header[name]["dtype"]], bytes(self.body[begin:end]))

    def rows(self, name):
        """The tensor as rows of its last axis."""
        values, width = self.values(name), self.shape(name)[-1]
        return [values[at : at + width] for at in range(0, len(values), width)]

    def set_value(self, name, index, value):
        entry = self.header[name]
        size = SIZES[entry["dtype"]]
        at = entry["data_offsets"][0] + index * size
        self.body[at : at + size] = struct.pack("<" + TYPES[entry["dtype"]], value)

    def save(self):
        header = json.dumps(self.header).encode()
        header += b" " * (-len(header) % 8)  # values stand at multiples of their size
        self.path.write_bytes(struct.pack("<Q", len(header)) + header + self.body)


def save_raw(path, header, body=b"", length=None):
    """A file with this header, whatever it says."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    length = len(text) if length is None else length
    pathlib.Path(path).write_bytes(struct.pack("<Q", length) + text + body)


def largest_difference(ours, expected):
    """Over two lists of rows of the same shape."""
    assert len(ours) == len(expected), f"{len(ours)} rows, not {len(expected)}"
    worst = 0.0
    for mine, theirs in zip(ours, expected):
        assert len(mine) == len(theirs)
        worst = max(worst, max(abs(a - b) for a, b in zip(mine, theirs)))
    return worst


def saved_graph(case, folder):
    """The path of an ONNX file in the folder: a graph of tests/golden/onnx.safetensors."""
    golden = (program.REPOSITORY / "tests" / "golden" / "onnx.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", golden[:8])
    begin, end = json.loads(golden[8:8 + length])[f"{case}.model"]["data_offsets"]
    path = folder / "graph.onnx"
    path.write_bytes(golden[8 + length + begin:8 + length + end])
    return path
