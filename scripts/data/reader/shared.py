"""What all sources of the QA model's examples share: reading, cutting, searching, checking and
writing.

An example is one question with one to three passages that are read together, and the right
answers. Each answer says how it follows from a passage: spans of text, cells of a table, an
operator over them. README.md describes the format. Spans count UTF-8 bytes.
"""

import hashlib
import heapq
import json
import math
import random
import re
import string
from collections import Counter, defaultdict
from pathlib import Path

TEXT_BYTES = 1400  # largest passage of text: about 350 word pieces
TRAINED_BYTES = (400, 600, 800)  # training texts are cut to one of these, because pages are read in 60 to 120 words
TEXT_PIECES = 380
TABLE_PIECES = 350

PAIR_OPERATORS = ("difference", "ratio", "change")
SET_OPERATORS = ("spans", "count", "sum", "average")
SCALES = ("none", "thousand", "million", "billion", "percent")


class DataError(Exception):
    """A source is missing, or does not have the format in which it was published."""


# ---------------------------------------------------------------- reproducible random numbers


def digest(*parts):
    """Returns a number that depends only on the parts."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def chance(seed, *parts):
    """Returns a generator for one example, so that no example depends on the previous ones."""
    return random.Random(digest(seed, *parts))


def held_back(document, percent=10):
    """Returns whether a document is held back for the test. This depends on its hash, not on the seed."""
    return digest("held back", document) % 100 < percent


# ---------------------------------------------------------------- reading


def read_text(path):
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}; check out the repository there") from error


def read_json(path):
    try:
        return json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise DataError(f"{path}: not JSON ({error}); check out its repository again") from error


# ---------------------------------------------------------------- words and sizes

WORD = re.compile(r"\w+", re.UNICODE)
TOKEN = re.compile(r"\d+|[^\W\d_]+|[^\w\s]|_", re.UNICODE)
STOP = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his how i in is it its many much "
    "of on or s she that the their them there they this to was were what when where which who whom whose why will "
    "with would you your".split()
)


def words(text):
    return WORD.findall(text.lower())


def content_words(text):
    return [word for word in words(text) if word not in STOP]


def stems(text):
    """Returns the content words of a text, with the same form for singular and plural."""
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in content_words(text)}


def pieces(text):
    """Estimates the number of word pieces of a text: long words and numbers are split, and punctuation
    marks count alone."""
    total = 0
    for token in TOKEN.findall(text):
        if token[0].isdigit():
            total += (len(token) + 2) // 3
        elif len(token) <= 7:
            total += 1
        else:
            total += 1 + (len(token) - 4) // 4
    return total


def plain(text):
    """Returns a text without case, articles, punctuation and extra blanks, as SQuAD compares it."""
    text = "".join(character for character in text.lower() if character not in string.punctuation)
    return " ".join(word for word in text.split() if word not in ("a", "an", "the"))


# ---------------------------------------------------------------- texts

SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[\"'(\[]?[A-Z0-9])|\n+")


def sentences(text):
    """Returns the (start, end) of each sentence, in characters."""
    bounds, start = [], 0
    for match in SENTENCE_END.finditer(text):
        if match.start() > start:
            bounds.append((start, match.start()))
        start = match.end()
    if start < len(text):
        bounds.append((start, len(text)))
    return bounds


def fits(text, limit):
    return len(text.encode()) <= limit and pieces(text) <= TEXT_PIECES


def window(text, start, end, limit=TEXT_BYTES, rng=None):
    """Cuts a text to sentences around [start, end) that fit. Returns the part and its start."""
    if fits(text, limit):
        return text, 0
    bounds = sentences(text)
    first = max((i for i, (low, _) in enumerate(bounds) if low <= start), default=0)
    last = min((i for i, (_, high) in enumerate(bounds) if high >= end), default=len(bounds) - 1)
    last = max(first, last)
    low, high = bounds[first][0], bounds[last][1]
    if not fits(text[low:high], limit):  # one very long sentence: take the words around the span
        half = max(0, (limit // 2 - (end - start)) // 2)
        low, high = max(low, start - half), min(high, end + half)
        while low > 0 and low < start and not text[low - 1].isspace():
            low += 1
        while high < len(text) and high > end and not text[high].isspace():
            high -= 1
        return text[low:high], low
    while True:
        sides = [side for side in ((first - 1, last), (first, last + 1)) if side[0] >= 0 and side[1] < len(bounds)]
        sides = [side for side in sides if fits(text[bounds[side[0]][0] : bounds[side[1]][1]], limit)]
        if not sides:
            return text[bounds[first][0] : bounds[last][1]], bounds[first][0]
        first, last = sides[0] if len(sides) == 1 or rng is None else rng.choice(sides)


def byte_span(text, start, end):
    """Converts characters [start, end) to bytes."""
    before = len(text[:start].encode())
    return [before, before + len(text[start:end].encode())]


# ---------------------------------------------------------------- passages that resemble


class Pool:
    """Passages of one kind, searched by the words that they share with a question (tf-idf)."""

    def __init__(self):
        self.texts, self.documents, self.stems = [], [], []
        self.postings = defaultdict(list)
        self.by_document = defaultdict(list)

    def add(self, text, document):
        number = len(self.texts)
        self.texts.append(text)
        self.documents.append(document)
        self.by_document[document].append(number)
        self.stems.append(stems(text))
        counts = Counter(content_words(text))
        length = 1 + sum(counts.values())
        for word, count in counts.items():
            self.postings[word].append((number, (1 + math.log(count)) / math.sqrt(20 + length)))
        return number

    def rarity(self, word):
        return len(self.postings[word]), word

    def resembling(self, question, count, document=None, unlike=(), other=False, rng=None, most=1.0):
        """Returns the numbers of the passages that resemble a question most, from one document if it is
        given, or from all others (`other`). Leaves out passages that contain a text of `unlike`, or
        more than the share `most` of the question's words, because they may answer it too."""
        if not count:
            return []
        wanted = stems(question)
        scores = defaultdict(float)
        asked = sorted((word for word in set(content_words(question)) if word in self.postings), key=self.rarity)
        for word in asked[:6]:  # the rarest words are the most significant
            posting = self.postings[word]
            if len(posting) > 800 and scores:
                break
            weight = math.log(1 + len(self.texts) / (1 + len(posting)))
            for number, value in posting:
                if document is not None and (self.documents[number] == document) == other:
                    continue
                scores[number] += weight * value
        if document is not None and not other and len(scores) < count:
            for number in self.by_document[document]:
                scores.setdefault(number, 0.0)
        ranked = heapq.nsmallest(10 * count + 40, scores.items(), key=lambda item: (-item[1], item[0]))
        found = []
        for number, _ in ranked:
            if len(wanted & self.stems[number]) > most * len(wanted):
                continue
            if any(holds(self.texts[number], text) for text in unlike):
                continue
            found.append(number)
            if len(found) == 3 * count:
                break
        if rng is not None:  # so that they are not always the same nearest ones
            head = found[: count + 2]
            rng.shuffle(head)
            found = head + found[count + 2 :]
        return found[:count]


def holds(text, answer):
    """Returns whether a text contains an answer as words."""
    wanted = plain(answer)
    return bool(wanted) and f" {wanted} " in f" {plain(text)} "


# ---------------------------------------------------------------- examples


def text_passage(text, context=""):
    return {"context": context, "text": text}


def table_passage(rows, context="", header_rows=1):
    return {"context": context, "rows": rows, "header_rows": header_rows}


def span_answer(spans):
    """Returns an answer of text spans, in bytes."""
    spans = sorted(spans)
    return {"operator": "span" if len(spans) == 1 else "spans", "spans": spans}


def cells_answer(cells, operator=None):
    return {"operator": operator or ("span" if len(cells) == 1 else "spans"), "cells": [list(cell) for cell in cells]}


def example(rng, question, right, answers, wrong, **more):
    """Returns a question with its right passage (or none) and wrong ones, in random order."""
    passages = ([right] if right is not None else []) + list(wrong)
    order = list(range(len(passages)))
    rng.shuffle(order)
    place = order.index(0) if right is not None else None
    made = {
        "question": " ".join(question.split()),
        "passages": [passages[number] for number in order],
        "answers": [{"passage": place, **answer} for answer in answers] if right is not None else [],
    }
    made.update({key: value for key, value in more.items() if value is not None})
    return made


def plan(rng):
    """Draws the kind of a line of texts: ("right", number of wrong passages), or, for a third of the
    lines, ("near"|"far", number of passages) without an answer, half of them from the same document."""
    kind = rng.random()
    if kind < 1 / 6:
        return "near", rng.choice((1, 1, 2))
    if kind < 1 / 3:
        return "far", rng.choice((1, 1, 2))
    return "right", rng.choice((0, 0, 0, 1))


def check(line):
    """Raises DataError if an example does not have the format of README.md."""

    def fail(what):
        raise DataError(f"malformed example, {what}: {json.dumps(line, ensure_ascii=False)[:600]}")

    if not line["question"]:
        fail("the question is empty")
    if not line["passages"]:
        fail("it has no passages")
    for passage in line["passages"]:
        if ("text" in passage) == ("rows" in passage):
            fail("a passage needs either text or rows")
        if "rows" in passage:
            widths = {len(row) for row in passage["rows"]}
            if len(widths) != 1 or widths == {0}:
                fail("the rows of a table differ in width")
            if not all(isinstance(cell, str) for row in passage["rows"] for cell in row):
                fail("a cell is not a string")
            if not 0 <= passage["header_rows"] <= len(passage["rows"]):
                fail("header_rows is out of range")
        elif not passage["text"].strip():
            fail("a text is empty")
    for answer in line["answers"]:
        if not 0 <= answer["passage"] < len(line["passages"]):
            fail("an answer's passage is out of range")
        passage, operator = line["passages"][answer["passage"]], answer["operator"]
        parts = answer.get("cells", answer.get("spans", []))
        if operator in ("yes", "no"):
            continue
        if operator == "count" and "count" in answer:
            if not isinstance(answer["count"], int) or answer["count"] < 0:
                fail("a count is not a whole number from 0")
            continue
        if ("cells" in answer) != ("rows" in passage):
            fail("an answer in a table needs cells, and one in a text needs spans")
        if operator == "span" and len(parts) != 1 or operator in PAIR_OPERATORS and len(parts) != 2:
            fail("the operator does not fit the number of cells or spans")
        if operator == "spans" and len(parts) < 2 or operator in SET_OPERATORS and not parts:
            fail("the operator does not fit the number of cells or spans")
        if operator not in ("span",) + PAIR_OPERATORS + SET_OPERATORS:
            fail("the operator is unknown")
        if "rows" in passage:
            for row, column in parts:
                if not (0 <= row < len(passage["rows"]) and 0 <= column < len(passage["rows"][0])):
                    fail("a cell is outside the table")
        else:
            encoded = passage["text"].encode()
            for start, end in parts:
                if not 0 <= start < end <= len(encoded):
                    fail("a span is outside the text")
                try:
                    encoded[start:end].decode()
                except UnicodeDecodeError:
                    fail("a span splits a character")
    if line.get("scale", "none") not in SCALES:
        fail("the scale is unknown")


def said(line, answer):
    """Returns the texts that an answer points at."""
    passage = line["passages"][answer["passage"]]
    if "cells" in answer:
        return [passage["rows"][row][column] for row, column in answer["cells"]]
    encoded = passage.get("text", "").encode()
    return [encoded[start:end].decode() for start, end in answer.get("spans", [])]


class Writer:
    """Writes OUT/NAME.train.jsonl and OUT/NAME.test.jsonl, checks each line, and moves the files into
    place when they are complete."""

    def __init__(self, out, name):
        self.out, self.name = Path(out), name
        self.files, self.lines, self.empty, self.gold_rows = {}, Counter(), Counter(), []

    def write(self, part, line):
        check(line)
        if part not in self.files:
            self.files[part] = open(self.path(part, ".new"), "w", encoding="utf-8")
        self.files[part].write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
        self.lines[part] += 1
        self.empty[part] += not line["answers"]

    def gold(self, row):
        """What a scorer needs of a test question beyond its line."""
        self.gold_rows.append(row)

    def path(self, part, ending=""):
        return self.out / f"{self.name}.{part}.jsonl{ending}"

    def train(self, line):
        self.write("train", line)

    def test(self, line):
        self.write("test", line)

    def close(self):
        sizes = {}
        if self.gold_rows:
            text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self.gold_rows)
            self.path("gold").write_text(text, encoding="utf-8")
        for part, file in self.files.items():
            file.close()
            self.path(part, ".new").rename(self.path(part))
            sizes[self.path(part).name] = {
                "lines": self.lines[part],
                "without_answer": self.empty[part],
                "bytes": self.path(part).stat().st_size,
            }
        return sizes
