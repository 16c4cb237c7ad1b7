"""Writes more than 300 odd files into a folder, the same at every run.

    python3 tests/cli/odd_files.py FOLDER

tests/cli/test_odd_files.py indexes them; each has a set of statuses that it may end with.
"""

import pathlib
import sys

import odd_archives
import odd_names
import odd_pdfs
import odd_pictures


def write(root):
    """Writes everything below `root`; gives path below it: statuses (see odd_expectations)."""
    expected = {}
    for part in (odd_pdfs, odd_pictures, odd_archives, odd_names):
        folder = part.__name__.removeprefix("odd_")
        for name, allowed in part.write(root / folder).items():
            expected[f"{folder}/{name}"] = allowed
    return expected


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(len(write(pathlib.Path(sys.argv[1]))), "files")
