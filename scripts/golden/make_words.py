#!/usr/bin/env python3
"""Writes tests/golden/words.json: words and rasters of the test documents by PyMuPDF.

Usage: .venv/bin/python scripts/golden/make_words.py

Run it again after scripts/data/make-test-data, or for another version of pymupdf. For each page:
its size, words with boxes, and for its raster at 100 dpi the size, the mean of each colour and the
mean of each cell of an 8 by 8 grid.
"""

import json
import pathlib

import pymupdf

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "tests" / "data" / "docs"
OUT = ROOT / "tests" / "golden" / "words.json"
DPI = 100
GRID = 8
MAX_WORDS = 400  # words of one page: enough to notice a change, few enough for a small file


def grid_means(pixmap):
    """Returns the mean grey (average of R, G, B) of each cell, row by row."""
    samples, stride = pixmap.samples, pixmap.stride
    means = []
    for row in range(GRID):
        y0, y1 = row * pixmap.height // GRID, (row + 1) * pixmap.height // GRID
        for column in range(GRID):
            x0 = column * pixmap.width // GRID
            x1 = (column + 1) * pixmap.width // GRID
            total = sum(
                sum(samples[y * stride + 3 * x0 : y * stride + 3 * x1]) for y in range(y0, y1)
            )
            means.append(round(total / (3 * (x1 - x0) * (y1 - y0)), 3))
    return means


def displayed(page, box):
    """Returns the box on the page as it is displayed, because PyMuPDF ignores /Rotate."""
    return [round(value, 3) for value in pymupdf.Rect(box) * page.rotation_matrix]


def page_record(page):
    words = page.get_text("words", flags=pymupdf.TEXT_MEDIABOX_CLIP)
    pixmap = page.get_pixmap(dpi=DPI)
    return {
        "width": page.rect.width,
        "height": page.rect.height,
        "word_count": len(words),
        "words": [
            {"text": word[4], "box": displayed(page, word[:4])}
            for word in words[:MAX_WORDS]
        ],
        "raster": [pixmap.width, pixmap.height],
        "grid": grid_means(pixmap),
    }


def main():
    # The boxes of MuPDF itself, without the corrections of PyMuPDF.
    pymupdf.TOOLS.unset_quad_corrections(True)
    documents = {}
    for path in sorted(DOCS.iterdir()):
        document = pymupdf.open(path)
        if document.is_reflowable:
            document.layout(width=595, height=842, fontsize=11)
        documents[path.name] = [page_record(page) for page in document]
    OUT.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        json.dumps(name) + ": [\n" + ",\n".join(json.dumps(page) for page in pages) + "]"
        for name, pages in documents.items()
    ]
    header = '"made_by": "scripts/golden/make_words.py", "dpi": %d, "grid": %d' % (DPI, GRID)
    OUT.write_text("{" + header + ",\n" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
