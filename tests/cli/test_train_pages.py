"""`fineprint train retriever` on pages and the texts that stand on them."""

import json
import unittest

import program
from model_files import model_of
from program import ProgramTest

PAGES = {"page_a.png": "Revenue by region: north 420, south 318, east 97.",
         "page_b.png": "Note 3. Taxes may be owed on what the ferry earned."}


class Pages(ProgramTest):
    def test_a_page_and_its_words_a_line(self):
        out = self.folder / "pages.jsonl"
        arguments = ["train", "pages", "--store", self.native_store(), "--out", out, "--json"]
        record = json.loads(self.must(*arguments).out)
        lines = program.read_records(out)
        self.assertEqual(record["pages"], len(lines))
        images = [line["positive"]["image"] for line in lines]
        self.assertEqual(len(set(images)), len(images))
        [sula] = [line for line in lines if line["positive"]["image"].endswith("harbor-annual-report.pdf#5")]
        self.assertIn("Sula", sula["query"])
        self.must(*arguments, "--doc", "rotated-table.pdf")
        files = {line["positive"]["image"].split("#")[0] for line in program.read_records(out)}
        self.assertEqual(files, {str(self.native_docs() / "rotated-table.pdf")})
        self.assert_one_error(self.call("train", "pages", "--out", out), 2, "--store")


@program.needs_nets
class TrainPages(ProgramTest):
    def setUp(self):
        super().setUp()
        self.pages = self.folder / "pages.jsonl"
        self.write({"query": text, "positive": {"image": str(program.DATA / "dse_qwen2" / "input" / name)}}
                   for name, text in PAGES.items())

    def write(self, lines):
        self.pages.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def arguments(self, out, *more, model="dse_qwen2", loss="rcr+rcg", epochs="12"):
        return ["train", "retriever", "--config", program.REPOSITORY / "configs" / "train" / "retriever-pages.toml",
                "--retriever", model_of(model), "--examples", self.pages, "--out", self.folder / out,
                "--batch", "2", "--epochs", epochs, "--rate", "3e-3", "--loss", loss, "--json", *more]

    def losses(self, out):
        lines = (self.folder / out / "steps.jsonl").read_text().splitlines()
        return [json.loads(line)["loss"] for line in lines]

    def test_texts_are_learnt_from_vectors_alone(self):
        result = self.must(*self.arguments("out"))
        losses = self.losses("out")
        self.assertLess(losses[-1], 0.8 * losses[0])
        self.must("embed", "--retriever", json.loads(result.out)["model"], "--text", "revenue",
                  "--out", self.folder / "v.safetensors")

    def test_the_two_losses_add_up(self):
        for loss in ("rcr", "rcg", "rcr+rcg"):
            self.must(*self.arguments(loss, "--lora-dropout", "0", epochs="1", loss=loss))
        first = {loss: self.losses(loss)[0] for loss in ("rcr", "rcg", "rcr+rcg")}
        self.assertAlmostEqual(first["rcr+rcg"], first["rcr"] + first["rcg"], places=3)

    def test_pieces_change_nothing_but_rounding(self):
        self.must(*self.arguments("whole", "--lora-dropout", "0", epochs="3"))
        self.must(*self.arguments("pieces", "--lora-dropout", "0", "--tokens-at-once", "10", epochs="3"))
        for a, b in zip(self.losses("whole"), self.losses("pieces"), strict=True):
            self.assertAlmostEqual(a, b, delta=2e-3 * a)

    # Its tower has modules of the names that are changed in the trunk.
    def test_changes_of_a_trunk_alone_are_an_adapter(self):
        self.write({"query": f"Which {thing}?", "positive": f"The {thing} is there."}
                   for thing in ("lamp", "ferry"))
        result = self.must(*self.arguments("out", model="qwen25vl_b_tied_v5layout", loss="infonce",
                                           epochs="1"))
        self.must("embed", "--retriever", json.loads(result.out)["model"], "--text", "revenue",
                  "--out", self.folder / "v.safetensors")

    def test_what_cannot_be_taught_so_is_named(self):
        self.assert_one_error(self.call(*self.arguments("out", "--lora-rank", "0", model="bert_mean_a")),
                              4, "no pictures")
        self.write([{"query": "a text", "positive": "a passage"}] * 2)
        self.assert_one_error(self.call(*self.arguments("out")), 3, "example 1 is a text")


if __name__ == "__main__":
    unittest.main()
