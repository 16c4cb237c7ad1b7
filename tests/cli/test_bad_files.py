"""A folder with documents that cannot be read: one clear error each, the rest searchable."""

import shutil
import unittest

import program
from program import DATA, QUICK, ProgramTest, without_times

# What Git cannot keep, a directory without files, is in the folder through a hidden one.
EXPECTED = {
    "encrypted.pdf": "encrypted",
    "truncated.pdf": "damaged",
    "empty.pdf": "empty",
    "x.pdf": "unreadable",
}


def text_bomb():
    """A PDF of 5 kB whose one page draws "kettle" and then 2.2 million characters."""

    def stream(keys, content):
        return f"<<{keys}/Length {len(content)}>>stream\n{content}\nendstream "

    def form(content, inner=""):
        keys = "/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Resources<<"
        return stream(keys + f"/Font<</F1 5 0 R>>/XObject<<{inner}>>>>", content)

    line = " ".join(f"word{i}" for i in range(50))
    draw = "".join(f"q 1 0 0 1 {i % 3} {i // 10} cm /X Do Q " for i in range(80))
    page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<<"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        page + "/Font<</F1 5 0 R>>/XObject<</X 6 0 R>>>>>>",
        stream("", "BT /F1 9 Tf 50 700 Td (kettle) Tj ET " + draw),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        form(draw, "/X 7 0 R"),
        form(f"BT /F1 1 Tf 10 10 Td ({line}) Tj ET"),
    ]
    body = "".join(f"{i} 0 obj{text}endobj\n" for i, text in enumerate(objects, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R>>\n"


class BadFiles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.odd = self.folder / "odd"
        shutil.copytree(DATA / "odd", self.odd)
        self.store = self.folder / "store"

    def index(self, *more, code=1):
        return self.must("index", self.odd, "--store", self.store, *QUICK, *more, code=code)

    def test_one_record_and_one_message_each(self):
        result = self.index("--json")
        *failures, report = result.records()
        self.assertEqual({f["file"].split("/")[-1]: f["code"] for f in failures}, EXPECTED)
        for failure in failures:
            self.assertEqual(
                set(failure), {"file", "path", "status", "known", "code", "message"}
            )
            self.assertEqual((failure["status"], failure["known"]), ("failed", False))
            self.assertEqual(failure["path"], str(self.odd / failure["file"]))
            self.assertIn(failure["file"].split("/")[-1], failure["message"])
            self.assertNotIn("\n", failure["message"])
        self.assertEqual(report["files"], 5)
        self.assertEqual(report["indexed"], 1)
        self.assertEqual(report["failed"], 4)
        errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 4, result.err)
        for name in EXPECTED:
            self.assertEqual(sum(name in line for line in errors), 1, result.err)

    def test_without_json_the_errors_are_on_stderr(self):
        result = self.index()
        self.assertEqual(result.out, "")
        for name in EXPECTED:
            self.assertEqual(sum(name in line for line in result.err.splitlines()), 1, result.err)

    def test_an_encrypted_document_names_its_remedy(self):
        messages = {f["file"]: f["message"] for f in self.index("--json").records()[:-1]}
        self.assertIn("--password", messages["encrypted.pdf"])

    def test_all_else_is_searchable(self):
        self.index()
        hits = self.must("search", "office kettle", "--store", self.store, "--json", *QUICK).records()
        self.assertEqual({hit["doc"] for hit in hits}, {"good.pdf"})
        self.must("index", "--verify", "--store", self.store)

    def test_failed_files_are_told_once_and_tried_again_when_asked(self):
        first = self.index("--json").records()
        second = self.index("--json", code=0)
        *failures, report = second.records()
        counts = [report[k] for k in ("indexed", "unchanged", "failed", "known")]
        self.assertEqual(counts, [0, 1, 4, 4])
        self.assertEqual([dict(f, known=False) for f in failures], first[:-1])
        self.assertTrue(all(failure["known"] for failure in failures))
        (note,) = [line for line in second.err.splitlines() if "earlier run" in line]
        self.assertIn("empty.pdf", note)
        self.assertIn("--retry-failed", note)
        self.assertNotIn("error: ", second.err)
        self.assertIn("encrypted.pdf: needs a password", self.index("-v", code=0).err)
        report = self.index("--json", "--retry-failed").records()[-1]
        self.assertEqual((report["failed"], report["known"]), (4, 1))  # no file is not opened

    def test_a_password_opens(self):
        wrong = self.index("--json", "--password", "nonsense").records()
        codes = {f["file"]: f["code"] for f in wrong[:-1]}
        self.assertEqual(codes["encrypted.pdf"], "wrong_password")
        both = ["--password", "nonsense", "--password", "secret"]
        right = self.index("--json", *both, code=0).records()  # the others are known
        self.assertEqual(len(right), 4)
        self.assertNotIn("encrypted.pdf", [f.get("file") for f in right])

    def test_a_file_of_passwords_opens(self):
        for lines, opens in [
            ("nonsense\nsecret\n", True),
            ("encrypted.*\tsecret\n", True),
            ("other.pdf\tsecret\n", False),
        ]:
            with self.subTest(lines=lines):
                listed = self.folder / "passwords.txt"
                listed.write_text(lines)
                records = self.index("--json", "--password-file", listed).records()
                failed = [r.get("file") for r in records]
                self.assertEqual("encrypted.pdf" not in failed, opens)
                shutil.rmtree(self.store)

    def test_a_bad_file_named_alone(self):
        result = self.must(
            *["index", self.odd / "empty.pdf", "--store", self.store, "--json", *QUICK], code=1
        )
        self.assertEqual([r.get("code") for r in result.records()], ["empty", None])

    def test_a_page_with_millions_of_characters_is_indexed_in_part(self):
        bomb = self.write("bomb.pdf", text_bomb())
        run = ("index", bomb, "--store", self.store, "--json", *QUICK)
        failure, report = self.must(*run, code=1).records()
        self.assertEqual((failure["status"], failure["code"]), ("partly", "too_large"))
        self.assertIn("1 of 1 pages of bomb.pdf are indexed in part", failure["message"])
        self.assertIn("1000000 characters", failure["message"])
        self.assertEqual([report[k] for k in ("indexed", "partly", "failed")], [1, 1, 0])
        result = self.must(*["index", bomb, "--store", self.folder / "another", *QUICK], code=1)
        self.assertIn("1 indexed (1 in part)", result.err)
        again, report = self.must(*run).records()  # and later as what is known
        self.assertEqual([report[k] for k in ("unchanged", "partly", "known")], [1, 1, 1])
        self.assertEqual(again, dict(failure, known=True))
        hits = self.must("search", "kettle", "--store", self.store, "--json", *QUICK).records()
        self.assertEqual([hit["doc"] for hit in hits], ["bomb.pdf"])

    def test_ask_over_a_folder_answers_and_says_that_some_failed(self):
        result = self.must("ask", "When is the kettle descaled?", self.odd, "--json", *QUICK, code=1)
        self.assertEqual(len(result.records()), 1)
        errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 4)
        again = self.must("ask", "When is the kettle descaled?", self.odd, "--json", *QUICK)
        self.assertEqual(without_times(again.records()), without_times(result.records()))
        self.assertNotIn("error: ", again.err)
        self.assertIn("4 files that an earlier run could not read", again.err)


if __name__ == "__main__":
    unittest.main()
