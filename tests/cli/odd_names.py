"""Odd names, links and things that are no files. `write` makes them all, below one folder.

Contents are good PDFs, each with words of its own, so that two files can't be taken for one.
"""

import os
import socket

from odd_expectations import INDEXED, one_of
from odd_pdf_writer import pages_pdf

UNREADABLE = one_of("unreadable")
SKIPPED = one_of("skipped")


def shown(name):
    """A name as JSON has it: what is not UTF-8 becomes U+FFFD."""
    return os.fsencode(name).decode("utf-8", errors="replace")


NAMES = {
    "with blanks .pdf": INDEXED, "quote'and\"quote.pdf": INDEXED, "back\\slash.pdf": INDEXED,
    "new\nline.pdf": INDEXED, "tab\tand bell\x07.pdf": INDEXED, "per%cent %s %n.pdf": INDEXED,
    "{braces} {}.pdf": INDEXED, "-dash.pdf": INDEXED, "--store.pdf": INDEXED, "UPPER.PDF": INDEXED,
    "two.dots..pdf": INDEXED, "*.pdf": INDEXED, "a;rm -rf b.pdf": INDEXED, "$(name).pdf": INDEXED,
    "\u05e9\u05dc\u05d5\u05dd.pdf": INDEXED, "turned\u202efdp.exe.pdf": INDEXED,
    "e\u0301.pdf": INDEXED, "\xe9.pdf": INDEXED, "\U0001f40b.pdf": INDEXED,
    "n" * 251 + ".pdf": INDEXED, "\u2603" * 83 + "abcd.pdf"[2:]: INDEXED,
    os.fsdecode(b"latin-\xe9.pdf"): INDEXED, os.fsdecode(b"broken-\xff\xfe\xc3.pdf"): INDEXED,
    ".hidden.pdf": SKIPPED, "~$lock.pdf": SKIPPED, ".pdf": SKIPPED, "no-extension": INDEXED,
    "pdf": INDEXED, "notes.xyz": SKIPPED, "half.pdf.part": SKIPPED,
}


def write_names(folder):
    for number, name in enumerate(NAMES):
        (folder / name).write_bytes(pages_pdf([f"odd name number {number}"]))
    return dict(NAMES)


def write_others(folder):
    """Folders, links, a pipe, a socket; each with what becomes of it."""
    (folder / "twin-1.pdf").write_bytes(pages_pdf(["the same words twice"]))
    (folder / "twin-2.pdf").write_bytes(pages_pdf(["the same words twice"]))
    (folder / "link-to-file.pdf").symlink_to("twin-1.pdf")
    (folder / "link-to-nothing.pdf").symlink_to("gone.pdf")
    (folder / "link-to-itself.pdf").symlink_to("link-to-itself.pdf")
    (folder / "link-to-pipe.pdf").symlink_to("pipe.pdf")
    (folder / "link-to-device.pdf").symlink_to("/dev/zero")
    (folder / "folder.pdf").mkdir()
    (folder / "folder.pdf" / "inside.pdf").write_bytes(pages_pdf(["inside a folder"]))
    (folder / "folder.pdf" / "loop").symlink_to("..")
    (folder / "loop-1").symlink_to("loop-2")
    (folder / "loop-2").symlink_to("loop-1")
    os.mkfifo(folder / "pipe.pdf")
    write_socket(folder / "socket.pdf")
    expected = {
        "twin-1.pdf": INDEXED, "twin-2.pdf": INDEXED, "link-to-file.pdf": INDEXED,
        "link-to-nothing.pdf": UNREADABLE, "link-to-itself.pdf": UNREADABLE,
        "link-to-pipe.pdf": UNREADABLE, "link-to-device.pdf": UNREADABLE,
        "folder.pdf": UNREADABLE, "folder.pdf/inside.pdf": INDEXED,
        "pipe.pdf": UNREADABLE, "socket.pdf": UNREADABLE,
    }
    if os.geteuid() != 0:  # root may read everything
        (folder / "secret.pdf").write_bytes(pages_pdf(["secret"]))
        (folder / "secret.pdf").chmod(0)
        expected["secret.pdf"] = UNREADABLE
    return expected


def write_socket(path):
    """Bound under a short name, as the names of sockets may have 107 bytes only."""
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(path.parent)
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(path.name)
    finally:
        os.fchdir(here)
        os.close(here)


def write_deep(folder):
    """A file under more folders than a path may be long when it is given whole."""
    deep = folder
    for _ in range(12):
        deep = deep / ("d" * 200)
    deep.mkdir(parents=True)
    (deep / "deep.pdf").write_bytes(pages_pdf(["deep down"]))
    return {str((deep / "deep.pdf").relative_to(folder)): INDEXED}


def write(folder):
    """Writes them all; gives name: statuses that the file may have."""
    folder.mkdir(parents=True)
    return {**write_names(folder), **write_others(folder), **write_deep(folder)}
