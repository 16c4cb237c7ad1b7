"""Compares the cells of tables, headings and texts with references. A part of bench-structure."""

import html
import re
import unicodedata

DASHES = str.maketrans({dash: "-" for dash in "\u2010\u2011\u2012\u2013\u2014\u2212"})


def plain(text):
    """Returns the text as it is compared: without white space, and with one form of each sign."""
    text = unicodedata.normalize("NFKC", text).translate(DASHES)
    return re.sub(r"[\s\u00ad\u200b]+", "", text.replace("\u2019", "'"))


def filled(grid):
    """Returns the grid as it is compared, without its empty rows and columns."""
    rows = [[plain(cell or "") for cell in row] for row in grid]
    rows = [row for row in rows if any(row)]
    width = max(map(len, rows), default=0)
    rows = [row + [""] * (width - len(row)) for row in rows]
    kept = [at for at in range(width) if any(row[at] for row in rows)]
    return [[row[at] for at in kept] for row in rows]


def count(grid):
    return sum(1 for row in grid for cell in row if cell)


def best_pairs(weights):
    """Returns the pairs (i, j), both ascending, with the largest sum of weights[i][j]."""
    height, width = len(weights), len(weights[0]) if weights else 0
    best = [[0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        row, below, of = best[i], best[i + 1], weights[i]
        for j in range(width - 1, -1, -1):
            row[j] = max(below[j], row[j + 1], below[j + 1] + of[j] if of[j] else 0)
    pairs, i, j = [], 0, 0
    while i < height and j < width:
        if weights[i][j] and best[i][j] == best[i + 1][j + 1] + weights[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def in_order(a, b):
    """Returns how many equal texts two rows have in the same order."""
    if not set(a) & set(b) - {""}:
        return 0
    return len(best_pairs([[int(x == y != "") for y in b] for x in a]))


def right_cells(found, wanted):
    """Returns how many cells agree in text, row and column once rows and columns are aligned.

    First rows are aligned by the texts that they share, then columns by the aligned rows. So a row
    that is missing or too many costs its own cells, and a cell in the wrong column is wrong.
    """
    rows = best_pairs([[in_order(a, b) for b in wanted] for a in found])
    if not rows:
        return 0
    weights = [[sum(1 for i, j in rows if found[i][a] == wanted[j][b] != "")
                for b in range(len(wanted[0]))] for a in range(len(found[0]))]
    return sum(weights[a][b] for a, b in best_pairs(weights))


class Cells:
    """Counts of cells and tables."""

    def __init__(self):
        self.right = self.found = self.wanted = self.whole = self.tables = 0

    def add_page(self, found, wanted, complete):
        """Adds a page. Each wanted table is compared with one table that was found, best pairs first.

        If the reference lists all tables of the page (`complete`), the cells of other tables count as
        found, too.
        """
        found = [grid for grid in map(filled, found) if grid]
        wanted = [grid for grid in map(filled, wanted) if grid]
        pairs = sorted(((right_cells(a, b), i, j) for i, a in enumerate(found)
                        for j, b in enumerate(wanted)), key=lambda pair: (-pair[0], pair[1:]))
        of_found, of_wanted = {}, {}
        for right, i, j in pairs:
            if right and i not in of_found and j not in of_wanted:
                of_found[i] = of_wanted[j] = right
                self.right += right
                self.whole += right == count(found[i]) == count(wanted[j])
        self.found += sum(count(grid) for i, grid in enumerate(found) if complete or i in of_found)
        self.wanted += sum(map(count, wanted))
        self.tables += len(wanted)


class Matches:
    """Counts of headings."""

    def __init__(self):
        self.right = self.found = self.wanted = 0

    def add(self, found, wanted):
        found, wanted = list(map(plain, found)), list(map(plain, wanted))
        self.found += len(found)
        self.wanted += len(wanted)
        for text in found:
            if text in wanted:
                wanted.remove(text)
                self.right += 1


def rates(counts):
    """Returns precision, recall and F1."""
    precision = counts.right / counts.found if counts.found else 0
    recall = counts.right / counts.wanted if counts.wanted else 0
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0


def words_of(text):
    return unicodedata.normalize("NFKC", text).translate(DASHES).split()


def alike(found, wanted):
    """Returns how alike two texts are, 0 to 1: words in the same order, of all words of both."""
    from rapidfuzz.distance import Indel
    return Indel.normalized_similarity(words_of(found), words_of(wanted))


# --- Markdown

def cells_in(line):
    line = line.strip().removeprefix("|")
    cells = re.split(r"(?<!\\)\|", line.removesuffix("|"))
    return [without_marks(cell) for cell in cells]


def without_marks(text):
    text = html.unescape(re.sub(r"<br\s*/?>", " ", text))
    text = re.sub(r"</?(sup|sub|b|i|u|strong|em)>", "", text)
    text = re.sub(r"(\*\*|__|~~|`)", "", text)
    text = re.sub(r"(?<![\w\\])[_*](?=\S)(.+?)(?<=\S)[_*](?!\w)", r"\1", text)
    return re.sub(r"\\([\\`*_{}\[\]<>()#+.!|~=-])", r"\1", text).strip()


def markdown_parts(text):
    """Returns the tables, the headings and the words of Markdown."""
    tables, headings, words, lines = [], [], [], text.splitlines()
    at = 0
    while at < len(lines):
        line = lines[at].strip()
        ruled = at + 1 < len(lines) and re.fullmatch(r"\|?[\s:|-]*-[\s:|-]*\|?", lines[at + 1].strip())
        if line.startswith("|") and ruled and "|" in lines[at + 1]:
            rows = [cells_in(line)]
            at += 2
            while at < len(lines) and lines[at].strip().startswith("|"):
                rows.append(cells_in(lines[at]))
                at += 1
            tables.append(rows)
            words += [cell for row in rows for cell in row]
            continue
        at += 1
        line = re.sub(r"<!--.*?-->", "", line)
        shown = without_marks(re.sub(r"^(#+|[-*+>])\s+", "", line))
        if re.match(r"#+\s", line):
            headings.append(shown)
        words.append(shown)
    return tables, headings, " ".join(word for word in words if word)
