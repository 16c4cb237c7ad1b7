"""A tree of sources that a test writes, looked at by one of scripts/check-*."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class SmallTree(unittest.TestCase):
    SCRIPT = None  # its name

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def check(self, root, *arguments):
        """Exit code, lines and errors of the script over a tree."""
        command = [sys.executable, str(ROOT / "scripts" / self.SCRIPT), *arguments, str(root)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines(), done.stderr

    def breaches(self, *arguments):
        code, lines, errors = self.check(self.root, *arguments)
        self.assertEqual(errors, "")
        self.assertEqual(code, 1 if lines else 0)
        return lines


class SmallRepository(SmallTree):
    """The tree is a git repository with one empty commit."""

    def setUp(self):
        super().setUp()
        self.git("init", "-q")
        self.commit()

    def git(self, *arguments):
        subprocess.run(["git", "-C", str(self.root), "-c", "user.name=T", "-c", "user.email=t@t",
                        *arguments], check=True, capture_output=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "Change")
