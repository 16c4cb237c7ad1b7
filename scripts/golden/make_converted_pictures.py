#!/usr/bin/env python3
"""Writes tests/data/converted: one line of print as WebP, HEIC and AVIF, two lines in one HEIC,
and a PDF of one page full of text with a picture that contains more text.

    pip install pillow pillow-heif pymupdf
    scripts/golden/make_converted_pictures.py
"""

import io
import pathlib

import pillow_heif
import pymupdf
from PIL import Image, ImageDraw, ImageFont

DATA = pathlib.Path(__file__).resolve().parents[2] / "tests" / "data" / "converted"


def line(text):
    picture = Image.new("RGB", (560, 96), "white")
    font = ImageFont.load_default(size=36)
    ImageDraw.Draw(picture).text((24, 24), text, fill="black", font=font)
    return picture


def page_with_picture():
    """Makes a page of 900 letters, and below them a picture of four lines on a grey background."""
    picture = Image.new("L", (1200, 420), 214)
    font = ImageFont.load_default(size=40)
    for i, text in enumerate(["The anemometer stands on the north mole.", "Read it at noon each day.",
                              "Gusts above thirty knots close", "the inner basin to all craft."]):
        ImageDraw.Draw(picture).text((60, 40 + 90 * i), text, fill=30, font=font)
    data = io.BytesIO()
    picture.quantize(16).save(data, "png")
    pdf = pymupdf.open()
    page = pdf.new_page(width=595, height=842)
    text = "The harbour office keeps a log of every vessel that enters or leaves the basin. " * 11
    page.insert_textbox((72, 72, 523, 400), text, fontsize=11)
    page.insert_image((72, 420, 523, 578), stream=data.getvalue())
    pdf.set_metadata({})
    pdf.save(DATA / "with-picture.pdf", garbage=3, deflate=True, no_new_id=True)


def main():
    pillow_heif.register_heif_opener()
    DATA.mkdir(exist_ok=True)
    line("The lighthouse is closed").save(DATA / "line.webp", quality=40)
    line("The lighthouse is closed").save(DATA / "line.heic", quality=40)
    line("The lighthouse is closed").save(DATA / "line.avif", quality=40)
    both = pillow_heif.from_pillow(line("The first picture"))
    both.add_from_pillow(line("A second lantern"))
    both.save(DATA / "two.heic", quality=40)
    page_with_picture()


if __name__ == "__main__":
    main()
