"""scripts/check-figures and scripts/record-figure on small repositories, and on this one."""
import datetime
import json
import subprocess
import sys
import unittest

from small_tree import ROOT, SmallRepository

FIGURES = "docs/figures.json"


class CheckFigures(SmallRepository):
    SCRIPT = "check-figures"

    def setUp(self):
        super().setUp()
        self.write(FIGURES, json.dumps({"share": {"value": "60.4", "date": "2026-01-01", "command": "eval"},
                                        "tests": {"value": "3,400", "date": "2026-01-01", "command": "test"}}))

    def record(self, *arguments):
        """Exit code and errors of record-figure on the tree's file."""
        command = [sys.executable, str(ROOT / "scripts" / "record-figure"), *arguments,
                   "--file", str(self.root / FIGURES)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    def test_figures_that_agree_pass(self):
        self.write("README.md", "Right for <!--figure:share-->60.4% of 90.\n\n"
                                "3,400<!-- figure:tests --> tests, **<!--figure:tests-->3,400** of them.\n")
        self.write("docs/a.md", "| 60.4<!--figure:share-->% | 7.1 |\n")
        self.assertEqual(self.breaches(), [])

    def test_a_figure_that_differs(self):
        self.write("README.md", "One.\n<!--figure:share-->60.5% and 340<!--figure:tests-->\n")
        self.assertEqual(self.breaches(), [
            "README.md:2: share is 60.5 here, and 60.4 in docs/figures.json",
            "README.md:2: tests is 340 here, and 3,400 in docs/figures.json"])

    def test_a_figure_with_another_number_of_digits_differs(self):
        self.write("README.md", "<!--figure:share-->60.40\n\n<!--figure:share-->60\n\n160.4<!--figure:share-->\n")
        self.assertEqual(len(self.breaches()), 3)

    def test_a_figure_that_the_file_does_not_have(self):
        self.write("README.md", "<!--figure:speed-->3\n")
        self.assertEqual(self.breaches(), ["README.md:1: docs/figures.json has no figure speed"])

    def test_a_marker_touches_one_number(self):
        self.write("README.md", "<!--figure:share--> 60.4\n60.4<!--figure:share-->60.4\n")
        rule = "the marker of share must touch one number, before or after it"
        self.assertEqual(self.breaches(), [f"README.md:1: {rule}", f"README.md:2: {rule}"])

    def test_write_puts_the_values_into_documents(self):
        self.write("README.md", "A <!--figure:share-->61.0% of 90, 340<!--figure:tests--> tests.\n")
        self.write("docs/a.txt", "<!--figure:share-->61.0\n")
        self.assertEqual(self.breaches("--write"), [])
        self.assertEqual((self.root / "README.md").read_text(),
                         "A <!--figure:share-->60.4% of 90, 3,400<!--figure:tests--> tests.\n")
        self.assertEqual((self.root / "docs/a.txt").read_text(), "<!--figure:share-->61.0\n")
        self.write("README.md", "<!--figure:speed-->3 60.5<!--figure:share-->61.0\n")
        self.assertEqual(len(self.breaches("--write")), 2)

    def test_a_broken_file_is_named(self):
        for text in ("{", '{"share": 60.4}', "[]"):
            self.write(FIGURES, text)
            code, _, errors = self.check(self.root)
            self.assertEqual(code, 1)
            self.assertIn("cannot read", errors)
            self.assertIn("figures.json", errors)

    def test_a_figure_is_recorded(self):
        before = datetime.datetime.now(datetime.timezone.utc).date().isoformat()
        self.assertEqual(self.record("share", "62.5", "fineprint eval --gold 'a b'"), (0, ""))
        self.assertEqual(self.record("minutes", "12", "scripts/test"), (0, ""))
        figures = json.loads((self.root / FIGURES).read_text())
        self.assertEqual(list(figures), ["minutes", "share", "tests"])
        self.assertEqual(figures["share"]["value"], "62.5")
        self.assertEqual(figures["share"]["command"], "fineprint eval --gold 'a b'")
        self.assertGreaterEqual(figures["share"]["date"], before)
        self.assertEqual(figures["tests"]["date"], "2026-01-01")
        self.write("README.md", "<!--figure:share-->60.4\n")
        self.assertEqual(len(self.breaches()), 1)
        self.assertEqual(self.breaches("--write"), [])

    def test_what_cannot_be_a_figure_is_refused(self):
        kept = (self.root / FIGURES).read_text()
        for arguments, message in [(("Share", "1", "eval"), "NAME 'Share'"),
                                   (("share", "60.4%", "eval"), "VALUE '60.4%'"),
                                   (("share", "3400,1", "eval"), "VALUE '3400,1'"),
                                   (("share", "1", " "), "COMMAND is empty")]:
            code, errors = self.record(*arguments)
            self.assertEqual(code, 2)
            self.assertIn(message, errors)
        self.assertEqual((self.root / FIGURES).read_text(), kept)

    @unittest.skipUnless((ROOT / ".git").exists(), "no git repository")
    def test_this_repository(self):
        code, lines, errors = self.check(ROOT)
        self.assertEqual((code, lines, errors), (0, [], ""))
        figures = json.loads((ROOT / FIGURES).read_text())
        self.assertLessEqual({"first-citation", "answers-right", "declined", "tests", "test-minutes"},
                             set(figures))


if __name__ == "__main__":
    unittest.main()
