"""Prints, for each {"file","page","boxes"} on standard input, the page and the words in the boxes.

A program of its own, run by the Python of .venv: it needs pymupdf, the tests do not. One JSON
object a line: {"width", "height", "words": [text of the words whose middle is in a box]}.
"""

import json
import sys

import pymupdf


def words_in(page, boxes):
    """Words box by box, from left to right and line by line; a word in two boxes counts once."""
    turned = page.rotation_matrix  # words come as if the page were not rotated
    words = []
    for word in page.get_text("words", sort=False):
        middle = pymupdf.Rect(word[:4]) * turned
        words.append(((middle.x0 + middle.x1) / 2, (middle.y0 + middle.y1) / 2, word[4]))
    found = []
    for x0, y0, x1, y1 in boxes:
        inside = [
            word
            for word in words
            if x0 - 1 <= word[0] <= x1 + 1 and y0 - 1 <= word[1] <= y1 + 1 and word not in found
        ]
        found += sorted(inside, key=lambda word: (round(word[1] / 4), word[0]))
    return [word[2] for word in found]


for line in sys.stdin:
    wanted = json.loads(line)
    page = pymupdf.open(wanted["file"])[wanted["page"] - 1]
    print(
        json.dumps(
            {
                "width": page.rect.width,
                "height": page.rect.height,
                "words": words_in(page, wanted["boxes"]),
            }
        )
    )
