"""One index a folder, whatever of it is asked about; `fineprint stores` lists and cleans them."""

import contextlib
import fcntl
import os
import shutil
import sqlite3
import time
import unittest

from asked_folders import AskedFolderTest


class Stores(AskedFolderTest):
    def docs_of(self, *arguments):
        (answer,) = self.ask(*arguments[1:], paths=arguments[0]).records()
        return {page["doc"] for page in answer["retrieved"]}

    def test_a_folder_has_one_store_whatever_of_it_is_asked(self):
        self.copy_documents(self.docs / "sub", ["rotated-table.pdf"])
        gauge = ["--doc", "*.pdf"]
        self.ask()
        self.assertEqual(
            self.docs_of([self.docs / "reef-survey-paper.pdf"]), {"reef-survey-paper.pdf"}
        )
        self.assertEqual(self.docs_of([self.docs / "sub"], *gauge), {"sub/rotated-table.pdf"})
        both = [self.docs / "sub", self.docs / "reef-survey-paper.pdf"]
        found = self.docs_of(both)
        self.assertEqual(found, self.docs_of(both[::-1]))
        self.assertLessEqual(found, {"sub/rotated-table.pdf", "reef-survey-paper.pdf"})
        (store,) = self.stores().records()
        self.assertEqual(store["folders"], [str(self.docs.resolve())])
        self.assertEqual(store["documents"], 4)
        self.assertGreater(store["bytes"], 10_000)

    def test_lists_in_any_order_share_a_store(self):
        one, two = self.docs / "reef-survey-paper.pdf", self.docs / "rotated-table.pdf"
        self.ask(paths=[one, two])
        self.ask(paths=[two, one, one])
        self.ask(paths=[two])
        (store,) = self.stores().records()
        self.assertEqual(store["folders"], [str(one.resolve()), str(two.resolve())])

    def test_a_new_file_is_found_when_it_is_asked_about(self):
        self.ask()
        self.copy_documents(self.docs / "later", ["rotated-table.pdf"])
        self.assertEqual(self.docs_of([self.docs / "later"]), {"later/rotated-table.pdf"})
        self.assertEqual(len(self.stores().records()), 1)

    def test_what_a_folder_does_not_show_has_a_store_of_its_own(self):
        hidden = self.copy_documents(self.docs / ".hidden", ["rotated-table.pdf"])
        self.ask()
        self.assertEqual(self.docs_of([hidden]), {"rotated-table.pdf"})
        self.assertEqual(len(self.stores().records()), 2)

    def test_doc_and_paths_limit_together(self):
        self.ask()
        path = [self.docs / "reef-survey-paper.pdf"]
        result = self.ask("--doc", "harbor*", paths=path, code=3)
        self.assertIn("--doc", result.err)

    def test_no_such_path_names_it(self):
        result = self.ask(paths=[self.docs / "nowhere.pdf"], code=3)
        self.assertIn("nowhere.pdf: No such file", result.err)

    def test_stores_go_by_name_by_age_and_with_their_folders(self):
        self.ask()
        other = self.copy_documents(self.folder / "other", ["rotated-table.pdf"])
        third = self.copy_documents(self.folder / "third", ["rotated-table.pdf"])
        self.ask(paths=[other])
        self.ask(paths=[third])
        self.assertEqual(len(self.stores().records()), 3)
        self.stores("--remove", self.folder / "nowhere", code=3)
        (gone,) = self.stores("--remove", other).records()
        self.assertTrue(gone["removed"])
        self.assertFalse(os.path.exists(gone["store"]))
        shutil.rmtree(third)
        (gone,) = self.stores("--missing").records()
        self.assertEqual(gone["folders"], [str(third.resolve())])
        self.assertEqual(self.stores("--older-than", "1").records(), [])
        (left,) = self.stores().records()
        old = time.time() - 3 * 86400
        os.utime(f"{left['store']}/roots.json", (old, old))
        self.assertEqual(len(self.stores("--older-than", "1").records()), 1)
        self.assertEqual(self.stores().records(), [])
        # They are made anew.
        self.ask()

    def test_a_store_of_another_version_is_made_anew(self):
        self.ask()
        (store,) = self.stores().records()
        with contextlib.closing(sqlite3.connect(f"{store['store']}/catalog.sqlite")) as catalog:
            catalog.execute("PRAGMA user_version = 1")
        (listed,) = self.stores().records()
        self.assertNotIn("documents", listed)
        result = self.ask()
        self.assertTrue(result.records()[0]["answerable"])
        self.assertIn("another version", result.err)
        self.assertEqual(self.stores().records()[0]["documents"], 3)

    def test_a_store_that_is_written_to_stays(self):
        self.ask()
        (store,) = self.stores().records()
        with open(f"{store['store']}/writer.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            result = self.stores("--remove", self.docs, code=1)
        self.assertIn("another process", result.err)
        self.assertEqual(len(self.stores().records()), 1)


if __name__ == "__main__":
    unittest.main()
