#!/usr/bin/env python3
"""Makes documents and questions from held-back lines of the sets, to fit confidence and rankings
on.

    scripts/data/reader/documents.py --out DIR \\
      out/wikitables.dev.jsonl out/squadshifts.nothing.test.jsonl ...

Writes DIR/docs/*.html, each with the passages of some lines, and DIR/questions.jsonl, which
`fineprint batch` and `fineprint eval` take: each question with its document, and with the text that
answers it. A line without an answer asks for something that its document does not contain. Lines
without a gold text are left out, except if the answer is a text or a cell itself.
"""

import argparse
import html
import json
import random
import sys
from pathlib import Path

from shared import DataError, read_text

LINES_A_DOCUMENT = 12
AROUND = 40  # bytes before and after a span that belong to its evidence


def gold_of(line):
    """Returns the right answer as a text, or None if the line does not give it."""
    gold = line.get("gold")
    if gold:  # alternatives for texts, parts for tables
        is_text = bool(line["answers"]) and "spans" in line["answers"][0]
        return gold[0] if len(gold) == 1 or is_text else str(gold)
    if not line["answers"]:
        return "Not answerable"
    answer = line["answers"][0]
    passage = line["passages"][answer["passage"]]
    if answer["operator"] != "span":
        return None
    if "cells" in answer:
        row, column = answer["cells"][0]
        return passage["rows"][row][column]
    begin, end = answer["spans"][0]
    return passage["text"].encode()[begin:end].decode()


def evidence_of(line):
    """Returns the words around the answer, or its row; None if there is no answer or its place is unknown."""
    for answer in line["answers"]:
        passage = line["passages"][answer["passage"]]
        if answer.get("cells"):
            return " ".join(passage["rows"][answer["cells"][0][0]])
        if answer.get("spans"):
            begin, end = answer["spans"][0]
            around = slice(max(0, begin - AROUND), end + AROUND)
            return passage["text"].encode()[around].decode(errors="ignore")
    return None


def html_of(passage):
    heading = f"<h2>{html.escape(passage['context'])}</h2>\n" if passage.get("context") else ""
    if "text" in passage:
        return f"{heading}<p>{html.escape(passage['text'])}</p>\n"
    rows = []
    for number, row in enumerate(passage["rows"]):
        tag = "th" if number < passage["header_rows"] else "td"
        rows.append("<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>")
    return heading + "<table>\n" + "\n".join(rows) + "\n</table>\n"


def write_document(path, lines, drawn):
    passages = []
    for line in lines:
        for passage in line["passages"]:
            if passage not in passages:
                passages.append(passage)
    drawn.shuffle(passages)
    body = "".join(html_of(passage) for passage in passages)
    path.write_text(f"<!DOCTYPE html>\n<meta charset='utf-8'>\n<title>{path.stem}</title>\n{body}", encoding="utf-8")


def make(paths, out, most, seed):
    """Writes the documents of each file's lines, at most `most` of them. Returns the number of questions."""
    docs = out / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    questions = []
    for path in paths:
        drawn = random.Random(f"{seed} {path.name}")
        lines = [json.loads(line) for line in read_text(path).splitlines()]
        lines = [line for line in lines if gold_of(line) is not None]
        drawn.shuffle(lines)
        for first in range(0, min(most, len(lines)), LINES_A_DOCUMENT):
            some = lines[first : first + LINES_A_DOCUMENT]
            name = f"{path.name.split('.')[0]}-{first // LINES_A_DOCUMENT:03}.html"
            write_document(docs / name, some, drawn)
            for number, line in enumerate(some):
                identity = f"{name}-{number}"
                question = {"id": identity, "doc": name, "question": line["question"], "answer": gold_of(line)}
                evidence = evidence_of(line)
                questions.append(question | ({"evidence_text": evidence} if evidence else {}))
    with open(out / "questions.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(question, ensure_ascii=False) + "\n" for question in questions)
    return len(questions)


def main():
    parser = argparse.ArgumentParser(description="Makes documents and questions from held-back lines of the sets.")
    parser.add_argument("lines", type=Path, nargs="+", help="files of lines that `make` wrote")
    parser.add_argument("--out", type=Path, required=True,
                        help="folder for docs/ and questions.jsonl")
    parser.add_argument("--most", type=int, default=600, help="largest number of lines of a file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{make(options.lines, options.out, options.most, options.seed)} questions in {options.out}")


if __name__ == "__main__":
    try:
        main()
    except DataError as error:
        sys.exit(f"documents.py: {error}")
