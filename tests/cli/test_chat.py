"""`fineprint chat`: a conversation over a folder or a store, from a pipe and at a terminal."""

import base64
import contextlib
import json
import os
import pty
import re
import select
import signal
import termios
import time
import unittest
import zlib

import conversations
from program import DOCS, FINEPRINT, QUICK, ProgramTest

QUESTION = "How many passengers can the Gannet carry?"
CITED = "[1] harbor-annual-report.pdf, page "


class Chat(ProgramTest):
    def chat(self, *lines, options=(), code=0):
        text = "".join(f"{line}\n" for line in lines)
        return self.must("chat", self.native_store(), *QUICK, *options, text=text, code=code)

    def test_follow_ups_say_how_they_were_understood(self):
        chat = self.chat(QUESTION, "And the Storm Petrel?", "When was it built?")
        self.assertEqual(
            [line for line in chat.out.splitlines() if line.startswith("understood: ")],
            [
                "understood: How many passengers can the Storm Petrel carry?",
                "understood: When was the Storm Petrel built?",
            ],
        )
        self.assertIn(CITED, chat.out)

    def test_records_carry_both_questions(self):
        one, two = self.chat(QUESTION, "And the Sandpiper?", options=["--json"]).records()
        self.assertNotIn("asked", one)
        self.assertEqual(two["asked"], "And the Sandpiper?")
        self.assertEqual(two["question"], "How many passengers can the Sandpiper carry?")
        self.assertTrue(two["citations"])

    def test_a_new_conversation_follows_nothing(self):
        *_, last = self.chat(QUESTION, ":new", "And the Sandpiper?", options=["--json"]).records()
        self.assertEqual(last["question"], "And the Sandpiper?")

    def test_a_page_is_drawn(self):
        chat = self.chat(QUESTION, ":open 1")
        file = chat.out.splitlines()[-1]
        self.assertTrue(file.startswith(str(self.class_folder / "cache" / "fineprint" / "pages")), file)
        with open(file, "rb") as picture:
            self.assertEqual(picture.read(8), b"\x89PNG\r\n\x1a\n")

    def test_steps_documents_and_help_are_printed(self):
        chat = self.chat(QUESTION, ":why", ":docs", ":help")
        self.assertIn("harbor-annual-report.pdf  11 pages", chat.out)
        self.assertIn(":save FILE.html", chat.out)
        steps = chat.out[: chat.out.index("harbor-annual-report.pdf  11 pages")].splitlines()
        self.assertTrue(any(line.startswith("  found harbor-annual-report.pdf") for line in steps), steps)

    def test_a_conversation_is_saved_as_a_page(self):
        file = self.folder / "talk.html"
        self.chat(QUESTION, "And the Storm Petrel?", f":save {file}")
        page = file.read_text(encoding="utf-8")
        packed = re.search(r'id="data">([^<]+)<', page)[1]
        report = json.loads(zlib.decompress(base64.b64decode(packed)))
        understood = "And the Storm Petrel? (understood: How many passengers can the Storm Petrel carry?)"
        self.assertEqual([one["question"] for one in report["questions"]], [QUESTION, understood])
        self.assertTrue(report["pages"] and all(one["trace"] for one in report["questions"]))

    def test_wrong_commands_say_what_there_is_and_the_conversation_goes_on(self):
        for line, part in [
            (":opne 1", ":open, :image, :why"),
            (":open 1", "there is no answer yet"),
            (":why", "there is no answer yet"),
            (":pipeline", "needs a name"),
            (":pipeline nosuch", "nosuch"),
            (":pipeline hkrag", "--generator"),
            (":docs now", "takes nothing"),
            (":save", "name of a file"),
        ]:
            with self.subTest(line=line):
                chat = self.chat(line, QUESTION, code=1)
                self.assertIn(part, chat.err)
                self.assertIn(CITED, chat.out)
        chat = self.chat(QUESTION, ":open 99", ":open x", ":save /nowhere/at/all.html", ":quit", QUESTION, code=1)
        self.assertEqual(chat.err.count("error: "), 3, chat.err)
        self.assertEqual(chat.out.count("confidence"), 1)

    def test_the_pipeline_can_be_changed(self):
        chat = self.chat(QUESTION, ":pipeline extractive", QUESTION, options=["--json"])
        self.assertEqual([one["pipeline"] for one in chat.records()], ["extractive"] * 2)

    def test_a_folder_is_read_first(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        chat = self.must("chat", docs, *QUICK, text="When was the gauge at Calla last checked?\n")
        self.assertIn("rotated-table.pdf, page 2", chat.out)

    def test_what_cannot_be_opened_is_an_error(self):
        self.assert_one_error(self.call("chat", text=QUESTION), 2, "--store")
        self.assert_one_error(self.call("chat", self.folder / "nothing", text=QUESTION), 3, "nothing")
        store = self.native_store()
        self.assert_one_error(self.call("chat", store, "--store", store, text=QUESTION), 2, "two stores")

    def test_odd_lines_are_no_crash(self):
        self.chat("", "   ", "?", "\x00\x01", "And?", "it", "é" * 3000, "\ud800".encode("utf-8", "replace").decode())


class WithGenerator(ProgramTest):
    """The agent dialogue.rewrite writes the question, and the rules do if it invents something."""

    def chat(self, *rewritten):
        read = {"answer": "880", "answerable": True, "pages": [0]}
        lines = [{"agent": "dialogue.rewrite", "reply": {"question": text}} for text in rewritten]
        lines += [{"agent": "answer.pages", "reply": read}] * 2
        script = self.write("script.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        chat = self.must(
            *["chat", self.native_store(), "--pipeline", "visualrag", "--generator", f"script:{script}"],
            *["--check", "off", "--json", *QUICK],
            text=f"{QUESTION}\nAnd the Storm Petrel?\n",
        )
        return [answer["question"] for answer in chat.records()]

    def test_the_first_question_is_not_rewritten(self):
        written = "How many people can the Storm Petrel carry?"
        self.assertEqual(self.chat(written), [QUESTION, written])

    def test_an_invented_name_is_asked_for_again(self):
        written = "How many people can the Storm Petrel carry?"
        self.assertEqual(self.chat("How many can the Albatross carry?", written)[1], written)

    def test_after_inventions_the_rules_decide(self):
        invented = ["How many could the Storm Petrel carry in 1912?"] * 3
        self.assertEqual(self.chat(*invented)[1], "How many passengers can the Storm Petrel carry?")


class Terminal(ProgramTest):
    """At a terminal: editing, history, Ctrl-C."""

    def setUp(self):
        super().setUp()
        self.state = self.folder / "state"
        self.begin()
        self.addCleanup(self.end)

    def begin(self, *options):
        store = self.native_store()
        environment = self.environment(XDG_STATE_HOME=str(self.state), TERM="xterm", NO_COLOR="1")
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execve(FINEPRINT, [FINEPRINT, "chat", str(store), *QUICK, *options], environment)
        self.seen = ""
        self.wait_for("> ")

    def end(self):
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        with contextlib.suppress(OSError):
            os.close(self.terminal)

    def wait_for(self, text, seconds=60):
        """Reads until `text` has come since the last call."""
        end = time.monotonic() + seconds
        while text not in self.seen:
            self.assertLess(time.monotonic(), end, f"{text!r} never came: {self.seen[-2000:]!r}")
            if select.select([self.terminal], [], [], 0.2)[0]:
                self.seen += os.read(self.terminal, 65536).decode(errors="replace")
        before, _, self.seen = self.seen.partition(text)
        return before

    def type(self, text):
        os.write(self.terminal, text.encode())

    def exit_code(self, seconds=60):
        end = time.monotonic() + seconds
        while (ended := os.waitpid(self.child, os.WNOHANG)) == (0, 0):
            self.assertLess(time.monotonic(), end, f"it goes on: {self.seen[-2000:]!r}")
            if select.select([self.terminal], [], [], 0.05)[0]:
                with contextlib.suppress(OSError):  # as soon as the other end is closed
                    self.seen += os.read(self.terminal, 65536).decode(errors="replace")
        return os.waitstatus_to_exitcode(ended[1])

    def test_keys_are_read_as_keys_as_soon_as_the_prompt_is_seen(self):
        processors = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, processors)
        # On one processor the reader of a prompt may be run before what the writer does next.
        os.sched_setaffinity(0, {min(processors)})
        self.end()
        self.begin()
        for _ in range(200):
            # Ctrl-D as the end of a file would be lost when the terminal is set to keys afterwards.
            self.assertEqual(termios.tcgetattr(self.terminal)[3] & termios.ICANON, 0)
            self.type("\x03")
            self.wait_for("^C")
            self.wait_for("> ")

    def test_lines_are_edited_and_kept(self):
        self.type("How many passengers can the Ganet carry?")
        self.type("\x1b[D" * 8 + "\x1b[Dn\r")  # back to before "et", where an n is missing
        self.wait_for("confidence")
        self.wait_for("> ")
        self.type(":quit\r")
        self.assertEqual(self.exit_code(), 0)
        history = (self.state / "fineprint" / "chat-history").read_text(encoding="utf-8")
        self.assertIn("Gannet", history.replace("\\040", " "))
        self.assertEqual((self.state / "fineprint" / "chat-history").stat().st_mode & 0o077, 0)
        self.begin()
        self.type("\x1b[A\x1b[A\r")  # the question before :quit
        self.wait_for("confidence")

    def test_control_c_drops_the_line_and_not_the_chat(self):
        self.type("half a quest\x03")
        self.wait_for("^C")
        self.wait_for("> ")
        self.type(QUESTION + "\r")
        self.wait_for(CITED)
        self.wait_for("> ")
        self.type("\x04")
        self.assertEqual(self.exit_code(), 0)

    def test_control_c_stops_an_answer_and_not_the_chat(self):
        self.end()
        read = {"answer": "880", "answerable": True, "pages": [0]}
        slow = {"agent": "answer.pages", "reply": read, "ms": 600_000, "match": {"question": QUESTION}}
        quick = {"agent": "answer.pages", "reply": read, "match": {"question": "Which vessel?"}}
        script = self.write("slow.jsonl", "".join(json.dumps(line) + "\n" for line in (slow, quick)))
        self.begin("--pipeline", "visualrag", "--generator", f"script:{script}", "--check", "off")
        self.type(QUESTION + "\r")
        self.wait_for("carry?\r\n")
        time.sleep(1)  # until the reply has begun
        self.type("\x03")
        self.wait_for("the answer was stopped")
        self.wait_for("> ")
        self.type("Which vessel?\r")
        self.wait_for("880")

    def test_a_request_to_end_is_obeyed_at_the_prompt(self):
        os.kill(self.child, signal.SIGTERM)
        self.assertEqual(self.exit_code(), -signal.SIGTERM)

    def test_tab_completes_a_command(self):
        self.type(":doc\t\r")
        self.wait_for("11 pages")


class Conversations(ProgramTest):
    """Follow-ups find the pages that the questions find which somebody wrote for them."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.shared_store("conversations", DOCS, [*QUICK, "--ocr", "auto"])

    def test_follow_ups_find_what_full_questions_find(self):
        every = conversations.read("conversations")
        names, misses = conversations.found(self, self.store, every, *QUICK)
        print(f"{len(names)} of {len(every)} conversations", *misses, sep="\n  ")
        self.assertGreaterEqual(len(names), 27, misses)

    def test_so_they_do_in_conversations_that_nothing_was_fitted_to(self):
        every = conversations.read("later")
        names, misses = conversations.found(self, self.store, every, *QUICK)
        print(f"{len(names)} of {len(every)} later conversations", *misses, sep="\n  ")
        self.assertGreaterEqual(len(names), 6, misses)


if __name__ == "__main__":
    unittest.main()
