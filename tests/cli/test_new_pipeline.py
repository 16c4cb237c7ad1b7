"""scripts/skeleton/new-pipeline: the files of a new pipeline, and what it refuses."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = [
    "src/pipelines/mine2.cpp",
    "configs/mine2.toml",
    "configs/prompts/mine2/system.txt",
    "configs/prompts/mine2/answer.txt",
    "tests/pipelines/mine2_answers.case",
]


class NewPipeline(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def make(self, *arguments):
        command = [sys.executable, str(ROOT / "scripts" / "skeleton" / "new-pipeline"), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def made(self):
        return sorted(str(path.relative_to(self.root)) for path in self.root.rglob("*.*"))

    def test_it_writes_each_file_and_says_what_is_next(self):
        done = self.make("mine2", str(self.root))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.made(), sorted(FILES))
        for path in FILES:
            self.assertIn(path + "\n", done.stdout)
            self.assertNotIn("TEMPLATE", (self.root / path).read_text())
        self.assertIn("Next:", done.stdout)

    def test_what_it_writes_is_of_the_right_form(self):
        self.make("mine2", str(self.root))
        source, preset, system, answer, case = [(self.root / path).read_text() for path in FILES]
        self.assertIn("Pipeline mine2_pipeline() {", source)
        self.assertEqual(tomllib.loads(preset)["method"], "mine2")
        self.assertIn('"| "', system)
        schema = json.loads(re.search(r"\[schema\]\n(.*)\[user\]", answer, re.DOTALL)[1])
        for field in schema["properties"]:
            self.assertIn(f'"{field}"', answer.split("[user]")[1])
        self.assertIn("pipeline mine2\n", case)
        self.assertIn("mine2.answer", case)
        self.assertEqual(re.findall(r'"(mine2\.[a-z]+)"', source), ["mine2.answer"] * 2)

    def test_it_refuses_what_is_no_name_or_is_there(self):
        for name in ["", "Mine", "my-paper", "my_paper", "2nd", "a/b", "reading", "answer"]:
            done = self.make(name, str(self.root))
            self.assertEqual(done.returncode, 2, name)
            self.assertIn(f'"{name}"', done.stderr)
        self.assertEqual(self.made(), [])
        self.make("mine2", str(self.root))
        (self.root / FILES[0]).write_text("mine")
        done = self.make("mine2", str(self.root))
        self.assertEqual(done.returncode, 2)
        self.assertIn("already exists", done.stderr)
        self.assertEqual((self.root / FILES[0]).read_text(), "mine")
        self.assertIn("src/pipelines/hkrag already exists", self.make("hkrag").stderr)

    def test_dev_passes_it_on(self):
        done = subprocess.run([ROOT / "scripts" / "dev", "new-pipeline", "hkrag"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("already exists", done.stderr)


if __name__ == "__main__":
    unittest.main()
