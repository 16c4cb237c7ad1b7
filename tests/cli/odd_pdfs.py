"""Odd PDF files: broken structure, cycles, bombs, odd sizes, passwords. `write` makes them all."""

import zlib

from odd_expectations import BAD, BAD_OR_INDEXED, HEAVY, INDEXED, one_of
from odd_pdf_writer import (
    A4, HEADER, encrypted, flate, objects_of, page, pages_pdf, pdf, stream, text,
)

GOOD = "odd plain words"
MANY = 100_000


def packed(size, byte=b" "):
    """`size` equal bytes deflated: one megabyte's block over and over, so that it takes no time."""
    packer, piece = zlib.compressobj(9), byte * (1 << 20)
    head = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 1
    for _ in range(size >> 20):
        checksum = zlib.adler32(piece, checksum)
    return head + block * ((size >> 20) - 1) + b"\3\0" + checksum.to_bytes(4, "big")


def not_quite_files():
    good = pdf(objects_of())
    yield "zero-bytes", b"", one_of("empty")
    yield "one-byte", b"%", BAD
    yield "header-only", b"%PDF-1.7\n", BAD
    yield "blanks-only", b" " * 4096, BAD
    yield "zeros-only", bytes(4096), BAD
    yield "noise", bytes((i * i * 31 + i * 7) & 255 for i in range(20000)), BAD
    yield "eof-only", b"%%EOF\n", BAD
    yield "no-header", good[len(HEADER) :], BAD_OR_INDEXED
    yield "junk-before-header", b"junk\n" * 150 + good, INDEXED
    yield "junk-behind-eof", good + b"junk\n" * 2000, INDEXED
    yield "version-99", pdf(objects_of(), header=b"%PDF-99.0\n"), INDEXED
    yield "windows-lines", good.replace(b"\n", b"\r\n"), INDEXED


def broken_tables():
    good = pdf(objects_of())
    at = good.index(b"startxref\n")
    table = good.index(b"xref\n0")
    yield "startxref-past-end", good[:at] + b"startxref\n99999999\n%%EOF", INDEXED
    yield "startxref-negative", good[:at] + b"startxref\n-5\n%%EOF", INDEXED
    yield "startxref-huge", good[:at] + b"startxref\n" + b"9" * 40 + b"\n%%EOF", INDEXED
    yield "startxref-missing", good[:at], INDEXED
    yield "eof-missing", good[:-6], INDEXED
    yield "xref-off-by-one", pdf(objects_of(), xref_shift=1), INDEXED
    yield "xref-before-by-one", pdf(objects_of(), xref_shift=-1), INDEXED
    yield "xref-missing", good[:table] + good[at:], BAD_OR_INDEXED
    yield "xref-letters", good.replace(b"00000 n", b"zzzzz q"), INDEXED
    yield "xref-counts-2-billion", good.replace(b"xref\n0 6", b"xref\n0 2147483647"), INDEXED
    yield "xref-prev-itself", pdf(objects_of(), b"/Prev %d" % table), INDEXED
    yield "xref-prev-negative", pdf(objects_of(), b"/Prev -1"), INDEXED
    yield "size-of-2-billion", good.replace(b"/Size 6", b"/Size 2147483647"), INDEXED
    yield "size-negative", good.replace(b"/Size 6", b"/Size -6"), INDEXED
    yield "trailer-missing", good[: good.index(b"trailer")] + good[at:], INDEXED
    yield "half-zeroed", good[: len(good) // 2] + bytes(len(good) // 2), BAD_OR_INDEXED
    yield "bytes-swapped", bytes(b ^ 0x20 if i % 97 == 96 else b for i, b in enumerate(good)), (
        BAD_OR_INDEXED
    )
    more = good + b"".join(
        b"4 0 obj\n" + stream(text(f"change {i}")) + b"\nendobj\nstartxref\n%d\n%%%%EOF\n" % table
        for i in range(500)
    )
    yield "five-hundred-updates", more, INDEXED


def broken_trees():
    def tree(pages, **more):
        return pdf(objects_of(o2=pages, **more))

    yield "root-missing", pdf(objects_of()).replace(b"/Root 1 0 R", b""), INDEXED
    yield "root-is-array", pdf(objects_of(o1=b"[1 2 3]")), BAD_OR_INDEXED
    yield "root-is-itself", pdf(objects_of(o1=b"1 0 R")), BAD_OR_INDEXED
    yield "pages-missing", pdf(objects_of(o1=b"<</Type/Catalog>>")), BAD_OR_INDEXED
    yield "pages-is-page", pdf(objects_of(o1=b"<</Type/Catalog/Pages 3 0 R>>")), BAD_OR_INDEXED
    yield "no-pages", tree(b"<</Type/Pages/Count 0/Kids[]>>"), one_of("empty", "damaged")
    yield "no-kids", tree(b"<</Type/Pages/Count 1>>"), BAD
    yield "count-a-billion", tree(b"<</Type/Pages/Count 1000000000/Kids[3 0 R]>>"), (
        one_of("indexed", "too_large", "damaged")
    )
    yield "count-negative", tree(b"<</Type/Pages/Count -3/Kids[3 0 R]>>"), BAD_OR_INDEXED
    yield "count-too-low", tree(b"<</Type/Pages/Count 1/Kids[3 0 R 3 0 R 3 0 R]>>"), INDEXED
    yield "count-of-text", tree(b"<</Type/Pages/Count(one)/Kids[3 0 R]>>"), BAD_OR_INDEXED
    yield "kids-cycle", tree(b"<</Type/Pages/Count 2/Kids[2 0 R 3 0 R]>>"), BAD_OR_INDEXED
    yield "kids-null", tree(b"<</Type/Pages/Count 1/Kids[null]>>"), BAD
    yield "kids-numbers", tree(b"<</Type/Pages/Count 3/Kids[1 2 3]>>"), BAD
    yield "kids-missing-object", tree(b"<</Type/Pages/Count 1/Kids[77 0 R]>>"), BAD
    yield "kids-is-font", tree(b"<</Type/Pages/Count 1/Kids[5 0 R]>>"), BAD_OR_INDEXED
    yield "one-good-page-of-two", tree(b"<</Type/Pages/Count 2/Kids[3 0 R 77 0 R]>>"), (
        one_of("partly", "indexed", "damaged")
    )
    same = b"<</Type/Pages/Count 300/Kids[" + b"3 0 R " * 300 + b"]>>"
    yield "one-page-300-times", tree(same), BAD_OR_INDEXED  # more pages than objects
    own = objects_of(o3=page().replace(b"/Parent 2 0 R", b"/Parent 3 0 R").replace(A4, b" null"))
    yield "parent-is-itself", pdf(own), BAD_OR_INDEXED
    chain = objects_of(o2=b"<</Type/Pages/Count 1/Kids[10 0 R]>>")
    for i in range(10, 3010):
        chain[i] = b"<</Type/Pages/Count 1/Kids[%d 0 R]/Parent %d 0 R>>" % (i + 1, max(i - 1, 2))
    chain[3010] = page().replace(b"/Parent 2 0 R", b"/Parent 3009 0 R")
    yield "page-tree-3000-deep", pdf(chain), BAD_OR_INDEXED
    yield "reference-to-itself", pdf(objects_of(o4=b"4 0 R")), BAD_OR_INDEXED
    cross = objects_of(o3=page(b"6 0 R"), o6=b"7 0 R", o7=b"6 0 R")
    yield "references-in-a-circle", pdf(cross), BAD_OR_INDEXED


def nesting():
    def catalog(more):
        return pdf(objects_of(o1=b"<</Type/Catalog/Pages 2 0 R" + more + b">>"))

    yield "arrays-100000-deep", catalog(b"/X " + b"[" * MANY + b"]" * MANY), BAD_OR_INDEXED
    yield "arrays-never-closed", catalog(b"/X " + b"[" * MANY), BAD_OR_INDEXED
    yield "dictionaries-100000-deep", catalog(b"/X " + b"<</A" * MANY + b" 1 " + b">>" * MANY), (
        BAD_OR_INDEXED
    )
    deep = b"[" * MANY + b"]" * MANY + b" TJ\n"
    yield "content-arrays-deep", pdf(objects_of(o4=flate(text(GOOD) + deep))), BAD_OR_INDEXED
    yield "content-dictionaries-deep", (
        pdf(objects_of(o4=flate(text(GOOD) + b"/P " + b"<</A" * MANY + b">>" * MANY + b" BDC\n")))
    ), BAD_OR_INDEXED
    yield "content-q-100000-deep", pdf(objects_of(o4=flate(b"q " * MANY + text(GOOD)))), (
        BAD_OR_INDEXED
    )
    yield "content-too-many-Q", pdf(objects_of(o4=flate(b"Q " * MANY + text(GOOD)))), INDEXED
    yield "content-BT-in-BT", pdf(objects_of(o4=flate(b"BT " * MANY + text(GOOD)))), INDEXED
    yield "content-marks-deep", pdf(objects_of(o4=flate(b"/P BMC " * MANY + text(GOOD)))), (
        BAD_OR_INDEXED
    )
    clips = b"0 0 500 800 re W n " * 20000
    yield "content-20000-clips", pdf(objects_of(o4=flate(clips + text(GOOD)))), BAD_OR_INDEXED


def streams():
    words = text(GOOD)
    for name, length in {
        "too-long": b"99999", "too-short": b"3", "negative": b"-1", "of-2-to-63": b"9" * 19,
        "itself": b"4 0 R", "text": b"(x)", "missing-object": b"88 0 R",
    }.items():
        yield f"length-{name}", pdf(objects_of(o4=stream(words, length=length))), BAD_OR_INDEXED
    yield "filter-unknown", pdf(objects_of(o4=stream(words, b"/Filter/Nonsense"))), BAD_OR_INDEXED
    yield "filter-a-hundred", pdf(
        objects_of(o4=stream(words, b"/Filter[" + b"/FlateDecode" * 100 + b"]"))
    ), BAD_OR_INDEXED
    yield "filter-10000", pdf(
        objects_of(o4=stream(words, b"/Filter[" + b"/ASCIIHexDecode" * 10000 + b"]"))
    ), BAD_OR_INDEXED
    yield "flate-of-noise", pdf(objects_of(o4=stream(words, b"/Filter/FlateDecode"))), (
        BAD_OR_INDEXED
    )
    half = zlib.compress(words * 50)
    yield "flate-cut", pdf(objects_of(o4=stream(half[: len(half) // 2], b"/Filter/FlateDecode"))), (
        BAD_OR_INDEXED
    )
    yield "lzw-of-noise", pdf(objects_of(o4=stream(words * 9, b"/Filter/LZWDecode"))), (
        BAD_OR_INDEXED
    )
    yield "predictor-huge", pdf(objects_of(o4=flate(
        words, b"/DecodeParms<</Predictor 12/Columns 2147483647/Colors 32/BitsPerComponent 16>>"
    ))), BAD_OR_INDEXED
    yield "contents-missing", pdf(objects_of(o3=page(b"null"))), INDEXED
    yield "contents-itself", pdf(objects_of(o4=b"[4 0 R 4 0 R]")), BAD_OR_INDEXED
    yield "contents-10000-times", pdf(objects_of(o3=page(b"[" + b"4 0 R " * 10000 + b"]"))), INDEXED
    inside = objects_of()
    inside[7] = stream(b"7 0 8 10 " + b"<<>> <<>>", b"/Type/ObjStm/N 2/First 9/Extends 7 0 R")
    yield "object-stream-in-itself", pdf(inside), INDEXED


def bombs():
    yield "bomb-blanks-256-megabytes", pdf(
        objects_of(o4=stream(packed(256 << 20), b"/Filter/FlateDecode"))
    ), HEAVY
    twice = zlib.compress(packed(256 << 20), 9)
    yield "bomb-flate-in-flate", pdf(
        objects_of(o4=stream(twice, b"/Filter[/FlateDecode/FlateDecode]"))
    ), HEAVY
    yield "bomb-string-64-megabytes", pdf(objects_of(
        o4=stream(packed(64 << 20, b"("), b"/Filter/FlateDecode")
    )), HEAVY
    yield "bomb-xref-stream", (
        HEADER + b"1 0 obj\n" + stream(
            packed(1 << 30, b"\1"),
            b"/Type/XRef/Size 60000000/W[1 2 1]/Root 2 0 R/Filter/FlateDecode",
        ) + b"\nendobj\nstartxref\n15\n%%EOF\n"
    ), BAD
    yield "bomb-picture", pdf(objects_of(
        o3=page(resources=b"/XObject<</I 6 0 R>>"), o4=stream(b"500 0 0 500 0 0 cm /I Do"),
        o6=stream(packed(1 << 30), b"/Type/XObject/Subtype/Image/Width 60000/Height 60000"
                  b"/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/FlateDecode"),
    )), INDEXED
    doubling = objects_of(o3=page(resources=b"/XObject<</F 10 0 R>>"), o4=stream(b"/F Do"))
    for i in range(10, 26):
        doubling[i] = stream(
            b"/F Do /F Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]"
            b"/Resources<</XObject<</F %d 0 R>>>>" % (i + 1)
        )
    doubling[26] = stream(text("laugh"), b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]")
    yield "bomb-forms-doubling", pdf(doubling), HEAVY
    yield "million-operators", pdf(objects_of(
        o4=flate(text(GOOD) + b"1 0 0 1 0 0 cm\n" * 1_000_000)
    )), INDEXED
    row = b"BT /F1 4 Tf 1 1 Td %s ET\n" % (b"(twenty letters here) Tj 0 4 Td " * 100)
    yield "million-characters", pdf(objects_of(o4=flate(row * 500))), HEAVY
    lines = b"".join(b"%d %d m %d %d l S\n" % (i % 595, i % 842, i % 595, i % 800)
                     for i in range(100_000))
    yield "hundred-thousand-rules", pdf(objects_of(o4=flate(lines))), HEAVY


def drawing_itself():
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 595 842]"
    draw = page(resources=b"/XObject<</F 6 0 R>>")

    def drawn(**more):
        more.setdefault("o3", draw)
        more.setdefault("o4", stream(text(GOOD) + b"/F Do"))
        return pdf(objects_of(**more))

    own = b"/Resources<</XObject<</F 6 0 R>>>>"
    other = b"/Resources<</XObject<</F 7 0 R>>>>"
    yield "form-draws-itself", drawn(o6=stream(b"/F Do", form + own)), BAD_OR_INDEXED
    yield "forms-draw-each-other", (
        drawn(o6=stream(b"/F Do", form + other), o7=stream(b"/F Do", form + own))
    ), BAD_OR_INDEXED
    yield "form-without-box", drawn(o6=stream(b"0 0 9 9 re f", b"/Subtype/Form")), BAD_OR_INDEXED
    chain = objects_of(o3=draw, o4=stream(text(GOOD) + b"/F Do"))
    for i in range(6, 5006):
        chain[i] = stream(b"/F Do", form + b"/Resources<</XObject<</F %d 0 R>>>>" % (i + 1))
    yield "forms-5000-deep", pdf(chain), BAD_OR_INDEXED
    pattern = b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9"
    yield "pattern-paints-itself", pdf(objects_of(
        o3=page(resources=b"/Pattern<</P 6 0 R>>"),
        o4=stream(text(GOOD) + b"/Pattern cs /P scn 0 0 99 99 re f"),
        o6=stream(b"/Pattern cs /P scn 0 0 9 9 re f",
                  pattern + b"/Resources<</Pattern<</P 6 0 R>>>>"),
    )), BAD_OR_INDEXED
    tiny = pattern.replace(b"/XStep 9/YStep 9", b"/XStep .00001/YStep .00001")
    yield "pattern-of-tiny-steps", pdf(objects_of(
        o3=page(resources=b"/Pattern<</P 6 0 R>>"),
        o4=stream(text(GOOD) + b"/Pattern cs /P scn 0 0 595 842 re f"),
        o6=stream(b"0 0 1 1 re f", tiny + b"/Resources<<>>"),
    )), BAD_OR_INDEXED
    yield "mask-of-itself", pdf(objects_of(
        o3=page(resources=b"/ExtGState<</G 6 0 R>>"), o4=stream(b"/G gs " + text(GOOD)),
        o6=b"<</Type/ExtGState/SMask<</S/Luminosity/G 7 0 R>>>>",
        o7=stream(b"/G gs 0 0 99 99 re f", form + b"/Group<</S/Transparency>>"
                  b"/Resources<</ExtGState<</G 6 0 R>>>>"),
    )), BAD_OR_INDEXED
    yield "glyph-draws-itself", pdf(objects_of(
        o5=b"<</Type/Font/Subtype/Type3/FontBBox[0 0 9 9]/FontMatrix[1 0 0 1 0 0]/FirstChar 97"
        b"/LastChar 98/Widths[1 1]/Encoding<</Differences[97/a/b]>>/CharProcs<</a 6 0 R/b 6 0 R>>"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        o4=stream(text("ab")), o6=stream(b"1 0 d0 " + text("ab")),
    )), BAD_OR_INDEXED
    yield "annotation-draws-itself", pdf(objects_of(
        o3=page(more=b"/Annots[6 0 R]"),
        o6=b"<</Type/Annot/Subtype/Stamp/Rect[0 0 99 99]/AP<</N 7 0 R>>>>",
        o7=stream(b"/F Do", form + b"/Resources<</XObject<</F 7 0 R>>>>"),
    )), BAD_OR_INDEXED
    yield "annotations-in-a-circle", pdf(objects_of(
        o3=page(more=b"/Annots 6 0 R"), o6=b"[6 0 R 3 0 R 7 0 R]",
        o7=b"<</Type/Annot/Subtype/Widget/FT/Tx/Parent 7 0 R/Rect[0 0 9 9]>>",
    )), BAD_OR_INDEXED


def side_matters():
    def catalog(more, **rest):
        return pdf(objects_of(o1=b"<</Type/Catalog/Pages 2 0 R" + more + b">>", **rest))

    entry = b"<</Title(one)/Dest[3 0 R/Fit]"
    yield "outline-next-is-itself", catalog(
        b"/Outlines 6 0 R", o6=b"<</First 7 0 R/Last 7 0 R>>", o7=entry + b"/Next 7 0 R>>"
    ), INDEXED
    yield "outline-child-is-parent", catalog(
        b"/Outlines 6 0 R", o6=b"<</First 7 0 R/Last 7 0 R>>", o7=entry + b"/First 7 0 R>>"
    ), INDEXED
    deep = objects_of(o1=b"<</Type/Catalog/Pages 2 0 R/Outlines 9 0 R>>")
    for i in range(9, 20009):
        deep[i] = entry + b"/First %d 0 R/Last %d 0 R>>" % (i + 1, i + 1)
    yield "outline-20000-deep", pdf(deep), BAD_OR_INDEXED
    wide = objects_of(o1=b"<</Type/Catalog/Pages 2 0 R/Outlines 9 0 R>>")
    wide[9] = b"<</First 10 0 R>>"
    for i in range(10, 20010):
        wide[i] = entry + b"/Next %d 0 R>>" % (i + 1)
    yield "outline-20000-wide", pdf(wide), BAD_OR_INDEXED
    yield "outline-dest-in-a-circle", catalog(
        b"/Outlines 6 0 R/Dests<</a/b/b/a>>", o6=b"<</First 7 0 R/Last 7 0 R>>",
        o7=b"<</Title(x)/Dest/a>>",
    ), INDEXED
    yield "names-in-a-circle", catalog(
        b"/Names<</Dests 6 0 R>>/Outlines 7 0 R", o6=b"<</Kids[6 0 R]/Limits[(a)(z)]>>",
        o7=b"<</First 8 0 R>>", o8=b"<</Title(x)/Dest(b)>>",
    ), INDEXED
    yield "labels-in-a-circle", catalog(b"/PageLabels 6 0 R", o6=b"<</Kids[6 0 R]>>"), INDEXED
    yield "labels-of-a-billion", catalog(
        b"/PageLabels<</Nums[0<</S/r/St 2000000000>>]>>"
    ), INDEXED
    yield "title-of-a-megabyte", pdf(
        objects_of(o6=b"<</Title(" + b"long " * 200_000 + b")>>"), b"/Info 6 0 R"
    ), INDEXED
    yield "title-of-noise", pdf(
        objects_of(o6=b"<</Title<feff" + b"d800" * 50 + b"0000>>>"), b"/Info 6 0 R"
    ), INDEXED
    yield "info-is-itself", pdf(objects_of(o6=b"6 0 R"), b"/Info 6 0 R"), INDEXED
    yield "form-fields-in-a-circle", catalog(
        b"/AcroForm<</Fields[6 0 R]/XFA 6 0 R>>", o6=b"<</Kids[6 0 R]/T(a)/FT/Tx>>"
    ), INDEXED
    yield "script-that-opens", catalog(b"/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>"), INDEXED
    yield "layers-in-a-circle", catalog(
        b"/OCProperties<</OCGs 6 0 R/D<</Order 6 0 R/ON 6 0 R>>>>", o6=b"[6 0 R 6 0 R]"
    ), BAD_OR_INDEXED


def boxes():
    for name, box, more, allowed in [
        ("200-inches", b"[0 0 14400 14400]", b"", INDEXED),
        ("billion-units", b"[0 0 1000000000 1000000000]", b"", BAD_OR_INDEXED),
        ("1e38-units", b"[-1e38 -1e38 1e38 1e38]", b"", BAD_OR_INDEXED),
        ("digits", b"[0 0 " + b"9" * 400 + b" 9]", b"", BAD_OR_INDEXED),
        ("zero", b"[0 0 0 0]", b"", BAD_OR_INDEXED),
        ("flat", b"[0 0 595 0]", b"", BAD_OR_INDEXED),
        ("reversed", b"[595 842 0 0]", b"", INDEXED),
        ("below-zero", b"[-595 -842 0 0]", b"", INDEXED),
        ("tiny", b"[0 0 .001 .001]", b"", BAD_OR_INDEXED),
        ("words", b"[(a)(b)(c)(d)]", b"", BAD_OR_INDEXED),
        ("three", b"[0 0 595]", b"", BAD_OR_INDEXED),
        ("not-a-number", b"[nan nan inf inf]", b"", BAD_OR_INDEXED),
        ("missing", b" null", b"", INDEXED),
        ("crop-outside", A4, b"/CropBox[9000 9000 9999 9999]", BAD_OR_INDEXED),
        ("crop-empty", A4, b"/CropBox[5 5 5 5]", BAD_OR_INDEXED),
        ("turned-45", A4, b"/Rotate 45", INDEXED),
        ("turned-2-billion", A4, b"/Rotate 2147483640", INDEXED),
        ("unit-huge", A4, b"/UserUnit 1e30", BAD_OR_INDEXED),
        ("unit-negative", A4, b"/UserUnit -3", BAD_OR_INDEXED),
    ]:
        yield f"box-{name}", pdf(objects_of(o3=page(box=box, more=more))), allowed


def fonts():
    def font(more, **rest):
        return pdf(objects_of(o5=b"<</Type/Font" + more + b">>", **rest))

    noise = bytes((i * 131 + (i >> 3) * 17) & 255 for i in range(3000))
    face = b"/FontDescriptor<</Type/FontDescriptor/FontName/X/Flags 4/%s 6 0 R>>"
    for name, kind, key in [
        ("truetype", b"/Subtype/TrueType/BaseFont/X", b"FontFile2"),
        ("type1", b"/Subtype/Type1/BaseFont/X", b"FontFile"),
        ("cff", b"/Subtype/Type1/BaseFont/X", b"FontFile3"),
    ]:
        for start in (b"", b"\0\1\0\0\0\x40", b"%!PS-AdobeFont-1.0\n", b"\1\0\4\4"):
            yield f"font-{name}-{start[:3].hex()}-noise", font(
                kind + face % key, o6=flate(start + noise, b"/Subtype/Type1C")
            ), BAD_OR_INDEXED
    yield "font-missing", pdf(objects_of(o5=b"null")), BAD_OR_INDEXED
    yield "font-of-no-kind", pdf(objects_of(o5=b"<</Subtype/Nonsense>>")), BAD_OR_INDEXED
    yield "font-in-itself", font(
        b"/Subtype/Type0/BaseFont/X/Encoding/Identity-H/DescendantFonts[5 0 R]"
    ), BAD_OR_INDEXED
    yield "font-map-uses-itself", font(
        b"/Subtype/Type0/BaseFont/X/Encoding 6 0 R/DescendantFonts[7 0 R]",
        o6=stream(b"begincmap endcmap", b"/Type/CMap/CMapName/X/UseCMap 6 0 R"),
        o7=b"<</Type/Font/Subtype/CIDFontType2/BaseFont/X/CIDSystemInfo<<>>>>",
    ), BAD_OR_INDEXED
    yield "font-map-of-noise", font(
        b"/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R", o6=stream(noise)
    ), INDEXED
    ranges = b"1 begincodespacerange <00><ff> endcodespacerange\n"
    yield "font-map-one-to-many", font(
        b"/Subtype/Type1/BaseFont/Helvetica/ToUnicode 6 0 R",
        o6=stream(ranges + b"1 beginbfchar <61> <" + b"0041" * 5000 + b"> endbfchar"),
    ), BAD_OR_INDEXED
    yield "font-widths-huge", font(
        b"/Subtype/Type1/BaseFont/X/FirstChar -2147483648/LastChar 2147483647/Widths[1e30]"
    ), BAD_OR_INDEXED


def contents():
    def shown(data):
        return pdf(objects_of(o4=flate(data)))

    noise = bytes((i * 89 + (i >> 4) * 7) & 255 for i in range(50_000))
    yield "content-of-noise", shown(noise), BAD_OR_INDEXED
    yield "content-empty", shown(b""), INDEXED
    yield "content-of-letters", shown(b"qwertyuiop " * 5000), BAD_OR_INDEXED
    yield "content-long-name", shown(b"/" + b"N" * 1_000_000 + b" gs " + text(GOOD)), BAD_OR_INDEXED
    yield "content-long-string", shown(text("word " * 20_000)), INDEXED
    yield "content-open-string", shown(b"BT /F1 9 Tf (never closed " + b"(" * 1000), BAD_OR_INDEXED
    yield "content-huge-numbers", shown(b"1e38 0 0 1e38 1e38 1e38 cm " + text(GOOD)), INDEXED
    yield "content-matrix-of-zeros", shown(b"0 0 0 0 0 0 cm " + text(GOOD)), INDEXED
    yield "content-text-far-away", shown(b"BT /F1 9 Tf 1e30 1e30 Td (far) Tj ET"), INDEXED
    yield "content-text-of-size-1e9", shown(text(GOOD, 1_000_000_000)), INDEXED
    yield "content-text-of-size-0", shown(text(GOOD, 0)), INDEXED
    yield "content-many-operands", shown(b"1 " * 200_000 + b"re f " + text(GOOD)), BAD_OR_INDEXED
    yield "content-inline-picture-open", shown(b"BI /W 9 /H 9 /BPC 8 /CS /RGB ID xx"), (
        BAD_OR_INDEXED
    )
    yield "content-inline-picture-huge", shown(
        b"BI /W 2147483647 /H 2147483647 /BPC 16 /CS /CMYK ID xx EI " + text(GOOD)
    ), BAD_OR_INDEXED
    for name, entries in {
        "no-size": b"/Width 0/Height 0/BitsPerComponent 8/ColorSpace/DeviceRGB",
        "negative": b"/Width -5/Height -5/BitsPerComponent 8/ColorSpace/DeviceRGB",
        "jpeg-noise": b"/Width 9/Height 9/BitsPerComponent 8/Filter/DCTDecode",
        "jpx-noise": b"/Width 9/Height 9/Filter/JPXDecode",
        "jbig2-noise": b"/Width 9/Height 9/BitsPerComponent 1/Filter/JBIG2Decode",
        "fax-huge": b"/Width 2000000000/Height 9/BitsPerComponent 1/Filter/CCITTFaxDecode"
                    b"/DecodeParms<</K -1/Columns 2000000000>>",
        "own-mask": b"/Width 9/Height 9/BitsPerComponent 8/ColorSpace/DeviceGray/SMask 6 0 R",
    }.items():
        yield f"picture-{name}", pdf(objects_of(
            o3=page(resources=b"/XObject<</I 6 0 R>>"),
            o4=stream(text(GOOD) + b"99 0 0 99 0 0 cm /I Do"),
            o6=stream(noise[:200], b"/Type/XObject/Subtype/Image" + entries),
        )), BAD_OR_INDEXED


def locked():
    yield "locked-handler-unknown", pdf(
        objects_of(o6=b"<</Filter/Nobody.Knows/V 4/R 4>>"), b"/Encrypt 6 0 R/ID[<00><00>]"
    ), one_of("damaged", "encrypted", "unsupported")
    yield "locked-entries-missing", pdf(
        objects_of(o6=b"<</Filter/Standard/V 5/R 6>>"), b"/Encrypt 6 0 R/ID[<00><00>]"
    ), one_of("damaged", "encrypted", "unsupported")
    yield "locked-version-99", pdf(
        objects_of(o6=b"<</Filter/Standard/V 99/R 99/O(x)/U(x)/P 0>>"), b"/Encrypt 6 0 R"
    ), one_of("damaged", "encrypted", "unsupported")
    for method in ("rc4-40", "rc4-128", "aes-128", "aes-256-r5"):
        yield f"locked-{method}-user", encrypted("opened", method, "secret", "boss"), (
            one_of("encrypted")
        )
        yield f"locked-{method}-owner-only", encrypted("opened", method, "", "boss"), INDEXED
        yield f"locked-{method}-no-words", encrypted("opened", method, ""), INDEXED
    yield "locked-aes-256-r6-user", encrypted("opened", "aes-256-r6", "secret"), one_of("encrypted")


def tenths():
    whole = pages_pdf([f"page number {i}" for i in range(1, 9)])
    for tenth in range(1, 10):
        yield f"cut-at-{tenth}-tenths", whole[: len(whole) * tenth // 10], BAD_OR_INDEXED
    yield "good", pages_pdf(["a lighthouse stands", "on the northern pier"]), INDEXED


KINDS = (not_quite_files, broken_tables, broken_trees, nesting, streams, bombs, drawing_itself,
         side_matters, boxes, fonts, contents, locked, tenths)


def write(folder):
    """Writes them all; gives name: statuses that the file may have."""
    folder.mkdir(parents=True)
    expected = {}
    for kind in KINDS:
        for name, data, allowed in kind():
            (folder / f"{name}.pdf").write_bytes(data)
            assert f"{name}.pdf" not in expected, name
            expected[f"{name}.pdf"] = allowed
    return expected
