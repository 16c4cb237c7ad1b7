"""Makes tests/data/locked: office files that are encrypted with the password "secret".

Usage: /usr/bin/python3 scripts/golden/make_locked_files.py FOLDER

Needs LibreOffice with its Python bindings (apt-get install libreoffice python3-uno), which writes
the OpenDocument files and the formats of before 2007, and the package msoffcrypto-tool (6.1),
which encrypts the others. Two runs write different bytes, because encryption starts from random
numbers.
"""

import pathlib
import subprocess
import sys
import tempfile
import time

import uno
from com.sun.star.beans import PropertyValue
from msoffcrypto.format.ooxml import OOXMLFile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import office_files as office

PASSWORD, WORDS, PORT = "secret", "a lighthouse behind a lock", 29876
BY_OFFICE = {
    "swriter": {"letter.odt": "writer8", "letter.doc": "MS Word 97"},
    "scalc": {"sheet.ods": "calc8", "sheet.xls": "MS Excel 97"},
    "simpress": {"slides.odp": "impress8"},
}
BY_PACKAGE = {"letter.docx": office.docx(WORDS), "sheet.xlsx": office.xlsx(WORDS),
              "slides.pptx": office.pptx(WORDS)}


def property_of(name, value):
    one = PropertyValue()
    one.Name, one.Value = name, value
    return one


def connect():
    address = f"uno:socket,host=127.0.0.1,port={PORT};urp;StarOffice.ComponentContext"
    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext(
        "com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(120):
        try:
            context = resolver.resolve(address)
            return context.ServiceManager.createInstanceWithContext(
                "com.sun.star.frame.Desktop", context)
        except Exception:  # not there yet
            time.sleep(0.5)
    raise SystemExit("LibreOffice does not answer; check that no other instance of it is running")


def write_words(kind, document):
    if kind == "swriter":
        document.Text.String = WORDS
    elif kind == "scalc":
        document.Sheets.getByIndex(0).getCellByPosition(0, 0).String = WORDS
    else:
        shape = document.createInstance("com.sun.star.drawing.TextShape")
        document.DrawPages.getByIndex(0).add(shape)
        shape.setString(WORDS)


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in BY_PACKAGE.items():
        with tempfile.TemporaryFile() as plain, open(folder / name, "wb") as locked:
            plain.write(data)
            plain.seek(0)
            OOXMLFile(plain).encrypt(PASSWORD, locked)
    with tempfile.TemporaryDirectory() as profile:
        process = subprocess.Popen(["soffice", "--headless", f"-env:UserInstallation=file://{profile}",
                                    f"--accept=socket,host=127.0.0.1,port={PORT};urp;"])
        desktop = connect()
        for kind, names in BY_OFFICE.items():
            document = desktop.loadComponentFromURL(f"private:factory/{kind}", "_blank", 0,
                                                    (property_of("Hidden", True),))
            write_words(kind, document)
            for name, how in names.items():
                document.storeToURL((folder / name).as_uri(), (
                    property_of("FilterName", how), property_of("Password", PASSWORD)))
            document.close(True)
        try:
            desktop.terminate()
        except Exception:  # it may be gone before it answers
            pass
        process.wait()


if __name__ == "__main__":
    main()
