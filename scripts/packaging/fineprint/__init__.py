"""The program fineprint, as a Python package: `fineprint` and `python -m fineprint` start it."""

import importlib.util
import os
import pathlib
import sys

PACKAGE = pathlib.Path(__file__).resolve().parent
# Folders of other packages that the program's libraries are linked with; it looks for them beside this one.
LIBRARIES = {"torch": "lib", "pymupdf": "."}
# Where systems keep the authorities that they trust; OpenSSL comes with this package, and knows Debian's place.
AUTHORITIES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
               "/etc/ssl/cert.pem"]
SYSTEM_LANGUAGES = pathlib.Path("/usr/share/tesseract-ocr/5/tessdata/eng.traineddata")


def folders_elsewhere():
    """Those of these folders that do not lie beside this package."""
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
    if not SYSTEM_LANGUAGES.exists():
        given.setdefault("TESSDATA_PREFIX", str(PACKAGE / "share/fineprint/tessdata"))
    for file in filter(os.path.exists, AUTHORITIES):
        given.setdefault("SSL_CERT_FILE", file)
    return given


def main():
    program = str(PACKAGE / "bin/fineprint")
    os.execve(program, [program, *sys.argv[1:]], environment())
