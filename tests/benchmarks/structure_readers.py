"""Reads PDFs with fineprint and its peers. A part of bench-structure.

A reader takes paths and returns, for each, its pages as dictionaries with "tables" (rows of texts),
"headings" and "text", and the seconds that it took. A file on which a peer fails has no pages.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time

from structure_scores import markdown_parts


def first_places(element):
    """Returns the rows of a table of fineprint, with a cell that spans several places at the first."""
    rows = [list(row) for row in element.get("rows", [])]
    for cell in element.get("cells", []):
        for down in range(cell["rows"]):
            for right in range(cell["columns"]):
                if down or right:
                    rows[cell["row"] + down][cell["column"] + right] = ""
    return rows


def page_of_record(record):
    elements = [one for one in record["elements"] if one["kind"] != "furniture"]
    return {"tables": [first_places(one) for one in elements if one.get("rows")],
            "headings": [one["text"] for one in elements if one["kind"] == "heading"],
            "text": "\n".join(part for one in elements for part in (one.get("caption", ""), one["text"])
                              if part)}


def write_scan(file, dpi, path):
    """Writes a PDF whose pages are the pictures of a document's pages."""
    import pymupdf
    with pymupdf.open(file) as document, pymupdf.open() as scan:
        for page in document:
            picture = page.get_pixmap(dpi=dpi, colorspace=pymupdf.csGRAY)
            scan.new_page(width=page.rect.width, height=page.rect.height).insert_image(
                page.rect, stream=picture.tobytes("png"))
        scan.save(path)


def read_with_fineprint(program, files, scans=0, options=()):
    """Indexes all files at once, as the program is used, and exports the records of their pages.

    With `scans`, it gets pictures of the pages, drawn at so many dots per inch.
    """
    named = {str(file).split("/")[-1]: file for file in files}
    out = {file: {} for file in files}
    with tempfile.TemporaryDirectory() as folder:
        store, lines = folder + "/store", folder + "/pages.jsonl"
        if scans:
            for name, file in named.items():
                write_scan(file, scans, folder + "/" + name)
            files = [folder + "/" + name for name in named]
        else:
            options = ("--ocr", "never", *options)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "index", *files, "--store", store, "--scorer", "bm25", "--quiet",
                        *options], check=False)
        subprocess.run([program, "export", "--store", store, "--out", lines, "--quiet"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        with open(lines, encoding="utf-8") as records:
            for record in map(json.loads, records):
                if record.get("elements") is not None and "page" in record:
                    pages = out[named[record["doc"].split("/")[-1]]]
                    pages[record["page"]] = page_of_record(record)
    return out, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pymupdf4llm_pages(file):
    import pymupdf4llm
    pages = {}
    chunks = pymupdf4llm.to_markdown(str(file), page_chunks=True, show_progress=False)
    for number, chunk in enumerate(chunks, 1):
        tables, headings, text = markdown_parts(chunk["text"])
        # It calls columns without a head Col1, Col2 and so on.
        tables = [[["" if cell == f"Col{at}" else cell for at, cell in enumerate(grid[0], 1)],
                   *grid[1:]] for grid in tables]
        pages[number] = {"tables": tables, "headings": headings, "text": text}
    return pages


def pdfplumber_pages(file):
    import pdfplumber
    with pdfplumber.open(file) as document:
        return {page.page_number: {"tables": page.extract_tables(), "headings": [],
                                   "text": page.extract_text() or ""} for page in document.pages}


def camelot_pages(file):
    import camelot
    pages = {}
    for table in camelot.read_pdf(str(file), pages="all", flavor="auto"):
        page = pages.setdefault(int(table.page), {"tables": [], "headings": [], "text": ""})
        page["tables"].append(table.df.values.tolist())
    return pages


def docling_pages(file):
    import docling.document_converter as converter
    document = converter.DocumentConverter().convert(file).document
    pages = {}
    for number in document.pages:
        tables, headings, text = markdown_parts(document.export_to_markdown(page_no=number))
        pages[number] = {"tables": tables, "headings": headings, "text": text}
    return pages


PEERS = {"pymupdf4llm": pymupdf4llm_pages, "pdfplumber": pdfplumber_pages, "camelot": camelot_pages,
         "docling": docling_pages}


def be_peer(name, files):
    """Reads the files after one that does not count, so that importing and loading are done."""
    read = PEERS[name]
    read(files[0])
    for file in files:
        start = time.process_time()
        try:
            pages = read(file)
        except Exception as error:
            print(f"{name}: {file}: {error}", file=sys.stderr)
            pages = {}
        seconds = time.process_time() - start
        print("\n@" + json.dumps({"file": file, "pages": pages, "seconds": seconds}), flush=True)


def read_with_peer(name, files, script):
    out, seconds = {}, 0.0
    ran = subprocess.run([sys.executable, script, "--peer", name, *files], stdout=subprocess.PIPE,
                         text=True, check=True)
    for line in ran.stdout.splitlines():
        if not line.startswith('@{"file"'):
            continue
        got = json.loads(line[1:])
        out[got["file"]] = {int(page): parts for page, parts in got["pages"].items()}
        seconds += got["seconds"]
    return out, seconds
