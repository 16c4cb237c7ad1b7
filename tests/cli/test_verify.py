"""`fineprint verify`: golden cases pass, and tampering shows."""

import json
import math
import pathlib
import platform
import unittest

import program
from model_files import TOKENIZER_CASES, VERIFIED_CASES, Tensors, copy_folder, model_of
from program import DATA, ProgramTest


class Verify(ProgramTest):
    def copy(self, case):
        return copy_folder(DATA / case, self.folder / f"copy{len(list(self.folder.iterdir()))}")

    def change_case(self, name, change):
        """A copy of the case whose case.json `change` has changed."""
        folder = self.copy(name)
        case = json.loads((folder / "case.json").read_text(encoding="utf-8"))
        change(case)
        (folder / "case.json").write_text(json.dumps(case), encoding="utf-8")
        return folder


class Tokenizers(Verify):
    def test_every_case_passes(self):
        for case in TOKENIZER_CASES:
            result = self.must("verify", DATA / case)
            lines = result.out.splitlines()
            self.assertRegex(lines[-1], rf"{case}: ok, \d+ tensors$")
            self.assertGreaterEqual(len(lines), 8)
            self.assertTrue(all(" ok" in line for line in lines[:-1]), result.out)

    def test_the_kernels_are_those_of_the_reference_unless_all_are_wanted(self):
        reference = "neon" if platform.machine() == "aarch64" else "avx2"
        if reference == "avx2" and " avx2 " not in pathlib.Path("/proc/cpuinfo").read_text():
            self.skipTest("this processor lacks the instructions of the references")
        limited = f"kernels are limited to {reference}"
        run = ("verify", DATA / "tok_bert", "--debug")
        self.assertIn(limited, self.must(*run).err)
        self.assertNotIn(limited, self.must(*run, "--isa", "native").err)

    def test_a_slash_at_the_end_is_fine(self):
        with_slash = self.must("verify", f"{DATA}/tok_bert/")
        self.assertEqual(with_slash.out, self.must("verify", DATA / "tok_bert").out)

    def test_a_changed_value_fails_and_is_named(self):
        folder = self.copy("tok_bert")
        expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
        expected["encode"][40]["offsets"][0][1] += 1
        (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
        result = self.must("verify", folder, code=1)
        failed = [line for line in result.out.splitlines() if "FAILED" in line]
        self.assertEqual(len(failed), 2, result.out)
        self.assertIn("encode.offsets", failed[0])
        self.assertIn("entry 40", failed[0])
        self.assertIn(f"{folder}: FAILED, 1 of 9 tensors", failed[1])

    def test_records(self):
        (record,) = self.must("verify", DATA / "tok_qwen", "--json").records()
        self.assertEqual((record["status"], record["kind"]), ("ok", "tokenizer"))
        self.assertEqual(record["name"], "tok_qwen")
        ids = next(t for t in record["tensors"] if t["name"] == "encode.ids")
        self.assertEqual((ids["elements"], ids["max_absolute"], ids["passed"]), (220, 0, True))

    def test_a_tokenizer_that_cannot_be_used_is_4(self):
        folder = self.copy("tok_qwen")
        (folder / "model" / "tokenizer.json").write_text("{}")
        result = self.must("verify", folder, code=4)
        self.assertIn("tokenizer.json", result.err)
        (folder / "model" / "tokenizer.json").unlink()
        self.assertIn("--model DIR", self.must("verify", folder, code=4).err)
        self.must("verify", folder, "--model", DATA / "tok_qwen" / "model")


class Cases(Verify):
    def test_other_kinds_are_skipped_and_do_not_fail(self):
        other = self.folder / "other"
        other.mkdir()
        (other / "case.json").write_text('{"case": "drawing"}')
        result = self.must("verify", other, DATA / "tok_bert")
        self.assertIn("other: skipped: ", result.out)
        self.assertIn("1 ok, 0 failed, 1 skipped", result.err)

    def test_a_folder_that_is_no_case_is_3(self):
        self.assertIn("case.json", self.must("verify", self.folder, code=3).err)
        self.assertIn("nowhere", self.must("verify", self.folder / "nowhere", code=3).err)
        (self.folder / "case.json").write_text("[1, 2")
        self.assertIn("case.json", self.must("verify", self.folder, code=3).err)

    def test_the_others_still_run_and_the_worst_code_counts(self):
        failing = self.copy("tok_bert")
        expected = json.loads((failing / "expected.json").read_text(encoding="utf-8"))
        expected["encode"][0]["decoded"] = "x"
        (failing / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
        broken = self.copy("tok_bert")
        (broken / "model" / "tokenizer.json").unlink()
        result = self.must(
            *["verify", broken, self.folder, failing, DATA / "tok_qwen", "--json"], code=4
        )
        records = result.records()
        status = [record["status"] for record in records]
        self.assertEqual(status, ["unusable", "unusable", "failed", "ok"])
        self.assertEqual([records[0]["code"], records[1]["code"]], ["model", "input"])
        self.must("verify", failing, self.folder, code=3)
        self.must("verify", failing, DATA / "tok_qwen", code=1)

    def test_wrong_usage_is_2(self):
        case = DATA / "tok_bert"
        self.assert_one_error(self.call("verify"), 2, "CASE")
        for arguments, part in [
            (["--tolerance-factor", "0"], "--tolerance-factor"),
            (["--dtype", "int4"], "dtype"),
            (["--device", "gpu"], "--device"),
        ]:
            self.assert_one_error(self.call("verify", case, *arguments), 2, part)

    @unittest.skipIf(program.HAS_NETS, "this build has networks")
    def test_without_networks_models_are_4(self):
        result = self.must("verify", DATA / "bert_mean_a", DATA / "tok_bert", code=4)
        self.assertIn("tok_bert: ok", result.out)
        self.assertIn("networks", result.err)


class Methods(Verify):
    def assert_fails(self, folder, *names):
        result = self.must("verify", folder, "--json", code=1)
        (record,) = result.records()
        failed = {check["name"] for check in record["tensors"] if not check["passed"]}
        self.assertEqual(failed, set(names))

    def test_every_case_passes_and_every_value_counts(self):
        # hkrag: C, Cn and both masks for each of 36 rows; see the cases for the rest.
        for case, elements in [
            ("method_hkrag", 36 * (4 * 3072 + 9)),
            ("method_gmm", 309 + 6 * (1 + 6 + 4)),
            ("method_ranking", 2 * 12 + 2 * (1 + 15 + 13) + 8 * 24 + 24),
        ]:
            with self.subTest(case=case):
                (record,) = self.must("verify", DATA / case, "--json").records()
                self.assertEqual((record["status"], record["kind"]), ("ok", "method"))
                self.assertEqual(sum(t["elements"] for t in record["tensors"]), elements)

    def test_a_changed_tensor_fails(self):
        for case, tensor, check in [
            ("method_hkrag", "pair1.Cn.variance", "Cn.variance"),
            ("method_gmm", "overlap.posterior_high", "posterior_high"),
        ]:
            folder = self.copy(case)
            tensors = Tensors(folder / "expected.safetensors")
            tensors.set_value(tensor, 3, tensors.values(tensor)[3] + 0.001)
            tensors.save()
            self.assert_fails(folder, check)

    def test_a_changed_fact_fails(self):
        def add(value, *path):
            def change(case):
                for key in path[:-1]:
                    case = case[key]
                case[path[-1]] += value

            return change

        self.assert_fails(self.change_case("method_hkrag", add(1, "rows", 7, "count_sparse")),
                          "count_sparse")  # fmt: skip
        self.assert_fails(self.change_case("method_gmm", add(1e-4, "rows", 2, "means", 1)), "means")
        self.assert_fails(self.change_case("method_ranking", add(1e-6, "metrics", 4, "recall@5")),
                          "recall@5")  # fmt: skip
        self.assert_fails(
            self.change_case("method_ranking", add(1e-6, "rrf", 1, "fused", 3, 1)), "rrf.scores"
        )

    def test_what_nothing_stands_against_fails(self):
        folder = self.change_case("method_ranking", lambda case: case["metrics"][0].update(err=1))
        self.assert_fails(folder, "err")

    def test_a_case_that_lacks_something_is_3(self):
        folder = self.change_case("method_gmm", lambda case: case.pop("rows"))
        self.assertIn("case.json", self.must("verify", folder, code=3).err)


@program.needs_nets
class Models(Verify):
    def test_every_case_passes(self):
        result = self.call("verify", *map(DATA.joinpath, VERIFIED_CASES), "--device", "cpu", "--json", timeout=800)
        records = result.records()
        for case, record in zip(VERIFIED_CASES, records, strict=True):
            with self.subTest(case=case):
                failed = [check for check in record.get("tensors", []) if not check["passed"]]
                self.assertEqual((record["status"], failed), ("ok", []), record)
        self.assertEqual(result.code, 0, result.err)

    def test_named_weights_are_those_of_the_set_up(self):
        result = self.must("verify", DATA / "minilm_real")
        self.assertIn("minilm_real: ok", result.out)

    def test_named_weights_can_be_given(self):
        folder = self.copy("bert_mean_a")
        (folder / "model" / "model.safetensors").unlink()
        self.assertIn("--model DIR", self.must("verify", folder, code=4).err)
        self.must("verify", folder, "--model", model_of("bert_mean_a"))

    def test_a_case_that_lacks_something_is_3(self):
        for case, change in [
            ("qwen25vl_a", lambda facts: facts["runs"][0].pop("prompt")),
            ("qwen25vl_a", lambda facts: facts["runs"][0].update(images=[7])),
            ("bert_mean_a", lambda facts: facts.update(sentences=7)),
        ]:
            folder = self.change_case(case, change)
            self.assertIn("case.json", self.must("verify", folder, code=3).err)

    def test_without_tolerances_values_must_be_equal(self):
        folder = self.change_case("bert_mean_a", lambda facts: facts.pop("tolerances"))
        (record,) = self.must("verify", folder, "--json", code=1).records()
        self.assertEqual({t["tolerance"] for t in record["tensors"]}, {0})

    def tampered(self, case, tensor):
        folder = self.copy(case)
        tensors = Tensors(folder / "expected.safetensors")
        tensors.set_value(tensor, 5, tensors.values(tensor)[5] + 0.5)
        tensors.save()
        return folder

    def test_a_changed_value_fails_and_is_named(self):
        for case, tensor in [
            ("bert_mean_a", "embeddings"),
            ("qwen25vl_a", "one.hidden.final_norm"),
            ("colpali_a", "pages.embeddings"),
        ]:
            folder = self.tampered(case, tensor)
            (record,) = self.must("verify", folder, "--json", code=1).records()
            failed = [t for t in record["tensors"] if not t["passed"]]
            self.assertTrue(failed and all(tensor in t["name"] for t in failed), failed)
            self.assertAlmostEqual(failed[0]["max_absolute"], 0.5, delta=0.02)

    def test_levels_of_pictures_name_the_values_that_are_compared(self):
        folder = self.copy("qwen35_seeing_gguf")
        tensors = Tensors(folder / "expected.safetensors")
        values = "one.pixel_values.level_values"
        tensors.set_value(values, 0, tensors.values(values)[0] + 0.5)
        tensors.save()
        (record,) = self.must("verify", folder, "--json", code=1).records()
        failed = {t["name"]: t for t in record["tensors"] if not t["passed"]}
        self.assertAlmostEqual(failed["one.pixel_values"]["max_absolute"], 0.5, delta=0.02)
        self.assertFalse([t for t in record["tensors"] if "level" in t["name"]])

        tensors.header[values]["shape"].reverse()
        tensors.save()
        self.assertIn("one.pixel_values", self.must("verify", folder, code=3).err)

    def test_the_tolerance_can_be_widened(self):
        folder = self.tampered("bert_mean_a", "embeddings")
        self.must("verify", folder, "--tolerance-factor", "1000", code=1)
        self.must("verify", folder, "--tolerance-factor", "1e6")

    def test_half_precision_is_near(self):
        (record,) = self.call("verify", DATA / "colpali_a", "--dtype", "bfloat16", "--json").records()
        check = next(t for t in record["tensors"] if t["name"] == "pages.embeddings")
        self.assertTrue(1e-5 < check["max_absolute"] < 0.05, check)

    def test_weights_that_are_no_numbers_are_4(self):
        folder = self.copy("bert_mean_a")
        tensors = Tensors(folder / "model" / "model.safetensors")
        name = tensors.names()[5]
        tensors.set_value(name, 0, math.nan)
        tensors.save()
        self.assertIn(name, self.must("verify", folder, code=4).err)

    def test_weights_of_another_shape_are_4(self):
        folder = self.copy("colbert_a")
        tensors = Tensors(folder / "model" / "model.safetensors")
        tensors.header["linear.weight"]["shape"].reverse()
        tensors.save()
        self.assertIn("linear.weight", self.must("verify", folder, code=4).err)

    def test_a_device_that_is_not_there_is_2(self):
        result = self.call("verify", DATA / "bert_mean_a", "--device", "cuda:7")
        self.assert_one_error(result, 2, "cuda:7")


if __name__ == "__main__":
    unittest.main()
