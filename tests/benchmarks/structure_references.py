"""Reads references of tables, headings and texts from public repositories. A part of bench-structure.

A reference is a document with what someone expects of it: the tables of some pages, its headings and
its text. Nothing of the repositories is run; their Python files are parsed for literals only.
"""

import ast
import csv
import dataclasses
import pathlib
import re
import xml.etree.ElementTree as tree

from structure_scores import markdown_parts

# Options of camelot that change what is written into cells, or name columns that a reader does not know.
OTHER_OUTPUT = {"columns", "split_text", "flag_size", "strip_text", "copy_text", "shift_text",
                "process_background", "replace_text"}


@dataclasses.dataclass
class Reference:
    file: pathlib.Path
    tables: dict = dataclasses.field(default_factory=dict)  # rows of texts, by page
    complete: bool = False  # all tables of the document are listed
    headings: list | None = None
    text: str | None = None


def region_grid(region):
    """Returns rows of texts. A cell that spans several places is at the first of them."""
    grid = {}
    for cell in region.iter("cell"):
        text = " ".join(content.text or "" for content in cell.iter("content"))
        grid[int(cell.get("start-row")), int(cell.get("start-col"))] = text
    if not grid:
        return []
    height, width = (max(place[axis] for place in grid) + 1 for axis in (0, 1))
    return [[grid.get((row, column), "") for column in range(width)] for row in range(height)]


def icdar(data):
    """The documents of ICDAR 2013's table competition, whose cells were marked by hand."""
    folder = data / "tabula-java/src/test/resources/technology/tabula/icdar2013-dataset"
    for file in sorted(folder.glob("competition-dataset-*/*.pdf")):
        marked = file.with_name(file.stem + "-str.xml")
        if not marked.exists():
            continue
        tables = {}
        for region in tree.parse(marked).iter("region"):
            grid = region_grid(region)
            if grid:
                tables.setdefault(int(region.get("page")), []).append(grid)
        yield Reference(file, tables, complete=True)


def literals(file):
    """Returns the literals that a Python file gives to names."""
    values = {}
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                values[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return values


def compared_tables(test, values):
    """Yields (path, page, grid) for the data frames that a test of camelot compares with tables."""
    frames, paths, page, plain = {}, [], "1", True
    for node in ast.walk(test):
        if isinstance(node, ast.Call) and "read_pdf" in ast.unparse(node.func):
            options = {one.arg: one.value for one in node.keywords}
            plain = plain and not OTHER_OUTPUT & set(options)
            if "pages" in options and isinstance(options["pages"], ast.Constant):
                page = str(options["pages"].value)
        if isinstance(node, ast.Constant) and str(node.value).endswith(".pdf"):
            paths.append(node.value)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pd.DataFrame" and node.args:
            name = ast.unparse(node.args[0])
            if isinstance(values.get(name), list):
                frames[name] = values[name]
    if plain and page.isdigit():
        for path in paths:
            for grid in frames.values():
                yield path, int(page), grid


def camelot(data):
    """The data frames that camelot's tests of ruled tables and of tables without rules expect."""
    folder = data / "camelot/tests"
    values, tables = literals(folder / "data.py"), {}
    for name in ("test_lattice.py", "test_stream.py", "test_common.py"):
        for test in ast.parse((folder / name).read_text()).body:
            if not isinstance(test, ast.FunctionDef):
                continue
            for path, page, grid in compared_tables(test, values):
                of_page = tables.setdefault(path, {}).setdefault(page, [])
                if grid not in of_page:
                    of_page.append(grid)
    for path, of_file in sorted(tables.items()):
        file = folder / "files" / path
        if file.exists():
            yield Reference(file, of_file)


def tabula(data):
    """The CSV files that tabula-java's tests expect of a page of the PDF of the same name."""
    folder = data / "tabula-java/src/test/resources/technology/tabula"
    pages = {}
    for test in sorted((data / "tabula-java/src/test/java").rglob("*.java")):
        asked = r'get(?:AreaFrom)?Page\("[^"]*tabula/([\w.-]+)\.pdf",\s*(\d+)'
        for stem, page in re.findall(asked, test.read_text()):
            pages.setdefault(stem, int(page))
    for expected in sorted((folder / "csv").glob("*.csv")):
        file = folder / (expected.stem + ".pdf")
        if file.exists():
            with expected.open(newline="", encoding="utf-8") as lines:
                yield Reference(file, {pages.get(expected.stem, 1): [list(csv.reader(lines))]})


def docling(data):
    """The Markdown that docling's own tests expect, which an earlier docling has written."""
    folder = data / "docling/tests/data/pdf"
    for file in sorted((folder / "sources").glob("*.pdf")):
        expected = folder / "groundtruth" / (file.stem + ".md")
        if expected.exists():
            shown = re.sub(r"<!--.*?-->", "", expected.read_text(encoding="utf-8"))
            tables, headings, text = markdown_parts(shown)
            yield Reference(file, {0: tables}, complete=True, headings=headings, text=text)


SETS = {"icdar": icdar, "camelot": camelot, "tabula": tabula, "docling": docling}
