"""Draws 200 pages, all different and always the same, into four PDF files by hand.

The goldens of tests/golden/rankings were computed from these very bytes: a change here means
running scripts/golden/make_rankings.py again.
"""

import random

DOCUMENTS, PAGES = 4, 50
SEED = 5150
SIZES = [(420, 595), (595, 420), (480, 360), (360, 540), (540, 540), (595, 842)]
NAMES = ["coast", "forest", "mountain", "river"]

WORDS = (
    "heron otter kelp barnacle lighthouse estuary puffin driftwood lagoon reef mussel cormorant "
    "sandbar breakwater anemone limpet dune gannet seagrass shoal beech lichen woodpecker fern "
    "mushroom badger acorn canopy moss bramble hazel squirrel owl thicket clearing sapling bark "
    "hedgehog ivy undergrowth glacier marmot ridge scree edelweiss avalanche summit ibex cairn "
    "moraine crevasse gorge plateau chamois snowfield icefall valley lookout boulder larch trout "
    "weir kingfisher rapids willow dragonfly mill ferry gravel meander bridge salmon reed dam "
    "waterwheel crayfish floodplain tributary spring pond bulrush heather peat curlew basalt"
).split()

# Asked of all pages by every scorer; no word but those above.
QUERIES = [
    "heron otter estuary",
    "lighthouse",
    "puffin gannet cormorant reef lagoon",
    "mushroom moss fern undergrowth",
    "badger hedgehog squirrel acorn",
    "glacier crevasse icefall moraine avalanche",
    "marmot chamois ibex",
    "trout salmon weir rapids",
    "ferry bridge mill waterwheel willow kingfisher",
    "basalt boulder gravel peat heather curlew dune",
]


class Pen:
    """Numbers from one seed, and the operators of a page's content."""

    def __init__(self, seed):
        # Only random() is promised to stay the same from one Python to the next.
        self.random = random.Random(seed).random
        self.operators = []

    def below(self, count):
        return int(self.random() * count)

    def between(self, low, high):
        return round(low + (high - low) * self.random(), 3)

    def colour(self, light):
        """Light ones for areas, dark ones for what stands on them."""
        low, high = (0.55, 1.0) if light else (0.0, 0.6)
        return " ".join(f"{low + (high - low) * self.random():.2f}" for _ in range(3))

    def words(self, count, subject):
        """Mostly words of the subject's quarter of the list, its first ones more often."""
        quarter = len(WORDS) // DOCUMENTS
        chosen = []
        for _ in range(count):
            start = subject * quarter if self.random() < 0.6 else 0
            span = quarter if start or self.random() < 0.3 else len(WORDS)
            chosen.append(WORDS[(start + int(span * self.random() ** 1.5)) % len(WORDS)])
        return " ".join(chosen)

    def area(self, x, y, width, height, light=True):
        box = f"{x:.1f} {y:.1f} {width:.1f} {height:.1f}"
        self.operators.append(f"{self.colour(light)} rg {box} re f")

    def line(self, x0, y0, x1, y1):
        width = self.between(0.5, 4)
        self.operators.append(
            f"{self.colour(False)} RG {width} w {x0:.1f} {y0:.1f} m {x1:.1f} {y1:.1f} l S"
        )

    def text(self, x, y, size, words):
        self.operators.append(
            f"BT {self.colour(False)} rg /F1 {size} Tf {x:.1f} {y:.1f} Td ({words}) Tj ET"
        )


def draw_panels(pen, width, height):
    """Large areas, whose sizes, places and colours tell pages apart from afar."""
    for _ in range(1 + pen.below(4)):
        w, h = pen.between(0.2, 0.8) * width, pen.between(0.1, 0.5) * height
        pen.area(pen.random() * (width - w), pen.random() * (height - h), w, h)


def draw_bars(pen, width, height):
    count = 3 + pen.below(7)
    step = 0.8 * width / count
    for bar in range(count):
        pen.area(0.1 * width + bar * step, 0.1 * height, 0.7 * step,
                 pen.between(0.05, 0.4) * height, light=False)  # fmt: skip
    pen.line(0.08 * width, 0.1 * height, 0.92 * width, 0.1 * height)


def draw_curve(pen, width, height):
    x, y = 0.1 * width, pen.between(0.1, 0.5) * height
    for _ in range(4 + pen.below(5)):
        next_x, next_y = x + 0.09 * width, pen.between(0.08, 0.5) * height
        pen.line(x, y, next_x, next_y)
        x, y = next_x, next_y


def draw_grid(pen, width, height):
    rows, columns = 3 + pen.below(4), 2 + pen.below(4)
    top, left = 0.5 * height, 0.1 * width
    down, across = 0.38 * height / rows, 0.8 * width / columns
    for row in range(rows + 1):
        pen.line(left, top - row * down, left + columns * across, top - row * down)
    for column in range(columns + 1):
        pen.line(left + column * across, top, left + column * across, top - rows * down)


def draw_text(pen, width, height, subject):
    y = height - 50
    # All headings of one size: none stands under another, whose words would go with it.
    pen.text(40, y, 20, pen.words(2, subject))
    size = 8 + pen.below(5)
    # So few words that a page is one chunk, whatever a tokenizer makes of them.
    for _ in range(2 + pen.below(4)):
        y -= 1.5 * size
        pen.text(40, y - 14, size, pen.words(3 + pen.below(2), subject))


def page_content(document, page):
    pen = Pen(SEED + document * PAGES + page)
    width, height = SIZES[pen.below(len(SIZES))]
    if pen.random() < 0.5:
        pen.area(0, 0, width, height)
    draw_panels(pen, width, height)
    figures = [draw_bars, draw_curve, draw_grid]
    figures[pen.below(3)](pen, width, height)
    draw_text(pen, width, height, document)
    return (width, height), "\n".join(pen.operators).encode("ascii")


def document_bytes(document):
    """A PDF of PAGES pages; objects 1 and 2 are catalogue and page tree, 3 is the font."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"",
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
    ]
    kids = []
    for page in range(PAGES):
        (width, height), content = page_content(document, page)
        kids.append(f"{len(objects) + 1} 0 R")
        objects.append(
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width} {height}]"
            f"/Resources<</Font<</F1 3 0 R>>>>/Contents {len(objects) + 2} 0 R>>".encode()
        )
        objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(content), content))
    objects[1] = f"<</Type/Pages/Count {PAGES}/Kids[{' '.join(kids)}]>>".encode()
    return file_of(objects)


def file_of(objects):
    out = bytearray(b"%PDF-1.4\n")
    starts = []
    for number, content in enumerate(objects, 1):
        starts.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (number, content)
    table = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % start for start in starts)
    out += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(out)


def page_names():
    """Document and number of every page, in the order in which equal scores are ranked."""
    return [(f"{name}.pdf", page + 1) for name in NAMES for page in range(PAGES)]


def write_documents(folder):
    """Writes the files into `folder` and returns their names in order."""
    folder.mkdir(parents=True, exist_ok=True)
    for document, name in enumerate(NAMES):
        (folder / f"{name}.pdf").write_bytes(document_bytes(document))
    return [f"{name}.pdf" for name in NAMES]
