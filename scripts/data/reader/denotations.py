"""What WikiTableQuestions compares: strings without details, numbers and dates. A set of them is
an answer.

Follows the rules of the set's own evaluator (version 1.0.2).
"""

import math
import re
import unicodedata

CITATIONS = re.compile(r"((?<!^)\[[^\]]*\]|\[\d+\]|[•♦†‡*#+])*$")
DETAILS = re.compile(r"(?<!^)( \([^)]*\))*$")
QUOTED = re.compile(r'^"([^"]*)"$')


def normalised(text):
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) != "Mn")
    text = re.sub(r"[‘’´`]", "'", text)
    text = re.sub(r"[“”]", '"', text)
    text = re.sub(r"[‐‑‒–—−]", "-", text)
    while True:
        before = text
        text = CITATIONS.sub("", text.strip())
        text = DETAILS.sub("", text.strip())
        text = QUOTED.sub(r"\1", text.strip())
        if text == before:
            break
    if text.endswith("."):
        text = text[:-1]
    return re.sub(r"\s+", " ", text).lower().strip()


class Value:
    """One item of an answer: its text, and its number or date (year, month, day; -1 is unknown) if it
    is one."""

    def __init__(self, text, canonical=None):
        canonical = canonical or text
        self.number, self.date = as_number(canonical), None
        if self.number is None:
            date = as_date(canonical)
            if date and date[1] == date[2] == -1:
                self.number = date[0]
            else:
                self.date = date
        self.normalised = normalised(text)

    def key(self):
        if self.number is not None:
            return ("number", self.number)
        return ("date", self.date) if self.date else ("text", self.normalised)

    def matches(self, other):
        if self.normalised == other.normalised:
            return True
        if self.number is not None and other.number is not None:
            return abs(self.number - other.number) < 1e-6
        return self.date is not None and self.date == other.date


def as_number(text):
    try:
        return int(text)
    except ValueError:
        pass
    try:
        value = float(text)
    except ValueError:
        return None
    if math.isnan(value) or math.isinf(value):
        return None
    return int(round(value)) if abs(value - round(value)) < 1e-6 else value


def as_date(text):
    parts = text.lower().split("-")
    if len(parts) != 3:
        return None
    try:
        year = -1 if parts[0] in ("xx", "xxxx") else int(parts[0])
        month = -1 if parts[1] == "xx" else int(parts[1])
        day = -1 if parts[2] == "xx" else int(parts[2])
    except ValueError:
        return None
    known = not year == month == day == -1
    return (year, month, day) if known and (month == -1 or 1 <= month <= 12) and (day == -1 or 1 <= day <= 31) else None


def values(texts, canonicals=None):
    """Returns the values of texts, each once."""
    found = {}
    for text, canonical in zip(texts, canonicals or [None] * len(texts)):
        value = Value(text, canonical)
        found.setdefault(value.key(), value)
    return list(found.values())


def same(targets, predicted):
    """Returns whether an answer is right: it has as many values, and each target is among them."""
    return len(targets) == len(predicted) and all(any(t.matches(p) for p in predicted) for t in targets)
