"""PDF pages whose lines are told apart by their colours, so that a test sees where each stands."""

import drawn_pages
from pixels import box_around

WIDTH, HEIGHT, SIZE = 360, 240, 18
QUOTED, OTHER = (0, 0, 255), (0, 160, 0)

# The middle line is the one that is quoted.
LINES = [
    ("The lighthouse was painted white.", OTHER),
    ("Its keeper owns seventeen lamps.", QUOTED),
    ("The jetty is closed on Sundays.", OTHER),
]
QUOTE = LINES[1][0]


def is_quoted(r, g, b):
    """Blue letters, under the yellow of a mark or not."""
    return r < 110 and g < 110


def is_other(r, g, b):
    return g > 110 and r < 110 and b < 110


def is_frame(r, g, b):
    """Of a mark."""
    return abs(r - 214) < 14 and abs(g - 96) < 14 and b < 24


def content(lines):
    operators, y = [], HEIGHT - 60
    for text, colour in lines:
        rgb = " ".join(f"{part / 255:.3f}" for part in colour)
        escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
        operators.append(f"BT {rgb} rg /F1 {SIZE} Tf 30 {y} Td ({escaped}) Tj ET")
        y -= 50
    return "\n".join(operators).encode("latin-1")


def pdf(*pages):
    """A PDF file of pages, each a list of (text, colour)."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    kids = []
    for lines in pages:
        drawn = content(lines)
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {WIDTH} {HEIGHT}]"
            f"/Resources<</Font<</F1 3 0 R>>>>/Contents {len(objects) + 2} 0 R>>".encode()
        )
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(drawn), drawn))
    objects[1] = f"<</Type/Pages/Count {len(kids)}/Kids[{' '.join(kids)}]>>".encode()
    return drawn_pages.file_of(objects)


def assert_mark_over_quote(test, picture):
    """The frame of the one mark lies close around the quoted line, and over no other."""
    frame = picture.where(is_frame)
    test.assertGreater(len(frame), 100, "there is no mark")
    x0, y0, x1, y1 = around = box_around(frame)
    letters = picture.where(is_quoted, (x0 - 12, y0 - 12, x1 + 13, y1 + 13))
    test.assertGreater(len(letters), 200, "the quoted words are not there")
    a0, b0, a1, b1 = box_around(letters)
    test.assertTrue(x0 <= a0 and y0 <= b0 and a1 <= x1 and b1 <= y1, (around, box_around(letters)))
    air = (y1 - y0) / 2
    test.assertLess(max(a0 - x0, x1 - a1, b0 - y0, y1 - b1), air, (around, box_around(letters)))
    test.assertEqual(picture.where(is_other, around), [])
    others = [y for _, y in picture.where(is_other, (x0, 0, x1, picture.height))]
    test.assertTrue(min(others) < y0 and max(others) > y1, "the other lines are not there")
