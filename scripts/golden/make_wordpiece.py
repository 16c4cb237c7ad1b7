#!/usr/bin/env python3
"""Writes tests/golden/wordpiece.json: random text and its tokens by Hugging Face's tokenizers.

    pip install tokenizers==0.23.3 && python3 scripts/golden/make_wordpiece.py
"""
import json
import pathlib
import random
import unicodedata

from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parents[2]
CASES = 400


def assigned_code_points():
    # Characters newer than Unicode 14 are left out with the unassigned ones.
    return [c for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]


def draw(rng, pools):
    pool = rng.choice(pools)
    return "".join(chr(rng.choice(pool)) for _ in range(rng.randint(1, 4)))


def main():
    rng = random.Random(20240611)
    everything = assigned_code_points()
    marks = [c for c in everything if unicodedata.category(chr(c)).startswith("M")]
    composed = [c for c in everything if unicodedata.decomposition(chr(c))]
    odd = [c for c in everything if unicodedata.category(chr(c))[0] in "CZPS"]
    latin = list(range(0x20, 0x250))
    words = [[ord(c) for c in w] for w in ("the", "and", "[SEP]", "[MASK]", "revenue", "2,022")]
    pools = [everything, marks, composed, odd, latin, latin, latin]

    tokenizer = Tokenizer.from_file(str(ROOT / "tests/data/tok_bert/model/tokenizer.json"))
    cases = []
    for _ in range(CASES):
        pieces = [draw(rng, pools) for _ in range(rng.randint(1, 12))]
        pieces += ["".join(map(chr, rng.choice(words))) for _ in range(rng.randint(0, 2))]
        rng.shuffle(pieces)
        text = rng.choice(["", " "]).join(pieces)
        encoding = tokenizer.encode(text, add_special_tokens=False)
        cases.append({"text": text, "ids": encoding.ids, "offsets": encoding.offsets})
    out = ROOT / "tests/golden/wordpiece.json"
    out.write_text(json.dumps({"made_by": "scripts/golden/make_wordpiece.py", "encode": cases}))


if __name__ == "__main__":
    main()
