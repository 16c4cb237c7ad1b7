#!/usr/bin/env python3
"""Writes the inputs that the fuzzers start from.

    tests/fuzz/make_seeds.py OUT

OUT/NAME is a folder of inputs for fuzz_NAME, made here or from tests/data; OUT/words is a dictionary
of the keys that occur in them, for the option -dict.
"""
import base64
import io
import json
import math
import pathlib
import struct
import sys
import zipfile
import zlib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import mail_files
import office_files

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
# Files of models that most cases lack, or that are no JSON by name.
MORE_FILES = [("colbert_a", "artifact.metadata"), ("colbert_a", "adapter_config.json"),
              ("qwen25vl_a", "processor_config.json")]
MOST_BYTES = 20_000  # of such a file
ADAPTER = {"peft_type": "LORA", "base_model_name_or_path": "../model", "r": 2, "lora_alpha": 4,
           "target_modules": ["query"], "bias": "none", "use_dora": False, "rank_pattern": {}}

# 8 x 8 grey pixels, progressive.
JPEG = base64.b64decode("""
/9j/4AAQSkZJRgABAQEAYABgAAD/2wBDAAIBAQEBAQIBAQECAgICAgQDAgICAgUEBAMEBgUGBgYFBgYGBwkIBgcJ
BwYGCAsICQoKCgoKBggLDAsKDAkKCgr/wgALCAAIAAgBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAB//aAAgBAQAA
AAEz/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAG
PwJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oACAEBAAAAEH//xAAUEAEAAAAAAAAAAAAAAAAA
AAAA/9oACAEBAAE/EH//2Q==""")


def safetensors(tensors, metadata=None):
    header = {"__metadata__": metadata} if metadata else {}
    end = 0
    for name, dtype, shape, size in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)  # numbers lie where they can be read in place
    return struct.pack("<Q", len(text)) + text + bytes(end)


def varint(value):
    out = b""
    while value >= 128:
        out += bytes([value % 128 + 128])
        value //= 128
    return out + bytes([value])


def text(value):
    """As blobs of the store hold it."""
    return varint(len(value)) + value


def long_text(value):
    """As messages of document workers hold it."""
    return struct.pack("<Q", len(value)) + value


def words(value, found):
    if isinstance(value, dict):
        for key, item in value.items():
            found.add(key)
            words(item, found)
    elif isinstance(value, list):
        for item in value:
            words(item, found)
    elif isinstance(value, str) and len(value) < 40:
        found.add(value)


def page_blobs():
    """See src/store/page_blob.cpp; the fuzzer adds the checksum."""
    first = b"\0" + text("Net".encode()) + struct.pack("<5f", 72, 90, 100, 112, 10)
    second = b"\x0f" + text("säles".encode()) + struct.pack("<2f", 93, 120)
    third = b"\x12" + text(b"7.5%") + struct.pack("<2f2ff", 72, 90, 114, 126, 0.5)
    lines = varint(2) + b"\3" + varint(2) + b"\0" + varint(2) + varint(1)
    lines += struct.pack("<4f", 72, 114, 90, 126)
    yield b"\1" + varint(300) + varint(3) + first + second + third + lines
    yield b"\1" + varint(1) + varint(0) + varint(0)


def posting_list(units):
    """The form of fewer than 128 postings: see src/store/postings/list.h."""
    out, after = varint(len(units)), 0
    for unit, frequency in units:
        out += varint((unit - after) * 2 + (frequency == 1))
        out += b"" if frequency == 1 else varint(frequency)
        after = unit + 1
    return out


def posting_lists():
    yield b"\x10\0" + posting_list([(0, 1), (3, 2), (9, 1)])
    block = bytes([1, 2]) + b"\x55" * 16 + b"\x1b" * 32
    yield b"\0\1" + varint(128) + block
    yield b"\0\4" + varint(130) + block + varint(1) + varint(4) + varint(700)


def postings_images():
    """See src/store/postings/image.h; the fuzzer makes the checksums right."""
    lists = [posting_list([(0, 1), (2, 3)]), posting_list([(1, 1)]), posting_list([(0, 2), (1, 1)])]
    terms, ends = [b"net", b"revenue", b"year"], [0, 0]
    body = struct.pack("<qIIqII", 4, 0, 2, 9, 2, 1) + struct.pack("<3I", 5, 3, 7)
    for term, entry in zip(terms, lists):
        ends = [ends[0] + len(term), ends[1] + len(entry)]
        body += struct.pack("<3I", *ends, 0)
    header = struct.pack("<8s6I4Q", b"fpostng\n", 1, 2, 3, 3, *ends, 0, 0, 0, 0)
    yield header + body + b"".join(terms) + b"".join(lists) + bytes(8)
    yield struct.pack("<8s6I4Q", b"fpostng\n", 1, 0, 0, 0, 0, 0, 0, 0, 0, 0) + bytes(8)


def states():
    """See src/store/prefix_file.cpp; the key is the one that the fuzzer asks for."""
    for model, content in ((b"m", bytes(range(40))), (b"Qwen2.5-VL-7B-Instruct", b"")):
        named = text(b"ab") + text(model)
        size = (8 + 24 + len(named) + 8 + 63) // 64 * 64
        head = b"fpstate1" + struct.pack("<3Q", size, len(content), 0) + named
        yield head + bytes(size - len(head)) + content


def segments():
    floats = {"F32": 0, "F16": 1, "BF16": 2}
    for dtype, kind in floats.items():
        size = 24 if dtype == "F32" else 12
        yield bytes([kind, 2, 2]) + safetensors([("vectors", dtype, [2, 3], size)])
    codes = [("scales", "F32", [2], 8), ("codes", "I8", [2, 3], 6)]
    exact = [("errors", "F32", [2], 8), ("vectors", "F32", [2, 3], 24)]
    yield bytes([3, 2, 2]) + safetensors(codes)
    yield bytes([131, 2, 2]) + safetensors(exact + codes)


def messages():
    """The first byte chooses the reader, as in fuzz_protocol.cpp."""
    box = struct.pack("<4f", 1, 2, 9, 4)
    word = long_text(b"Net") + box + struct.pack("<2f", 10, 1) + b"\1\0"
    line = struct.pack("<2I", 0, 1) + box
    cell = struct.pack("<4HB2I", 0, 1, 1, 2, 1, 0, 1) + long_text(b"Net")
    element = b"\0" + box + struct.pack("<2IiB", 0, 1, -1, 1) + long_text(b"Figure 1") + struct.pack("<Q", 1) + cell
    page = struct.pack("<i", 7) + long_text(b"iv") + struct.pack("<2fiB", 612, 792, 90, 1)
    page += long_text(b"") + b"\0" + long_text(b"unseen")
    page += b"".join(struct.pack("<Q", 1) + item for item in (word, line, element))
    task = long_text(b"a.pdf") + struct.pack("<Q", 1) + long_text(b"b.json") + b"\0" + long_text(b"eng")
    task += struct.pack("<d", 200) + long_text(b"cp1252") + struct.pack("<Q", 1)
    task += long_text(b"secret") + struct.pack("<2idBi", 1, 5, 150, 1, 2)
    info = long_text(b"PDF 1.7") + long_text(b"Title") + struct.pack("<iBQ", 9, 0, 1)
    info += struct.pack("<i", 1) + long_text(b"One") + struct.pack("<3i", 3, 640, 480)
    yield b"\0" + struct.pack("<IIQQ", 0x31575046, 11, 3, 0) + b"abc"
    # A whole frame: the checksum is XXH3's of no bytes.
    yield b"\0" + struct.pack("<IIQQ", 0x31575046, 11, 0, 0x2d06800538d394c2) * 2
    yield b"\1any bytes"
    yield b"\2" + struct.pack("<2dqi2q", 240, 120, 1 << 32, 20000, 1 << 26, 1 << 22)
    yield b"\3" + task
    yield b"\4" + info
    yield b"\5" + page
    yield b"\6" + struct.pack("<3i", 2, 1, 3)
    yield b"\7" + b"\1\1\1\0\1\1" + long_text(b"no seccomp")
    yield b"\10" + long_text(b"timed_out") + long_text(b"a.pdf: took too long")


def small_tokenizer(path):
    """The file with a few tokens of one or two characters, their merges, and its special ones."""
    file = json.loads(path.read_text())
    model = file["model"]
    special = [token["content"] for token in file["added_tokens"]]
    if model["type"] == "Unigram":  # tokens and their scores, by id; the special ones come first
        model["vocab"] = model["vocab"][:80]
        file["added_tokens"] = [token for token in file["added_tokens"] if token["id"] < 80]
        return file
    kept = [token for token in model["vocab"] if len(token) == 1 or token in special]
    kept += [token for token in model["vocab"] if 1 < len(token) < 4 and token not in special][:60]
    kept += [token for token in model["vocab"] if token.startswith("<0x")][:40]
    ids = {token: place for place, token in enumerate(dict.fromkeys(kept))}
    for token in special:
        ids.setdefault(token, len(ids))
    model["vocab"] = {token: ids[token] for token in ids if token in model["vocab"]}
    if "merges" in model:
        pairs = [pair if isinstance(pair, list) else pair.split(" ") for pair in model["merges"]]
        model["merges"] = [pair for pair in pairs if {*pair, "".join(pair)} <= set(model["vocab"])]
    for token in file["added_tokens"]:
        token["id"] = ids[token["content"]]
    for name, token in ((file["post_processor"] or {}).get("special_tokens") or {}).items():
        token["ids"] = [ids[part] for part in token["tokens"] if part in ids]
    return file


def tokenizers():
    for path in sorted(DATA.glob("tok_*/model/tokenizer.json")):
        file = json.dumps(small_tokenizer(path), ensure_ascii=False)
        yield file.encode() + "\0The naïve 3rd <s>test</s> [SEP] is\n\n here: ab  x😀é".encode()


def json_schemas():
    replies = [b'Here: {"facts": [{"text": "a \\u00e9", "kind": "salient"}], "sufficient": true}',
               b'{"a": 1.5e3, "b": [null, true, -7], "c": "x"}']
    schemas = json.loads((DATA / "schemas.json").read_text())
    for schema in schemas.values() if isinstance(schemas, dict) else schemas:
        for reply in replies:
            yield json.dumps(schema).encode() + b"\0" + reply


def records():
    questions = (DATA / "questions.jsonl").read_bytes().split(b"\n")
    answer = {"id": "a", "question": "q", "answer": "7", "answerable": True, "confidence": 0.5,
              "citations": [{"doc": "r.pdf", "page": 2, "quote": "seven", "score": 1,
                             "boxes": [[1, 2, 3.5, 4]]}],
              "retrieved": [{"doc": "r.pdf", "page": 2, "score": 0.25}], "pipeline": "direct",
              "generator": "m", "usage": {"vlm_calls": 1, "prompt_tokens": 9, "ms": 3.5},
              "limit": "calls", "trace": [{"step": "call"}],
              "error": {"code": "timed_out", "message": "late"}}
    yield b"\0" + questions[0]
    yield b"\1" + json.dumps(answer).encode()
    yield b"\2" + b"\n".join(questions[:3])
    pages = [{"doc": "r.pdf", "page": 2}]
    yield b"\0" + json.dumps({"custom_id": 7, "question": "q", "evidence_pages": pages}).encode()


def gold():
    question = b'{"id": "1", "question": "q", "doc": "r.pdf", "answer": "7", "evidence_pages": [2]}\n'
    answer = (b'{"id": "1", "question": "q", "answer": "7", "answerable": true, "confidence": 0.5,'
              b'"retrieved": [{"doc": "r.pdf", "page": 2, "score": 1}]}\n')
    hit = b'{"id": "1", "rank": 1, "doc": "r.pdf", "page": 2, "score": 0.5}\n'
    run = b"1 Q0 r%20a.pdf#2 1 0.5 tag\n1 Q0 r.pdf#3 2 0.25 tag\n"
    for first in (question, b"1 0 r.pdf#2 1\n1 0 r.pdf#3 0.5\n"):
        for second in (answer, hit, run):
            yield first + b"\0" + second


def scripts():
    yield b"""{"agent": "a", "reply": "2", "logprobs": [-0.5, -1], "entropy": 0.25}
{"agent": "a", "match": {"question": "q", "pages": ["r.pdf:2"]}, "reply": "2", "top_entropy": [0.5]}
{"agent": "a", "reply": "3", "entropy": 0.9}
{"agent": "a", "reply": "1", "logprobs": [-0.5, -2, -3]}
{"agent": "a", "reply": {"error": "late", "code": "timed_out"}}
{"agent": "a", "reply": {"page": 3}}
"""


def replies():
    """The first byte chooses the agent, each of which is tried with all replies; the second is the place in
    fuzz_reply.cpp's list of what names the shown."""
    texts = [(0, b'{"facts": [{"text": "a", "kind": "salient"}], "sufficient": true}'),
             (0, b'```json\n{"details": [{"text": "a", "page": 1, "where": "top"}], "zoom": []}\n```'),
             (0, b'{"salient": ["a"], "fine_print": [], "answerable": true}'),
             (1, b'{"reason": "r", "answer": "7", "answerable": true, "pages": [0, 1]}'),
             (2, b'{"answer": "7", "answerable": true, "chunks": [1], "open": ["b"]}'),
             (3, b'{"facts": [{"source": 1, "quote": "a"}], "open": [], "next": {"do": "search", "words": "b"}}'),
             (4, b'{"answer": "7", "answerable": true, "facts": [0]}'),
             (5, b'{"reason": "r", "choice": [1]}'), (6, b'{"reference": [1], "keep": [0], "answer": "7"}'),
             (0, b'{"answer": "7", "answerable": true, "evidence": [{"page": 1, "quote": "a"}]}'), (0, b"7")]
    for agent in range(64):
        for field, reply in texts:
            yield bytes([agent, field]) + reply


def configurations():
    for path in sorted((DATA.parent.parent / "configs").glob("*.toml")):
        yield path.read_bytes()
    yield b'model-dtype = "auto"\nscorer = ["bm25", "text"]\ntop-k = 5\ntemperature = 0.5\n'


def quotes():
    page = "Net sales rose to 12.5 million, up 7 % from 11.7 mil-\nlion in 2022. Not unusual costs"
    for quote in ("sales rose to 12.5 million", "up 7 % from 11,7 million in 2022", "unusual cost"):
        yield f"{page}\0{quote}".encode()


def pictures():
    def chunk(kind, content):
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    for kind, bytes_a_pixel in ((0, 1), (2, 3), (6, 4), (3, 1)):
        rows = (b"\1" + bytes(range(4 * bytes_a_pixel))) * 3
        palette = chunk(b"PLTE", bytes(range(48))) if kind == 3 else b""
        yield (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", 4, 3, 8, kind, 0, 0, 0))
               + palette + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    yield JPEG


def markups():
    """The place in fuzz_markup.cpp's list of names is the first byte."""
    yield b"\0Port,Tons\nHull,\"1,2\"\n"
    yield b"\1Port\tTons\nHull\t7\n"
    yield b'\2{"port": ["Hull", 7, null]}'
    yield b"\3Title\n=====\n"
    yield b"\4" + mail_files.eml("Tides", "High water at nine.", "chart.pdf")
    yield b"\5" + mail_files.msg("Tides", "High water at nine.", inner="low water")
    yield b"\6\\section{Tides} High water at $9$."
    for file in (office_files.docx("words"), office_files.xlsx("cell"), office_files.pptx("slide")):
        yield b"\7" + file
        with zipfile.ZipFile(io.BytesIO(file)) as archive:
            parts = [piece for name in archive.namelist() for piece in (name.encode(), archive.read(name))]
        yield b"\x80" + b"\1".join(parts)


def cells():
    """The first byte chooses the reader, as in fuzz_cells.cpp."""
    yield (b"\0<table><caption>Fees</caption><tr><th rowspan=2>Kind<th colspan=2>Summer<th>Winter"
           b"<tr><th>day<th>week<th>day<tr><td rowspan=0>Yacht<td>31<sup>1</sup><td>180<td>12</table>")
    yield b"\0<table><tr><td><table><tr><td>a<td>b<tr><td>1<td>2</table><td></table>"
    yield b"\1Fees\n\n| Kind | Day |\n|:--|--:|\n| Yacht \\| boat | 31 |\n"
    yield b"\2Fees;;\nin euros;;\nKind;Day;Week\nYacht;31,5;180\n\"a\n\"\"b\"\"\";1;2\n"
    yield b"\3Kind\tDay\nYacht\t31\n"


def encodings():
    """The declared name is before the zero byte."""
    samples = {"windows-1252": "Die Straße führt über die Brücke nach Köln.",
               "windows-1251": "Музей открыт каждый день с девяти утра.",
               "koi8-r": "Музей открыт каждый день.", "iso-8859-2": "Żółta łódź płynie do portu.",
               "windows-1255": "הספרייה פתוחה בכל יום.", "windows-1256": "المكتبة مفتوحة كل يوم.",
               "shift_jis": "図書館は毎日開いています。", "euc-jp": "図書館は毎日開いています。",
               "gb18030": "图书馆每天开放。", "big5": "圖書館每天開放。", "euc-kr": "도서관은 매일 문을 연다.",
               "utf-16le": "A text", "utf-16be": "A text", "utf-8": "naïve café"}  # fmt: skip
    for name, sample in samples.items():
        yield name.encode() + b"\0" + sample.encode(name)
        yield b"\0" + sample.encode(name)
    yield b"iso-2022-jp\0" + "図書館".encode("iso-2022-jp")
    yield b"\0<?xml version='1.0' encoding='utf-16'?><a/>"
    yield b'\0<html><meta http-equiv="Content-Type" content="text/html; charset=koi8-r">'


def onnx_files():
    """See the helpers of tests/unit/onnx/graph_test.cpp: the numbers of fields are onnx.proto's."""
    def number(field, value):
        return varint(field << 3) + varint(value % (1 << 64))

    def part(field, content):
        return varint(field << 3 | 2) + varint(len(content)) + content

    def node(op, inputs, output, *attributes):
        read = b"".join(part(1, name) for name in inputs)
        return part(1, read + part(2, output) + part(4, op) + b"".join(part(5, one) for one in attributes))

    def port(field, name, *shape):
        extents = b"".join(part(1, number(1, extent)) for extent in shape)
        return part(field, part(1, name) + part(2, part(1, number(1, 1) + part(2, extents))))

    def model(graph, opset=17):
        return number(1, 8) + part(8, part(1, b"") + number(2, opset)) + part(7, graph)

    axis = part(1, b"axis") + number(3, -1) + number(20, 2)
    weight = part(5, number(1, 2) + number(1, 3) + number(2, 1) + part(8, b"w") + part(9, bytes(24)))
    sizes = part(5, number(1, 2) + number(2, 7) + part(7, b"\x05\x06") + part(8, b"s"))
    yield model(port(11, b"x", 1, 2) + node(b"Relu", [b"x"], b"y") + port(12, b"y", 1, 2))
    yield model(port(11, b"x", 4, 2) + weight + sizes + node(b"MatMul", [b"x", b"w"], b"y")
                + node(b"Softmax", [b"y"], b"z", axis) + node(b"Reshape", [b"z", b"s"], b"r") + port(12, b"r"))
    branch = node(b"Relu", [b"x"], b"t") + part(12, part(1, b"t"))
    yield model(port(11, b"x") + node(b"If", [b"x"], b"y", part(1, b"then_branch") + part(6, branch),
                                      part(1, b"else_branch") + part(6, branch)) + port(12, b"y"))


def model_folders():
    """Every file of settings of every case: the readers of all families."""
    files = [(path.parents[len(path.relative_to(DATA).parts) - 2].name, path) for path in sorted(DATA.glob("*/model/**/*.json"))]
    targets = [(case, path.relative_to(DATA / case / "model").as_posix()) for case, path in files
               if path.stat().st_size <= MOST_BYTES and path.name != "tokenizer.json"]
    for case, name in targets + MORE_FILES:
        path = DATA / case / "model" / name
        if path.exists():
            content = path.read_text()
        elif name == "adapter_config.json":
            content = json.dumps(ADAPTER)
        else:
            inner = json.loads((path.parent / "preprocessor_config.json").read_text())
            content = json.dumps({"image_processor": inner})
        yield f"{case}/{name}\0{content}".encode()


def tensor_files():
    yield safetensors([])
    yield safetensors([("a", "F32", [2, 3], 24)], {"format": "pt"})
    yield safetensors(
        [("a", "F16", [2], 4), ("b", "BF16", [], 2), ("c", "I64", [0, 4], 0), ("d", "U8", [7], 7)])


def gguf(keys, tensors, version=3):
    """`keys`: name, number of the value's type, its bytes. `tensors`: name, shape, type, bytes."""
    def string(value):
        return struct.pack("<Q", len(value)) + value.encode()

    head, data = b"", b""
    for name, kind, value in keys:
        head += string(name) + struct.pack("<I", kind) + value
    for name, shape, kind, size in tensors:
        head += string(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, kind, len(data))
        data += bytes(size + -size % 32)
    head = b"GGUF" + struct.pack("<IQQ", version, len(tensors), len(keys)) + head
    return head + bytes(-len(head) % 32) + data


def gguf_files():
    def string(value):
        return struct.pack("<Q", len(value)) + value.encode()

    keys = [("general.architecture", 8, string("llama")), ("general.alignment", 4, b"\x20\0\0\0"),
            ("llama.rope.freq_base", 6, struct.pack("<f", 1e5)), ("a", 7, b"\1"),
            ("tokenizer.ggml.tokens", 9, struct.pack("<IQ", 8, 2) + string("x") + string("yz")),
            ("tokenizer.ggml.scores", 9, struct.pack("<IQ2f", 6, 2, 1, -1)),
            ("numbers", 9, struct.pack("<IQ2h", 3, 2, 1, -1))]  # fmt: skip
    yield gguf([], [])
    yield gguf(keys, [("a.weight", [3, 2], 0, 24)])
    yield gguf(keys[:1], [("b", [4], 1, 8), ("c", [64, 2], 2, 72), ("d", [256], 12, 144)], 2)
    types = {3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 10: (256, 84), 11: (256, 110),
             13: (256, 176), 14: (256, 210), 20: (32, 18), 23: (256, 136), 30: (1, 2), 39: (32, 17)}
    yield gguf([], [(f"t{kind}", [count], kind, size) for kind, (count, size) in types.items()])


def gguf_encoders(text, texts):
    """BERT and Nomic's of one layer, in pieces of words and in likeliest pieces."""
    norms = ("token_embd_norm", "blk.0.attn_output_norm", "blk.0.layer_output_norm")
    outside = {"token_embd": [8, 5], "token_types": [8, 2], **dict.fromkeys(norms, [8])}
    linear = {"attn_output": [8, 8], "ffn_up": [8, 12], "ffn_down": [12, 8]}
    own = {"bert": {"position_embd": [8, 16], **{f"blk.0.attn_{part}": [8, 8] for part in "qkv"}},
           "nomic-bert": {"blk.0.attn_qkv": [8, 24], "blk.0.ffn_gate": [8, 12]}}  # fmt: skip
    tokens = ["[UNK]", "[CLS]", "[SEP]", "▁a", "b"]
    scores = ("tokenizer.ggml.scores", 9, struct.pack("<IQ5f", 6, 5, 0, -1, -2, -3, -4))
    likeliest = [text("tokenizer.ggml.model", "t5"), scores] + [
        (f"tokenizer.ggml.{name}_token_id", 4, struct.pack("<I", at))
        for at, name in enumerate(("unknown", "bos", "eos"))]  # fmt: skip
    for name, ways in own.items():
        facts = [text("general.architecture", name), text("general.name", "Bge Tiny En"),
                 texts("tokenizer.ggml.tokens", tokens), (name + ".attention.causal", 7, b"\0"),
                 (name + ".attention.layer_norm_epsilon", 6, struct.pack("<f", 1e-5))]  # fmt: skip
        facts += [(f"{name}.{key}", 4, struct.pack("<I", value)) for key, value in (
            ("block_count", 1), ("context_length", 16), ("embedding_length", 8),
            ("feed_forward_length", 12), ("attention.head_count", 2), ("pooling_type", 1))]  # fmt: skip
        shapes = {**outside, **ways, **{f"blk.0.{part}": shape for part, shape in linear.items()}}
        tensors = [(key + ".weight", shape, 0, 4 * math.prod(shape)) for key, shape in shapes.items()]
        biased = norms if name != "bert" else [
            key for key in shapes if key.startswith("blk.") or key == "token_embd_norm"]  # fmt: skip
        tensors += [(key + ".bias", shapes[key][-1:], 0, 4 * shapes[key][-1]) for key in biased]
        for way in ([text("tokenizer.ggml.model", "bert")], likeliest):
            yield gguf([*facts, *way], tensors)


def gguf_decoders(facts, tensors):
    """Each further architecture, made of a Llama's facts and tensors."""
    def number(name, value):
        return (name, 4, struct.pack("<I", value))

    def real(name, value):
        return (name, 6, struct.pack("<f", value))

    def weights(**shapes):
        return [(f"blk.0.{name}.weight", shape, 0, 4 * math.prod(shape))
                for name, shape in shapes.items()]  # fmt: skip

    feed = [f"blk.0.ffn_{part}.weight" for part in ("gate", "up", "down")]
    attention = [f"blk.0.attn_{part}.weight" for part in "qkv"]
    biases = [(f"blk.0.attn_{part}.bias", [rows], 0, 4 * rows)
              for part, rows in (("q", 8), ("k", 4), ("v", 4))]  # fmt: skip
    norms = weights(attn_q_norm=[4], attn_k_norm=[4])
    # What each lacks, adds as tensors, and adds as facts.
    own = {
        "qwen2": ([], biases, []),
        "qwen3": ([], norms, [number("attention.key_length", 4)]),
        "qwen3moe": (feed, norms + weights(
            ffn_gate_inp=[8, 3], ffn_gate_exps=[8, 6, 3], ffn_up_exps=[8, 6, 3],
            ffn_down_exps=[6, 8, 3]),
            [number("attention.key_length", 4), number("expert_count", 3),
             number("expert_used_count", 2), number("expert_feed_forward_length", 6)]),
        "gemma2": ([], weights(post_attention_norm=[8], post_ffw_norm=[8]),
                   [number("attention.key_length", 4), number("attention.sliding_window", 16),
                    real("attn_logit_softcapping", 50), real("final_logit_softcapping", 30)]),
        "phi3": (attention + feed[:2], weights(attn_qkv=[8, 16], ffn_up=[8, 24]) + [
            (f"rope_factors_{kind}.weight", [2], 0, 8) for kind in ("long", "short")],
            [number("rope.scaling.original_context_length", 32)]),
        "granite": ([], [], [real("embedding_scale", 12), real("attention.scale", 0.1),
                             real("residual_scale", 0.2), real("logit_scale", 8)]),
        "smollm3": ([], [], []),
        "mistral3": ([], [], [
            ("rope.scaling.type", 8, struct.pack("<Q", 4) + b"yarn"),
            real("rope.scaling.factor", 8), real("rope.scaling.yarn_beta_fast", 32),
            real("rope.scaling.yarn_log_multiplier", 1),
            number("rope.scaling.original_context_length", 16),
            real("attention.temperature_scale", 0.1)]),
        "qwen3vlmoe": (feed, norms + weights(
            ffn_gate_inp=[8, 3], ffn_gate_exps=[8, 6, 3], ffn_up_exps=[8, 6, 3],
            ffn_down_exps=[6, 8, 3]),
            [number("attention.key_length", 4), number("expert_count", 3),
             number("expert_used_count", 2), number("expert_feed_forward_length", 6)]),
    }  # fmt: skip
    for name, (lacking, more, keys) in own.items():
        renamed = [(key.replace("llama.", name + "."), kind, value) for key, kind, value in facts]
        first = ("general.architecture", 8, struct.pack("<Q", len(name)) + name.encode())
        added = [(f"{name}.{key}", kind, value) for key, kind, value in keys]
        kept = [tensor for tensor in tensors if tensor[0] not in lacking]
        yield gguf([first, *renamed, *added], kept + more)


def gguf_models():
    """A model of one layer, whole; and with tokens that have scores. The first byte is a tower's place in the
    list of models of fuzz_gguf_model.cpp."""
    def string(value):
        return struct.pack("<Q", len(value.encode())) + value.encode()

    def text(name, value):
        return (name, 8, string(value))

    def texts(name, values):
        return (name, 9, struct.pack("<IQ", 8, len(values)) + b"".join(map(string, values)))

    def naturals(**values):
        return [("llama." + name.replace("__", "."), 4, struct.pack("<I", value))
                for name, value in values.items()]  # fmt: skip

    chat = "'<|im_start|>system\nYou.<|im_end|>\n' <|im_start|>"
    head = [text("general.architecture", "llama"), text("tokenizer.chat_template", chat),
            ("llama.attention.layer_norm_rms_epsilon", 6, struct.pack("<f", 1e-5)),
            ("llama.rope.freq_base", 6, struct.pack("<f", 1e4)),
            ("tokenizer.ggml.eos_token_id", 4, b"\4\0\0\0")]  # fmt: skip
    head += naturals(block_count=1, context_length=64, embedding_length=8, feed_forward_length=12,
                     attention__head_count=2, attention__head_count_kv=1, rope__dimension_count=4)
    shapes = {"token_embd": [8, 6], "blk.0.attn_norm": [8], "blk.0.ffn_norm": [8],
              "blk.0.attn_q": [8, 8], "blk.0.attn_k": [8, 4], "blk.0.attn_v": [8, 4],
              "blk.0.attn_output": [8, 8], "blk.0.ffn_gate": [8, 12], "blk.0.ffn_up": [8, 12],
              "blk.0.ffn_down": [12, 8], "output_norm": [8], "output": [8, 6]}  # fmt: skip
    tensors = [(name + ".weight", shape, 0, 4 * shape[0] * (shape[1:] or [1])[0])
               for name, shape in shapes.items()]  # fmt: skip
    tokens = ["a", "b", "ab", "<|im_start|>", "<|im_end|>", "▁a"]
    kinds = ("tokenizer.ggml.token_type", 9, struct.pack("<IQ6i", 5, 6, 1, 1, 1, 3, 3, 1))
    lists = [texts("tokenizer.ggml.tokens", tokens), kinds]
    for pre in ("smollm", "llama-bpe", "qwen2", "gpt-2"):
        named = [text("tokenizer.ggml.model", "gpt2"), text("tokenizer.ggml.pre", pre),
                 texts("tokenizer.ggml.merges", ["a b"])]  # fmt: skip
        yield b"\0" + gguf([*head, *lists, *named], tensors)
    scores = ("tokenizer.ggml.scores", 9, struct.pack("<IQ6f", 6, 6, 0, -1, -2, -3, -4, -5))
    first = ("tokenizer.ggml.bos_token_id", 4, b"\3\0\0\0")
    factors = [("rope_freqs.weight", [2], 0, 8)]
    yield b"\0" + gguf([*head, *lists, text("tokenizer.ggml.model", "llama"), scores, first],
                       tensors + factors)  # fmt: skip
    named = [text("tokenizer.ggml.model", "gpt2"), text("tokenizer.ggml.pre", "qwen2"),
             texts("tokenizer.ggml.merges", ["a b"])]  # fmt: skip
    for model in (*gguf_decoders([*head[1:], *lists, *named], tensors), *gguf_encoders(text, texts)):
        yield b"\0" + model
    # A tower beside the language model that fuzz_gguf_model.cpp has.
    seeing = ("smolvlm_gguf", "qwen3vl_gguf", "qwen35_seeing_gguf", "gemma3_seeing_gguf",
              "qwen2vl_gguf", "qwen25vl_gguf", "qwen3vlmoe_gguf", "mistral3_gguf",
              "lfm2vl_gguf")  # fmt: skip
    for place, case in enumerate(seeing):
        yield bytes([place]) + (DATA / case / "mmproj-model.gguf").read_bytes()
    for case in ("qwen35moe_gguf", "lfm2_gguf"):  # layers of several kinds
        yield b"\0" + (DATA / case / "model.gguf").read_bytes()
    clip = [text("general.architecture", "clip"), text("clip.projector_type", "idefics3"),
            ("clip.has_vision_encoder", 7, b"\1"), ("clip.use_gelu", 7, b"\1"),
            ("clip.vision.attention.layer_norm_epsilon", 6, struct.pack("<f", 1e-6))]  # fmt: skip
    clip += [("clip.vision." + name, 4, struct.pack("<I", value)) for name, value in (
        ("image_size", 4), ("patch_size", 2), ("embedding_length", 4), ("block_count", 1),
        ("feed_forward_length", 6), ("attention.head_count", 2), ("projection_dim", 32),
        ("projector.scale_factor", 2), ("preproc_image_size", 12))]  # fmt: skip
    clip += [("clip.vision.image_" + name, 9, struct.pack("<IQ3f", 6, 3, 0.5, 0.5, 0.5))
             for name in ("mean", "std")]  # fmt: skip
    square = {"v.blk.0." + name: [4, 4] for name in ("attn_q", "attn_k", "attn_v", "attn_out")}
    tower = {**square, "v.blk.0.ffn_up": [4, 6], "v.blk.0.ffn_down": [6, 4], "v.blk.0.ln1": [4],
             "v.blk.0.ln2": [4], "v.post_ln": [4], "v.patch_embd": [2, 2, 3, 4]}  # fmt: skip
    weights = [(name + ".weight", shape, 0, 4 * math.prod(shape)) for name, shape in tower.items()]
    biases = [(name + ".bias", shape[-1:], 0, 4 * shape[-1]) for name, shape in tower.items()]
    others = [("v.position_embd.weight", [4, 4], 0, 64), ("mm.model.fc.weight", [16, 32], 0, 2048)]
    yield b"\0" + gguf(clip, weights + biases + others)


def requests():
    """The reader of a dialect as the first byte, then a request."""
    question = {"role": "user", "content": "Who?"}
    earlier = [question, {"role": "assistant", "content": [{"type": "text", "text": "He"}]}]
    source = {"type": "base64", "media_type": "text/plain", "data": "SGVsbG8="}
    file = {"type": "file", "file": {"filename": "a.txt", "file_data": "data:text/plain;base64,SGVsbG8="}}
    bodies = [
        {"messages": [*earlier, {"role": "user", "content": [file, {"type": "text", "text": "And?"}]}],
         "n": 1, "stream_options": {"include_usage": True}, "response_format": {"type": "text"}},
        {"input": [question, {"type": "message", "role": "user", "content": [
            {"type": "input_file", "filename": "a.txt", "file_data": "SGVsbG8="},
            {"type": "input_text", "text": "And?"}]}], "previous_response_id": None, "store": False},
        {"max_tokens": 9, "system": "x", "tool_choice": {"type": "none"}, "messages": [
            *earlier, {"role": "user", "content": [{"type": "document", "title": "A", "source": source},
                                                   {"type": "text", "text": "And?"}]}]},
        {"messages": [{**question, "images": ["iVBORw0KGgo="]}], "options": {"seed": 1}, "format": ""},
        {"prompt": "Who?", "images": [], "context": [], "raw": False},
    ]
    common = {"model": "extractive", "stream": True, "docs": ["a*"], "tools": [{"name": "x"}]}
    for kind, body in enumerate(bodies):
        for whole in (body, {**common, "tools": [], **body}, {**common, **body}):
            yield bytes([kind]) + json.dumps({"model": "m", **whole}).encode()


def expressions():
    for source in ("[1, 'two', (3,), {4: 5}]", "2014-2019", "9**9**9", "1,234", "{'a', 'b'}",
                   "'it\\'s' \"x\"", "1 if 2 else 3", "-7//2 % 3.5", "[1][0] < 2 < 3",
                   "'a' * 5 + 'b'", "0x1F | 7 << 2", "not 1 in [1, 2]", "1e300*1e10"):
        yield source.encode()


SEEDS = {"cells": cells, "configuration": configurations, "encodings": encodings, "gguf": gguf_files, "gguf_model": gguf_models, "gold": gold,
         "image": pictures,
         "json_schema": json_schemas, "model_folder": model_folders, "page_blob": page_blobs,
         "markup": markups, "onnx": onnx_files, "postings": postings_images, "postings_list": posting_lists, "protocol": messages,
         "python_expression": expressions, "quote": quotes, "records": records, "reply": replies, "requests": requests, "safetensors": tensor_files,
         "script": scripts, "segment": segments, "state": states, "tokenizer": tokenizers}


def keys_of(content, found):
    """Adds the words of what is JSON, behind a first byte perhaps or before a zero byte."""
    for part in (content, content[1:], content.split(b"\0")[0]):
        try:
            words(json.loads(part), found)
        except ValueError:
            pass


def main(out):
    found = {"GGUF", "general.alignment", "F32", "F16", "BF16", "dtype", "shape", "data_offsets", "18446744073709551615"}
    for name, make in SEEDS.items():
        (out / name).mkdir(parents=True, exist_ok=True)
        for place, content in enumerate(make()):
            (out / name / f"{place}").write_bytes(content)
            keys_of(content, found)
    quoted = [json.dumps(word) for word in sorted(found) if word.isascii() and len(word) > 1]
    lines = ['"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"' for word in quoted]
    (out / "words").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
