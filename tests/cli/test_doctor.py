"""`fineprint doctor`: facts of this machine, each problem with its remedy."""

import unittest

import program
from program import ProgramTest


class Doctor(ProgramTest):
    def findings(self, *more, code=0):
        records = self.must("doctor", "--json", *more, code=code).records()
        return {record["what"]: record for record in records}

    def test_what_this_build_has_works(self):
        findings = self.findings(code=0 if program.HAS_NETS else 1)
        for what in ("program", "cores", "vector kernels", "gpu scoring", "documents", "ocr"):
            self.assertTrue(findings[what]["works"], findings[what])
        self.assertIn("MuPDF", findings["documents"]["detail"])
        self.assertIn("eng", findings["ocr"]["detail"])
        self.assertEqual(findings["text encoder"]["works"], program.HAS_NETS)
        if program.HAS_NETS:
            self.assertIn("384", findings["text encoder"]["detail"])

    def test_kept_states_are_counted(self):
        code = 0 if program.HAS_NETS else 1
        self.assertNotIn("page states", self.findings(code=code))
        states = self.folder / "states"
        findings = self.findings("--store", self.folder, code=code)
        self.assertEqual(findings["page states"]["detail"], "none kept")
        states.mkdir()
        (states / "ab.state").write_bytes(b"x" * 100)
        findings = self.findings("--store", self.folder, code=1)
        self.assertFalse(findings["page states"]["works"])
        self.assertIn("--verify", findings["page states"]["detail"])

    def test_a_problem_is_named(self):
        result = self.must("doctor", env={"FINEPRINT_RETRIEVER": "/no/such/model"}, code=1)
        self.assertIn("/no/such/model", result.out)


if __name__ == "__main__":
    unittest.main()
