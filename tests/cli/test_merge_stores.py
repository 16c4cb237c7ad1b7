"""Parts of a folder, indexed apart and joined, are found and answered from as one store."""

import json
import unittest

import program
from program import QUICK, ProgramTest


class MergeStores(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs")

    def index(self, name, *more, code=0, **options):
        store = self.folder / name
        self.must("index", self.docs, "--store", store, "--ocr", "never", *program.with_scorers(more), code=code,
                  **options)  # fmt: skip
        return store

    def rankings(self, store, *more):
        questions = self.write_questions("questions.jsonl", program.native_questions())
        result = self.must("search", "--questions", questions, "--store", store, "--json",
                           *program.with_scorers(more))  # fmt: skip
        return result.records()

    def test_shards_joined_rank_as_the_whole(self):
        parts = [self.index(f"part{i}", "--shard", f"{i}/3") for i in (1, 2, 3)]
        whole = self.index("whole")
        out = self.folder / "joined"
        result = self.must("merge", out, *parts, "--json")
        self.assertEqual(result.records()[0]["documents"], len(program.NATIVE_TEXT))
        self.assertEqual(result.records()[0]["lacking"], 0)
        self.assertEqual(self.rankings(out), self.rankings(whole))
        self.assertEqual(self.rankings(out, *QUICK), self.rankings(whole, *QUICK))
        # And it goes on as the whole: nothing is read again, nothing is damaged.
        again = self.must("index", self.docs, "--store", out, "--ocr", "never", "--json", *program.SCORERS)
        self.assertIn('"unchanged":3', again.out.replace(" ", ""))
        self.must("index", "--verify", "--store", out)

    def test_tasks_of_an_indexed_job_take_all_documents_between_them(self):
        stores = [self.index(f"task{i}", "--shard", "kubernetes/2", *QUICK, env={"JOB_COMPLETION_INDEX": str(i)})
                  for i in (0, 1)]  # fmt: skip
        names = [{name for name in program.NATIVE_TEXT if self.has(store, name)} for store in stores]
        self.assertEqual(names[0] | names[1], set(program.NATIVE_TEXT))
        self.assertFalse(names[0] & names[1])

    def has(self, store, name):
        return self.call("show", f"{name}#1", "--store", store).code == 0

    def test_what_cannot_be_joined_is_refused(self):
        store = self.index("store", *QUICK)
        self.assert_one_error(self.call("merge", store, store), 2, "is both an input and OUT")
        answers = self.write("a.jsonl", json.dumps({"id": "1"}) + "\n")
        self.assert_one_error(self.call("merge", self.folder / "out", store, answers), 2, "no store")
        self.assert_one_error(self.call("merge", self.docs, store), 2, "no store")


if __name__ == "__main__":
    unittest.main()
