#!/usr/bin/env python3
"""Computes exact match and F1 as TAT-QA defines them: numbers with their scale, texts as bags of
words.

    scripts/data/reader/score_tatqa.py PREDICTIONS tatqa.gold.jsonl

Follows the set's own metric, including its peculiarities: the number of a text is the first one in
it, "(1,234)" with a comma is not read as negative, and answers of several texts are sorted and
joined.
"""

import math
import re
import string

import scoring

SCALES = (("hundred", 100), ("thousand", 1000), ("million", 1000000), ("billion", 1000000000), ("percent", 0.01))
NO_FIGURE = str.maketrans("", "", "'\"\\$€£¥%(),[]")
PUNCTUATION = str.maketrans("", "", string.punctuation)


def scale_of(text):
    return next((value for name, value in SCALES if name in text.lower()), 1)


def is_number(text):
    found = " ".join(word.translate(NO_FIGURE) for word in text.split()).split()
    if not found:
        return False
    try:
        if math.isnan(float(found[0])):
            return False
    except ValueError:
        return False
    return len(found) < 2 or scale_of(found[1]) != 1


def to_number(text):
    match = re.search(r"(?P<plain>[+-]?\d+(\.\d+)?)|[+-]?\.\d+", text.translate(NO_FIGURE))
    if not match or not match["plain"]:
        return None
    value = float(match["plain"]) if "." in match["plain"] else int(match["plain"])
    unit = re.search(r"[\d.]+\s?[a-zA-Z]+", text)
    if unit:
        value *= scale_of(unit[0])
    if re.search(r"\([\d.\s]+\)", text.strip()):
        value *= -1
    if re.search(r"[\d.\s]+%", text.strip()):
        value *= 0.01
    return round(value, 4)


def normalised(text):
    words = []
    for token in text.split(" "):
        token = token.lower()
        if is_number(token):
            token = str(to_number(token))
        else:
            token = token.translate(PUNCTUATION)
            token = str(to_number(token)) if is_number(token) else token
        words += re.sub(r"\b(a|an|the)\b", " ", token).split()
    return " ".join(words)


def scaled(texts, scale):
    """Returns one text of all answers, with numbers multiplied by their scale."""
    said = []
    for text in sorted(texts):
        value = to_number(text) if is_number(text) else None
        if value is None:
            said.append(f"{text} {scale}" if scale else text)
        elif "%" in text:
            said.append(f"{value:.4f}")
        else:
            said.append(f"{round(value, 2) * scale_of(scale):.4f}")
    return " ".join(said)


def compared(said, gold):
    said, gold = normalised(said), normalised(gold)
    said_words, gold_words = set(said.split()), set(gold.split())
    shared = len(said_words & gold_words)
    precision = shared / len(said_words) if said_words else 1.0
    recall = shared / len(gold_words) if gold_words else 1.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(said == gold), round(f1, 2)


def gold_texts(row):
    if row["answer_type"] in ("span", "multi-span"):
        return [str(text) for text in row["answer"]]
    if row["answer_type"] == "count":
        return [str(int(row["answer"]))]
    return [str(row["answer"])]


def question_score(texts, scale, row):
    """Returns (exact match, F1) of one answer."""
    gold = gold_texts(row)
    if not texts or not gold:
        return 0.0, 0.0
    tried = [scaled(texts, scale)]
    if len(texts) == 1 and not scale and "%" not in texts[0] and is_number(texts[0]):
        value = to_number(texts[0])  # 0.2342 may mean 23.42 percent
        if value is not None:
            tried.append(f"{value:.4f}")
    exact, f1 = max(compared(text, scaled(gold, row["scale"])) for text in tried)
    return exact, exact if row["answer_type"] in ("arithmetic", "count") else f1


def score(predictions, gold):
    totals, scales = {}, 0
    for row in gold:
        prediction = predictions.get(row["id"])
        texts = scoring.answers(prediction)
        scale = (prediction or {}).get("scale") or ""
        scale = "" if scale == "none" else scale
        exact, f1 = question_score(texts, scale, row)
        scales += bool(texts) and scale == row["scale"]
        for group in ("all", row["answer_type"], f"{row['answer_type']} from {row['answer_from']}"):
            count, exact_sum, f1_sum = totals.get(group, (0, 0.0, 0.0))
            totals[group] = count + 1, exact_sum + exact, f1_sum + f1
    result = {"questions": len(gold), "scale": scoring.percent(scales, len(gold))}
    for group in ["all"] + sorted(set(totals) - {"all"}):
        count, exact_sum, f1_sum = totals[group]
        figures = {"exact_match": scoring.percent(exact_sum, count), "f1": scoring.percent(f1_sum, count)}
        result |= figures if group == "all" else {group: {"questions": count, **figures}}
    return result


if __name__ == "__main__":
    scoring.main("Exact match and F1 of TAT-QA.", score)
