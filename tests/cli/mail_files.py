"""Mail as files: as it is sent (EML), and as Outlook saves it (MSG), a compound file."""

import email.message
import struct

SECTOR = 512
END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD


def eml(subject, text, attachment=None):
    message = email.message.EmailMessage()
    message["From"] = "Ann Reeve <ann@example.org>"
    message["To"] = "harbour@example.org"
    message["Subject"] = subject
    message["Date"] = "Tue, 14 May 2024 09:30:00 +0200"
    message.set_content(text)
    if attachment:
        message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf",
                               filename=attachment)
    return bytes(message)


class Compound:
    """A compound file of folders and streams. Source: [MS-CFB]. Streams get whole sectors: short
    ones are filled up to the size from which they lie in sectors of their own."""

    def __init__(self, tree):
        self.entries = []  # name, kind, first child, sibling, first sector, size
        self.sectors = []
        self.fat = []
        self.add("Root Entry", 5)
        self.entries[0][2] = self.add_all(tree)

    def add(self, name, kind):
        self.entries.append([name, kind, FREE, FREE, 0, 0])
        return len(self.entries) - 1

    def add_all(self, tree):
        """Adds a folder's children as a list to the right; the first of them."""
        indexes = []
        for name, value in sorted(tree.items(), key=lambda item: (len(item[0]), item[0].upper())):
            index = self.add(name, 1 if isinstance(tree[name], dict) else 2)
            indexes.append(index)
            if isinstance(value, dict):
                self.entries[index][2] = self.add_all(value)
            else:
                self.entries[index][4:] = self.store(value)
        for index, following in zip(indexes, indexes[1:]):
            self.entries[index][3] = following
        return indexes[0] if indexes else FREE

    def store(self, data):
        first = len(self.sectors)
        count = max(8, -(-len(data) // SECTOR))
        data = data.ljust(count * SECTOR, b"\0")
        for i in range(count):
            self.sectors.append(data[i * SECTOR : (i + 1) * SECTOR])
            self.fat.append(first + i + 1 if i + 1 < count else END)
        return [first, len(data)]

    def bytes(self):
        directory = b"".join(
            name.encode("utf-16-le").ljust(64, b"\0")
            + struct.pack("<HBBIII", 2 * len(name) + 2, kind, 1, FREE, sibling, child)
            + bytes(36) + struct.pack("<IQ", first if kind == 2 else 0, size)
            for name, kind, child, sibling, first, size in self.entries
        )
        begin, _ = self.store(directory)
        table = len(self.sectors)
        count = 1
        while (table + count) * 4 > count * SECTOR:
            count += 1
        fat = self.fat + [FAT] * count
        fat += [FREE] * (count * SECTOR // 4 - len(fat))
        header = (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16)
                  + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
                  + struct.pack("<IIIIIIIII", 0, count, begin, 0, 4096, END, 0, END, 0))
        header += struct.pack("<109I", *([table + i for i in range(count)]
                                         + [FREE] * (109 - count)))
        return header + b"".join(self.sectors) + struct.pack(f"<{len(fat)}I", *fat)


def properties(more=None, **texts):
    """Streams of texts by the number of their property ("p0037"), and others by name."""
    streams = {f"__substg1.0_{name[1:]}001F": text.encode("utf-16-le")
               for name, text in texts.items()}
    return {**streams, **(more or {})}


def msg(subject, text, attachment="plan.xlsx", inner=None):
    # Sent on 14 May 2024 at 07:30 UTC, in units of 100 ns since 1601.
    ticks = (1715671800 + 11644473600) * 10_000_000
    sent = struct.pack("<IIQ", 0x00390040, 6, ticks)
    tree = properties(p0037=subject, p1000=text, p0C1A="Ann Reeve", p0E04="Harbour office")
    tree["__properties_version1.0"] = bytes(32) + sent
    tree["__attach_version1.0_#00000000"] = properties(p3707=attachment)
    if inner:
        tree["__attach_version1.0_#00000001"] = {
            "__substg1.0_3701000D": properties(p0037="An older one", p1000=inner)}
    return Compound(tree).bytes()


def msg_of_html(subject, html):
    return Compound(properties({"__substg1.0_10130102": html.encode()}, p0037=subject)).bytes()
