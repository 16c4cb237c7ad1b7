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


def package(main, kind, parts, more_types=None):
    """An OOXML package whose main part is of that content type; other parts' types by name."""
    overrides = "".join(f'<Override PartName="/{name}" ContentType="{of}"/>'
                        for name, of in (more_types or {}).items())
    types = (f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="rels" ContentType="'
             'application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
             'ContentType="application/xml"/>'
             f'<Override PartName="/{main}" ContentType="application/vnd.openxmlformats-'
             f'officedocument.{kind}.main+xml"/>{overrides}</Types>')
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


def pptx(*slides):
    """Each slide is a text in a box that lies 2 inches from the left and 1 inch from the top."""
    show, drawing = MAIN.format("presentationml"), MAIN.format("drawingml")
    spaces = f'xmlns:p="{show}" xmlns:a="{drawing}" xmlns:r="{OFFICE}"'
    kind = "application/vnd.openxmlformats-officedocument.presentationml"
    count = range(1, len(slides) + 1)
    tree = ('<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/>'
            "</p:nvGrpSpPr><p:grpSpPr/>{}</p:spTree></p:cSld>")
    box = ('<p:sp><p:nvSpPr><p:cNvPr id="2" name="t"/><p:cNvSpPr txBox="1"/><p:nvPr/></p:nvSpPr>'
           '<p:spPr><a:xfrm><a:off x="1828800" y="914400"/><a:ext cx="5486400" cy="914400"/></a:xfrm>'
           '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody><a:bodyPr lIns="0" '
           'tIns="0"/><a:p><a:r><a:rPr sz="2400"/><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>')
    listed = "".join(f'<p:sldId id="{255 + i}" r:id="s{i}"/>' for i in count)
    parts = {"ppt/presentation.xml": f'<p:presentation {spaces}><p:sldIdLst>{listed}</p:sldIdLst>'
                                     '<p:sldSz cx="9144000" cy="6858000"/></p:presentation>',
             "ppt/_rels/presentation.xml.rels": relations(
                 *((f"s{i}", "slide", f"slides/slide{i}.xml") for i in count))}
    for i, text in enumerate(slides, 1):
        parts[f"ppt/slides/slide{i}.xml"] = f"<p:sld {spaces}>{tree.format(box.format(text))}</p:sld>"
    return package("ppt/presentation.xml", "presentationml.presentation", parts,
                   {f"ppt/slides/slide{i}.xml": f"{kind}.slide+xml" for i in count})


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
