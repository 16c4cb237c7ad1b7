"""`fineprint batch`: resuming, failures, workers, manifests, settings that must not change."""

import json
import unittest

import program
from program import QUICK, ProgramTest


class Batch(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "answers.jsonl"
        self.questions = program.native_questions()

    def batch(self, questions=None, *more, code=0, out=None):
        file = self.write_questions("questions.jsonl", questions or self.questions)
        arguments = ["--store", self.native_store(), "--out", out or self.out, *QUICK, *more]
        return self.must("batch", file, *arguments, code=code)

    def manifest(self):
        return json.loads((self.folder / "answers.jsonl.manifest.json").read_text())

    def test_one_line_a_question(self):
        self.batch()
        answers = program.read_records(self.out)
        asked = {question["id"]: question for question in self.questions}
        self.assertEqual({answer["id"] for answer in answers}, set(asked))
        self.assertEqual(len(answers), len(asked))
        for answer in answers:
            self.assertEqual(answer["question"], asked[answer["id"]]["question"])
            self.assertNotIn("error", answer)
            docs = {page["doc"] for page in answer["retrieved"]}
            self.assertLessEqual(docs, {asked[answer["id"]]["doc"]})

    def test_the_number_of_workers_does_not_matter(self):
        other = self.folder / "other.jsonl"
        self.batch(None, "--workers", "1")
        self.batch(None, "--workers", "4", out=other)
        one, four = (program.without_times(program.read_records(f)) for f in (self.out, other))
        self.assertEqual(one, four)

    def test_questions_of_one_document_are_answered_together(self):
        docs = ["reef-survey-paper.pdf", "rotated-table.pdf", "reef-survey-paper.pdf", None]
        docs += ["rotated-table.pdf", None]
        questions = []
        for i, doc in enumerate(docs):
            questions.append({"id": f"q{i}", "question": f"What is number {i}?"})
            if doc is not None:
                questions[-1]["doc"] = doc
        self.batch(questions, "--workers", "1")
        answers = program.read_records(self.out)
        self.assertEqual([a["id"] for a in answers], ["q0", "q2", "q1", "q4", "q3", "q5"])

    def test_goes_on_where_it_stopped(self):
        self.batch(self.questions[:5])
        before = self.out.read_bytes()
        self.batch()
        self.assertTrue(self.out.read_bytes().startswith(before))
        self.assertEqual(len(program.read_records(self.out)), len(self.questions))
        whole = self.out.read_bytes()
        self.batch()
        self.assertEqual(self.out.read_bytes(), whole)
        self.assertEqual(self.manifest()["counts"]["skipped"], len(self.questions))

    def test_a_torn_line_is_asked_again(self):
        self.batch(None, "--workers", "1")
        whole = self.out.read_bytes()
        self.out.write_bytes(whole[:-40])
        self.batch()
        answers = program.read_records(self.out)
        self.assertEqual([a["id"] for a in answers], [q["id"] for q in self.questions])

    def test_a_failure_is_a_line_and_the_exit_code_is_1(self):
        lost = dict(self.questions[1], doc="nowhere.pdf")
        result = self.batch([self.questions[0], lost, self.questions[2]], code=1)
        self.assertIn("nowhere.pdf", result.err)
        failed = program.without_times(program.read_records(self.out))[lost["id"]]
        self.assertEqual(failed["error"]["code"], "input")
        self.assertIn("nowhere.pdf", failed["error"]["message"])
        self.assertEqual(self.manifest()["counts"]["failed"], 1)
        # A recorded failure is done, until it is wanted again.
        self.assertIn("answered before", self.batch(self.questions[:3]).err)
        self.batch(self.questions[:3], "--retry-failed")
        answers = program.read_records(self.out)
        self.assertEqual([a["id"] for a in answers].count(lost["id"]), 2)
        self.assertNotIn("error", answers[-1])

    def test_other_settings_are_refused_unless_forced(self):
        self.batch(self.questions[:3])
        file = self.write_questions("questions.jsonl", self.questions)
        arguments = ["batch", file, "--store", self.native_store(), "--out", self.out, *QUICK]
        self.assert_one_error(self.call(*arguments, "-k", "3"), 2, self.out, "k", "--force")
        self.assertEqual(len(program.read_records(self.out)), 3)
        self.must(*arguments, "-k", "3", "--force")
        self.assertEqual(len(program.read_records(self.out)), len(self.questions))

    def test_limits_and_the_generator_are_settings_of_answers(self):
        self.batch(self.questions[:1])
        for flag, value in [
            ("--generator", "script:replies.jsonl"),
            ("--max-calls", "3"),
            ("--max-image-tokens", "1000"),
            ("--max-pages", "2"),
            ("--max-seconds", "9"),
        ]:
            file = self.write_questions("questions.jsonl", self.questions[:1])
            arguments = ["batch", file, "--store", self.native_store(), "--out", self.out, *QUICK]
            with self.subTest(flag=flag):
                self.assert_one_error(self.call(*arguments, flag, value), 2, flag[2:], "--force")
                if flag != "--generator":
                    self.assert_one_error(self.call(*arguments, flag, "-1"), 2, flag[2:])

    def test_pages_that_were_sent_stay_in_the_manifest(self):
        self.batch(self.questions[:2])
        path = self.folder / f"{self.out.name}.manifest.json"
        sent = [{"page": "a.pdf:3", "host": "api.example.com:443", "count": 2}]
        path.write_text(json.dumps(dict(self.manifest(), pages_sent=sent)), encoding="utf-8")
        self.batch()
        self.assertEqual(self.manifest()["pages_sent"], sent)

    def test_a_second_file_of_questions_is_refused(self):
        file = self.write_questions("questions.jsonl", self.questions)
        result = self.call("batch", file, "more.jsonl", "--store", self.native_store(), "--out", self.out)
        self.assert_one_error(result, 2, "more.jsonl")

    def test_the_manifest_tells_how_it_was_made(self):
        self.batch(None, "--seed", "7")
        manifest = self.manifest()
        self.assertRegex(manifest["program"], r"^fineprint \d")
        self.assertEqual(manifest["settings"]["pipeline"], "extractive")
        self.assertNotIn("password", manifest["settings"])
        self.assertEqual(manifest["seed"], 7)
        self.assertEqual(manifest["store"]["documents"], 3)
        self.assertEqual(manifest["store"]["pages"], 17)
        self.assertEqual(manifest["pages_sent"], [])
        self.assertEqual(manifest["counts"]["answered"], len(self.questions))
        self.assertLessEqual(manifest["started"], manifest["finished"])

    @program.needs_nets
    def test_the_manifest_names_the_model(self):
        file = self.write_questions("questions.jsonl", self.questions)
        store = self.native_store(scorers=())
        self.must("batch", file, "--store", store, "--out", self.out)
        model = self.manifest()["models"]["text"]
        self.assertGreater(len(model["name"]), 0)
        self.assertGreater(len(model["hash"]), 0)
        answers = program.read_records(self.out)
        self.assertEqual(len(answers), len(self.questions))
        self.assertFalse([answer for answer in answers if "error" in answer])

    def test_questions_from_a_pipe(self):
        text = "".join(json.dumps(question) + "\n" for question in self.questions[:2])
        arguments = ["--store", self.native_store(), "--out", self.out, *QUICK]
        self.must("batch", "-", *arguments, text=text)
        self.assertEqual(len(program.read_records(self.out)), 2)

    def test_two_batches_on_one_file_do_not_mix(self):
        file = self.write_questions("many.jsonl", program.many_questions(3000))
        arguments = ["batch", file, "--store", self.native_store(), "--out", self.out]
        first = self.start(*arguments, "--scorer", "bm25")
        while not self.out.exists() or self.out.stat().st_size == 0:
            self.assertIsNone(first.poll())
        self.assert_one_error(self.call(*arguments, "--scorer", "bm25"), 3, self.out)
        program.kill(first)


if __name__ == "__main__":
    unittest.main()
