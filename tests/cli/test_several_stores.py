"""Several --store are searched, and answered from, as the store of all."""

import shutil
import unittest

import program
from program import ProgramTest


class SeveralStores(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = {name: self.copy_documents(self.folder / f"docs{i}", [name])
                     for i, name in enumerate(program.NATIVE_TEXT)}  # fmt: skip
        self.stores = [self.index(f"part{i}", docs) for i, docs in enumerate(self.docs.values())]
        self.whole = self.index("whole", *self.docs.values())
        self.questions = self.write_questions("questions.jsonl", program.native_questions())

    def index(self, name, *docs):
        store = self.folder / name
        self.must("index", *docs, "--store", store, "--ocr", "never", *program.SCORERS)
        return store

    def named(self, stores):
        return [word for store in stores for word in ("--store", store)]

    def search(self, *stores):
        return self.must("search", "--questions", self.questions, "--json", *self.named(stores), *program.SCORERS)

    def test_rankings_and_answers_are_those_of_the_store_of_all(self):
        first = self.search(*self.stores)
        self.assertIn("joining 3 stores", first.err)
        self.assertEqual(first.records(), self.search(self.whole).records())
        # Kept, whatever their order.
        again = self.search(*reversed(self.stores))
        self.assertNotIn("joining", again.err)
        self.assertEqual(again.records(), first.records())
        answers = []
        for stores in (self.stores, [self.whole]):
            answer = self.must("ask", "Who audited the accounts of the ferry company?", "--json", *self.named(stores),
                               *program.SCORERS).records()[0]  # fmt: skip
            answer["usage"].pop("ms")
            answers.append(answer)
        self.assertEqual(*answers)

    def test_what_changed_is_joined_anew(self):
        search = ["search", "table", "--json", "-k", "100", *self.named(self.stores), *program.SCORERS]
        self.assertNotIn("more.pdf", self.must(*search).out)
        shutil.copy(program.DOCS / "rotated-table.pdf", self.folder / "docs0" / "more.pdf")
        self.index("part0", self.folder / "docs0")
        changed = self.must(*search)
        self.assertIn("joining 3 stores", changed.err)
        self.assertIn("more.pdf", changed.out)

    def test_stores_that_cannot_be_joined_are_refused(self):
        shutil.copy(program.DOCS / "rotated-table.pdf", self.folder / "docs0" / program.NATIVE_TEXT[0])
        other = self.index("other", self.folder / "docs0")
        result = self.call("search", "the", *self.named([self.stores[0], other]), *program.SCORERS)
        self.assertNotEqual(result.code, 0)
        self.assertIn(program.NATIVE_TEXT[0], result.err)
        paths = self.call("ask", "Who?", self.folder / "docs0", *self.named(self.stores[:2]), *program.SCORERS)
        self.assert_one_error(paths, 2, "--store")


if __name__ == "__main__":
    unittest.main()
