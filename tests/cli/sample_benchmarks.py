"""Benchmarks of tests/data/benchmarks, laid out in a folder with their documents."""

import shutil

import program

# Where each has its documents.
DOCUMENTS = {"folder": "docs", "mmlongbench": "documents", "mmlongbench_shared": "documents",
             "longdocurl": "documents", "longdocurl_shared": "documents", "vidoseek": "pdf",
             "vidore": "pdfs", "papertab": "documents", "papertab_shared": "documents",
             "papertext": "documents", "fetatab": "documents", "financebench": "pdfs",
             "m3docvqa": "splits/pdfs_dev"}


def lay_out(name, folder, documents=tuple(program.NATIVE_TEXT)):
    """The benchmark as a folder that `bench` reads."""
    shutil.copytree(program.DATA / "benchmarks" / name, folder)
    place = folder / DOCUMENTS[name]
    place.mkdir(parents=True, exist_ok=True)
    for document in documents:
        shutil.copy(program.DOCS / document, place / document)
    return folder


def lay_out_pictures(folder):
    """opendocvqa, whose pages are pictures."""
    shutil.copytree(program.DATA / "benchmarks" / "opendocvqa", folder)
    pool = folder / "corpus" / "chartqa"
    pool.mkdir(parents=True)
    shutil.copy(program.DOCS / "notice-board.png", pool / "board%2F1.png")
    shutil.copy(program.DOCS / "ticket.jpg", pool / "ticket.jpg")
    return folder
