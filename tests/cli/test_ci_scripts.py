"""scripts/internal/count-tests on logs of ctest; scripts/untried-rooms and .ci/run on small repositories."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from small_tree import SmallRepository, SmallTree

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
PASSING = """\
1/3 Testing: text.Words
[==========] Running 2 tests from 1 test suite.
[       OK ] Words.One (0 ms)
[  SKIPPED ] Words.Two (1 ms)
[  SKIPPED ] 1 test, listed below:
[  SKIPPED ] Words.Two
Test Passed.
"""
FAILING = """\
2/3 Testing: text.Terms
[==========] Running 3 tests from 1 test suite.
[       OK ] All/Terms.One/0 (0 ms)
[  FAILED  ] All/Terms.One/1, where GetParam() = (1, "a") (12 ms)
[ RUN      ] All/Terms.One/2
Test Failed.
"""
UNITTEST = """\
3/3 Testing: cli.test_ask
test_a (__main__.Ask.test_a)
In one line. ... ok
test_b (__main__.Ask.test_b) ... skipped 'this build has no networks'
test_c (__main__.Ask.test_c) ... FAIL
Ran 3 tests in 0.1s
FAILED (failures=1, skipped=1)
Test Failed.
"""


class CountTests(SmallTree):
    def count(self, log):
        self.write("Testing/Temporary/LastTest.log", log)
        done = subprocess.run([sys.executable, str(SCRIPTS / "internal" / "count-tests"), str(self.root)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout.splitlines()

    def test_cases_are_counted_and_not_processes(self):
        self.assertEqual(self.count(PASSING + FAILING + UNITTEST), (0, [
            "skipped: text.Words: Words.Two", "skipped: cli.test_ask: test_b",
            "8 tests in 3 processes: 3 passed, 3 failed, 2 skipped"]))

    def test_a_process_that_passes_without_its_tests_is_named(self):
        code, lines = self.count(PASSING.replace("[       OK ] Words.One (0 ms)\n", ""))
        self.assertEqual((code, lines[0]), (1, "text.Words passed, but its output has no result of 1 of 2 tests"))
        code, lines = self.count("1/1 Testing: cli.test_x\nnothing\nTest Passed.\n")
        self.assertEqual((code, lines[0]), (1, "cli.test_x passed, but its output shows no tests"))


class UntriedRooms(SmallTree):
    def setUp(self):
        super().setUp()
        self.write("scripts/layers.txt", "core : 0 : :\ntext : 1 : core :\nagents : 2 : core :\n"
                                         "cli : 8 : * :\n")
        shutil.copy(SCRIPTS / "untried-rooms", self.root / "scripts" / "untried-rooms")
        for room in ("core", "text", "agents", "cli"):
            self.write(f"src/{room}/a.cpp", "// one\n")
            self.write(f"tests/unit/{room}/a_test.cpp", "// one\n")
        self.write("src/agents/a.cpp", '#include "prompt_table.inc"\n')
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        self.pass_all()

    def rooms(self, action, *more):
        env = dict(os.environ, XDG_CACHE_HOME=str(self.root / "cache"))
        done = subprocess.run([sys.executable, str(self.root / "scripts" / "untried-rooms"), action,
                               "asan", *more], capture_output=True, text=True, check=True, env=env)
        return done.stdout.split()

    def pass_all(self):
        self.rooms("passed", *self.rooms("all"))

    def untried(self):
        return [room.split("=")[0] for room in self.rooms("list")]

    def test_what_has_passed_is_not_tried_again(self):
        self.assertEqual(self.untried(), [])
        self.assertEqual([room.split("=")[0] for room in self.rooms("all")],
                         ["agents", "cli", "core", "text"])

    def test_a_change_concerns_the_rooms_above(self):
        self.write("src/text/a.cpp", "// two\n")
        self.assertEqual(self.untried(), ["cli", "text"])
        self.write("include/fineprint/core/new.h", "// two\n")
        self.assertEqual(self.untried(), ["agents", "cli", "core", "text"])

    def test_a_test_concerns_its_room(self):
        self.write("tests/unit/text/b_test.cpp", "// two\n")
        self.assertEqual(self.untried(), ["text"])
        self.pass_all()
        self.write("tests/cli/test_ask.py", "# two\n")
        self.assertEqual(self.untried(), ["cli"])

    def test_what_all_share_concerns_all(self):
        for path in ("tests/data/a", "tests/support/a.h", "tests/unit/text/a.h",
                     "scripts/cmake/A.cmake", "CMakePresets.json"):
            self.write(path, "two")
            self.assertEqual(self.untried(), ["agents", "cli", "core", "text"], path)
            self.pass_all()

    def test_texts_that_are_built_in_concern_those_who_hold_them(self):
        self.write("configs/prompts/a.txt", "two")
        self.assertEqual(self.untried(), ["agents", "cli"])

    def test_a_stamp_is_of_what_was_tried(self):
        self.write("src/text/a.cpp", "// two\n")
        tried = self.rooms("list")
        self.write("src/text/a.cpp", "// three\n")
        self.rooms("passed", *tried)
        self.assertEqual(self.untried(), ["cli", "text"])


STUB_SETUP = """\
ROOT=$PWD LOGS=$PWD/build/logs
say() { printf '%s\\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }
step() { shift 3; "$@"; }
install_packages() { :; }
"""
STUB_TEST = """\
#!/bin/sh
echo '100% tests passed, 0 tests failed out of 9'
echo '30 tests in 9 processes: 30 passed, 0 failed, 0 skipped'
"""


class Ci(SmallRepository):
    """.ci/run with a script that succeeds in place of each that it starts."""

    def setUp(self):
        super().setUp()
        self.write("scripts/setup.sh", STUB_SETUP)
        self.write_script("scripts/test", STUB_TEST)
        for name in ("untried-rooms", "check-layers", "check-names", "check-figures", "check-words",
                     "check-sizes", "check-budgets", "check-arm64", "check-tidy", "check-cuda"):
            self.write_script(f"scripts/{name}", "#!/bin/sh\n")
        for name in ("clang-format-19", "cmake", "ninja"):
            self.write_script(f"bin/{name}", "#!/bin/sh\n")
        for folder in ("src/nets", "include", "tests"):
            self.write(f"{folder}/a.h", "// one\n")
        (self.root / ".ci").mkdir()
        shutil.copy(SCRIPTS.parent / ".ci" / "run", self.root / ".ci" / "run")
        self.commit()

    def write_script(self, path, text):
        self.write(path, text)
        (self.root / path).chmod(0o755)

    def ci(self, **variables):
        """Exit code, the closing line, and the last line of all."""
        env = dict(os.environ, XDG_CACHE_HOME=str(self.root / "cache"),
                   PATH=f"{self.root / 'bin'}:{os.environ['PATH']}", **variables)
        done = subprocess.run([str(self.root / ".ci" / "run")], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, env=env)
        lines = done.stdout.splitlines()
        summary = lines[len(lines) - lines[::-1].index(""):]
        closing = [line for line in summary if re.match("passed|partial|FAILED", line)]
        self.assertEqual(len(closing), 1, done.stdout)
        return done.returncode, closing[0], lines[-1]

    SUMMARY_OF_CTEST = "100% tests passed, 0 tests failed out of 9"

    def test_all_stages_passed(self):
        self.assertEqual(self.ci(), (0, "passed: 13 stages", self.SUMMARY_OF_CTEST))

    def test_a_failed_stage(self):
        self.write_script("scripts/check-words", "#!/bin/sh\nexit 1\n")
        self.assertEqual(self.ci(), (1, "FAILED: 1 stage", self.SUMMARY_OF_CTEST))

    def test_cuda_without_its_library_is_partial(self):
        self.write_script("scripts/check-cuda", "#!/bin/sh\nexit 1\n")
        self.assertEqual(self.ci(), (0, "partial: 1 stage left out", self.SUMMARY_OF_CTEST))

    def test_failed_and_partial(self):
        self.write_script("scripts/check-cuda", "#!/bin/sh\nexit 1\n")
        self.write_script("scripts/check-sizes", "#!/bin/sh\nexit 1\n")
        self.write_script("scripts/check-figures", "#!/bin/sh\nexit 1\n")
        self.assertEqual(self.ci(), (1, "FAILED: 2 stages; partial: 1 stage left out",
                                     self.SUMMARY_OF_CTEST))

    def test_stages_for_which_there_is_no_time(self):
        self.assertEqual(self.ci(FINEPRINT_CI_SECONDS="1000"),
                         (0, "partial: 13 stages left out", "the release tests did not run: see above"))


class Seeds(unittest.TestCase):
    def test_every_fuzzer_has_some(self):
        fuzzers = SCRIPTS.parent / "tests/fuzz"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, fuzzers / "make_seeds.py", folder], check=True)
            for file in fuzzers.glob("fuzz_*.cpp"):
                name = file.stem.removeprefix("fuzz_")
                self.assertTrue(list((pathlib.Path(folder) / name).iterdir()), name)


if __name__ == "__main__":
    unittest.main()
