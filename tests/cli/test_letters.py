"""Texts, tables and web pages in other encodings, languages and scripts."""

import unittest

from program import DATA, QUICK, ProgramTest

SENTENCES = [
    ("cp1251.txt", "cp1251", "Смотрителя маяка зовут Иван Громов.", "Громов"),
    ("big5.html", "big5", '<meta charset="big5"><p>紅樹港的承包商是陳小華公司。</p>', "紅樹港"),
    ("wide.md", "utf-16-le", "The beacon of Thornby was painted by Agnes Poll.", "Thornby"),
    ("cp932.csv", "cp932", "港,高さ,管理人\n桜町,24,山田一郎\n梅島,31,佐藤花子\n", "佐藤"),
    ("dos.fb2", "cp1250",
     '<?xml version="1.0" encoding="windows-1250"?><FictionBook><body><section><p>'
     "Správcem je Řehoř Čížek.</p></section></body></FictionBook>", "Čížek"),
    ("ko.txt", "utf-8", "등대지기는 김민수이다. 하얀항에서는 시장이 열린다.", "시장"),
    ("de.txt", "utf-8", "Hafengebühren: Fährnetz 12", "Hafengebühren"),
    ("tr.txt", "utf-8", "İZMİR limanı", "izmir"),
]


class Letters(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.docs = cls.class_folder / "docs"
        cls.docs.mkdir()
        for name, encoding, text, _ in SENTENCES:
            (cls.docs / name).write_bytes(text.encode(encoding))
        (cls.docs / "table.csv").write_text(
            "Gebühren, gültig ab Mai\n\nHafen;Hering;Dorsch\nAldwick;11,5;13,2\nBexley;21,7;23,9\n"
        )
        noise = bytes(128 + (i * i * 7919 + i // 3) % 128 for i in range(900))
        (cls.docs / "noise.txt").write_bytes(noise)
        cls.store = cls.class_folder / "letters.store"
        cls.index = cls.call("index", cls.docs, "--store", cls.store, *QUICK)

    def test_each_text_is_found_by_its_words(self):
        for name, _, _, word in SENTENCES:
            hits = self.must("search", word, "--store", self.store, "--json", *QUICK).records()
            self.assertEqual([hit["doc"] for hit in hits[:1]], [name])

    def test_nothing_is_read_by_ocr_and_noise_is_refused(self):
        self.assertIn("(0 by OCR)", self.index.out + self.index.err)
        self.assertIn("noise.txt: the encoding of its text is not known", self.index.err)

    def test_a_named_encoding_is_taken_where_it_would_be_guessed(self):
        self.assertIn("name it by --encoding", self.index.err)
        docs, store = self.folder / "docs", self.folder / "store"
        docs.mkdir()
        # EBCDIC is not among the encodings that are tried, and UTF-8 is certain.
        (docs / "ebcdic.txt").write_bytes("THE PILOT OF THORNBY IS AGNES POLL.".encode("cp037"))
        (docs / "utf8.txt").write_text("Der Lotse heißt Jörg Weiß.")
        command = ["index", docs, "--store", store, *QUICK]

        def text(name):
            return self.must("show", name + "#1", "--store", store).out

        self.must(*command, "--encoding", "ibm-37")
        self.assertIn("PILOT OF THORNBY", text("ebcdic.txt"))
        self.assertIn("Jörg Weiß", text("utf8.txt"))
        # Without the option, it is read again.
        self.must(*command)
        self.assertNotIn("PILOT", text("ebcdic.txt"))

    def test_an_unknown_encoding_is_refused_with_the_usual_names(self):
        result = self.call("index", self.docs, "--store", self.folder / "s", *QUICK, "--encoding", "klingon")
        self.assertEqual(result.code, 2)
        for name in ("klingon", "UTF-8", "windows-1252"):
            self.assertIn(name, result.err)

    def test_an_encoding_without_texts_to_decode_is_said_to_have_no_effect(self):
        page = DATA / "layout_model" / "page.png"
        result = self.must("index", page, "--store", self.folder / "s", *QUICK, "--encoding", "cp437")
        self.assertIn("--encoding has no effect", result.err)

    def test_a_table_below_a_title_keeps_its_figures(self):
        folder = self.class_folder / "markdown"
        self.must("export", "--store", self.store, "--format", "markdown", "--out", folder)
        text = (folder / "table.csv.md").read_text()
        self.assertIn("| Hafen | Hering | Dorsch |", text)
        self.assertIn("| Aldwick | 11,5 | 13,2 |", text)


if __name__ == "__main__":
    unittest.main()
