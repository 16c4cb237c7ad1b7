"""Packages that run on any Linux: the script that starts the program, the archive, and its recipes."""

import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import unittest

from program import DOCS, FINEPRINT, QUICK, REPOSITORY, ProgramTest

PACKAGING = REPOSITORY / "scripts" / "packaging"
LOADER = "ld-linux-x86-64.so.2"
QUESTION = "Who audited the accounts of the ferry company?"


def small_tree(folder):
    """The program as bundle leaves it, without most libraries, which it finds where it was linked."""
    for place in ("bin", "lib/fineprint/c"):
        (folder / place).mkdir(parents=True)
    shutil.copy(FINEPRINT, folder / "bin/fineprint-program")
    shutil.copy(PACKAGING / "start", folder / "bin/fineprint")
    for library in pathlib.Path(FINEPRINT).resolve().parent.glob("libfineprint_*.so"):
        (folder / "lib/fineprint" / library.name).symlink_to(library)
    linked = subprocess.run(["ldd", FINEPRINT], capture_output=True, text=True, check=True).stdout
    for name, path in re.findall(r"^\s*(lib(?:c|m|gcc_s|stdc\+\+)\.so\.\d+) => (/\S+)", linked, re.M):
        shutil.copy(path, folder / "lib/fineprint/c" / name)
    (loader,) = re.findall(r"^\s*(/\S*/ld-linux\S*)", linked, re.M)
    shutil.copy(loader, folder / "lib/fineprint/c" / LOADER)
    return folder


class Start(ProgramTest):
    """The system's C library is used if it is new enough, otherwise the package's."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tree = small_tree(cls.class_folder / "a tree")

    def start(self, needed, *arguments, program=None, **variables):
        (self.tree / "lib/fineprint/c/version").write_text(f"{needed} /lib64/{LOADER}\n")
        return subprocess.run([program or self.tree / "bin/fineprint", *map(str, arguments)], capture_output=True, text=True,
                              check=False, env=self.environment(**variables))

    def loaded(self, needed, **variables):
        """The C library of the process, as the dynamic loader reports it."""
        done = self.start(needed, "--version", LD_DEBUG="files", **variables)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return re.findall(r"calling init: ([^\n]+/libc\.so\.6)", done.stderr)[-1]

    def test_the_newer_c_library_is_used(self):
        for needed, is_own in (("2.1", False), ("1.99", False), ("2.999", True), ("3.0", True)):
            self.assertEqual(self.loaded(needed).endswith("/lib/fineprint/c/libc.so.6"), is_own, needed)

    def test_document_workers_are_started_in_the_same_way(self):
        link = self.folder / "fineprint"
        link.symlink_to(self.tree / "bin/fineprint")
        for program in (None, link):
            done = self.start("3.0", "ask", QUESTION, DOCS, *QUICK, program=program)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("Tern & Pollock LLP", done.stdout)

    def test_a_folder_of_other_libraries_is_still_searched(self):
        done = self.start("3.0", "ask", QUESTION, DOCS, *QUICK, LD_LIBRARY_PATH=str(self.folder), LD_DEBUG="libs")
        self.assertIn("Tern & Pollock LLP", done.stdout)
        processes = set(re.findall(rf"^\s*(\d+):.*search path=[^\n]*{re.escape(str(self.folder))}", done.stderr, re.M))
        self.assertGreater(len(processes), 1, "the workers do not search it")


class Archive(ProgramTest):
    def make(self, out, *more, code=0):
        tree = self.folder / "fineprint-1.2.3"
        if not tree.exists():
            (tree / "bin").mkdir(parents=True)
            (tree / "bin/fineprint").write_text("#!/bin/sh\necho started\n")
            (tree / "bin/fineprint").chmod(0o700)
            (tree / "share").mkdir()
            (tree / "share/README").write_text("a text\n")
        out.mkdir(exist_ok=True)
        done = subprocess.run([sys.executable, "-B", PACKAGING / "make-bundle", tree, out / "fine.tar.gz", *more],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_the_same_tree_gives_the_same_bytes(self):
        self.make(self.folder / "a")
        (self.folder / "fineprint-1.2.3/share/README").touch()
        self.make(self.folder / "b")
        self.assertEqual((self.folder / "a/fine.tar.gz").read_bytes(), (self.folder / "b/fine.tar.gz").read_bytes())
        with tarfile.open(self.folder / "a/fine.tar.gz") as archive:
            modes = {entry.name: entry.mode for entry in archive}
        self.assertEqual(modes["fineprint-1.2.3/bin/fineprint"], 0o755)
        self.assertEqual(modes["fineprint-1.2.3/share/README"], 0o644)
        self.assertFalse((self.folder / "a/flake.nix").exists())

    def test_recipes_name_the_release_and_its_hash(self):
        self.make(self.folder / "a", "octo-org/fine.print")
        digest = subprocess.run(["sha256sum", self.folder / "a/fine.tar.gz"], capture_output=True, text=True,
                                check=True).stdout.split()[0]
        for recipe in ("fineprint.rb", "flake.nix"):
            text = (self.folder / "a" / recipe).read_text(encoding="utf-8")
            self.assertIn('"https://github.com/octo-org/fine.print/releases/download/v1.2.3/fine.tar.gz"', text)
            self.assertIn(f'"{digest}"', text)
            self.assertNotRegex(text, r"\b(OWNER|REPOSITORY|v?VERSION|BUNDLE|HASH)\b")

    def test_what_is_wrong_is_named(self):
        self.assertIn("is not OWNER/REPOSITORY", self.make(self.folder / "a", "https://x/y", code=1).stderr)
        (self.folder / "fineprint-1.2.3/bin/fineprint").unlink()
        self.assertIn("has no bin/fineprint", self.make(self.folder / "a", code=1).stderr)

    @unittest.skipUnless(shutil.which("ruby"), "there is no ruby")
    def test_the_formula_is_ruby(self):
        self.make(self.folder / "a", "octo-org/fine.print")
        subprocess.run(["ruby", "-wc", self.folder / "a/fineprint.rb"], capture_output=True, check=True)

    @unittest.skipUnless(shutil.which("nix-instantiate"), "there is no nix")
    def test_the_flake_is_nix(self):
        self.make(self.folder / "a", "octo-org/fine.print")
        subprocess.run(["nix-instantiate", "--parse", self.folder / "a/flake.nix"], capture_output=True, check=True)


# A podman whose image has a user $TRY_USER and answers $TRY_ANSWER; its index is another one each time if
# $TRY_INDEX is.
PODMAN = """#!/bin/bash
case "$*" in
  *"entrypoint id"*) echo "$TRY_USER" ;;
  *"entrypoint find"*) echo "catalog.sqlite ${TRY_INDEX:+$RANDOM$RANDOM}" ;;
  run*" ask "*) printf '[1] harbor-annual-report.pdf, page 2: The accounts\\n  answer: %s\\n' "$TRY_ANSWER"; exit "${TRY_CODE:-0}" ;;
  image*) echo 1100000000 ;;
esac
"""


class Image(ProgramTest):
    """The test on demand of the container image, with a program in place of podman."""

    def try_image(self, answer="Tern & Pollock LLP", user="fineprint", **variables):
        (self.folder / "podman").write_text(PODMAN)
        (self.folder / "podman").chmod(0o700)
        variables = {f"TRY_{name.upper()}": text for name, text in variables.items()}
        return subprocess.run([PACKAGING / "try-image", self.folder, "--build-arg", "DEBIAN=one"], capture_output=True,
                              text=True, check=False, stdin=subprocess.DEVNULL,
                              env=self.environment(PATH=f"{self.folder}:/usr/bin:/bin", TRY_ANSWER=answer, TRY_USER=user,
                                                   **variables))

    def test_the_right_answer_passes(self):
        done = self.try_image()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("image: 1.1GB, first answer in", done.stderr)

    def test_what_is_wrong_fails(self):
        for wrong, message in (({"answer": "Tern"}, "is not that of README.md"), ({"code": "3"}, "ended with exit code 3"),
                               ({"user": "root"}, "runs as root"), ({"index": "yes"}, "did not use the index")):
            done = self.try_image(**wrong)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn(message, done.stderr)


if __name__ == "__main__":
    unittest.main()
