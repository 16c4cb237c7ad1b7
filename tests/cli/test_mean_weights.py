"""What scripts/fit/mean-weights makes of two models, and what it refuses."""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import program

SCRIPT = program.REPOSITORY / "scripts" / "fit" / "mean-weights"


def put(folder, tensors, config="{}", dtype="F32"):
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(config)
    entries, data = {}, b""
    for name, values in tensors.items():
        raw = struct.pack(f"<{len(values)}f", *values)
        entries[name] = {"dtype": dtype, "shape": [len(values)], "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    head = json.dumps(entries).encode()
    (folder / "model.safetensors").write_bytes(struct.pack("<Q", len(head)) + head + data)


def tensors_of(folder):
    data = (folder / "model.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    found = {}
    for name, entry in json.loads(data[8 : 8 + length]).items():
        raw = data[8 + length :][slice(*entry["data_offsets"])]
        found[name] = list(struct.unpack(f"<{len(raw) // 4}f", raw))
    return found


class MeanWeights(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_script(self, *more):
        return subprocess.run(
            [sys.executable, "-B", str(SCRIPT), str(self.folder / "a"), str(self.folder / "b"), *more,
             "--out", str(self.folder / "out")],
            capture_output=True,
            text=True,
        )  # fmt: skip

    def refused(self, *more):
        run = self.run_script(*more)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertFalse((self.folder / "out" / "model.safetensors").exists())
        return run.stderr

    def test_each_weight_is_the_mean_whatever_the_order_of_tensors(self):
        put(self.folder / "a", {"one": [1, 2], "two": [4]})
        put(self.folder / "b", {"two": [8], "one": [3, -2]})
        run = self.run_script("--share", "0.25")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(tensors_of(self.folder / "out"), {"two": [7], "one": [2.5, -1]})
        self.assertEqual((self.folder / "out" / "config.json").read_text(), "{}")

    def test_models_of_unlike_shape_are_refused(self):
        put(self.folder / "a", {"one": [1, 2]})
        put(self.folder / "b", {"one": [1]})
        self.assertIn("differ in one: [2], [1]", self.refused())

    def test_models_of_unlike_configuration_are_refused(self):
        put(self.folder / "a", {"one": [1]}, config='{"layers":2}')
        put(self.folder / "b", {"one": [1]})
        self.assertIn("not models of the same shape", self.refused())

    def test_other_number_formats_are_refused(self):
        put(self.folder / "a", {"one": [1]})
        put(self.folder / "b", {"one": [1]}, dtype="I32")
        self.assertIn("one is I32, not F32", self.refused())

    def test_a_file_cut_short_is_refused(self):
        put(self.folder / "a", {"one": [1, 2]})
        put(self.folder / "b", {"one": [1, 2]})
        path = self.folder / "b" / "model.safetensors"
        path.write_bytes(path.read_bytes()[:-4])
        self.assertIn("copy it again", self.refused())

    def test_a_share_beyond_one_and_a_missing_model_are_refused(self):
        put(self.folder / "a", {"one": [1]})
        self.assertIn("between 0 and 1", self.refused("--share", "1.5"))
        self.assertIn("name the folder of a model", self.refused())


if __name__ == "__main__":
    unittest.main()
