"""Several --store are searched, and answered from, as the store of all."""

import shutil
import unittest

import program
from program import ProgramTest


class SeveralStores(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.docs = [cls.copy_documents(cls.class_folder / f"docs{i}", [name])
                    for i, name in enumerate(program.NATIVE_TEXT)]  # fmt: skip
        cls.made = [cls.index(cls.class_folder / f"part{i}", docs) for i, docs in enumerate(cls.docs)]

    def setUp(self):
        super().setUp()
        self.stores = [shutil.copytree(store, self.folder / store.name) for store in self.made]
        self.questions = self.write_questions("questions.jsonl", program.native_questions())

    @classmethod
    def index(cls, store, *docs):
        cls.must("index", *docs, "--store", store, "--ocr", "never", *program.SCORERS)
        return store

    def named(self, stores):
        return [word for store in stores for word in ("--store", store)]

    def search(self, *stores):
        return self.must("search", "--questions", self.questions, "--json", *self.named(stores), *program.SCORERS)

    def test_rankings_and_answers_are_those_of_the_store_of_all(self):
        whole = self.index(self.folder / "whole", *self.docs)
        first = self.search(*self.stores)
        self.assertIn("joining 3 stores", first.err)
        self.assertEqual(first.records(), self.search(whole).records())
        # Kept, whatever their order.
        again = self.search(*reversed(self.stores))
        self.assertNotIn("joining", again.err)
        self.assertEqual(again.records(), first.records())
        answers = []
        for stores in (self.stores, [whole]):
            answer = self.must("ask", "Who audited the accounts of the ferry company?", "--json", *self.named(stores),
                               *program.SCORERS).records()[0]  # fmt: skip
            answer["usage"].pop("ms")
            answers.append(answer)
        self.assertEqual(*answers)

    def test_what_changed_is_joined_anew(self):
        search = ["search", "table", "--json", "-k", "100", *self.named(self.stores), *program.SCORERS]
        self.assertNotIn("more.pdf", self.must(*search).out)
        docs = self.copy_documents(self.folder / "more", ["rotated-table.pdf"])
        self.index(self.stores[0], (docs / "rotated-table.pdf").rename(docs / "more.pdf"))
        changed = self.must(*search)
        self.assertIn("joining 3 stores", changed.err)
        self.assertIn("more.pdf", changed.out)

    def test_stores_that_cannot_be_joined_are_refused(self):
        docs = self.folder / "docs"
        docs.mkdir()
        shutil.copy(program.DOCS / "rotated-table.pdf", docs / program.NATIVE_TEXT[0])
        other = self.index(self.folder / "other", docs)
        result = self.call("search", "the", *self.named([self.stores[0], other]), *program.SCORERS)
        self.assertNotEqual(result.code, 0)
        self.assertIn(program.NATIVE_TEXT[0], result.err)
        paths = self.call("ask", "Who?", self.docs[0], *self.named(self.stores[:2]), *program.SCORERS)
        self.assert_one_error(paths, 2, "--store")


if __name__ == "__main__":
    unittest.main()
