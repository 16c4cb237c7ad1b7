"""Writes PDF files byte by byte, right or wrong as asked; and AES and RC4 for the encrypted ones."""

import hashlib
import zlib

FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
HEADER = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"
A4 = b"[0 0 595 842]"


def stream(data, entries=b"", length=None):
    """A stream object; `length` is what it says of itself when that is not the truth."""
    length = str(len(data)).encode() if length is None else length
    return b"<<" + entries + b"/Length " + length + b">>stream\n" + data + b"\nendstream"


def flate(data, entries=b""):
    return stream(zlib.compress(data, 9), b"/Filter/FlateDecode" + entries)


def text(words, size=12):
    """A content stream that shows `words`."""
    return b"BT /F1 %d Tf 72 700 Td (%s) Tj ET\n" % (size, words.encode())


def page(contents=b"4 0 R", box=A4, more=b"", resources=b""):
    return (
        b"<</Type/Page/Parent 2 0 R/MediaBox" + box + b"/Contents " + contents
        + b"/Resources<</Font<</F1 5 0 R>>" + resources + b">>" + more + b">>"
    )


def objects_of(words="odd plain words", **more):
    """The objects of a file with one page: catalogue, page tree, page, contents, font."""
    out = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Count 1/Kids[3 0 R]>>",
        3: page(),
        4: stream(text(words)),
        5: FONT,
    }
    for name, value in more.items():  # o6=b"..." sets object 6
        out[int(name[1:])] = value
    return out


def pdf(objects, trailer=b"", xref_shift=0, header=HEADER):
    """The file of `objects` (number: bytes) with its table of references and trailer."""
    body = bytearray(header)
    places = {}
    for number in sorted(objects):
        places[number] = len(body)
        body += b"%d 0 obj\n" % number + objects[number] + b"\nendobj\n"
    start = len(body)
    count = max(objects) + 1
    body += b"xref\n0 %d\n0000000000 65535 f \n" % count
    for number in range(1, count):
        if number in places:
            body += b"%010d 00000 n \n" % (places[number] + xref_shift)
        else:
            body += b"0000000000 65535 f \n"
    body += b"trailer\n<</Size %d/Root 1 0 R" % count + trailer + b">>\n"
    return bytes(body + b"startxref\n%d\n%%%%EOF\n" % (start + xref_shift))


def pages_pdf(words):
    """A good file with a page for each of `words`."""
    objects = {1: b"<</Type/Catalog/Pages 2 0 R>>", 5: FONT}
    kids = []
    for i, one in enumerate(words):
        kids.append(b"%d 0 R" % (10 + 2 * i))
        objects[10 + 2 * i] = page(b"%d 0 R" % (11 + 2 * i))
        objects[11 + 2 * i] = flate(text(one))
    objects[2] = b"<</Type/Pages/Count %d/Kids[%s]>>" % (len(kids), b" ".join(kids))
    return pdf(objects)


def rc4(key, data):
    state, j = list(range(256)), 0
    for i in range(256):
        j = (j + state[i] + key[i % len(key)]) & 255
        state[i], state[j] = state[j], state[i]
    out, i, j = bytearray(), 0, 0
    for byte in data:
        i = (i + 1) & 255
        j = (j + state[i]) & 255
        state[i], state[j] = state[j], state[i]
        out.append(byte ^ state[(state[i] + state[j]) & 255])
    return bytes(out)


def _doubled(value):
    return ((value << 1) ^ 0x11B) & 0xFF if value & 0x80 else value << 1


def _make_box():
    """The substitution of AES: inverses in its field, then the affine map."""
    powers, value = [], 1
    for _ in range(255):
        powers.append(value)
        value ^= _doubled(value)  # times 3, which generates the field
    box = [0x63] * 256
    for i, one in enumerate(powers):
        inverse = powers[(255 - i) % 255]
        turned = inverse
        for _ in range(4):
            inverse = ((inverse << 1) | (inverse >> 7)) & 0xFF
            turned ^= inverse
        box[one] = turned ^ 0x63
    return box


_BOX = _make_box()
_TABLE = [
    (_doubled(s) << 24) | (s << 16) | (s << 8) | (_doubled(s) ^ s) for s in _BOX
]
_TABLES = [[((t >> 8 * i) | (t << (32 - 8 * i))) & 0xFFFFFFFF for t in _TABLE] for i in range(4)]


def _round_keys(key):
    words = [int.from_bytes(key[i : i + 4], "big") for i in range(0, len(key), 4)]
    many, constant = len(words), 1
    for i in range(many, 4 * (many + 7)):
        last = words[-1]
        if i % many == 0:
            last = ((last << 8) | (last >> 24)) & 0xFFFFFFFF
        if i % many == 0 or (many > 6 and i % many == 4):
            last = int.from_bytes(bytes(_BOX[b] for b in last.to_bytes(4, "big")), "big")
        if i % many == 0:
            last ^= constant << 24
            constant = _doubled(constant)
        words.append(words[-many] ^ last)
    return words


def _encrypt_block(keys, block):
    t0, t1, t2, t3 = _TABLES
    a, b, c, d = (block >> 96) ^ keys[0], ((block >> 64) & 0xFFFFFFFF) ^ keys[1], (
        (block >> 32) & 0xFFFFFFFF
    ) ^ keys[2], (block & 0xFFFFFFFF) ^ keys[3]
    for at in range(4, len(keys) - 4, 4):
        a, b, c, d = (
            t0[a >> 24] ^ t1[(b >> 16) & 255] ^ t2[(c >> 8) & 255] ^ t3[d & 255] ^ keys[at],
            t0[b >> 24] ^ t1[(c >> 16) & 255] ^ t2[(d >> 8) & 255] ^ t3[a & 255] ^ keys[at + 1],
            t0[c >> 24] ^ t1[(d >> 16) & 255] ^ t2[(a >> 8) & 255] ^ t3[b & 255] ^ keys[at + 2],
            t0[d >> 24] ^ t1[(a >> 16) & 255] ^ t2[(b >> 8) & 255] ^ t3[c & 255] ^ keys[at + 3],
        )
    out = 0
    for i, (p, q, r, s) in enumerate([(a, b, c, d), (b, c, d, a), (c, d, a, b), (d, a, b, c)]):
        word = (_BOX[p >> 24] << 24) | (_BOX[(q >> 16) & 255] << 16)
        word |= (_BOX[(r >> 8) & 255] << 8) | _BOX[s & 255]
        out = (out << 32) | (word ^ keys[len(keys) - 4 + i])
    return out


def aes_cbc(key, data, start=bytes(16), pad=False):
    if pad:
        left = 16 - len(data) % 16
        data += bytes([left]) * left
    keys, last, out = _round_keys(key), int.from_bytes(start, "big"), bytearray()
    for at in range(0, len(data), 16):
        last = _encrypt_block(keys, last ^ int.from_bytes(data[at : at + 16], "big"))
        out += last.to_bytes(16, "big")
    return bytes(out)


_PAD = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")
_ID = bytes(range(16))
_ALLOWED = -4


def _hex(data):
    return b"<" + data.hex().encode() + b">"


def _old_entries(user, owner, revision, length):
    """The standard handler up to revision 4: what stands in /Encrypt, and the file's key."""
    padded = [(word.encode() + _PAD)[:32] for word in (user, owner or user)]
    key = hashlib.md5(padded[1]).digest()
    for _ in range(50 if revision >= 3 else 0):
        key = hashlib.md5(key).digest()
    mark = rc4(key[:length], padded[0])
    for i in range(1, 20 if revision >= 3 else 1):
        mark = rc4(bytes(b ^ i for b in key[:length]), mark)
    key = hashlib.md5(padded[0] + mark + _ALLOWED.to_bytes(4, "little", signed=True) + _ID).digest()
    for _ in range(50 if revision >= 3 else 0):
        key = hashlib.md5(key[:length]).digest()
    key = key[:length]
    if revision == 2:
        check = rc4(key, _PAD)
    else:
        check = rc4(key, hashlib.md5(_PAD + _ID).digest())
        for i in range(1, 20):
            check = rc4(bytes(b ^ i for b in key), check)
        check += bytes(16)
    return b"/O" + _hex(mark) + b"/U" + _hex(check), key


def _hash(word, salt, revision):
    """The digest of revisions 5 and 6 for a user's password."""
    key = hashlib.sha256(word + salt).digest()
    last, turn = 0, 0
    while revision == 6 and (turn < 64 or last > turn - 32):
        mixed = aes_cbc(key[:16], (word + key) * 64, key[16:32])
        kind = (hashlib.sha256, hashlib.sha384, hashlib.sha512)[sum(mixed[:16]) % 3]
        key, last, turn = kind(mixed).digest(), mixed[-1], turn + 1
    return key[:32]


def _new_entries(user, revision):
    """/Encrypt of revision 5 or 6, and the key; the owner's password is one that nobody has."""
    key, word = hashlib.sha256(b"file key").digest(), user.encode()
    check = _hash(word, b"checksal", revision) + b"checksal" + b"keysaltk"
    wrapped = aes_cbc(_hash(word, b"keysaltk", revision), key)
    nobody = hashlib.sha384(b"nobody").digest()
    return (
        b"/O" + _hex(nobody) + b"/OE" + _hex(nobody[:32]) + b"/U" + _hex(check)
        + b"/UE" + _hex(wrapped) + b"/Perms" + _hex(nobody[:16]),
        key,
    )


def encrypted(words, method, user, owner=""):
    """A file of one page; `method` is one of rc4-40, rc4-128, aes-128, aes-256-r5, aes-256-r6."""
    version, revision, length = {
        "rc4-40": (1, 2, 5), "rc4-128": (2, 3, 16), "aes-128": (4, 4, 16),
        "aes-256-r5": (5, 5, 32), "aes-256-r6": (5, 6, 32),
    }[method]
    if revision < 5:
        entries, key = _old_entries(user, owner, revision, length)
    else:
        entries, key = _new_entries(user, revision)
    crypt = {4: b"/AESV2", 5: b"/AESV3"}.get(version)
    if crypt:
        entries += (b"/CF<</StdCF<</CFM" + crypt + b"/AuthEvent/DocOpen/Length %d>>>>" % length
                    + b"/StmF/StdCF/StrF/StdCF")
    contents, start = text(words), b"sixteen of bytes"
    if version == 5:
        contents = start + aes_cbc(key, contents, start, pad=True)
    else:
        own = hashlib.md5(key + b"\4\0\0\0\0" + (b"sAlT" if crypt else b"")).digest()
        own = own[: min(length + 5, 16)]
        contents = start + aes_cbc(own, contents, start, pad=True) if crypt else rc4(own, contents)
    objects = objects_of(o4=stream(contents))
    objects[6] = b"<</Filter/Standard/V %d/R %d/Length %d/P %d%s>>" % (
        version, revision, 8 * length, _ALLOWED, entries,
    )
    return pdf(objects, b"/Encrypt 6 0 R/ID[" + _hex(_ID) * 2 + b"]")
