"""A disk that is full: exit code 3 and the reason, nothing lost, and going on works afterwards.

A limit on the size of files stands for the disk: writing past it fails as on a full one, in the
program and in SQLite alike.
"""

import re
import resource
import signal
import unittest

import program
from program import QUICK, ProgramTest


def no_larger_than(limit):
    """For Popen: the process cannot make files larger than `limit` bytes."""

    def restrict():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    return restrict


class FullDisk(ProgramTest):
    def fails(self, limit, *arguments):
        """The run ends with 3 and one line that says why; True. False: the limit was enough."""
        result = self.call(*arguments, preexec_fn=no_larger_than(limit), restore_signals=False)
        if result.code == 0:
            return False
        self.assertEqual(result.code, 3, f"{limit} bytes: {result.err}")
        errors = [line for line in result.err.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.err)
        self.assertIn(str(self.class_folder), errors[0])
        self.assertRegex(errors[0], r"(?i)file too large|full|disk|space")
        return True

    def test_index(self):
        docs = self.copy_documents(self.folder / "docs")
        store, whole = self.folder / "store", self.folder / "whole"
        arguments = ["index", docs, "--ocr", "never", *QUICK]
        self.must(*arguments, "--store", whole)
        failed = 0
        documents = 0
        for limit in [0, 1000, 20_000, 60_000, 120_000, 200_000, 300_000, 400_000, 600_000]:
            failed += self.fails(limit, *arguments, "--store", store)
            verified = self.call("index", "--verify", "--store", store)
            if verified.code == 3 and documents == 0:  # not even its tables were written
                self.assertRegex(verified.err, "catalog.sqlite is empty|holds no store|catalog.sqlite: ")
                continue
            self.assertEqual((verified.code, verified.out), (0, ""), verified.err)
            count = int(re.search(r"(\d+) documents", verified.err).group(1))
            self.assertGreaterEqual(count, documents, "a document was lost")
            documents = count
        self.assertGreaterEqual(failed, 4, "the limits were too large")
        self.must(*arguments, "--store", store)
        self.must("index", "--verify", "--store", store)
        query = ["search", "table of gauges", "--json", *QUICK, "--store"]
        self.assertEqual(self.must(*query, store).out, self.must(*query, whole).out)

    def test_batch(self):
        store = self.native_store(QUICK)
        questions = program.many_questions(150)
        file = self.write_questions("questions.jsonl", questions)
        out, whole = self.folder / "answers.jsonl", self.folder / "whole.jsonl"
        arguments = ["batch", file, "--store", store, *QUICK, "--out"]
        self.must(*arguments, whole)
        size = whole.stat().st_size
        before = b""
        # Beside the answers, SQLite needs 32 kB to read the store.
        self.assertGreater(size // 2, 40_000)
        for limit in [20_000, size // 2, size * 3 // 4, size * 9 // 10]:
            self.assertTrue(self.fails(limit, *arguments, out), f"{limit} of {size} bytes")
            after = out.read_bytes() if out.exists() else b""
            self.assertTrue(after.startswith(before), "an answer was lost")
            self.assertTrue(after == b"" or after.endswith(b"\n"), "half a line is left")
            before = after
        self.assertNotEqual(before, b"")
        self.must(*arguments, out)
        self.assertEqual(
            program.without_times(program.read_records(out)),
            program.without_times(program.read_records(whole)),
        )


if __name__ == "__main__":
    unittest.main()
