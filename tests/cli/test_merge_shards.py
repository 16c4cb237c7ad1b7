"""Three shards, run apart and merged, are the run that was never split."""

import unittest

import program
from program import QUICK, ProgramTest


class MergeShards(ProgramTest):
    def setUp(self):
        super().setUp()
        self.questions = program.many_questions(60)
        self.file = self.write_questions("questions.jsonl", self.questions)

    def batch(self, name, *more, **options):
        out = self.folder / name
        arguments = ["batch", self.file, "--store", self.native_store(), "--out", out]
        self.must(*arguments, *QUICK, *more, **options)
        return out

    def expect_merged(self, parts):
        merged = self.folder / "merged.jsonl"
        self.must("merge", merged, *parts)
        whole = program.read_records(self.batch("whole.jsonl"))
        joined = program.read_records(merged)
        self.assertEqual(len(joined), len(self.questions))
        self.assertEqual(program.without_times(joined), program.without_times(whole))
        lines = [line for part in parts for line in part.read_text().splitlines()]
        self.assertEqual(merged.read_text().splitlines(), lines)

    def test_numbered_shards(self):
        parts = [self.batch(f"part{i}.jsonl", "--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertTrue(all(part.stat().st_size > 0 for part in parts))
        self.expect_merged(parts)

    def test_a_job_array_of_slurm(self):
        array = {"SLURM_ARRAY_TASK_COUNT": "3", "SLURM_ARRAY_TASK_MIN": "4"}
        self.expect_merged(
            [
                self.batch(
                    f"task{i}.jsonl", "--shard", "slurm", env={"SLURM_ARRAY_TASK_ID": str(i), **array}
                )
                for i in (4, 5, 6)
            ]
        )

    def test_a_shard_that_does_not_exist_is_refused(self):
        for shard in ("0/3", "4/3", "x", "slurm"):
            result = self.call(
                *["batch", self.file, "--store", self.native_store(), "--shard", shard],
                *["--out", self.folder / "none.jsonl", *QUICK],
            )
            self.assert_one_error(result, 2, "--shard")
        self.assertFalse((self.folder / "none.jsonl").exists())


if __name__ == "__main__":
    unittest.main()
