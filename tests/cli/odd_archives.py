"""Odd books and Office files, which are ZIP archives, and pages of HTML. `write` makes them all."""

import io
import struct
import zipfile

import office_files
from odd_expectations import BAD, BAD_OR_INDEXED, HEAVY, INDEXED, one_of
from odd_pictures import png
from program import DATA

MADE = (2024, 3, 18, 9, 0, 0)
PAGE = b'<html xmlns="http://www.w3.org/1999/xhtml"><body><p>a plain page</p></body></html>'
CONTAINER = (b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0">'
             b'<rootfiles><rootfile full-path="b.opf" media-type="application/oebps-package+xml"/>'
             b"</rootfiles></container>")
PACKAGE = (b'<package xmlns="http://www.idpf.org/2007/opf" version="2.0"><manifest>'
           b'<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest>'
           b'<spine><itemref idref="a"/></spine></package>')
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
TYPES = b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
# Running text, or the message that this format is not read: either is clear.
OFFICE_GOOD = one_of("indexed", "unsupported")
OFFICE_BAD = one_of("damaged", "unsupported", "empty", "indexed", "partly")


def zipped(parts, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in parts:
            info = zipfile.ZipInfo(name, MADE)
            info.compress_type = method
            archive.writestr(info, data)
    return out.getvalue()


def locked(data):
    """Every member said to be encrypted, both where it stands and in the directory."""
    out = bytearray(data)
    for mark, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = out.find(mark)
        while at >= 0:
            out[at + flags] |= 1
            at = out.find(mark, at + 4)
    return bytes(out)


def epub(*changes, package=PACKAGE, leave_out=(), page=PAGE):
    parts = [("mimetype", b"application/epub+zip"), ("META-INF/container.xml", CONTAINER),
             ("b.opf", package), ("a.xhtml", page), *changes]
    return zipped([part for part in parts if part[0] not in leave_out])


def books():
    yield "good.epub", epub(), INDEXED
    yield "zero-bytes.epub", b"", one_of("empty")
    yield "no-container.epub", epub(leave_out=["META-INF/container.xml"]), BAD_OR_INDEXED
    yield "no-package.epub", epub(leave_out=["b.opf"]), BAD
    yield "no-chapter.epub", epub(leave_out=["a.xhtml"]), BAD_OR_INDEXED | one_of("empty")
    yield "no-spine.epub", epub(package=PACKAGE.replace(b"itemref", b"nothing")), (
        one_of("empty", "damaged")
    )
    yield "spine-of-3000.epub", epub(
        package=PACKAGE.replace(b'<itemref idref="a"/>', b'<itemref idref="a"/>' * 3000)
    ), INDEXED
    yield "broken-markup.epub", epub(page=b"<html><body><p>never <b>closed"), BAD_OR_INDEXED
    yield "deep-markup.epub", epub(page=b"<div>" * 20000 + b"x" + b"</div>" * 20000), BAD_OR_INDEXED
    entities = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9)
    ) + b"]><html><body><p>&j;</p></body></html>"
    yield "laughing.epub", epub(page=entities), BAD_OR_INDEXED
    yield "locked.epub", locked(epub()), one_of("encrypted", "damaged", "unsupported")
    rights = (b'<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"/>')
    yield "rights.epub", epub(("META-INF/rights.xml", b"<rights/>"),
                              ("META-INF/encryption.xml", rights)), (
        one_of("indexed", "encrypted")
    )
    yield "names-climb.epub", epub(("../../../etc/climbs", b"x")), INDEXED
    yield "method-unknown.epub", zipped([("mimetype", b"application/epub+zip")]).replace(
        b"\x08\0", b"\x63\0"), one_of("damaged", "unsupported", "empty")


def comics():
    picture = ("1.png", png(60, 40))
    yield "good.cbz", zipped([picture]), INDEXED
    yield "bad-picture.cbz", zipped([picture, ("2.png", b"not a picture"), ("3.png", png(9, 9))]), (
        one_of("indexed", "partly")
    )
    yield "bad-picture-only.cbz", zipped([("1.png", b"not a picture")]), BAD
    yield "no-picture.cbz", zipped([("a.txt", b"words")]), one_of("empty", "damaged")
    yield "no-members.cbz", zipped([]), one_of("empty", "damaged")
    yield "locked.cbz", locked(zipped([picture])), one_of("encrypted", "damaged", "unsupported")
    yield "huge-picture.cbz", zipped([("1.png", png(65535, 65535, bytes(64)))]), (
        one_of("damaged", "too_large", "out_of_memory", "indexed")
    )
    yield "bomb.cbz", zipped([("1.png", bytes(200 << 20))]), BAD
    lies = bytearray(zipped([picture]))
    at = lies.find(b"PK\1\2")
    lies[at + 24 : at + 28] = struct.pack("<I", 2**32 - 2)
    yield "size-of-4-gigabytes.cbz", bytes(lies), one_of("damaged", "out_of_memory", "indexed")
    yield "two-thousand-pictures.cbz", zipped(
        [(f"{i:04}.png", png(2, 2)) for i in range(2000)]
    ), INDEXED
    good = zipped([picture, ("2.png", png(9, 9))])
    for tenth in range(1, 10):
        yield f"cut-at-{tenth}-tenths.cbz", good[: len(good) * tenth // 10], (
            BAD_OR_INDEXED | one_of("unsupported", "empty")
        )
    yield "archive-named.pdf", zipped([("a.txt", b"words")]), (
        one_of("unsupported", "damaged", "empty")
    )


def office():
    body = f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>plain words</w:t></w:r></w:p>'
    document = (body + "</w:body></w:document>").encode()
    relation = ('<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships'
                f'"><Relationship Id="r" Type="{OFFICE}/officeDocument" Target="%s"/>'
                "</Relationships>")
    parts = {"[Content_Types].xml": TYPES, "_rels/.rels": (relation % "word/document.xml").encode(),
             "word/document.xml": document,
             "word/_rels/document.xml.rels": b"<Relationships/>"}
    good = zipped(parts.items())
    yield "good.docx", good, OFFICE_GOOD
    yield "cut.docx", good[: len(good) // 2], OFFICE_BAD
    for name in parts:
        left = [part for part in parts.items() if part[0] != name]
        short = "".join(c for c in name if c.isalpha())
        yield f"without-{short}.docx", zipped(left), OFFICE_BAD
    yield "broken-markup.docx", zipped({**parts, "word/document.xml": document[:90]}.items()), (
        OFFICE_BAD
    )
    for name, target in {"slides.pptx": "ppt/presentation.xml", "sheet.xlsx": "xl/workbook.xml"}.items():
        yield name, zipped([("[Content_Types].xml", TYPES),
                            ("_rels/.rels", (relation % target).encode()),
                            (target, b"<nothing/>")]), OFFICE_BAD
    yield "letter.odt", zipped([("mimetype", b"application/vnd.oasis.opendocument.text"),
                                ("content.xml", b"<nothing/>")]), OFFICE_BAD
    yield "not-a-zip.docx", b"only words", OFFICE_BAD
    for name in ("letter.docx", "letter.odt", "letter.doc", "sheet.xls"):
        yield f"locked-{name}", (DATA / "locked" / name).read_bytes(), one_of("encrypted")
    yield "locked-named.pdf", (DATA / "locked" / "letter.docx").read_bytes(), one_of("encrypted")
    yield "macros.docm", office_files.with_macros(), OFFICE_GOOD
    yield "links.docx", office_files.with_links("http://127.0.0.1:9"), OFFICE_GOOD
    yield "bomb.docx", office_files.bomb(20), HEAVY
    yield "sound.docx", office_files.docx("sound words"), INDEXED
    yield "sound.xlsx", office_files.xlsx("sound cells"), INDEXED
    yield "sound.odt", office_files.odt("open words"), one_of("unsupported")
    yield "sound.rtf", office_files.rtf("rich words"), one_of("unsupported")
    tenth = len(office_files.docx("sound words")) // 10
    for i in range(1, 10):
        yield f"cut-{i}.docx", office_files.docx("sound words")[: i * tenth], OFFICE_BAD
    yield "office-named.pdf", good, OFFICE_GOOD


def pages():
    yield "good.html", b"<h1>heading</h1><p>a plain page", INDEXED
    yield "zero-bytes.html", b"", one_of("empty")
    yield "deep.html", b"<div>" * 5000 + b"deep", BAD_OR_INDEXED
    yield "unclosed.html", b"<table><tr><td><b><i><a href=", BAD_OR_INDEXED
    yield "not-utf-8.html", b"<p>caf\xe9 \xff\xfe \xc3", one_of("indexed")
    yield "zeros.html", bytes(5000), BAD_OR_INDEXED
    yield "long-word.html", b"<p>" + b"x" * 10_000, INDEXED
    yield "picture-missing.html", b'<p>words<img src="../../gone.png"><img src="/etc/passwd">', (
        INDEXED
    )
    yield "style-bomb.html", b"<style>" + b"a{" * 20000 + b"</style><p>words", BAD_OR_INDEXED
    yield "good.svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', (
        one_of("indexed", "unsupported")
    )
    own = b'<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><use href="#a"/></g></svg>'
    yield "draws-itself.svg", own, BAD_OR_INDEXED | one_of("unsupported")
    yield "good.fb2", (b'<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body>'
                       b"<section><p>words</p></section></body></FictionBook>"), (
        one_of("indexed", "unsupported")
    )
    yield "words.log", b"plain words\n", one_of("indexed", "unsupported")
    yield "picture.data", b"RIFF\x40\0\0\0WEBPVP8 " + bytes(60), BAD
    yield "book.data", epub(), one_of("indexed", "unsupported")
    yield "words.md", b"# plain words\n", INDEXED
    yield "zeros.txt", bytes(5000), BAD_OR_INDEXED | one_of("empty")
    yield "not-utf-8.txt", b"caf\xe9 \xff\xfe \xc3", INDEXED
    yield "words.txt", b"plain words\n", one_of("indexed", "unsupported")
    yield "no-parts.xps", zipped([("a", b"b")]), one_of("damaged", "empty", "unsupported")


def write(folder):
    """Writes them all; gives name: statuses that the file may have."""
    folder.mkdir(parents=True)
    expected = {}
    for kind in (books, comics, office, pages):
        for name, data, allowed in kind():
            assert name not in expected, name
            (folder / name).write_bytes(data)
            expected[name] = allowed
    return expected
