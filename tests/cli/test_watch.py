"""`fineprint watch`: a store follows its folder."""

import fcntl
import shutil
import signal
import time
import unittest

import coloured_lines
from coloured_lines import LINES
from program import QUICK, ProgramTest

OTHER = [("A page about oysters.", coloured_lines.OTHER)]
PATIENCE = 240  # seconds; nothing here takes more than a few on an idle machine


class Watch(ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs, self.store = self.folder / "docs", self.folder / "store"
        self.docs.mkdir()
        (self.docs / "coast.pdf").write_bytes(coloured_lines.pdf(LINES))

    def start_watch(self, *more):
        self.told = self.folder / "told.txt"
        with open(self.told, "wb") as told:
            process = self.start("watch", self.docs, "--store", self.store, *QUICK, "--settle",
                                 "0.2", *more, stderr=told)
        self.addCleanup(self.end, process)
        return process

    def watch(self, *more):
        process = self.start_watch(*more)
        self.wait_for(lambda: "watching for changes" in self.told.read_text())
        return process

    def end(self, process):
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(PATIENCE)
            finally:
                process.kill()
        process.stdout.close()
        return process.returncode

    def wait_for(self, holds):
        end = time.monotonic() + PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end, self.told.read_text())
            time.sleep(0.1)

    def documents(self):
        result = self.call("list", "--store", self.store, "--json")
        return {one["doc"]: one["status"] for one in result.records()}

    def wait_for_documents(self, *names):
        self.wait_for(lambda: self.documents() == dict.fromkeys(names, "indexed"))

    def test_what_comes_changes_and_goes_is_followed(self):
        process = self.watch()
        self.wait_for_documents("coast.pdf")
        (self.docs / "coat.pdf").write_bytes(coloured_lines.pdf(OTHER))
        self.wait_for_documents("coast.pdf", "coat.pdf")
        (self.docs / "coat.pdf").rename(self.docs / "cloak.pdf")
        self.wait_for_documents("coast.pdf", "cloak.pdf")
        (self.docs / "coast.pdf").unlink()
        self.wait_for_documents("cloak.pdf")
        (self.docs / "cloak.pdf").write_bytes(coloured_lines.pdf(LINES))
        text = ["show", "cloak.pdf#1", "--store", self.store]
        self.wait_for(lambda: LINES[0][0] in self.call(*text).out)
        self.assertEqual(self.end(process), 0)
        self.must("index", "--verify", "--store", self.store)

    def test_folders_that_come_and_go_are_followed(self):
        self.watch()
        new = self.folder / "new"
        (new / "deep").mkdir(parents=True)
        (new / "deep" / "note.txt").write_text("A note.\n")
        new.rename(self.docs / "sub")
        self.wait_for_documents("coast.pdf", "sub/deep/note.txt")
        (self.docs / "sub" / "deep" / "more.txt").write_text("More.\n")
        self.wait_for_documents("coast.pdf", "sub/deep/note.txt", "sub/deep/more.txt")
        shutil.rmtree(self.docs / "sub")
        self.wait_for_documents("coast.pdf")

    def test_half_a_file_is_not_read(self):
        self.watch()
        whole = coloured_lines.pdf(OTHER)
        with open(self.docs / "slow.pdf", "wb") as file:
            file.write(whole[: len(whole) // 2])
            file.flush()
            # Longer than a closed file must rest; another file is read meanwhile.
            (self.docs / "note.txt").write_text("A note.\n")
            time.sleep(3)
            self.assertNotIn("slow.pdf", self.documents())
            file.write(whole[len(whole) // 2 :])
        self.wait_for_documents("coast.pdf", "note.txt", "slow.pdf")
        self.assertNotIn("error", self.told.read_text())

    def test_a_file_that_cannot_be_read_is_tried_again_when_it_changes(self):
        self.watch()
        torn = self.docs / "torn.pdf"
        torn.write_bytes(b"%PDF-1.7\nnothing")
        self.wait_for(lambda: self.documents().get("torn.pdf") == "failed")
        torn.write_bytes(coloured_lines.pdf(OTHER))
        self.wait_for_documents("coast.pdf", "torn.pdf")

    def test_a_store_within_the_folder_does_not_wake_it(self):
        self.store = self.docs / "store"
        process = self.watch("-v")
        (self.docs / "note.txt").write_text("A note.\n")
        self.wait_for_documents("coast.pdf", "note.txt")
        time.sleep(3)
        size = len(self.told.read_text())
        time.sleep(3)
        self.assertEqual(len(self.told.read_text()), size, self.told.read_text())
        self.assertEqual(self.end(process), 0)

    def test_another_writer_is_waited_for(self):
        self.must("index", self.docs, "--store", self.store, *QUICK)
        with open(self.store / "writer.lock", "r+b") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            process = self.start_watch()
            self.wait_for(lambda: "waiting for it" in self.told.read_text())
            (self.docs / "note.txt").write_text("A note.\n")
        self.wait_for_documents("coast.pdf", "note.txt")
        self.assertEqual(self.end(process), 0)

    def test_an_empty_folder_may_be_a_drive_that_is_not_there(self):
        self.watch()
        self.wait_for_documents("coast.pdf")
        (self.docs / "coast.pdf").rename(self.folder / "coast.pdf")
        self.wait_for(lambda: "is empty" in self.told.read_text())
        self.assertEqual(self.documents(), {"coast.pdf": "indexed"})
        (self.docs / "note.txt").write_text("A note.\n")
        # Now it is the file that is gone, and not the drive.
        self.wait_for_documents("note.txt")

    def test_what_is_no_folder_is_refused(self):
        result = self.call("watch", self.docs / "coast.pdf", "--store", self.store, timeout=60)
        self.assert_one_error(result, 3, "coast.pdf", "not a folder")
        self.assert_one_error(self.call("watch", "--store", self.store, timeout=60), 2, "FOLDER")
        self.assertFalse(self.store.exists())


if __name__ == "__main__":
    unittest.main()
