"""The command line as people mistype it, and the small things that they expect of it."""

import json
import re
import unittest

import program
from program import QUICK, ProgramTest

QUESTIONS = ["How many fixed transects were surveyed?", "Which gauge stands at Old Staithe?"]


class Words(ProgramTest):
    def test_a_misspelt_command_is_named_with_what_was_meant(self):
        for typed, meant in [("serach", "search"), ("indx", "index"), ("pipeline", "pipelines")]:
            self.assert_one_error(self.call(typed, "x"), 2, f'"{typed}"', f'"{meant}"')
        self.assert_one_error(self.call("help", "serach"), 2, '"serach"', '"search"')
        self.assert_one_error(self.call("nonsense"), 2, '"nonsense"', "index, watch, search")
        self.assert_one_error(self.call("Who audits it?"), 2, "fineprint ask")

    def test_a_misspelt_option_is_named_with_what_was_meant(self):
        for typed, meant in [("--jsno", "--json"), ("--piepline", "--pipeline")]:
            result = self.call("ask", "x", typed)
            self.assert_one_error(result, 2, typed, meant, "`fineprint ask --help`")
        result = self.call("ask", "x", "--zyzzyva=3")
        self.assert_one_error(result, 2, "--zyzzyva", "`fineprint ask --help`")
        self.assertNotIn("did you mean", result.err)

    def test_an_option_of_another_command_names_it(self):
        result = self.call("ask", "x", "--gold", "g")
        self.assert_one_error(result, 2, "--gold", "eval", "`fineprint ask --help`")

    def test_an_option_before_the_command_says_where_it_belongs(self):
        self.assert_one_error(self.call("--json", "ask", "x"), 2, "--json", "fineprint ask --json")

    def test_a_value_that_is_missing_points_to_the_commands_help(self):
        self.assert_one_error(self.call("ask", "x", "--store"), 2, "--store", "fineprint ask --help")

    def test_help_as_a_word(self):
        self.assertEqual(self.must("help", "ask").out, self.must("ask", "--help").out)
        self.assertEqual(self.must("help").out, self.must("--help").out)

    def test_version_in_a_letter(self):
        self.assertEqual(self.must("-V").out, self.must("--version").out)

    def test_common_options_come_first_and_each_method_has_its_heading(self):
        for command in ("ask", "batch", "search", "index", "generate"):
            sections = re.split(r"^(\S[^\n]*):$", self.must(command, "--help").out, flags=re.M)
            headings = [name for name in sections[1::2] if name not in ("Positionals", "Example")]
            flags = {name: re.findall(r"^  -", text, flags=re.M)
                     for name, text in zip(sections[1::2], sections[2::2])}  # fmt: skip
            self.assertEqual(headings[0], "Common options")
            self.assertTrue(10 <= len(flags["Common options"]) <= 15, flags["Common options"])
            if command in ("ask", "batch"):
                self.assertIn("Pipeline hkrag", headings)
        text = self.must("ask", "--help").out
        common, rest = text.split("Common options:")[1].split("Pipeline hkrag:")
        self.assertNotIn("--hkrag.", common)
        self.assertIn("--hkrag.iterations", rest)
        # A command with few options has one list.
        self.assertNotIn("Messages:", self.must("merge", "--help").out)

    def test_an_empty_folder_has_no_documents(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assert_one_error(self.call("ask", "Who?", empty, *QUICK), 3, empty, "no document could be read")
        (empty / "notes.xyz").write_text("nothing that is read")
        self.assertEqual(self.call("ask", "Who?", empty, *QUICK).code, 3)
        (empty / "broken.pdf").write_text("no PDF")
        result = self.call("ask", "Who?", empty, *QUICK)
        self.assertEqual(result.code, 3)
        self.assertIn("broken.pdf", result.err)
        self.assertIn("no document could be read", result.err.splitlines()[-1])


class ManyQuestions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "answers.jsonl"

    def batch(self, *arguments, **options):
        store = ["--store", self.native_store(), *QUICK]
        return self.must("batch", *arguments, *store, **options)

    def test_counts_as_json(self):
        file = self.write_questions("q.jsonl", program.native_questions()[:3])
        (counts,) = self.batch(file, "--out", self.out, "--json").records()
        self.assertEqual((counts["questions"], counts["answered"], counts["failed"]), (3, 3, 0))
        (counts,) = self.batch(file, "--out", self.out, "--json").records()
        self.assertEqual((counts["answered"], counts["skipped"]), (0, 3))
        joined = self.folder / "joined.jsonl"
        (counts,) = self.must("merge", joined, self.out, "--json").records()
        self.assertEqual(counts, {"answers": 3, "file": str(joined)})

    def test_questions_as_plain_lines(self):
        file = self.write("q.txt", "\ufeff" + QUESTIONS[0] + "\r\n\n  " + QUESTIONS[1] + "\n")
        self.batch(file, "--out", self.out)
        answers = {answer["question"]: answer for answer in program.read_records(self.out)}
        self.assertEqual(set(answers), set(QUESTIONS))
        (asked,) = self.must(
            *["ask", QUESTIONS[0], "--store", self.native_store(), *QUICK, "--json"]
        ).records()
        self.assertEqual(answers[QUESTIONS[0]]["id"], asked["id"])
        # The same words have the same id: a second run has nothing to do.
        (counts,) = self.batch(file, "--out", self.out, "--json").records()
        self.assertEqual(counts["skipped"], 2)
        hits = self.must(
            *["search", "--questions", file, "--store", self.native_store(), *QUICK, "--json"]
        ).records()
        self.assertEqual({hit["id"] for hit in hits}, {a["id"] for a in answers.values()})

    def test_records_without_ids(self):
        records = [{"question": QUESTIONS[0]}, {"question": QUESTIONS[0], "doc": "rotated-table.pdf"}]
        self.batch(self.write_questions("q.jsonl", records), "--out", self.out)
        self.assertEqual(len({answer["id"] for answer in program.read_records(self.out)}), 2)

    def test_a_question_twice_is_an_error(self):
        file = self.write("q.txt", f"{QUESTIONS[0]}\n{QUESTIONS[0]}\n")
        result = self.batch(file, "--out", self.out, code=3)
        self.assert_one_error(result, 3, "q.txt:2", "line 1")

    def test_what_is_no_text_is_no_question(self):
        file = self.folder / "q.txt"
        for number, data in enumerate([b"Who?\n\xff\xfe\n", b"%PDF-1.7\n\x00\x01\n", b"Who?\n\x07\n"]):
            file.write_bytes(data)
            with self.subTest(number):
                self.assert_one_error(self.batch(file, "--out", self.out, code=3), 3, "q.txt:2")
        broken = self.write("q.jsonl", json.dumps({"question": "Who?"}) + "\nWho?\n")
        self.assert_one_error(self.batch(broken, "--out", self.out, code=3), 3, "q.jsonl:2")

    def test_answers_on_standard_output(self):
        result = self.batch("-", "--out", "-", "--workers", "2", text="\n".join(QUESTIONS))
        self.assertEqual({answer["question"] for answer in result.records()}, set(QUESTIONS))
        self.assertEqual(list(self.folder.iterdir()), [])
        self.assertFalse((self.class_folder / "-").exists())
        self.batch("-", "--out", "-", "--retry-failed", text="Who?", code=2)

    def test_what_could_not_be_measured_is_a_dash(self):
        file = self.write_questions("q.jsonl", [{"question": question} for question in QUESTIONS])
        self.batch(file, "--out", self.out)
        arguments = ["eval", self.out, "--gold", file]
        rows = dict(line.split()[:2] for line in self.must(*arguments).out.splitlines() if line)
        self.assertEqual(rows["questions"], "2")
        for name in ("nDCG@5", "MRR", "first_citation", "declined_unanswerable", "exact"):
            self.assertEqual(rows[name], "-", name)
        self.assertNotEqual(rows["declined_answerable"], "-")
        (record,) = self.must(*arguments, "--json").records()
        self.assertIsNone(record["exact"])
        self.assertIsNone(record["confidence_auc"])


if __name__ == "__main__":
    unittest.main()
