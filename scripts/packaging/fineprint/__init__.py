"""The program fineprint, as a Python package: `fineprint` and `python -m fineprint` start it."""

import importlib.util
import os
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent
# Folders of other packages with libraries that the program needs. It looks for them next to this package.
LIBRARIES = {"torch": "lib", "pymupdf": "."}


def folders_elsewhere():
    """Yields the folders of these packages that are not next to this package."""
    for name, folder in LIBRARIES.items():
        if (PACKAGE.parent / name).is_dir():
            continue
        found = importlib.util.find_spec(name)
        if found is None or not found.submodule_search_locations:
            sys.exit(f"error: the Python package {name} is missing; install fineprint again: pip install fineprint")
        yield str(pathlib.Path(found.submodule_search_locations[0]) / folder)


def environment():
    given = dict(os.environ)
    elsewhere = list(folders_elsewhere())
    if elsewhere:
        given["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [*elsewhere, given.get("LD_LIBRARY_PATH")]))
    return given


def main():
    program = str(PACKAGE / "bin/fineprint")
    os.execve(program, [program, *sys.argv[1:]], environment())
