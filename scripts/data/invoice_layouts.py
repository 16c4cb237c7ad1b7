"""The layouts of make-invoices. Each draws one document and returns its true values."""

import datetime

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4, letter
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

NAMES = ["Alder & Finch", "Brightwater Tools", "Corvin Instruments", "Dunmore Textiles", "Elstead Pumps",
         "Falkner Optik", "Gerber Holzbau", "Hansen Schiffstechnik", "Ilmtal Keramik", "Juniper Labs"]
STREETS = ["12 Quay Street", "7 Mill Lane", "Lindenallee 4", "Hafenweg 19", "230 Orchard Road", "Am Wall 3"]
TOWNS = ["Harwick HX3 4TT", "28195 Bremen", "99423 Weimar", "Portland, OR 97205", "Leith EH6 7DX"]
ITEMS = {"en": ["Steel bracket", "Pump seal kit", "Oak panel", "Survey, per day", "Cable drum 50 m", "Valve DN 25"],
         "de": ["Stahlwinkel", "Dichtungssatz", "Eichenplatte", "Montage, Tag", "Kabeltrommel 50 m", "Ventil DN 25"]}
MONTHS = {"en": "January February March April May June July August September October November December".split(),
          "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split()}


class Facts:
    """What a document says. Any of the optional ones may be missing."""

    def __init__(self, rng, language="en", missing=0.25, prefix=None):
        self.rng, self.language = rng, language
        prefix = prefix or rng.choice(["INV", "RE", "R", "A", ""])
        self.number = rng.choice([f"{prefix}-{rng.randint(2019, 2026)}-{rng.randint(100, 9999):04}",
                                  f"{prefix}{rng.randint(10000, 999999)}", f"{rng.randint(2019, 2026)}/{rng.randint(10, 999)}"])
        self.date = datetime.date(2021, 1, 1) + datetime.timedelta(days=rng.randint(0, 1800))
        self.due = None if rng.random() < missing else self.date + datetime.timedelta(days=rng.choice([7, 14, 30]))
        self.customer = None if rng.random() < missing else rng.choice([f"K{rng.randint(1000, 99999)}", f"{rng.randint(10000, 99999)}"])
        self.weight = None if rng.random() < missing + 0.2 else round(rng.uniform(1, 900), rng.choice([0, 1, 2]))
        self.items = []
        for name in rng.sample(ITEMS[language], rng.randint(1, 5)):
            count, price = rng.randint(1, 12), round(rng.uniform(3, 900), 2)
            self.items.append((name, count, price, round(count * price, 2)))
        self.net = round(sum(item[3] for item in self.items), 2)
        self.rate = 19 if language == "de" else rng.choice([20, 19])
        self.tax = round(self.net * self.rate / 100, 2)
        self.total = round(self.net + self.tax, 2)
        self.seller, self.buyer = rng.sample(NAMES, 2)

    def money(self, value, currency=True, sign=None):
        text = f"{value:,.2f}"
        if self.language == "de":
            text = text.replace(",", " ").replace(".", ",").replace(" ", ".")
            return f"{text} {sign or 'EUR'}" if currency else text
        return f"{sign or '$'}{text}" if currency else text

    def day(self, value, form=None):
        form = form or self.rng.choice(["iso", "long"] if self.language == "en" else ["dots", "long"])
        if form == "iso":
            return value.isoformat()
        if form == "dots":
            return value.strftime("%d.%m.%Y")
        if form == "us":
            return f"{MONTHS['en'][value.month - 1]} {value.day}, {value.year}"
        if form == "short":
            return f"{value.day}-{MONTHS['en'][value.month - 1][:3]}-{value.year}"
        stop = "." if self.language == "de" else ""
        return f"{value.day}{stop} {MONTHS[self.language][value.month - 1]} {value.year}"

    def kilograms(self, value=None):
        value = self.weight if value is None else value
        text = f"{value:g}"
        return text.replace(".", ",") if self.language == "de" else text

    def truth(self, without=()):
        all_of_it = {"Number": self.number, "Date": self.date.isoformat(),
                     "Due date": self.due and self.due.isoformat(), "Customer number": self.customer,
                     "Net": f"{self.net:.2f}", "Tax": f"{self.tax:.2f}", "Total": f"{self.total:.2f}",
                     "Weight": None if self.weight is None else f"{self.weight:g}"}
        return {name: None if name in without else value for name, value in all_of_it.items()}


class Sheet(Canvas):
    """A page with a pen that goes down, in millimetres from the top left."""

    def __init__(self, path, size=A4, font="Helvetica", points=10):
        super().__init__(path, pagesize=size, invariant=1)
        self.height, self.font, self.points = size[1], font, points

    def put(self, x, y, text, bold=False, right=False, points=None, grey=False):
        family = {"Helvetica": ("Helvetica", "Helvetica-Bold"), "Times": ("Times-Roman", "Times-Bold"),
                  "Courier": ("Courier", "Courier-Bold")}[self.font]
        self.setFont(family[1 if bold else 0], points or self.points)
        self.setFillColor(colors.grey if grey else colors.black)
        draw = self.drawRightString if right else self.drawString
        draw(x * mm, self.height - y * mm, text)
        self.setFillColor(colors.black)

    def rule(self, x0, y0, x1, y1):
        self.line(x0 * mm, self.height - y0 * mm, x1 * mm, self.height - y1 * mm)

    def frame(self, x, y, width, height):
        self.rect(x * mm, self.height - (y + height) * mm, width * mm, height * mm)

    def done(self):
        self.showPage()
        self.save()


def heads(sheet, facts, y, title):
    sheet.put(20, y, facts.seller, bold=True, points=14)
    sheet.put(20, y + 6, f"{facts.rng.choice(STREETS)}, {facts.rng.choice(TOWNS)}", points=8)
    sheet.put(20, y + 18, facts.buyer)
    sheet.put(20, y + 23, facts.rng.choice(STREETS))
    sheet.put(20, y + 28, facts.rng.choice(TOWNS))
    if title:
        sheet.put(120, y, title, bold=True, points=16)


def item_table(sheet, facts, y, names, ruled=True, currency=False):
    for x, name, right in zip((20, 110, 145, 190), names, (False, True, True, True)):
        sheet.put(x, y, name, bold=True, right=right)
    if ruled:
        sheet.rule(20, y + 1.5, 190, y + 1.5)
    for name, count, price, amount in facts.items:
        y += 6
        sheet.put(20, y, name)
        sheet.put(110, y, str(count), right=True)
        sheet.put(145, y, facts.money(price, currency), right=True)
        sheet.put(190, y, facts.money(amount, currency), right=True)
    return y + 8


def rows_of(sheet, x, y, value_x, rows, step=5.5, bold=False, right=False, colon=":"):
    for label, value in rows:
        if value is None:
            continue
        sheet.put(x, y, label + colon, bold=bold)
        sheet.put(value_x, y, value, right=right)
        y += step
    return y


# --- Layouts to develop on

def colon_list(path, rng):
    facts, sheet = Facts(rng), Sheet(path)
    heads(sheet, facts, 25, "INVOICE")
    rows_of(sheet, 120, 43, 152, [("Invoice number", facts.number), ("Invoice date", facts.day(facts.date)),
            ("Due date", facts.due and facts.day(facts.due)), ("Customer no.", facts.customer)])
    y = item_table(sheet, facts, 85, ("Description", "Qty", "Unit price", "Amount"))
    y = rows_of(sheet, 135, y + 4, 190, [("Subtotal", facts.money(facts.net)), (f"VAT {facts.rate}%", facts.money(facts.tax)),
                ("Total", facts.money(facts.total))], right=True, colon="")
    if facts.weight is not None:
        sheet.put(20, y + 8, f"Gross weight: {facts.kilograms()} kg")
    sheet.put(20, 280, "Thank you for your business. Goods remain ours until paid.", points=8)
    sheet.done()
    return facts.truth()


def label_band(path, rng):
    facts, sheet = Facts(rng), Sheet(path, letter, "Times", 11)
    heads(sheet, facts, 25, "Order confirmation")
    band = [("Order no.", facts.number), ("Order date", facts.day(facts.date, "us")), ("Customer ID", facts.customer),
            ("Payment due", facts.due and facts.day(facts.due, "us"))]
    x = 20
    for label, value in band:
        if value is None:
            continue
        sheet.put(x, 70, label, bold=True, points=9)
        sheet.put(x, 75, value)
        x += 44
    y = item_table(sheet, facts, 90, ("Item", "Quantity", "Price", "Total"), currency=True)
    rows_of(sheet, 120, y, 190, [("Net amount", facts.money(facts.net)), ("Sales tax", facts.money(facts.tax)),
            ("Order total", facts.money(facts.total))], right=True, bold=True, colon="")
    if facts.weight is not None:
        sheet.put(20, y + 25, f"Total weight {facts.kilograms()} kg, delivered to your door.")
    sheet.done()
    return facts.truth()


def german_letter(path, rng):
    facts, sheet = Facts(rng, "de", prefix="RE"), Sheet(path)
    heads(sheet, facts, 25, None)
    rows_of(sheet, 125, 43, 160, [("Rechnungsnummer", facts.number), ("Rechnungsdatum", facts.day(facts.date)),
            ("Kundennummer", facts.customer)], colon=rng.choice([":", ""]))
    sheet.put(20, 85, f"Rechnung {facts.number}", bold=True, points=14)
    sheet.put(20, 93, "Sehr geehrte Damen und Herren,")
    sheet.put(20, 98, "für unsere Lieferungen und Leistungen berechnen wir Ihnen wie vereinbart:")
    y = item_table(sheet, facts, 110, ("Bezeichnung", "Menge", "Einzelpreis", "Betrag"))
    y = rows_of(sheet, 120, y + 3, 190, [("Nettobetrag", facts.money(facts.net)), ("Umsatzsteuer 19%", facts.money(facts.tax)),
                ("Gesamtbetrag", facts.money(facts.total))], right=True, colon="")
    if facts.due:
        sheet.put(20, y + 8, f"Zahlbar bis: {facts.day(facts.due, 'dots')} ohne Abzug")
    if facts.weight is not None:
        sheet.put(20, y + 14, f"Gesamtgewicht: {facts.kilograms()} kg")
    sheet.done()
    return facts.truth()


def data_sheet(path, rng):
    language = rng.choice(["en", "de"])
    facts, sheet = Facts(rng, language, prefix="DS"), Sheet(path)
    words = {"en": ("Data sheet", "Data sheet no.", "Date of issue", "Weight", "Length", "Supply voltage", "Protection class"),
             "de": ("Datenblatt", "Datenblatt-Nr.", "Ausgabedatum", "Gewicht", "Länge", "Versorgungsspannung", "Schutzart")}[language]
    facts.weight = facts.weight or 3.5
    sheet.put(20, 30, f"{words[0]} {rng.choice(ITEMS[language])}", bold=True, points=16)
    rows = [(words[1], facts.number), (words[2], facts.day(facts.date)), (words[4], "1200 mm"), (words[3], f"{facts.kilograms()} kg"),
            (words[5], "230 V"), (words[6], "IP 65")]
    y = 50
    for label, value in rows:
        sheet.frame(20, y - 5, 70, 7)
        sheet.frame(90, y - 5, 70, 7)
        sheet.put(22, y, label)
        sheet.put(92, y, value)
        y += 7
    sheet.put(20, y + 10, "Values at 20 °C. Subject to change." if language == "en" else "Angaben bei 20 °C. Änderungen vorbehalten.")
    sheet.done()
    return facts.truth(without=("Due date", "Customer number", "Net", "Tax", "Total"))


def two_columns(path, rng):
    facts, sheet = Facts(rng), Sheet(path, font="Courier", points=9)
    heads(sheet, facts, 20, None)
    left = [("Invoice #", facts.number), ("Date", facts.day(facts.date, "iso"))]
    right = [("Account no", facts.customer), ("Pay by", facts.due and facts.day(facts.due, "iso"))]
    rows_of(sheet, 20, 62, 55, left)
    rows_of(sheet, 110, 62, 150, right)
    y = item_table(sheet, facts, 80, ("Description", "Qty", "Price", "Total"))
    sheet.rule(110, y - 4, 190, y - 4)
    rows_of(sheet, 110, y, 190, [("Subtotal (EUR)", facts.money(facts.net, False)), ("VAT (EUR)", facts.money(facts.tax, False)),
            ("Amount due (EUR)", facts.money(facts.total, False))], right=True, colon="")
    if facts.weight is not None:
        sheet.put(20, y + 30, f"Weight (kg): {facts.kilograms()}")
    sheet.done()
    return facts.truth()


def near_misses(path, rng):
    """Much that looks like what is asked, and little of that."""
    language = rng.choice(["en", "de"])
    facts, sheet = Facts(rng, language, missing=0.6), Sheet(path, points=9)
    later = facts.date + datetime.timedelta(days=40)
    heads(sheet, facts, 25, None)
    said = {"en": [("Invoice no.", facts.number), ("Invoice date", facts.day(facts.date)), ("Delivery date", facts.day(later)),
                   ("Due date", facts.day(facts.due) if facts.due else "on receipt"), ("Our VAT no.", "GB 123456789"),
                   ("Customer service", "0800 123456")],
            "de": [("Rechnung Nr.", facts.number), ("Rechnungsdatum", facts.day(facts.date)), ("Lieferdatum", facts.day(later)),
                   ("Zahlbar bis", facts.day(facts.due) if facts.due else "sofort"), ("USt-IdNr.", "DE123456789"),
                   ("Kundendienst", "0800 123456")]}[language]
    rows_of(sheet, 115, 43, 150, said, colon=rng.choice([":", ""]))
    y = item_table(sheet, facts, 100, {"en": ("Description", "Pieces", "Price", "Total"), "de": ("Artikel", "Stück", "Preis", "Summe")}[language])
    exempt = rng.random() < 0.4
    if exempt:
        facts.total = facts.net
        sums = {"en": [("Total", facts.total)], "de": [("Gesamtbetrag", facts.total)]}[language]
        note = {"en": "No tax is charged by small businesses.", "de": "Kein Ausweis von Umsatzsteuer nach § 19 UStG."}[language]
    else:
        sums = {"en": [("Subtotal", facts.net), ("VAT", facts.tax), ("Amount due", facts.total)],
                "de": [("Zwischensumme", facts.net), ("Umsatzsteuer", facts.tax), ("Rechnungsbetrag", facts.total)]}[language]
        note = {"en": f"Discount of 2% ({facts.money(round(facts.total * 0.02, 2))}) if paid within a week.",
                "de": f"Bei Zahlung in 7 Tagen 2 % Skonto ({facts.money(round(facts.total * 0.02, 2))})."}[language]
    rows_of(sheet, 120, y, 190, [(label, facts.money(value)) for label, value in sums], right=True, colon="")
    sheet.put(20, y + 25, note)
    sheet.put(20, y + 31, {"en": "Payments: IBAN DE02 1203 0000 0000 2020 51. The pallet carries up to 900 kg.",
                           "de": "Zahlungen: IBAN DE02 1203 0000 0000 2020 51. Die Palette trägt bis 900 kg."}[language], points=8)
    sheet.put(190, 285, {"en": "Page 1 of 1", "de": "Seite 1 von 1"}[language], right=True, points=7)
    sheet.done()
    return facts.truth(without=("Customer number", "Weight") + (("Net", "Tax") if exempt else ()))


# --- Layouts that were first measured on, and then developed on

def boxes_of_labels(path, rng):
    facts, sheet = Facts(rng), Sheet(path, letter)
    sheet.put(20, 25, "INVOICE", bold=True, points=20)
    sheet.put(195, 25, facts.seller, right=True, bold=True)
    cells = [("INVOICE NO.", facts.number), ("DATE", facts.day(facts.date, "short")),
             ("DUE DATE", facts.due and facts.day(facts.due, "short")), ("CUSTOMER NO.", facts.customer)]
    for i, (label, value) in enumerate(cells):
        x, y = 20 + 60 * (i % 2), 35 + 13 * (i // 2)
        sheet.frame(x, y, 60, 13)
        sheet.put(x + 2, y + 4, label, points=6, grey=True)
        if value:
            sheet.put(x + 2, y + 10, value)
    sheet.put(20, 75, "Bill to", bold=True)
    sheet.put(20, 80, facts.buyer)
    sheet.put(20, 85, rng.choice(TOWNS))
    y = item_table(sheet, facts, 105, ("DESCRIPTION", "QTY", "RATE", "AMOUNT"))
    rows_of(sheet, 105, y, 190, [("SUBTOTAL", facts.money(facts.net, False)), (f"VAT ({facts.rate}%)", facts.money(facts.tax, False)),
            ("TOTAL AMOUNT DUE", facts.money(facts.total, sign="GBP "))], right=True, colon="")
    if facts.weight is not None:
        sheet.put(20, y, "Weight", bold=True)
        sheet.put(20, y + 5, f"{facts.kilograms()} kg")
    sheet.done()
    return facts.truth()


def right_aligned(path, rng):
    facts, sheet = Facts(rng, "de", prefix="R"), Sheet(path, font="Times", points=11)
    sheet.put(190, 20, facts.seller, bold=True, right=True, points=15)
    y = 50
    for label, value in [("Rechnungs-Nr.", facts.number), ("Datum", facts.day(facts.date, "dots")), ("Kunden-Nr.", facts.customer),
                         ("Fällig am", facts.due and facts.day(facts.due, "dots"))]:
        if value:
            sheet.put(155, y, label, right=True)
            sheet.put(190, y, value, right=True)
            y += 6
    sheet.put(20, 50, facts.buyer)
    sheet.put(20, 56, rng.choice(STREETS))
    sheet.put(20, 62, rng.choice(TOWNS))
    y = item_table(sheet, facts, 100, ("Artikel", "Anzahl", "Preis", "Summe"), ruled=False)
    for label, value in [("Zwischensumme", facts.net), ("zzgl. 19% MwSt.", facts.tax), ("Rechnungsbetrag", facts.total)]:
        sheet.put(110, y, label)
        sheet.put(157, y, "EUR")
        sheet.put(190, y, facts.money(value, False), right=True)
        y += 6
    if facts.weight is not None:
        sheet.put(20, y + 10, f"Bruttogewicht der Sendung: {facts.kilograms()} kg")
    sheet.done()
    return facts.truth()


def two_pages(path, rng):
    facts, sheet = Facts(rng), Sheet(path)
    facts.items *= 6
    facts.net = round(sum(item[3] for item in facts.items), 2)
    facts.tax = round(facts.net * facts.rate / 100, 2)
    facts.total = round(facts.net + facts.tax, 2)
    heads(sheet, facts, 25, "Invoice")
    head = f"Invoice number: {facts.number}   Date: {facts.day(facts.date, 'long')}"
    sheet.put(20, 66, head)
    carried = round(sum(item[3] for item in facts.items[:-2]), 2)
    last, facts.items = facts.items[-2:], facts.items[:-2]
    y = item_table(sheet, facts, 80, ("Description", "Qty", "Unit price", "Total"))
    sheet.put(120, y, "Carried forward")
    sheet.put(190, y, facts.money(carried, False), right=True)
    sheet.showPage()
    sheet.put(20, 20, f"{facts.seller}   {head}", points=8)
    facts.items = last
    y = item_table(sheet, facts, 35, ("Description", "Qty", "Unit price", "Total"))
    rows_of(sheet, 120, y, 190, [("Subtotal", facts.money(facts.net, False)), ("VAT", facts.money(facts.tax, False)),
            ("Grand total", facts.money(facts.total))], right=True)
    if facts.due:
        sheet.put(20, y + 30, f"Please pay the amount by {facts.day(facts.due, 'long')} at the latest.")
    if facts.customer:
        sheet.put(20, y + 36, f"Your customer number is {facts.customer}.")
    sheet.done()
    return facts.truth(without=("Weight",))


def grid_head(path, rng):
    facts, sheet = Facts(rng, "de", prefix="A"), Sheet(path, points=9)
    sheet.put(20, 25, f"Auftragsbestätigung {facts.seller}", bold=True, points=15)
    cells = [("Auftragsnummer", facts.number), ("Auftragsdatum", facts.day(facts.date)), ("Kd.-Nr.", facts.customer or ""),
             ("Versandart", "Spedition"), ("Ihr Zeichen", rng.choice(["AB", "mt", "Lager 2"])), ("Gewicht", f"{facts.kilograms()} kg" if facts.weight else "")]
    for i, (label, value) in enumerate(cells):
        x, y = 20 + 85 * (i % 2), 40 + 7 * (i // 2)
        sheet.frame(x, y - 5, 35, 7)
        sheet.frame(x + 35, y - 5, 50, 7)
        sheet.put(x + 1.5, y, label, bold=True)
        sheet.put(x + 36.5, y, value)
    y = item_table(sheet, facts, 75, ("Pos. Bezeichnung", "Menge", "Preis", "Gesamt"), currency=True)
    rows_of(sheet, 110, y, 190, [("Summe netto", facts.money(facts.net, sign="€")), ("USt. 19 %", facts.money(facts.tax, sign="€")),
            ("Summe brutto", facts.money(facts.total, sign="€"))], right=True, bold=True)
    sheet.put(20, 270, f"Es gelten unsere Bedingungen vom 01.02.2020. Handelsregister Bremen HRB {rng.randint(1000, 9999)}.", points=7)
    sheet.done()
    return facts.truth(without=("Due date",))


def spec_sheet(path, rng):
    facts, sheet = Facts(rng, "en", prefix="TS"), Sheet(path, letter, "Times", 10)
    facts.weight = facts.weight or 12.25
    sheet.put(20, 25, rng.choice(ITEMS["en"]), bold=True, points=18)
    sheet.put(20, 33, f"Technical data · Document no. {facts.number} · Issued {facts.day(facts.date, 'long')}", points=8)
    y = 50
    for head, rows in (("Mechanical", [("Length", "840 mm"), ("Weight", f"{facts.kilograms()} kg"), ("Max. load", "75 kg")]),
                       ("Electrical", [("Voltage", "24 V DC"), ("Current", "1.2 A")])):
        sheet.put(20, y, head, bold=True, points=12)
        for label, value in rows:
            y += 6
            sheet.put(22, y, label + " " + "." * (60 - 2 * len(label)))
            sheet.put(120, y, value)
        y += 10
    sheet.put(20, y, "The unit price is 310.00 EUR from 10 pieces; ask for the total price of larger orders.")
    sheet.done()
    return facts.truth(without=("Due date", "Customer number", "Net", "Tax", "Total"))


# --- Layouts to measure on

def ruled_bands(path, rng):
    facts, sheet = Facts(rng, "de", prefix="RE"), Sheet(path, points=9)
    heads(sheet, facts, 20, "RECHNUNG")
    for i, (label, value) in enumerate([("Rechnungs-Nr.", facts.number), ("Rechnungsdatum", facts.day(facts.date, "dots")),
                                        ("Kunden-Nr.", facts.customer or ""), ("Fällig am", facts.day(facts.due, "dots") if facts.due else "")]):
        sheet.frame(20 + 42 * i, 62, 42, 6)
        sheet.frame(20 + 42 * i, 68, 42, 7)
        sheet.put(22 + 42 * i, 66, label, points=7)
        sheet.put(22 + 42 * i, 73, value)
    y = item_table(sheet, facts, 90, ("Leistung", "Menge", "Preis", "Betrag"))
    for x, label, value in ((20, "Nettobetrag", facts.net), (77, "Umsatzsteuer", facts.tax), (134, "Rechnungsbetrag", facts.total)):
        sheet.frame(x, y, 57, 6)
        sheet.frame(x, y + 6, 57, 7)
        sheet.put(x + 2, y + 4, label, points=7)
        sheet.put(x + 55, y + 11, facts.money(value, sign="€"), right=True)
    sheet.put(20, y + 30, "Bitte geben Sie bei Zahlung die Rechnungsnummer an.")
    if facts.weight is not None:
        sheet.put(20, y + 36, f"Versand frei Haus | Gewicht: {facts.kilograms()} kg | Lieferschein {rng.randint(100, 999)}")
    sheet.done()
    return facts.truth()


def till_receipt(path, rng):
    facts, sheet = Facts(rng, missing=0.5), Sheet(path, (80 * mm, 200 * mm), "Courier", 8)
    sheet.put(8, 12, facts.seller.upper())
    sheet.put(8, 18, f"Invoice no: {facts.number}")
    sheet.put(8, 22, f"Date: {facts.day(facts.date, 'iso')} 14:3{rng.randint(0, 9)}")
    y = 32
    for name, count, _, amount in facts.items:
        sheet.put(8, y, f"{count} x {name[:18]}")
        sheet.put(72, y, facts.money(amount, False), right=True)
        y += 4
    sheet.rule(8, y - 1, 72, y - 1)
    y = rows_of(sheet, 8, y + 4, 72, [("Subtotal", facts.money(facts.net, False)), (f"VAT {facts.rate}%", facts.money(facts.tax, False)),
                ("TOTAL", facts.money(facts.total, sign="GBP "))], step=4, right=True, colon="")
    sheet.put(8, y + 4, f"Cash {facts.money(round(facts.total + 10, 2), False)}  Change 10.00")
    sheet.put(8, y + 10, "Goods may be returned within 14 days.")
    sheet.done()
    return facts.truth(without=("Due date", "Customer number", "Weight"))


def stacked_sidebar(path, rng):
    facts, sheet = Facts(rng), Sheet(path, letter, points=10)
    heads(sheet, facts, 25, None)
    y = 25
    for label, value in [("Order number", facts.number), ("Order date", facts.day(facts.date, "us")), ("Customer number", facts.customer),
                         ("Payment due", facts.due and facts.day(facts.due, "us")), ("Sales contact", "M. Hale")]:
        if value:
            sheet.put(150, y, label, bold=True, points=8)
            sheet.put(150, y + 4.5, value)
            y += 12
    y = item_table(sheet, facts, 100, ("Product", "Qty", "Each", "Line total"), currency=True)
    for label, value in (("Net total:", facts.net), ("Sales tax:", facts.tax), ("Grand total:", facts.total)):
        sheet.put(150, y, label, right=True)
        sheet.put(190, y, facts.money(value), right=True)
        y += 6
    if facts.weight is not None:
        sheet.put(150, y, "Total weight:", right=True)
        sheet.put(190, y, f"{facts.kilograms()} kg", right=True)
    sheet.done()
    return facts.truth()


def prose_letter(path, rng):
    facts, sheet = Facts(rng), Sheet(path, A4, "Times", 11)
    sheet.put(20, 25, facts.seller, bold=True, points=14)
    sheet.put(20, 45, facts.day(facts.date, "long"))
    sheet.put(20, 60, f"Dear {facts.buyer},")
    sheet.put(20, 68, f"thank you for your order. Our invoice number {facts.number} is for the following goods.")
    y = item_table(sheet, facts, 80, ("Goods", "Number", "Price", "Sum"), ruled=False)
    sheet.put(20, y, f"The net amount is {facts.money(facts.net)}. With {facts.rate}% VAT of {facts.money(facts.tax)},")
    sheet.put(20, y + 6, f"the total is {facts.money(facts.total)}.")
    if facts.due:
        sheet.put(20, y + 12, f"Please pay it by {facts.day(facts.due, 'long')}.")
    sheet.put(20, y + 24, "Yours sincerely,")
    sheet.done()
    return facts.truth(without=("Customer number", "Weight"))


def four_column_sheet(path, rng):
    language = rng.choice(["en", "de"])
    facts, sheet = Facts(rng, language, prefix="DS"), Sheet(path, points=9)
    facts.weight = facts.weight or 7.75
    words = {"en": ("Data sheet no.", "Issued", "Weight", "Height", "Width", "Power"),
             "de": ("Datenblatt-Nr.", "Ausgabedatum", "Gewicht", "Höhe", "Breite", "Leistung")}[language]
    sheet.put(20, 25, rng.choice(ITEMS[language]), bold=True, points=16)
    cells = [(words[0], facts.number), (words[3], "310 mm"), (words[1], facts.day(facts.date)), (words[4], "95 mm"),
             (words[2], f"{facts.kilograms()} kg"), (words[5], "2,2 kW" if language == "de" else "2.2 kW")]
    for i, (label, value) in enumerate(cells):
        x, y = 20 + 90 * (i % 2), 45 + 7 * (i // 2)
        sheet.put(x, y, label, bold=True)
        sheet.put(x + 40, y, value)
    sheet.put(20, 75, "Packed weights may differ by 10 kg." if language == "en" else "Mit Verpackung bis 10 kg mehr.")
    sheet.done()
    return facts.truth(without=("Due date", "Customer number", "Net", "Tax", "Total"))


LAYOUTS = {"dev": [colon_list, label_band, german_letter, data_sheet, two_columns, near_misses, boxes_of_labels, right_aligned,
                   two_pages, grid_head, spec_sheet],
           "test": [ruled_bands, till_receipt, stacked_sidebar, prose_letter, four_column_sheet]}
