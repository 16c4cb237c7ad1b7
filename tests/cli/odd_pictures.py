"""Odd pictures: cut, of huge declared sizes, of formats that are not read. `write` makes them all.

Pictures have no text layer: without OCR a sound one is a page without words.
"""

import struct
import zlib

from odd_expectations import BAD, BAD_OR_INDEXED, INDEXED, one_of
from program import DOCS

TOO_LARGE = one_of("too_large", "damaged", "out_of_memory", "indexed")
UNSUPPORTED = one_of("unsupported")


def chunk(kind, data, checksum=None):
    checksum = zlib.crc32(kind + data) if checksum is None else checksum
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", checksum)


def png(width, height, rows=None, depth=8, color=0, end=True, more=b""):
    """Grey unless told; `rows` is the raw data with its filter bytes, white when not given."""
    if rows is None:
        rows = (b"\0" + b"\xff" * width) * height
    head = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    parts = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), more, chunk(b"IDAT", zlib.compress(rows))]
    return b"".join(parts) + (chunk(b"IEND", b"") if end else b"")


def tiff(width, height, data=b"\xff" * 64, first=8, next_folder=0, counts=None):
    """Grey, one strip, little-endian."""
    places = 8 + 2 + 12 * 8 + 4
    tags = [(256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 1), (262, 3, 1),
            (273, 4, places), (278, 4, height), (279, 4, counts or len(data))]
    folder = struct.pack("<H", len(tags))
    for tag, kind, value in tags:
        folder += struct.pack("<HHII", tag, kind, 1, value)
    return b"II*\0" + struct.pack("<I", first) + folder + struct.pack("<I", next_folder) + data


def gif(width, height):
    return (b"GIF89a" + struct.pack("<HH", width, height) + b"\x80\0\0\xff\xff\xff\0\0\0"
            + b"," + struct.pack("<HHHHB", 0, 0, width, height, 0) + b"\2\2\x44\1\0;")


def bmp(width, height, data=b"\xff" * 64, offset=54):
    return (b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, offset)
            + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 2835, 2835, 0, 0) + data)


def riff(kind, data):
    body = b"WEBP" + kind + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pngs():
    side = 2**31 - 1
    yield "good.png", png(60, 40), INDEXED
    yield "zero-bytes.png", b"", one_of("empty")
    yield "one-byte.png", b"\x89", BAD
    yield "head-only.png", png(8, 8)[:8], BAD
    yield "65535-by-65535.png", png(65535, 65535, b"\0" * 64), TOO_LARGE
    yield "2-billion-by-2-billion.png", png(side, side, b"\0" * 64), TOO_LARGE
    yield "2-billion-by-1.png", png(side, 1, b"\0" * 64), TOO_LARGE
    yield "zero-by-zero.png", png(0, 0, b""), BAD
    yield "rows-missing.png", png(60, 40, b"\0" * 70), BAD_OR_INDEXED
    yield "end-missing.png", png(60, 40, end=False), BAD_OR_INDEXED
    yield "checksum-wrong.png", png(60, 40).replace(chunk(b"IEND", b""), b"\0\0\0\0IENDxxxx"), (
        BAD_OR_INDEXED
    )
    yield "depth-of-7.png", png(60, 40, depth=7), BAD_OR_INDEXED
    yield "color-of-9.png", png(60, 40, color=9), BAD_OR_INDEXED
    yield "palette-missing.png", png(60, 40, color=3), BAD_OR_INDEXED
    yield "long-chunk.png", png(60, 40, more=b"\x7f\xff\xff\xfftEXtxx"), BAD_OR_INDEXED
    yield "text-bomb.png", png(60, 40, more=chunk(
        b"zTXt", b"Comment\0\0" + zlib.compress(bytes(50 << 20)))), INDEXED
    yield "rows-bomb.png", png(60, 40, bytes(100 << 20)), BAD_OR_INDEXED


def other_pictures():
    jpeg = (DOCS / "ticket.jpg").read_bytes()
    at = next(i for i in range(len(jpeg)) if jpeg[i : i + 2] in (b"\xff\xc0", b"\xff\xc2"))
    huge = jpeg[: at + 5] + b"\xff\xff\xff\xff" + jpeg[at + 9 :]
    none = jpeg[: at + 5] + b"\0\0\0\0" + jpeg[at + 9 :]
    yield "zero-bytes.jpg", b"", one_of("empty")
    yield "65535-by-65535.jpg", huge, TOO_LARGE
    yield "zero-by-zero.jpg", none, BAD
    yield "start-only.jpg", b"\xff\xd8\xff", BAD
    yield "markers-only.jpg", b"\xff\xd8" + b"\xff\xe0\0\4ab" * 20000, BAD
    yield "good.tiff", tiff(8, 8), INDEXED
    yield "65535-by-65535.tiff", tiff(65535, 65535), TOO_LARGE
    yield "4-billion-by-4-billion.tiff", tiff(2**32 - 1, 2**32 - 1), TOO_LARGE
    yield "zero-by-zero.tiff", tiff(0, 0), BAD
    yield "folder-far-away.tiff", tiff(8, 8, first=2**31), BAD
    yield "folder-circle.tiff", tiff(8, 8, next_folder=8), BAD_OR_INDEXED
    yield "strip-past-end.tiff", tiff(8, 8, counts=2**32 - 1), BAD_OR_INDEXED
    yield "head-only.tiff", b"II*\0", BAD
    yield "good.gif", gif(2, 2), BAD_OR_INDEXED
    yield "65535-by-65535.gif", gif(65535, 65535), TOO_LARGE
    yield "zero-by-zero.gif", gif(0, 0), BAD
    yield "head-only.gif", b"GIF89a", BAD
    yield "good.bmp", bmp(4, 4), INDEXED
    yield "2-billion-by-2-billion.bmp", bmp(2**31 - 1, 2**31 - 1), TOO_LARGE
    yield "upside-down-2-billion.bmp", bmp(4, -(2**31)), TOO_LARGE
    yield "zero-by-zero.bmp", bmp(0, 0), TOO_LARGE
    yield "offset-past-end.bmp", bmp(4, 4, offset=2**31), BAD_OR_INDEXED
    yield "head-only.bmp", b"BM", BAD
    box = b"\0\0\0\x0cjP  \r\n\x87\n\0\0\0\x14ftypjp2 \0\0\0\0jp2 \0\0\0\x2djp2h\0\0\0\x16ihdr"
    yield "4-billion-by-4-billion.jp2", box + b"\xff" * 8 + b"\0\3\7\7\0\0", TOO_LARGE
    yield "head-only.jp2", box[:12], BAD
    yield "noise.j2k", b"\xff\x4f\xff\x51" + bytes(range(256)) * 4, BAD


def unsupported():
    box = b"\0\0\0\x18ftyp%s\0\0\0\0mif1" + bytes(100)
    yield "simple.webp", riff(b"VP8L", b"\x2f" + bytes(20)), BAD
    yield "named.png", riff(b"VP8 ", bytes(40)), BAD
    yield "named-as.pdf", riff(b"VP8X", bytes(40)), BAD
    yield "photo.heic", box % b"heic", BAD
    yield "photo-named.jpg", box % b"heic", BAD
    yield "photo.avif", box % b"avif", BAD
    yield "scan.djvu", b"AT&TFORM\0\0\0\x40DJVUINFO" + bytes(60), UNSUPPORTED
    yield "letter.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), UNSUPPORTED
    yield "letter-named.pdf", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), UNSUPPORTED
    yield "figure.ps", b"%!PS-Adobe-3.0\nshowpage\n", UNSUPPORTED
    yield "figure-named.pdf", b"%!PS-Adobe-3.0\nshowpage\n", UNSUPPORTED
    yield "program.pdf", b"\x7fELF\2\1\1" + bytes(600), UNSUPPORTED
    yield "packed.pdf", b"\x1f\x8b\x08\0" + bytes(600), UNSUPPORTED
    yield "archive-7z.pdf", b"7z\xbc\xaf\x27\x1c\0\4" + bytes(600), UNSUPPORTED
    yield "archive-rar.pdf", b"Rar!\x1a\7\1\0" + bytes(600), UNSUPPORTED
    yield "rich-text.pdf", b"{\\rtf1\\ansi hello}", UNSUPPORTED


def wrong_names():
    """The content decides, not the name."""
    yield "paper-named.png", (DOCS / "rotated-table.pdf").read_bytes(), INDEXED
    yield "paper-named.epub", (DOCS / "rotated-table.pdf").read_bytes(), INDEXED
    yield "picture-named.pdf", png(60, 40), INDEXED
    yield "jpeg-named.png", (DOCS / "ticket.jpg").read_bytes(), INDEXED
    yield "png-named.tiff", png(61, 40), INDEXED
    yield "page-named.pdf", (DOCS / "handbook.html").read_bytes(), (
        one_of("indexed", "unsupported", "damaged")
    )
    yield "words-named.pdf", b"Just some words in a row.\n" * 40, one_of("indexed", "damaged")
    yield "words-named.png", b"Just some words in a row.\n" * 40, BAD
    yield "words-named.jpg", b"Just some words in a row.\n" * 40, BAD


def tenths():
    small = png(200, 100, bytes((i * i) & 255 if i % 201 else 0 for i in range(20100)))
    wholes = {"png": small, "jpg": (DOCS / "ticket.jpg").read_bytes(),
              "tiff": tiff(90, 90, bytes(i & 255 for i in range(8100)))}
    for kind, whole in wholes.items():
        for tenth in range(1, 10):
            yield f"cut-at-{tenth}-tenths.{kind}", whole[: len(whole) * tenth // 10], BAD_OR_INDEXED


def write(folder):
    """Writes them all; gives name: statuses that the file may have."""
    folder.mkdir(parents=True)
    expected = {}
    for kind in (pngs, other_pictures, unsupported, wrong_names, tenths):
        for name, data, allowed in kind():
            assert name not in expected, name
            (folder / name).write_bytes(data)
            expected[name] = allowed
    return expected
