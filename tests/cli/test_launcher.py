"""What scripts/fineprint does in a folder that is new, moved, or half built; cmake and ninja are stand-ins."""

import os
import pathlib
import shutil
import subprocess
import unittest

from small_tree import SmallTree

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
# Tells its arguments, and leaves what the true one would.
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
for library in reading nets train; do touch libfineprint_$library.so; done
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

    def launch(self, code=0):
        """What was said, and which of the tools were called."""
        self.calls.write_text("")
        env = dict(os.environ, PATH=f"{self.bin}:{os.environ['PATH']}", CALLS=str(self.calls))
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", self.launcher, "fineprint", "who?"], cwd=self.root,
                              env=env, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "" if code else "answer who?\n")
        return done.stderr, [call.split()[0] for call in self.calls.read_text().splitlines()]

    def test_the_first_call_builds_and_the_second_does_nothing(self):
        self.assertEqual(self.launch()[1], ["cmake", "ninja"])
        self.assertEqual(self.launch(), ("", []))

    def test_a_source_that_is_newer_is_built(self):
        self.launch()
        os.utime(self.root / "src/a.cpp", (4e9, 4e9))
        self.assertEqual(self.launch()[1], ["ninja"])

    def test_a_folder_that_was_moved_is_built_anew_and_says_so(self):
        self.launch()
        old = self.root
        self.root = old.rename(old.parent / "moved")
        said, called = self.launch()
        self.assertIn(f"was built as {old} and has been moved", said)
        self.assertEqual(called, ["cmake", "ninja"])
        self.assertIn("--fresh", self.calls.read_text())
        self.assertEqual(self.launch(), ("", []))

    def test_a_build_that_did_not_end_goes_on_and_says_so(self):
        self.launch()
        os.utime(self.root / "src/a.cpp", (4e9, 4e9))
        self.write("fails", "")
        said, _ = self.launch(code=1)
        self.assertIn("The whole log: ", said)
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
