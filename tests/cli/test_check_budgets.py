"""scripts/check-budgets on small repositories, and this one's list of budgets."""
import importlib.machinery
import importlib.util
import unittest

from small_tree import ROOT, SmallRepository

LIST = "scripts/budgets.txt"


class CheckBudgets(SmallRepository):
    SCRIPT = "check-budgets"

    def setUp(self):
        super().setUp()
        self.write("src/core/a.cpp", "int a;\n" * 60)
        self.write("include/fineprint/core/a.h", "int a;\n" * 40)
        self.write("src/core/README.md", "Not counted.\n" * 50)
        self.commit()

    def lines_with(self, *budgets):
        """Exit code and lines of a check with these budgets."""
        self.write(LIST, "# a comment\n\n" + "".join(f"{line}\n" for line in budgets))
        code, lines, errors = self.check(self.root)
        self.assertEqual(errors, "")
        return code, lines

    def test_measures_within_their_budgets_pass(self):
        self.assertEqual(self.lines_with("lines : 125 : small", "tree-bytes : 2,700 : small"), (0, [
            "lines        100 of 125 lines (80%)", "tree-bytes   1,350 of 2,700 bytes (50%)"]))

    def test_a_tenth_over_the_budget_passes(self):
        self.assertEqual(self.lines_with("lines : 91 : small"),
                         (0, ["lines        100 of 91 lines (110%)"]))

    def test_more_than_a_tenth_over_fails(self):
        self.assertEqual(self.lines_with("lines : 90 : small", "tree-bytes : 2,700 : small"), (1, [
            "lines        100 of 90 lines (111%) OVER: reduce it, or raise the budget with a reason",
            "tree-bytes   1,350 of 2,700 bytes (50%)"]))

    def test_files_that_git_does_not_know_are_not_counted(self):
        self.write("src/core/b.cpp", "int b;\n" * 100)
        self.assertEqual(self.lines_with("lines : 100 : small"),
                         (0, ["lines        100 of 100 lines (100%)"]))

    def test_cpu_times_that_nobody_wrote_pass(self):
        self.assertEqual(self.lines_with("build-cpu : 100 : builds wait", "test-cpu : 1 : tests wait"),
                         (0, ["build-cpu    not measured", "test-cpu     not measured"]))

    def test_cpu_times_are_divided_by_the_calibration(self):
        self.write("build/release/.cpu-build", "0.001\n")
        self.write("build/release/.cpu-test", "1000000.5\n")
        code, lines = self.lines_with("build-cpu : 100 : builds wait", "test-cpu : 1 : tests wait")
        self.assertEqual(code, 1)
        self.assertRegex(lines[0], r"^calibration  \d+\.\d\d s$")
        self.assertEqual(lines[1], "build-cpu    0 of 100 calibrations (0%)")
        self.assertRegex(lines[2], r"^test-cpu     [\d,]+ of 1 calibrations \(\d+%\) OVER")

    def test_cpu_times_may_be_over_by_a_half_because_machines_differ(self):
        loader = importlib.machinery.SourceFileLoader("check_budgets", str(ROOT / "scripts/check-budgets"))
        script = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
        loader.exec_module(script)
        for name in ("build-cpu", "test-cpu"):
            self.assertFalse(script.is_over(name, 150, 100))
            self.assertTrue(script.is_over(name, 151, 100))
        self.assertTrue(script.is_over("lines", 111, 100))

    def test_a_budget_that_is_still_to_be_measured_passes(self):
        self.assertEqual(self.lines_with("lines : TODO-MEASURE : small"),
                         (0, ["lines        100 lines; no budget yet"]))

    def test_broken_lists_and_files_are_named(self):
        for line, message in [("lines : 10", "budgets.txt:1: expected 'name : budget : reason'"),
                              ("lines : many : why", "budgets.txt:1: expected"),
                              ("colour : 1 : why", "budgets.txt:1: there is no measure colour")]:
            self.write(LIST, line + "\n")
            code, _, errors = self.check(self.root)
            self.assertEqual(code, 1)
            self.assertIn(message, errors)
        self.write(LIST, "test-cpu : 1 : tests wait\n")
        self.write("build/release/.cpu-test", "")
        code, _, errors = self.check(self.root)
        self.assertEqual(code, 1)
        self.assertIn(".cpu-test holds no number", errors)
        code, _, errors = self.check(self.root / "absent")
        self.assertEqual(code, 2)
        self.assertIn("holds no scripts/budgets.txt", errors)

    def test_this_repository_has_all_budgets(self):
        names = [line.split(" : ")[0] for line in (ROOT / LIST).read_text().splitlines()
                 if not line.startswith("#")]
        self.assertEqual(names, ["build-cpu", "test-cpu", "tree-bytes", "lines"])


if __name__ == "__main__":
    unittest.main()
