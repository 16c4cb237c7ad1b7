#!/usr/bin/env python3
"""Writes tests/golden/tokens.json: random text and its tokens by Hugging Face's tokenizers.

    pip install tokenizers==0.23.3 && python3 scripts/golden/make_tokens.py

`pipelines` has the encodings of `texts` by the unchanged tokenizers of tests/data. `components`
has tokenizers that differ from one of these in a few parts of the file (`changes`; for the model
only the named fields), with encodings of the first few texts. `named` has the ids of its texts for each
pre-tokenizer that GGUF files name. Its tokens were learnt from these texts without any, so that each
cut changes the ids. Use Python 3.11, whose unicodedata
has Unicode 14: later characters are left out.
"""
import json
import pathlib
import random
import unicodedata

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIPELINES = ("tok_qwen", "tok_phi3", "tok_gemma", "tok_bert")
TEXTS = 160
COMPONENT_TEXTS = 16
NAMED_TEXTS = 16
NAMED_TOKENS = 900

GPT2 = {"type": "ByteLevel", "add_prefix_space": True, "trim_offsets": True, "use_regex": True}
BYTES = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
TRIPLES = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)


CASED = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+"
CAPITALS = r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*"
ENGLISH = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
SLASHED = r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
MARKED = (
    ENGLISH + r"|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}"
    r"| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# By the names of GGUF files: the regular expression, whether texts are in NFC first, and whether
# words that are tokens are not merged.
NAMED = {
    "llama-bpe": (TRIPLES, False, True),
    "dbrx": (TRIPLES, False, False),
    "qwen2": (TRIPLES.replace("{1,3}", ""), True, False),
    "qwen35": (MARKED, True, False),
    "gpt-4o": (f"{CASED}{ENGLISH}?|{CAPITALS}{ENGLISH}?|" + r"\p{N}{1,3}" + SLASHED, False, False),
    "tekken": (f"{CASED}|{CAPITALS}|" + r"\p{N}" + SLASHED, False, True),
}
# Capitals within words, marks on letters, digits and slashes, in several scripts.
MIXED = (
    "camelCase HTTPServer iPhone's DON'T we'LL A1b2C3 20261128 3,141.59 a/b//c http://x.org/\n",
    "Ünïcödé naïve Ǆ ǅungla ʰa e\u0301te\u0301 İstanbul ΑΒγΔ ωΩς ПРИВЕТ Мир'с",
    "किताबें हिन्दी தமிழ் ภาษาไทย 中文Abc日本語カタカナ 한국어 עִבְרִית عَرَبِيّ ١٢٣٤٥ Ⅻ ²³",
    "  two  blanks\t\ttabs \r\n\r\n end/ \n/\n ?!/... 'S 's 'Re x'Ve",
)


def normalizers(*steps):
    return {"type": "Sequence", "normalizers": list(steps)}


def cut(*steps):
    return {"type": "Sequence", "pretokenizers": [*steps, BYTES]}


def split(regex, behavior, invert=False):
    pattern = {"Regex": regex}
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def bert(clean, accents, lowercase):
    return {
        "type": "BertNormalizer",
        "clean_text": clean,
        "handle_chinese_chars": clean,
        "strip_accents": accents,
        "lowercase": lowercase,
    }


def metaspace(scheme):
    part = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": True}
    return {"normalizer": None, "pre_tokenizer": part, "decoder": part}


def added(**options):
    plain = dict(single_word=False, lstrip=False, rstrip=False, normalized=False, special=False)
    return {**plain, **options}


def with_added_tokens(base):
    tokens = [
        added(content="Of", normalized=True),
        added(content="AND", normalized=True, lstrip=True),
        added(content="<w>", single_word=True),
        added(content="<l>", lstrip=True),
        added(content="<r>", rstrip=True),
        added(content="<lr>", lstrip=True, rstrip=True, special=True),
        added(content="<r>x"),
        added(content="\n\n"),
    ]
    known = base["added_tokens"]
    first = 1 + max(token["id"] for token in known)
    return known + [{"id": first + i, **token} for i, token in enumerate(tokens)]


def template(*pieces):
    steps = {
        "A": {"Sequence": {"id": "A", "type_id": 0}},
        "B": {"Sequence": {"id": "B", "type_id": 1}},
    }
    return [steps.get(p) or {"SpecialToken": {"id": p, "type_id": 0}} for p in pieces]


def components(files):
    """Yields the name of the base tokenizer and the changes, one component at a time."""
    lower = normalizers({"type": "NFD"}, {"type": "Lowercase"}, {"type": "StripAccents"})
    qwen = [{"normalizer": {"type": form}} for form in ("NFC", "NFD", "NFKC", "NFKD")]
    qwen += [
        {"normalizer": lower},
        {"normalizer": normalizers({"type": "Strip", "strip_left": True, "strip_right": True})},
        {
            "normalizer": normalizers(
                {"type": "Replace", "pattern": {"Regex": r"\s+"}, "content": " "},
                {"type": "Replace", "pattern": {"Regex": r"[^\w\s]"}, "content": "<>"},
                {"type": "Replace", "pattern": {"String": "the"}, "content": ""},
            )
        },
        {"normalizer": None, "pre_tokenizer": GPT2, "post_processor": GPT2},
        {"model": {"ignore_merges": True}, "pre_tokenizer": cut(split(TRIPLES, "Isolated"))},
        {"pre_tokenizer": cut(split(r"\b\w+\b|\W|\d|^x|y$", "MergedWithNext"))},
        {"pre_tokenizer": cut({"type": "Whitespace"})},
        {"pre_tokenizer": cut({"type": "WhitespaceSplit"}, {"type": "Punctuation"})},
        {"pre_tokenizer": cut({"type": "Digits", "individual_digits": True})},
        {"pre_tokenizer": cut({"type": "Digits", "individual_digits": False})},
    ]
    behaviors = ("Removed", "Isolated", "MergedWithPrevious", "MergedWithNext", "Contiguous")
    for behavior in behaviors:
        for invert in (False, True):
            qwen.append({"pre_tokenizer": cut(split(r"[aeiou\s]", behavior, invert))})
    qwen += [
        {
            "post_processor": {
                "type": "RobertaProcessing",
                "sep": ["</s>", 2],
                "cls": ["<s>", 1],
                "trim_offsets": True,
                "add_prefix_space": False,
            }
        },
        {
            "post_processor": {
                "type": "Sequence",
                "processors": [
                    BYTES,
                    {
                        "type": "TemplateProcessing",
                        "single": template("x", "A"),
                        "pair": template("A", "x", "B"),
                        "special_tokens": {"x": {"id": "x", "ids": [5, 6], "tokens": ["a", "b"]}},
                    },
                ],
            }
        },
    ]
    many = with_added_tokens(files["tok_qwen"])
    lowercase = normalizers({"type": "NFD"}, {"type": "Lowercase"})
    prepend = files["tok_phi3"]["normalizer"]
    qwen += [
        {"added_tokens": many, "normalizer": lowercase},
        {"added_tokens": many, "normalizer": prepend},
        {"added_tokens": many, "pre_tokenizer": GPT2, "post_processor": GPT2},
    ]
    phi3 = [metaspace(scheme) for scheme in ("always", "never", "first")]
    phi3 += [
        {"model": {"fuse_unk": fuse, "byte_fallback": False, "unk_token": unknown}}
        for fuse, unknown in ((False, "<unk>"), (True, "<unk>"), (False, None))
    ]
    strips = [
        {"type": "Replace", "pattern": {"Regex": "▁+"}, "content": " "},
        {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        {"type": "Fuse"},
        {"type": "Strip", "content": "e", "start": 2, "stop": 2},
    ]
    phi3.append({"decoder": {"type": "Sequence", "decoders": strips}})
    words = [
        {"normalizer": bert(True, None, False)},
        {"normalizer": bert(False, True, True)},
        {"decoder": None},
        {"post_processor": {"type": "BertProcessing", "sep": ["[SEP]", 7], "cls": ["[CLS]", 6]}},
    ]
    groups = {"tok_qwen": qwen, "tok_phi3": phi3, "tok_bert": words}
    return [(base, changes) for base, all_changes in groups.items() for changes in all_changes]


def changed(file, changes):
    out = {**file, **{key: part for key, part in changes.items() if key != "model"}}
    out["model"] = {**file["model"], **changes.get("model", {})}
    return out


def learnt_model(texts):
    tokenizer = Tokenizer(models.BPE())
    whole = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    tokenizer.pre_tokenizer = whole
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=NAMED_TOKENS, initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    return json.loads(tokenizer.to_str())


def named_cases(texts):
    learnt = learnt_model(texts)
    ids = {}
    for name, (regex, composed, ignored) in NAMED.items():
        changes = {
            "normalizer": {"type": "NFC"} if composed else None,
            "pre_tokenizer": cut(split(regex, "Isolated")),
            "model": {"ignore_merges": ignored},
        }
        tokenizer = Tokenizer.from_str(json.dumps(changed(learnt, changes)))
        ids[name] = [tokenizer.encode(text, add_special_tokens=False).ids for text in texts]
    tokens = sorted(learnt["model"]["vocab"], key=learnt["model"]["vocab"].get)
    merges = [" ".join(pair) for pair in learnt["model"]["merges"]]
    return {"texts": texts, "tokens": tokens, "merges": merges, "ids": ids}


def pools():
    unused = ("Cn", "Cs", "Co")
    assigned = [c for c in range(0x110000) if unicodedata.category(chr(c)) not in unused]
    return [
        assigned,
        [c for c in assigned if unicodedata.category(chr(c)).startswith("M")],
        [c for c in assigned if unicodedata.decomposition(chr(c))],
        [c for c in assigned if unicodedata.category(chr(c))[0] in "CZPS"],
        [*range(0x1F300, 0x1F650), 0x200D, 0xFE0F],
        [*range(0x4E00, 0x5200), *range(0xAC00, 0xAD00)],
        [*range(0x1100, 0x1200), *range(0x3040, 0x3100)],
        [0x20] * 6 + [9, 10, 13, 0x85, 0xA0, 0x180E, 0x200B, 0x2028, 0x3000],
        list(range(0x20, 0x250)),
        list(range(0x20, 0x7F)),
        list(range(0x20, 0x7F)),
    ]


def random_texts(rng, added_tokens):
    words = "the of license Software 2,022 don't I'LL USE \n\n \n <0x0A> ▁ Ġ Of AND <w> <l> <r> <lr>"
    words = words.split(" ") + ["  ", " \t\n "]
    all_pools = pools()

    def draw():
        kind = rng.random()
        if kind < 0.3:
            return rng.choice(words)
        if kind < 0.35:
            return rng.choice(added_tokens)
        pool = rng.choice(all_pools)
        return "".join(chr(rng.choice(pool)) for _ in range(rng.randint(1, 4)))

    return [
        rng.choice(["", " ", ""]).join(draw() for _ in range(rng.randint(1, 9)))
        for _ in range(TEXTS)
    ]


def flat(offsets):
    return [place for pair in offsets for place in pair]


def encodings(tokenizer, texts):
    out = []
    for text in texts:
        encoding = tokenizer.encode(text, add_special_tokens=False)
        out.append({"ids": encoding.ids, "offsets": flat(encoding.offsets)})
    return out


def component_cases(file, texts):
    tokenizer = Tokenizer.from_str(json.dumps(file))
    out = []
    for text, other in zip(texts, texts[1:] + texts[:1]):
        single = tokenizer.encode(text)
        pair = tokenizer.encode(text, other)
        out.append(
            {
                "ids": single.ids,
                "offsets": flat(single.offsets),
                "decoded": tokenizer.decode(single.ids, skip_special_tokens=False),
                "pair_ids": pair.ids if len(out) < 3 else None,
                "pair_types": pair.type_ids if len(out) < 3 else None,
            }
        )
    return out


def main():
    files = {
        name: json.loads((ROOT / f"tests/data/{name}/model/tokenizer.json").read_text())
        for name in PIPELINES
    }
    added_tokens = sorted({t["content"] for file in files.values() for t in file["added_tokens"]})
    texts = random_texts(random.Random(20240614), added_tokens)
    few = texts[:COMPONENT_TEXTS]
    golden = {
        "made_by": "scripts/golden/make_tokens.py",
        "texts": texts,
        "pipelines": {
            name: encodings(Tokenizer.from_str(json.dumps(file)), texts)
            for name, file in files.items()
        },
        "components": [
            {
                "base": base,
                "changes": changes,
                "cases": component_cases(changed(files[base], changes), few),
            }
            for base, changes in components(files)
        ],
        "named": named_cases([*MIXED, *texts[:NAMED_TEXTS]]),
    }
    out = ROOT / "tests/golden/tokens.json"
    out.write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
