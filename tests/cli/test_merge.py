"""`fineprint merge`: files joined byte for byte, contradictions named."""

import json
import subprocess
import unittest

from program import FINEPRINT, ProgramTest

YES = '{"id": "a", "answer": "yes"}\n'
NO = '{"id": "a", "answer": "no"}\n'
OTHER = '{"id": "b", "answer": "x"}\n'
FAILED = '{"id": "a", "answer": "", "error": {"code": "store", "message": "damaged"}}\n'


class Merge(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out.jsonl"

    def merge(self, *texts, code=0):
        files = [self.write(f"in{i}.jsonl", text) for i, text in enumerate(texts)]
        result = self.call("merge", self.out, *files)
        self.assertEqual(result.code, code, result.err)
        return result

    def test_lines_are_kept_in_order(self):
        self.merge(OTHER, FAILED, YES + OTHER)
        self.assertEqual(self.out.read_text(), OTHER + YES)
        manifest = json.loads((self.folder / "out.jsonl.manifest.json").read_text())
        self.assertEqual(manifest["counts"]["answers"], 2)
        self.assertEqual(len(manifest["merged"]), 3)

    def test_contradictions_are_refused(self):
        result = self.merge(YES, NO, code=3)
        self.assert_one_error(result, 3, "id a", "in0.jsonl", "in1.jsonl")
        self.assertFalse(self.out.exists())

    def test_pipes_are_read_once(self):
        script = f'"$0" merge "$1" <(echo \'{YES.strip()}\') <(echo \'{OTHER.strip()}\')'
        shell = ["bash", "-c", script, FINEPRINT, self.out]
        subprocess.run(shell, check=True, env=self.environment(), stderr=subprocess.DEVNULL)
        self.assertEqual(self.out.read_text(), YES + OTHER)

    def test_a_missing_shard_is_named(self):
        result = self.call("merge", self.out, self.folder / "nowhere.jsonl")
        self.assert_one_error(result, 3, "nowhere.jsonl")

    def test_a_torn_shard_is_refused(self):
        self.assert_one_error(self.merge(OTHER, YES[:-9], code=3), 3, "in1.jsonl:1")


if __name__ == "__main__":
    unittest.main()
