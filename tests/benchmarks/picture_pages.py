#!/usr/bin/env python3
"""Measures how often a picture of a figure finds the page that it is from.

    picture_pages.py FOLDER --program build/release/fineprint [--count 20] [--seed 5]

Takes figures of the PDFs in FOLDER (at most three of a document), draws each as a cut-out (scaled by 0.6 from 144
dpi, JPEG of quality 70) and as a photograph (also a mild perspective, a tilt, blur, noise and less light), asks
"Which page shows this?" and counts how often the first page found is the figure's. Needs PyMuPDF, Pillow and NumPy.
"""

import argparse
import io
import json
import pathlib
import random
import subprocess
import tempfile
import time

import numpy
import pymupdf
from PIL import Image, ImageFilter

DPI = 144
SCALE, QUALITY = 0.6, 70
GREY_TABLE = (110, 100, 90)  # what a photographed page lies on


def figures(folder, count, seed):
    """(file, page from 1, box) of pictures and groups of drawings, at most three of a document."""
    found = []
    for file in sorted(pathlib.Path(folder).glob("*.pdf")):
        own = []
        for page in pymupdf.open(file):
            whole = page.rect
            boxes = [pymupdf.Rect(one["bbox"]) & whole for one in page.get_image_info()]
            boxes += [box & whole for box in page.cluster_drawings()]
            for box in boxes:
                share = box.get_area() / whole.get_area()
                if box.width > 140 and box.height > 90 and share < 0.6:
                    own.append((file, page.number + 1, box))
                    break
        found += random.Random(f"{seed} {file.name}").sample(own, min(3, len(own)))
    random.Random(seed).shuffle(found)
    return found[:count]


def drawn(file, number, box):
    pixmap = pymupdf.open(file)[number - 1].get_pixmap(dpi=DPI, clip=box)
    return Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)


def perspective(picture, chance):
    """Moves each corner inwards by up to 6% of the sides."""
    width, height = picture.size
    corners = [(0, 0), (width, 0), (width, height), (0, height)]
    inwards = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
    moved = [(x + sx * chance.uniform(0, 0.06) * width, y + sy * chance.uniform(0, 0.06) * height)
             for (x, y), (sx, sy) in zip(corners, inwards, strict=True)]
    rows, wanted = [], []
    for (x, y), (u, v) in zip(moved, corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    terms = numpy.linalg.solve(numpy.array(rows), numpy.array(wanted))
    return picture.transform(picture.size, Image.PERSPECTIVE, terms, Image.BILINEAR, fillcolor=GREY_TABLE)


def photographed(picture, chance):
    picture = perspective(picture, chance)
    picture = picture.rotate(chance.uniform(-6, 6), Image.BILINEAR, fillcolor=GREY_TABLE)
    picture = picture.filter(ImageFilter.GaussianBlur(0.8))
    noise = numpy.random.default_rng(chance.randrange(1 << 30)).normal(0, 8, (*picture.size[::-1], 3))
    light = numpy.asarray(picture, dtype=float) * chance.uniform(0.7, 0.9) + 10 + noise
    return Image.fromarray(light.clip(0, 255).astype(numpy.uint8))


def small_jpeg(picture):
    size = [max(1, round(side * SCALE)) for side in picture.size]
    buffer = io.BytesIO()
    picture.resize(size, Image.LANCZOS).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()


def asked(program, store, image):
    start = time.monotonic()
    command = [program, "ask", "Which page shows this?", "--image", image, "--store", store, "--json", "--quiet",
               "--scorer", "bm25", "--qa", "none"]
    reply = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(reply.stdout), time.monotonic() - start


def measured(kind, taken, program, store, scratch):
    first = same = 0
    seconds, compared = [], []
    for number, (file, page, box) in enumerate(taken):
        picture = drawn(file, page, box)
        if kind == "photograph":
            picture = photographed(picture, random.Random(number))
        image = scratch / f"{kind}-{number}.jpg"
        image.write_bytes(small_jpeg(picture))
        answer, took = asked(program, store, image)
        (record,) = answer["images"]
        seconds.append(took)
        compared.append(record["compared_pages"])
        best = record["found"][0] if record["found"] else {"doc": None, "page": None}
        is_first = (best["doc"], best["page"]) == (file.name, page)
        first += is_first
        same += answer["answer"] == f"{file.name}, page {page}"
        if not is_first:
            print(f"  missed: {file.name} page {page} {picture.size}: {best['doc']} {best['page']}")
    print(f"{kind}: first hit {first} of {len(taken)}, answered by it {same}; pages compared: "
          f"median {sorted(compared)[len(compared) // 2]}, most {max(compared)}; seconds: median "
          f"{sorted(seconds)[len(seconds) // 2]:.1f}, most {max(seconds):.1f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--program", required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--store", help="an index of FOLDER; made if it is missing")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        store = given.store or str(scratch / "store")
        if not pathlib.Path(store).exists():
            subprocess.run([given.program, "index", given.folder, "--store", store, "--scorer", "bm25", "--quiet"])
        taken = figures(given.folder, given.count, given.seed)
        print(f"{len(taken)} figures of {len({file for file, _, _ in taken})} documents")
        for kind in ("cut-out", "photograph"):
            measured(kind, taken, given.program, store, scratch)


if __name__ == "__main__":
    main()
