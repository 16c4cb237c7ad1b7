"""What scripts/fineprint does in a folder that is new, moved, linked, or half built; cmake and ninja are stand-ins."""

import fcntl
import os
import pathlib
import shutil
import subprocess
import threading
import time
import unittest

from small_tree import SmallTree

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
# Writes down its arguments, and leaves the files that the real one would.
CMAKE = """#!/bin/sh
echo "cmake $*" >>"$CALLS"
mkdir -p build/release
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" >build/release/CMakeCache.txt
touch build/release/build.ninja
"""
NINJA = """#!/bin/sh
echo "ninja $*" >>"$CALLS"
[ ! -e "$PWD/fails" ] || exit 1
cd build/release
for library in reading fetch texts nets train; do touch libfineprint_$library.so; done
printf '#!/bin/sh\\necho answer "$@"\\n' >fineprint
chmod +x fineprint
"""
# scripts/fineprint, without what it installs from elsewhere.
LAUNCH = """
source scripts/setup.sh
install_packages() { :; }
install_python_packages() { :; }
"""


class Launcher(SmallTree):
    def setUp(self):
        super().setUp()
        self.root = self.root / "clone"
        for folder in ("src", "include", "configs", "docs", "tests/cli"):
            (self.root / folder).mkdir(parents=True)
        for file in ("CMakeLists.txt", "CMakePresets.json", "tests/cli/requirements.txt", "src/a.cpp"):
            self.write(file, "one")
        shutil.copytree(SCRIPTS, self.root / "scripts", ignore=shutil.ignore_patterns("golden", "__pycache__"))
        launcher = (self.root / "scripts/fineprint").read_text()
        self.assertIn("setup.sh\"\n", launcher)
        self.launcher = LAUNCH + launcher.split("setup.sh\"\n")[1]
        self.bin = self.root.parent / "bin"
        self.calls = self.root.parent / "calls"
        self.bin.mkdir()
        for name, text in (("cmake", CMAKE), ("ninja", NINJA)):
            (self.bin / name).write_text(text)
            (self.bin / name).chmod(0o755)

    def launch(self, code=0, words=("who?",)):
        """What was said, and which of the tools were called."""
        self.calls.write_text("")
        env = dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}", CALLS=str(self.calls))
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", self.launcher, "fineprint", *words], cwd=self.root,
                              env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "" if code else f"answer {' '.join(words)}\n")
        return done.stderr, [call.split()[0] for call in self.calls.read_text().splitlines()]

    def test_packages_have_the_library_of_trainings(self):
        """A package cannot build it later, as scripts/fineprint does for the first `train`."""
        for name, text in (("cmake", CMAKE), ("ninja", NINJA)):
            (self.bin / name).write_text(text.replace("build/release", "build/package"))
        script = (self.root / "scripts/package").read_text().split("setup.sh\"\n")[1]
        self.launcher = LAUNCH + script[: script.index("\ncase ${1:-} in")] + '\nbuilt tree\necho answer "$@"'
        self.launch()
        calls = [call for call in self.calls.read_text().splitlines() if call.startswith("ninja")]
        self.assertEqual([call.split()[-2:] for call in calls], [["fineprint", "fineprint_train"]])

    def test_the_first_call_builds_and_the_second_does_nothing(self):
        self.assertEqual(self.launch()[1], ["cmake", "ninja"])
        self.assertEqual(self.launch(), ("", []))

    def test_a_source_that_is_newer_is_built(self):
        self.launch()
        os.utime(self.root / "src/a.cpp", (4e9, 4e9))
        self.assertEqual(self.launch()[1], ["ninja"])

    def test_a_folder_that_was_moved_is_built_again_and_says_so(self):
        self.launch()
        old = self.root
        self.root = old.rename(old.parent / "moved")
        said, called = self.launch()
        self.assertIn(f"was built as {old} and has been moved", said)
        self.assertEqual(called, ["cmake", "ninja"])
        self.assertIn("--fresh", self.calls.read_text())
        self.assertEqual(self.launch(), ("", []))

    def test_another_name_of_the_folder_builds_nothing(self):
        self.launch()
        real, self.root = self.root, self.root.parent / "link"
        self.root.symlink_to(real)
        self.assertEqual(self.launch(), ("", []))
        self.root = real
        self.assertEqual(self.launch(), ("", []))

    def test_a_folder_configured_by_a_link_is_not_moved(self):
        self.launch()
        link = self.root.parent / "link"
        link.symlink_to(self.root)
        cache = self.root / "build/release/CMakeCache.txt"
        cache.write_text(cache.read_text().replace(str(self.root), str(link)))
        (self.root / "build/release/.set-up-plain").unlink()
        said, called = self.launch()
        self.assertNotIn("has been moved", said)
        self.assertEqual(called, ["cmake"])
        self.assertNotIn("--fresh", self.calls.read_text())

    def test_the_library_of_trainings_is_built_by_the_first_training(self):
        self.launch()
        self.assertNotIn("fineprint_train", self.calls.read_text())
        (self.root / "build/release/libfineprint_train.so").unlink()
        self.assertEqual(self.launch(), ("", []))
        self.launch(words=("train", "judge"))
        self.assertIn("fineprint_train", self.calls.read_text())

    def test_who_waits_for_a_build_learns_how_long(self):
        self.launch()
        os.utime(self.root / "src/a.cpp", (4e9, 4e9))
        build = self.root / "build"
        (build / "release/.build-started").touch()
        os.utime(build / "release/.build-started", (time.time() - 60,) * 2)
        (build / "logs/build.log").write_text("[49/200] a\n[50/200] b\n")
        with open(build / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            threading.Timer(1, fcntl.flock, (lock, fcntl.LOCK_UN)).start()
            said, _ = self.launch()
        self.assertRegex(said, r"has been building for 6\d s, step 50 of 200, some 1[89]\d s left")

    def test_a_build_that_did_not_end_goes_on_and_says_so(self):
        self.launch()
        os.utime(self.root / "src/a.cpp", (4e9, 4e9))
        self.write("fails", "")
        said, _ = self.launch(code=1)
        self.assertIn("The complete log: ", said)
        (self.root / "fails").unlink()
        os.utime(self.root / "src/a.cpp", (1e9, 1e9))
        said, called = self.launch()
        self.assertIn("the last build did not end", said)
        self.assertEqual(called, ["ninja"])
        self.assertEqual(self.launch(), ("", []))

    def test_a_library_that_is_gone_is_built(self):
        self.launch()
        (self.root / "build/release/libfineprint_nets.so").unlink()
        self.assertEqual(self.launch()[1], ["ninja"])


if __name__ == "__main__":
    unittest.main()
