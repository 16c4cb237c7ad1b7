"""Pictures as pixels."""

import pymupdf


class Picture:
    """Rows of RGB pixels, as PyMuPDF reads them."""

    def __init__(self, file):
        pixmap = pymupdf.Pixmap(str(file))
        if pixmap.alpha:
            pixmap = pymupdf.Pixmap(pixmap, 0)
        self.width, self.height, self.samples = pixmap.width, pixmap.height, pixmap.samples

    def where(self, is_it, inside=None):
        """Places of the pixels whose (r, g, b) `is_it` says yes to, inside (x0, y0, x1, y1)."""
        x0, y0, x1, y1 = inside or (0, 0, self.width, self.height)
        x0, y0, x1, y1 = max(0, x0), max(0, y0), min(self.width, x1), min(self.height, y1)
        return [
            (x, y)
            for y in range(y0, y1)
            for x in range(x0, x1)
            if is_it(*self.samples[3 * (y * self.width + x) : 3 * (y * self.width + x) + 3])
        ]


def box_around(places):
    """(x0, y0, x1, y1) of pixels, the last ones included."""
    xs, ys = [x for x, _ in places], [y for _, y in places]
    return min(xs), min(ys), max(xs), max(ys)
