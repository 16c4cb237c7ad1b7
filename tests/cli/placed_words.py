"""PDF files whose words are where a test puts them."""

import odd_pdf_writer


def escaped(words):
    return words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def pdf(*placed):
    """One page of A4 with each (x, y, words), in points from the top left."""
    shown = "\n".join(f"BT /F1 10 Tf {x} {842 - y} Td ({escaped(words)}) Tj ET" for x, y, words in placed)
    contents = odd_pdf_writer.stream(shown.encode("cp1252"))
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
    return odd_pdf_writer.pdf(odd_pdf_writer.objects_of(o4=contents, o5=font))


def invoice(number, date, total, customer="Tern & Pollock", due=None):
    """An invoice with labels to the left of values, and totals at the right."""
    rows = [("Invoice number:", number), ("Invoice date:", date), ("Customer:", customer), ("Due date:", due)]
    placed = [(60, 60, "Invoice"), (60, 300, "Description"), (400, 300, "Total"), (60, 315, "Rope"), (400, 315, "1.00"),
              (60, 330, "Tar"), (400, 330, "2.00"), (330, 380, "Total amount"), (460, 380, total)]
    for i, (label, value) in enumerate(rows):
        if value is not None:
            placed += [(60, 100 + 15 * i, label), (180, 100 + 15 * i, value)]
    return pdf(*placed)
