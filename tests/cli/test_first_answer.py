"""The first answer from a new folder: soon, and honest about what was not looked at."""

import os
import pty
import select
import shutil
import signal
import time
import unittest

from asked_folders import QUESTION, AskedFolderTest
from odd_pictures import png
from program import DOCS, QUICK, needs_nets

SCANS = 26  # more than are read before an answer


class FirstAnswer(AskedFolderTest):
    def add_scans(self, count=SCANS):
        """Small pages with a bar: they wait for OCR as any other, which is soon done with them."""
        bars = [b"\0" + (b"\xff" * 20 + b"\0" * 20 + b"\xff" * 20 if 10 < y < 30 else b"\xff" * 60) for y in range(40)]
        for number in range(count):
            (self.docs / f"ticket {number}.png").write_bytes(png(60, 40, b"".join(bars)))

    def add_slow_scans(self, count=SCANS):
        """Pages with words, whose OCR takes so long that it can be stopped."""
        for number in range(count):
            shutil.copy(DOCS / "ticket.jpg", self.docs / f"ticket {number}.jpg")

    def verify(self):
        (store,) = self.stores().records()
        self.must("index", "--verify", "--store", store["store"])
        return store

    def test_many_scans_are_left_and_told_and_the_next_call_reads_them(self):
        self.add_scans()
        first = self.ask()
        answer = first.records()[0]
        self.assertTrue(answer["answerable"])
        self.assertEqual(answer["citations"][0]["page"], self.page_of_the_answer())
        self.assertGreater(answer["unread_pages"], 0)
        self.assertIn(f"{answer['unread_pages']} pages still wait for OCR", first.err)
        self.verify()
        second = self.ask()
        self.assertNotIn("unread_pages", second.records()[0])
        self.assertNotIn("still wait for OCR", second.err)
        self.verify()

    def page_of_the_answer(self):
        store = self.native_store()
        (answer,) = self.must(
            *["ask", QUESTION, "--store", store, "--json", *QUICK],
        ).records()
        return answer["citations"][0]["page"]

    def test_the_scan_that_the_question_names_is_read_first(self):
        self.add_scans()
        shutil.copy(DOCS / "notice-board.png", self.docs / "notice board.png")
        (answer,) = self.ask(question="When are the baths of the notice board closed?").records()
        self.assertGreater(answer["unread_pages"], 0)
        self.assertIn("notice board.png", {page["doc"] for page in answer["retrieved"]})

    def test_ocr_waits_if_the_text_layers_answer(self):
        self.add_scans(10)
        first = self.ask()
        self.assertGreaterEqual(first.records()[0]["unread_pages"], 10)
        self.assertNotIn("reading by OCR", first.err)
        self.assertIn("pages still wait for OCR", first.err)

    def test_a_doubtful_answer_is_asked_again_after_ocr(self):
        self.add_scans(10)
        shutil.copy(DOCS / "notice-board.png", self.docs / "IMG_0001.png")
        first = self.ask(question="When are the baths closed for cleaning?")
        self.assertIn("now reading by OCR", first.err)
        (answer,) = first.records()
        self.assertIn("IMG_0001.png", {page["doc"] for page in answer["retrieved"]})

    def test_few_scans_are_read_at_once(self):
        self.add_scans(2)
        self.assertNotIn("unread_pages", self.ask().records()[0])

    def test_a_killed_first_call_is_taken_up(self):
        self.add_slow_scans()
        process = self.start(
            *["ask", QUESTION, self.docs, *QUICK, "--json"], env=self.env, start_new_session=True
        )
        while process.poll() is None and not list(self.folder.glob("cache/**/catalog.sqlite")):
            time.sleep(0.05)
        time.sleep(0.3)  # documents are being read
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        self.ask()
        self.assertNotIn("unread_pages", self.ask().records()[0])
        self.verify()

    def on_a_terminal(self, *arguments, until=None):
        """What is shown, in one; with `until`, Ctrl-C is pressed once that has been."""
        master, terminal = pty.openpty()
        process = self.start(
            *arguments, env=self.env, stdout=terminal, stderr=terminal, start_new_session=True
        )
        os.close(terminal)
        shown, pressed, deadline = b"", False, time.monotonic() + 600
        while time.monotonic() < deadline:
            if not select.select([master], [], [], 1)[0]:
                continue
            try:
                piece = os.read(master, 65536)
            except OSError:
                break
            if not piece:
                break
            shown += piece
            if until and not pressed and until in shown:
                pressed = True
                os.killpg(process.pid, signal.SIGINT)
        os.close(master)
        return process.wait(timeout=60), shown.decode(errors="replace")

    def test_at_a_terminal_the_rest_follows_the_answer(self):
        self.add_scans()
        code, shown = self.on_a_terminal("ask", QUESTION, self.docs, *QUICK)
        self.assertEqual(code, 0)
        self.assertLess(shown.index("[1] reef-survey-paper.pdf"), shown.index("now indexing the rest"))
        self.assertNotIn("unread_pages", self.ask("--ocr", "auto").records()[0])

    def test_ctrl_c_after_the_answer_leaves_the_rest(self):
        self.add_slow_scans()
        command = ["ask", QUESTION, self.docs, *QUICK]
        code, shown = self.on_a_terminal(*command, until=b"now indexing the rest")
        self.assertEqual(code, 0, shown)
        self.verify()
        self.assertNotIn("unread_pages", self.ask().records()[0])
        self.verify()

    @needs_nets
    def test_what_a_question_embedded_is_kept_and_the_rest_made_by_the_next(self):
        self.add_scans()
        question = ["ask", QUESTION, self.docs, "--json"]
        first = self.must(*question, env=self.env).records()[0]
        second = self.must(*question, env=self.env).records()[0]
        self.assertEqual(first["citations"][0]["page"], second["citations"][0]["page"])
        self.assertGreater(first["unread_pages"], 0)
        self.assertNotIn("unread_pages", second)
        store = self.verify()["store"]
        result = self.must("index", self.docs, "--store", store, "--json", env=self.env)
        self.assertEqual(result.records()[-1]["vectors"], {"text": 0})

    def test_search_takes_paths_too(self):
        hits = self.must("search", QUESTION, self.docs, *QUICK, "--json", env=self.env).records()
        self.assertEqual(hits[0]["doc"], "reef-survey-paper.pdf")
        only = self.docs / "rotated-table.pdf"
        hits = self.must("search", QUESTION, only, *QUICK, "--json", env=self.env).records()
        self.assertEqual({hit["doc"] for hit in hits} - {"rotated-table.pdf"}, set())
        self.assertEqual(len(self.stores().records()), 1)


if __name__ == "__main__":
    unittest.main()
