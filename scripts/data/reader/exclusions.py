"""Documents that must not be trained on, because the program is tested on reports of the same
companies: names of the sets' documents, listed in exclusions.txt in this folder.
"""

from pathlib import Path

from shared import read_text

LISTED = None


def left_out(name, document):
    """Returns whether a document of a set is listed."""
    global LISTED
    if LISTED is None:
        lines = read_text(Path(__file__).parent / "exclusions.txt").splitlines()
        LISTED = {tuple(line.split()) for line in lines if line.strip() and not line.startswith("#")}
    return (name, document) in LISTED
