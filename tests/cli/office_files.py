"""Small office files, sound and odd ones: each is a function of the words that it says."""

import io
import zipfile

PACKAGE = "http://schemas.openxmlformats.org/package/2006"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
MAIN = "http://schemas.openxmlformats.org/{}/2006/main"
OPEN = "urn:oasis:names:tc:opendocument:xmlns:"
MADE = (2024, 3, 18, 9, 0, 0)


def zipped(parts):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            info = zipfile.ZipInfo(name, MADE)
            info.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return out.getvalue()


def relations(*rows):
    """Each row: id, the end of its type, target, and "External" or nothing."""
    inside = "".join(
        f'<Relationship Id="{name}" Type="{OFFICE}/{kind}" Target="{target}"'
        + (f' TargetMode="{mode[0]}"/>' if mode else "/>")
        for name, kind, target, *mode in rows
    )
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'


def package(main, kind, parts):
    """An OOXML package whose main part is of that content type."""
    types = (f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="'
             'application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
             'ContentType="application/xml"/>'
             f'<Override PartName="/{main}" ContentType="application/vnd.openxmlformats-'
             f'officedocument.{kind}.main+xml"/></Types>')
    return zipped({"[Content_Types].xml": types,
                   "_rels/.rels": relations(("r1", "officeDocument", main)), **parts})


def docx(*paragraphs, links=(), more=None, body=""):
    word = MAIN.format("wordprocessingml")
    said = "".join(f"<w:p><w:r><w:t>{text}</w:t></w:r></w:p>" for text in paragraphs)
    return package("word/document.xml", "wordprocessingml.document", {
        "word/document.xml": f'<w:document xmlns:w="{word}" xmlns:r="{OFFICE}"><w:body>{said}{body}'
                             "</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(*links), **(more or {})})


def xlsx(*cells):
    sheet = MAIN.format("spreadsheetml")
    said = "".join(f'<row r="{i}"><c r="A{i}" t="s"><v>{i - 1}</v></c></row>'
                   for i in range(1, len(cells) + 1))
    texts = "".join(f"<si><t>{text}</t></si>" for text in cells)
    return package("xl/workbook.xml", "spreadsheetml.sheet", {
        "xl/workbook.xml": f'<workbook xmlns="{sheet}" xmlns:r="{OFFICE}"><sheets><sheet name="S" '
                           'sheetId="1" r:id="s1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations(("s1", "worksheet", "worksheets/sheet1.xml"),
                                                ("s2", "sharedStrings", "sharedStrings.xml")),
        "xl/sharedStrings.xml": f'<sst xmlns="{sheet}">{texts}</sst>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{sheet}"><sheetData>{said}</sheetData>'
                                    "</worksheet>"})


def opened(kind, body):
    """An OpenDocument file: text, spreadsheet or presentation."""
    spaces = " ".join(f'xmlns:{name}="{OPEN}{space}:1.0"' for name, space in {
        "office": "office", "text": "text", "table": "table", "draw": "drawing",
        "svg": "svg-compatible"}.items())
    media = f"application/vnd.oasis.opendocument.{kind}"
    return zipped({
        "mimetype": media,
        "META-INF/manifest.xml":
            f'<manifest:manifest xmlns:manifest="{OPEN}manifest:1.0"><manifest:file-entry '
            f'manifest:full-path="/" manifest:media-type="{media}"/><manifest:file-entry '
            'manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>',
        "content.xml": f'<office:document-content {spaces} office:version="1.2"><office:body>'
                       f"<office:{kind}>{body}</office:{kind}></office:body>"
                       "</office:document-content>"})


def odt(*paragraphs):
    return opened("text", "".join(f"<text:p>{text}</text:p>" for text in paragraphs))


def ods(*cells):
    rows = "".join('<table:table-row><table:table-cell office:value-type="string"><text:p>'
                   f"{text}</text:p></table:table-cell></table:table-row>" for text in cells)
    return opened("spreadsheet", f'<table:table table:name="S">{rows}</table:table>')


def odp(*slides):
    return opened("presentation", "".join(
        f'<draw:page draw:name="p{i}"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="20cm" '
        f'svg:height="3cm"><draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>'
        "</draw:page>" for i, text in enumerate(slides)))


def rtf(text):
    return rb"{\rtf1\ansi " + text.encode() + b"}"


def locked_ooxml():
    """What a password makes of a DOCX: a container of 2003 with an encrypted stream in it."""
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1600)
    return head + "EncryptionInfo\0EncryptedPackage\0".encode("utf-16-le") + bytes(900)


def locked_odt():
    parts = f'<manifest:file-entry manifest:full-path="content.xml"><manifest:encryption-data/>'
    return zipped({"mimetype": "application/vnd.oasis.opendocument.text",
                   "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{OPEN}manifest:'
                                            f'1.0">{parts}</manifest:file-entry></manifest:manifest>',
                   "content.xml": bytes(range(256)) * 4})


def bomb(megabytes):
    """A part of so many million characters, which deflates to a thousandth."""
    return docx("in front of the bomb", body="<w:p><w:r><w:t>" + "x " * (500_000 * megabytes)
                + "</w:t></w:r></w:p>")


def with_macros():
    return docx("a letter with macros", links=[("m1", "vbaProject", "vbaProject.bin")],
                more={"word/vbaProject.bin": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000)})


def with_links(address):
    """A template and a picture to be fetched from elsewhere."""
    drawing = (f'<w:p><w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" '
               'style="width:90pt;height:90pt"><v:imagedata r:id="p1"/></v:shape></w:pict></w:r></w:p>')
    return docx("a letter with links", body=drawing, links=[
        ("p1", "image", f"{address}/picture.png", "External"),
        ("t1", "attachedTemplate", f"{address}/template.dotm", "External")])
