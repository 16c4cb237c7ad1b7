"""Completion, tried in the shells themselves, and manual pages, set by groff."""

import os
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

import program
from program import ProgramTest
from test_streams import COMMANDS

# What is typed, and words that must be among what is offered; those that must not.
OFFERED = [
    ("fineprint se", {"search"}, {"ask"}),
    ("fineprint ", set(COMMANDS), {"--version"}),
    ("fineprint --v", {"--version"}, {"ask"}),
    ("fineprint ask --", {"--store", "--pipeline", "--scorer", "--help"}, {"--gold"}),
    ("fineprint ask --hkrag.it", {"--hkrag.iterations"}, {"--hkrag.no-pruner"}),
    ("fineprint ask x --pipeline hk", {"hkrag", "hkrag-paper", "hkrag-without-mask"}, {"dmap"}),
    ("fineprint batch --fusion ", {"weighted", "zscore", "rrf", "union"}, {"--store"}),
    ("fineprint eval --scorer an", {"anls"}, {"bm25"}),
    ("fineprint bench mm", {"mmlongbench"}, {"vidore"}),
    ("fineprint train re", {"retriever"}, {"judge"}),
    ("fineprint train q", {"qa"}, {"judge"}),
    ("fineprint ask --qa ", {"reader", "none"}, set()),
    ("fineprint completion ", {"bash", "fish", "zsh"}, {"docs/"}),
    ("fineprint help ex", {"exit-codes"}, {"ask"}),
    ("fineprint help as", {"ask"}, {"exit-codes"}),
    ("fineprint man in", {"index"}, {"ask"}),
]
# What a Tab makes of a word, in a folder with docs/a.pdf and notes.txt.
COMPLETED = [
    ("fineprint sea", "search"),
    ("fineprint ask --pipel", "ask --pipeline"),
    ("fineprint ask --pipeline hkrag-pap", "ask --pipeline hkrag-paper"),
    ("fineprint search q --scorer bm25,hyb", "search q --scorer bm25,hybrid-mask"),
    ("fineprint index do", "index docs/"),
    ("fineprint index docs/", "index docs/a.pdf"),
    ("fineprint ask q --store do", "ask q --store docs/"),
    ("fineprint batch no", "batch notes.txt"),
    ("fineprint batch notes.txt --fusion=zs", "batch notes.txt --fusion=zscore"),
]


class SpokenTest(ProgramTest):
    """With what the program prints about itself, asked for once: many tests read the same."""

    told_before = {}

    def told(self, *arguments):
        if arguments not in self.told_before:
            self.told_before[arguments] = self.must(*arguments).out
        return self.told_before[arguments]

    def flags_of(self, command):
        """The flags in its --help, without the dashes."""
        return re.findall(r"^ +(?:-\w,)?--([a-z0-9.-]+)", self.told(command, "--help"), re.M)


class Shells(SpokenTest):
    def setUp(self):
        super().setUp()
        self.write("docs/a.pdf", "")
        self.write("notes.txt", "")
        self.scripts = {shell: self.write(f"fineprint.{shell}", self.told("completion", shell))
                        for shell in ("bash", "fish", "zsh")}

    def have(self, shell):
        if shutil.which(shell) is None:
            self.skipTest(f"{shell} is not installed")

    def said(self, *command):
        done = subprocess.run(command, cwd=self.folder, env=self.environment(), capture_output=True,
                              text=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def bash_offers(self, line):
        words = line.split(" ")
        listed = " ".join(f"'{word}'" for word in words)
        return self.said("bash", "--norc", "--noprofile", "-c",
                         f"source {self.scripts['bash']}; COMP_WORDS=({listed}); "
                         f"COMP_CWORD={len(words) - 1}; _fineprint; printf '%s\\n' \"${{COMPREPLY[@]}}\"")

    def fish_offers(self, line):
        return [offer.split("\t")[0] for offer in
                self.said("fish", "--no-config", "-c", f"source {self.scripts['fish']}; complete -C '{line}'")]

    def assert_offered(self, offers):
        for line, wanted, unwanted in OFFERED:
            with self.subTest(line=line):
                offered = set(offers(line))
                self.assertLessEqual(wanted, offered)
                self.assertEqual(unwanted & offered, set())

    def assert_completed(self, *shell, begin):
        """Types each line at a terminal, then Tab and Return, and sees what the shell ran."""
        with Terminal(shell, self.folder, self.environment(TERM="dumb", PS1="$ ")) as terminal:
            terminal.ask("fineprint() { echo \"<$*>\"; }; " + begin)
            for line, completed in COMPLETED:
                with self.subTest(line=line):
                    # zsh takes a slash at the end away again.
                    self.assertEqual(terminal.ask(f"{line}\t", completed.split(" ")[-1]).rstrip("/"),
                                     completed.rstrip("/"))

    def test_bash_offers(self):
        self.have("bash")
        self.assert_offered(self.bash_offers)

    def test_bash_completes(self):
        self.have("bash")
        self.assert_completed("bash", "--norc", "--noprofile", "-i", begin=f"source {self.scripts['bash']}")

    def test_zsh_completes(self):
        self.have("zsh")
        self.assert_completed("zsh", "-f", "-i", begin="unsetopt zle_bracketed_paste; autoload -U compinit; "
                              f"compinit -u -D; source {self.scripts['zsh']}")

    def test_fish_offers(self):
        self.have("fish")
        self.assert_offered(self.fish_offers)
        for line, completed in COMPLETED:
            with self.subTest(line=line):
                self.assertIn(completed.split(" ")[-1], self.fish_offers(line))

    def test_every_flag_of_help_is_in_each_script(self):
        for shell, names in [("bash", r"(?<=[ |(:])--[a-z0-9.-]+"), ("fish", r"(?<=-l )[a-z0-9.-]+")]:
            script = self.scripts[shell].read_text()
            flags = {flag.removeprefix("--") for flag in re.findall(names, script)}
            for command in COMMANDS:
                self.assertLessEqual(set(self.flags_of(command)), flags, (shell, command))

    def test_other_shells_are_refused(self):
        self.assert_one_error(self.call("completion", "tcsh"), 2, "tcsh", "bash, fish, zsh")
        self.assert_one_error(self.call("completion"), 2, "SHELL")
        self.assert_one_error(self.call("completion", "bash", "zsh"), 2, "zsh")


class Terminal:
    """An interactive shell on a terminal of its own."""

    def __init__(self, command, folder, environment):
        self.process, self.file = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe(command[0], command, environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.write(self.file, b"\x03\nexit\n")
        os.close(self.file)
        os.waitpid(self.process, 0)

    def ask(self, line, shown=None):
        """Types the line and, once `shown` is on the screen or nothing more comes, Return; what
        stands between < and > of what the shell prints then."""
        mark = f"MARK{time.monotonic_ns()}"
        os.write(self.file, line.encode())
        self.read_until(shown, 1, quiet=0.3)
        os.write(self.file, f"\necho {mark[:4]}''{mark[4:]}\n".encode())
        found = re.findall(r"<(.*?) *>", self.read_until(mark, 60))
        return found[-1] if found else None

    def read_until(self, mark, seconds, quiet=None):
        """What comes until the mark, or until nothing has come for `quiet` seconds."""
        text, deadline = "", time.monotonic() + seconds
        while mark is None or mark not in text:
            left = deadline - time.monotonic()
            if left < 0:
                break
            if not select.select([self.file], [], [], min(left, quiet or left))[0]:
                if quiet and text:
                    break
                continue
            text += os.read(self.file, 65536).decode(errors="replace")
        return text


class Manual(SpokenTest):
    def set_by_groff(self, page):
        done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-rLL=100n", "-K", "utf8"], input=page,
                              capture_output=True, text=True, timeout=60, check=True)
        self.assertEqual(done.stderr, "")
        return re.sub(r"\x1b\[[0-9;]*m|.\x08", "", done.stdout)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_every_page_is_set_without_a_warning(self):
        text = self.set_by_groff(self.must("man").out)
        for part in ["FINEPRINT(1)", "COMMANDS", "EXIT STATUS", "130", "bm25", "FINEPRINT_K", *COMMANDS]:
            self.assertIn(part, text)
        for command in COMMANDS:
            text = self.set_by_groff(self.must("man", command).out)
            self.assertIn(f"FINEPRINT-{command.upper()}(1)", text)
            self.assertIn(f"fineprint {command}", text)
            for flag in self.flags_of(command):
                self.assertIn(f"--{flag}", text, command)

    def test_pages_that_are_not_there(self):
        self.assert_one_error(self.call("man", "serach"), 2, '"serach"', '"search"')
        self.assert_one_error(self.call("man", "ask", "x"), 2, '"x"')


class Topics(ProgramTest):
    def test_each_is_listed_and_told(self):
        footer = self.must("--help").out.split("explains:")[1]
        topics = re.findall(r"[a-z-]+", footer)
        self.assertIn("exit-codes", topics)
        for topic in topics:
            result = self.must("help", topic)
            self.assertGreater(len(result.out.splitlines()), 10, topic)
            for line in result.out.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_they_work_where_settings_do_not(self):
        config = {"FINEPRINT_STOER": "x"}
        for arguments in (["help", "config"], ["completion", "bash"], ["man"]):
            self.must(*arguments, env=config)

    def test_they_name_all_that_there_is(self):
        pipelines = self.must("help", "pipelines").out
        for record in self.must("pipelines", "--json").records():
            if record["base"] is None:
                self.assertIn(record["name"], pipelines)
        refused = self.call("search", "x", "--store", self.native_store(), "--scorer", "nothing").err
        scorers = self.must("help", "scorers").out
        for name in re.search(r"choose one of: ([a-z0-9, -]+);", refused)[1].split(", "):
            self.assertIn(f"  {name} ", scorers)
        refused = self.call("help", "formats", "nothing").err
        formats = self.must("help", "formats").out
        for name in re.search(r"choose one of: all, ([a-z, -]+)", refused)[1].split(", "):
            self.assertIn(f"  {name} ", formats)
        codes = self.must("help", "exit-codes").out
        header = (program.REPOSITORY / "include/fineprint/core/error.h").read_text()
        for code in re.findall(r"^  ([a-z_]+), +//", header, re.M):
            self.assertIn(f"  {code} ", codes)

    def test_what_is_no_topic(self):
        self.assert_one_error(self.call("help", "exit-code"), 2, '"exit-code"', '"exit-codes"')
        self.assert_one_error(self.call("help", "formats", "answr"), 2, '"answr"', '"answer"')
        self.assert_one_error(self.call("help", "scorers", "bm25"), 2, '"bm25"')


if __name__ == "__main__":
    unittest.main()
