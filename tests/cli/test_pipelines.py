"""`fineprint pipelines`: the presets there are, and that `--pipeline` knows them."""

import unittest

from program import QUICK, ProgramTest

NAMES = [
    *["closed-book", "direct", "extractive", "hkrag", "hkrag-paper", "m3docrag", "m3docrag-code"],
    *["dmap", "dmap-paper", "mdocagent", "mdocagent-paper"],
    *["molorag", "molorag-code-ldu", "molorag-code-mmlong", "molorag-paper", "molorag-plus"],
    *["investigate", "textrag", "textrag-paper", "vdocrag", "vidorag", "vidorag-paper", "visualrag"],
]


class Pipelines(ProgramTest):
    def test_each_is_described(self):
        records = {record["name"]: record for record in self.must("pipelines", "--json").records()}
        self.assertLessEqual(set(NAMES), set(records))
        for name, record in records.items():
            self.assertEqual(
                list(record),
                ["name", "base", "summary", "method", "scorers", "needs", "encoder", "map", "generator"]
                + ["calls_per_question", "agents"],
            )
            self.assertTrue(record["summary"] and record["needs"] and record["calls_per_question"])
            self.assertEqual(record["map"], "needed" if record["method"] == "dmap" else "-")
            self.assertTrue(name.startswith(record["base"] or record["method"]))
        self.assertEqual(records["hkrag-paper-without-pruner"]["base"], "hkrag-paper")
        self.assertIsNone(records["hkrag-paper"]["base"])
        self.assertEqual(records["hkrag"]["scorers"], ["hybrid-mask"])
        self.assertEqual(records["hkrag-paper"]["scorers"], ["page"])
        self.assertEqual(records["direct"]["scorers"], [])
        self.assertEqual(records["vidorag-paper"]["scorers"], ["late", "text"])
        self.assertEqual(records["m3docrag-code"]["method"], "m3docrag")
        self.assertEqual(records["molorag-plus"]["scorers"], ["late"])
        self.assertIn("mdocagent.text", records["mdocagent"]["agents"])
        self.assertEqual(records["extractive"]["agents"], [])
        self.assertFalse(records["extractive"]["generator"])
        self.assertTrue(records["direct"]["generator"])

    def test_a_projects_settings_do_not_change_them(self):
        (self.folder / "fineprint.toml").write_text('scorer = ["bm25"]\npipeline = "hkrag"\n')
        records = self.must("pipelines", "--json", cwd=self.folder).records()
        (hkrag,) = [record for record in records if record["name"] == "hkrag"]
        self.assertEqual(hkrag["scorers"], ["hybrid-mask"])

    def test_for_people(self):
        result = self.must("pipelines")
        for name in NAMES:
            self.assertRegex(result.out, rf"(?m)^{name} ")
        self.assertRegex(result.out, r"(?m)^  hkrag-paper-without-pruner +HKRAG without its pruner$")
        self.assertIn("scorers: hybrid-mask; map: -; generator: yes; calls a que", result.out)
        self.assertEqual(result.err, "")

    def test_a_pipeline_that_does_not_exist_is_refused_before_anything_is_written(self):
        out = self.folder / "answers.jsonl"
        questions = self.write_questions("q.jsonl", [{"id": "a", "question": "x"}])
        arguments = ["--store", self.native_store(), "--pipeline", "nonsense", *QUICK]
        result = self.call("batch", questions, "--out", out, *arguments)
        self.assert_one_error(result, 2, "nonsense", "extractive", "m3docrag-code")
        self.assertFalse(out.exists())
        result = self.call("ask", "What?", self.folder, "--pipeline", "nonsense")
        self.assert_one_error(result, 2, "nonsense", "extractive")


if __name__ == "__main__":
    unittest.main()
