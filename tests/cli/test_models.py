"""`fineprint models`: what folders hold, and what is said of those that are of no use."""

import json
import math
import os
import shutil
import struct
import unittest

import program
from model_files import MODEL_CASES, Tensors, copy_folder, model_of, save_raw, saved_graph
from program import ProgramTest


class Facts(ProgramTest):
    def facts(self, model, **options):
        (record,) = self.must("models", model, "--json", **options).records()
        return record

    def test_each_model_is_described(self):
        for case in MODEL_CASES:
            with self.subTest(case=case):
                facts = self.facts(model_of(case))
                self.assertEqual(sum(facts["parts"].values()), facts["parameters"])
                self.assertEqual(facts["stored_dtype"], "F32")
                self.assertEqual(facts["stored_bytes"], 4 * facts["parameters"])
                self.assertEqual(
                    facts["memory"]["float32"]["weight_bytes"],
                    2 * facts["memory"]["bfloat16"]["weight_bytes"],
                )
                self.assertEqual(facts["sees"], case not in ("colbert_a", "bert_mean_a"))
                self.assertEqual(facts["sees"], facts["page_tokens"] > 0)
                self.assertEqual(facts["runs_here"], program.HAS_NETS, facts["reason"])

    def test_quantised_folders_are_described(self):
        for case, codes in (("llama_awq", "AWQ 4 bits"), ("llama_gptq_order", "GPTQ 8 bits"),
                            ("llama_w4a16", "INT4"), ("llama_fp8", "FP8")):
            with self.subTest(case=case):
                facts = self.facts(model_of(case))
                self.assertEqual(facts["stored_dtype"], codes)
                held = facts["memory"][codes]
                self.assertGreaterEqual(held["weight_bytes"], facts["stored_bytes"] * 0.9)
                self.assertLess(held["weight_bytes"], facts["memory"]["float32"]["weight_bytes"])

    def test_longer_contexts_need_more(self):
        contexts = self.facts(model_of("qwen25vl_a"))["memory"]["float32"]["needed_bytes_by_tokens"]
        self.assertEqual(list(contexts), ["2000", "8000", "32000", "128000"])
        self.assertEqual(sorted(contexts.values()), list(contexts.values()))
        self.assertIn("with 128000 tokens", self.must("models", model_of("qwen25vl_a")).out)
        encoder = self.facts(model_of("bert_mean_a"))["memory"]["float32"]
        self.assertEqual(encoder["needed_bytes_by_tokens"], {})

    def test_what_models_can_do(self):
        self.assertTrue(self.facts(model_of("qwen25vl_a"))["generates"])
        self.assertFalse(self.facts(model_of("bert_mean_a"))["generates"])
        colpali = self.facts(model_of("colpali_a"))
        self.assertEqual((colpali["many_vectors"], colpali["vector_width"]), (True, 128))
        bert = self.facts(model_of("bert_mean_a"))
        self.assertEqual((bert["many_vectors"], bert["vector_width"]), (False, 64))

    def test_a_person_reads_the_same(self):
        out = self.must("models", model_of("phi3v_a")).out
        for part in ("phi3_v", "337792", "generate", "accepts images", "runs here"):
            self.assertIn(part, out)


class Graphs(ProgramTest):
    def test_a_graph_is_described(self):
        lines = self.must("models", saved_graph("Conv.1", self.folder)).out.splitlines()
        self.assertIn("  operators   1 of version 17: Conv 1", lines)
        self.assertIn("  reads       x0 F32 [1, 4, 9, 7]", lines)
        self.assertIn("  runs here   yes" if program.HAS_NETS else "  runs here   no: this build", "\n".join(lines))

    def test_an_operator_that_does_not_run_here_is_named(self):
        path = saved_graph("Relu.0", self.folder)
        path.write_bytes(path.read_bytes().replace(b"Relu", b"Rely"))
        (record,) = self.must("models", path, "--json").records()
        self.assertFalse(record["runs_here"])
        if program.HAS_NETS:
            self.assertIn("Rely", record["reason"])

    def test_a_damaged_file_is_refused(self):
        path = saved_graph("Relu.0", self.folder)
        path.write_bytes(path.read_bytes()[:-3])
        self.assertIn("graph.onnx", self.must("models", path, code=4).err)
        path.write_bytes(b"not a graph")
        self.must("models", path, code=4)
        self.must("models", self.folder / "none.onnx", code=3)


class Suggestions(ProgramTest):
    def test_published_models_are_named_with_their_commands(self):
        records = self.must("models", "--suggest", "--json").records()
        uses = {record["use"] for record in records}
        self.assertEqual(uses, {"page generator", "text generator", "page retriever",
                                "text encoder", "reranker"})
        for record in records:
            self.assertIn(record["repository"], record["download"])
            self.assertTrue(record["download"].startswith("hf download "))
            self.assertGreater(record["needed_bytes"], record["bytes"])
        out = self.must("models", "--suggest").out
        fitting = next(record for record in records if record["fits"])
        for part in (fitting["name"], fitting["download"], fitting["usage"], fitting["licence"]):
            self.assertIn(part, out)

    def test_a_model_beside_it_is_a_mistake(self):
        self.assert_one_error(self.call("models", "--suggest", "x"), 2, "--suggest")


class Cache(ProgramTest):
    """The Hugging Face cache, read in place."""

    def setUp(self):
        super().setUp()
        self.cache = self.folder / "hub"
        self.put("some", "encoder", "bert_mean_a")

    def put(self, owner, name, case):
        folder = self.cache / f"models--{owner}--{name}"
        (folder / "refs").mkdir(parents=True)
        (folder / "refs" / "main").write_text("0123abc")
        (folder / "snapshots").mkdir()
        copy_folder(model_of(case), folder / "snapshots" / "0123abc")
        return folder

    def test_a_name_is_found_there(self):
        for env in ({"HF_HUB_CACHE": str(self.cache)}, {"HF_HOME": str(self.folder)}):
            (record,) = self.must("models", "some/encoder", "--json", env=env).records()
            self.assertIn("models--some--encoder/snapshots/0123abc", record["dir"])

    def test_the_users_own_cache_is_the_default(self):
        home = self.class_folder / "cache" / "huggingface"
        home.mkdir(parents=True)
        os.rename(self.cache, home / "hub")
        self.must("models", "some/encoder")
        shutil.rmtree(home)

    def test_the_list_names_good_and_bad_ones(self):
        broken = self.put("other", "broken", "qwen25vl_a")
        (broken / "snapshots" / "0123abc" / "config.json").write_text("{}")
        (self.cache / "datasets--a--b").mkdir()
        env = {"HF_HUB_CACHE": str(self.cache)}
        records = self.must("models", "--json", env=env).records()
        self.assertEqual([r["spec"] for r in records], ["", "other/broken", "some/encoder"])
        self.assertIn("config.json", records[1]["message"])
        self.assertEqual(records[2]["family"], "bert")
        lines = self.must("models", env=env).out.splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn("cannot be used", lines[1])

    def test_what_is_not_there_is_named(self):
        env = {"HF_HUB_CACHE": str(self.cache)}
        result = self.call("models", "some/other", env=env)
        self.assert_one_error(result, 4, "some/other", self.cache)
        self.assert_one_error(self.call("models", "../some/encoder", env=env), 4, "../some/encoder")


class Hostile(ProgramTest):
    """Folders made to harm: exit code 4 and one line that names the cause."""

    def copy(self, case="bert_mean_a"):
        return copy_folder(model_of(case), self.folder / f"copy{len(list(self.folder.iterdir()))}")

    def refused(self, folder, *parts):
        self.assert_one_error(self.call("models", folder), 4, *parts)

    def change_json(self, path, change):
        value = json.loads(path.read_text(encoding="utf-8"))
        change(value)
        path.write_text(json.dumps(value), encoding="utf-8")

    def test_folders_that_are_none(self):
        self.refused(self.folder, self.folder)
        self.refused(self.folder / "nowhere", "nowhere")
        (self.folder / "config.json").mkdir()
        self.refused(self.folder, self.folder)

    def test_missing_files(self):
        for case, name in [
            ("bert_mean_a", "model.safetensors"),
            ("bert_mean_a", "tokenizer.json"),
            ("qwen25vl_a", "preprocessor_config.json"),
            ("qwen25vl_a", "model-00002-of-00003.safetensors"),
        ]:
            folder = self.copy(case)
            (folder / name).unlink()
            self.refused(folder, name)

    def test_headers_that_lie(self):
        name = "model.safetensors"
        body = (model_of("bert_mean_a") / name).read_bytes()
        length = struct.unpack("<Q", body[:8])[0]
        entry = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
        for header, data, size in [
            (b"{}", b"", 1 << 63),  # longer than the file
            (b"{}", b"", 100),
            (b"[" * 100_000, b"", None),  # deep
            (b'{"a":' * 50_000 + b"1" + b"}" * 50_000, b"", None),
            ({"a": entry, "b": entry}, bytes(8), None),  # two in one place
            ({"a": dict(entry, data_offsets=[8, 0])}, bytes(8), None),
            ({"a": dict(entry, data_offsets=[0, 1 << 62])}, bytes(8), None),
            ({"a": dict(entry, data_offsets=[-8, 0])}, bytes(8), None),
            ({"a": dict(entry, shape=[1 << 33, 1 << 33])}, bytes(8), None),  # product overflows
            ({"a": dict(entry, shape=[-2])}, bytes(8), None),
            ({"a": dict(entry, dtype="F99")}, bytes(8), None),
            ({"a": entry}, bytes(4), None),  # ends in the middle
            ([entry], bytes(8), None),
            (b"\xff\xfe not json", b"", None),
        ]:
            folder = self.copy()
            save_raw(folder / name, header, data, size)
            self.refused(folder, name)
        folder = self.copy()
        (folder / name).write_bytes(body[: 8 + length + 100])
        self.refused(folder, name)
        (folder / name).write_bytes(b"\x01")
        self.refused(folder, name)

    def test_tensors_missing_surplus_or_of_another_shape(self):
        folder = self.copy()
        tensors = Tensors(folder / "model.safetensors")
        name = next(n for n in tensors.names() if n.endswith("layer.0.attention.self.query.weight"))
        entry = tensors.header[name]
        entry["shape"] = [entry["shape"][0] * 2, entry["shape"][1] // 2]
        tensors.save()
        self.refused(folder, name, "shape")
        entry["shape"] = [entry["shape"][0] // 2, entry["shape"][1] * 2]
        tensors.header["encoder.layer.0.attention.self.qwery.weight"] = tensors.header.pop(name)
        tensors.save()
        self.refused(folder, "attention.self.query.weight")

    def test_values_that_are_no_numbers(self):
        for case, file, name in [
            ("bert_mean_a", "model.safetensors", "encoder.layer.1.output.dense.bias"),
            ("qwen25vl_a", "model-00001-of-00003.safetensors", "lm_head.weight"),
        ]:
            for value in (math.nan, -math.inf):
                folder = self.copy(case)
                tensors = Tensors(folder / file)
                tensors.set_value(name, 3, value)
                tensors.save()
                self.refused(folder, name)

    def test_an_index_that_lies(self):
        for change, part in [
            (lambda json: json["weight_map"].popitem(), ""),
            (lambda json: json.__setitem__("weight_map", {}), "model.safetensors.index.json"),
            (lambda json: json.__setitem__("weight_map", 5), "model.safetensors.index.json"),
            (
                lambda json: json["weight_map"].update(x="../../../../etc/passwd"),
                "model.safetensors.index.json",
            ),
        ]:
            folder = self.copy("qwen25vl_a")
            self.change_json(folder / "model.safetensors.index.json", change)
            self.refused(folder, part)

    def test_absurd_configurations(self):
        for case, change in [
            ("bert_mean_a", {"num_hidden_layers": 10**9}),
            ("bert_mean_a", {"hidden_size": -64}),
            ("bert_mean_a", {"hidden_size": 2**40}),
            ("bert_mean_a", {"num_attention_heads": 0}),
            ("bert_mean_a", {"vocab_size": "many"}),
            ("bert_mean_a", {"layer_norm_eps": 1e300}),
            ("qwen25vl_a", {"num_key_value_heads": 3}),
            ("qwen25vl_a", {"num_key_value_heads": 10**18}),
            ("phi3v_a", {"max_position_embeddings": 0}),
            ("colpali_a", {"vlm_config": []}),
        ]:
            with self.subTest(case=case, change=change):
                folder = self.copy(case)
                self.change_json(folder / "config.json", lambda json: json.update(change))
                self.refused(folder, "config.json", next(iter(change)))

    def test_configurations_that_are_none(self):
        for text in ["", "{", "[]", "5", "[" * 100_000, '{"a":' * 100_000, "{}", '{"model_type": 1}']:
            folder = self.copy()
            (folder / "config.json").write_text(text)
            self.refused(folder, "config.json")

    def test_bad_tokenizers(self):
        def merges(json, value):
            json["model"]["merges"] = value

        for case, change in [
            ("tok", lambda json: json.pop("model")),
            ("tok", lambda json: merges(json, ["one"])),
            ("tok", lambda json: merges(json, [["a"]])),
            ("tok", lambda json: merges(json, ["no-such-token nor-this"])),
            ("tok", lambda json: merges(json, 7)),
            ("tok", lambda json: json["model"].update(vocab={"a": -1})),
            ("tok", lambda json: json["model"].update(vocab={"a": 2**40})),
            ("tok", lambda json: json["model"].update(vocab=[])),
        ]:
            folder = self.copy("qwen25vl_a")
            self.change_json(folder / "tokenizer.json", change)
            self.refused(folder, "tokenizer.json")


if __name__ == "__main__":
    unittest.main()
