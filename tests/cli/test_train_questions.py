"""`fineprint train questions`: OpenDocVQA's training questions as examples for retrievers."""

import json
import unittest

import program
import sample_benchmarks
from model_files import model_of
from program import ProgramTest


class TrainQuestions(ProgramTest):
    def setUp(self):
        super().setUp()
        self.data = sample_benchmarks.lay_out_pictures(self.folder / "opendocvqa")
        self.pool = self.data / "corpus" / "chartqa"
        self.out = self.folder / "pairs.jsonl"

    def write_subset(self, name, *rows):
        (self.data / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def arguments(self, *more):
        return ["train", "questions", "--data", self.data, "--out", self.out, *more]

    def test_a_question_and_its_pages_a_line(self):
        (record,) = self.must(*self.arguments("--json")).records()
        self.assertEqual(record, {"examples": 2, "without_pages": 0, "file": str(self.out)})
        first, second = program.read_records(self.out)
        self.assertEqual(first, {"id": "c-1", "query": "What does a single visit cost for a child?",
                                 "positive": [{"image": str(self.pool / "board%2F1.png")}],
                                 "answers": ["£2.40", "2.40"]})
        self.assertEqual(second["positive"], [{"image": str(self.pool / "ticket.jpg")}])

    def test_sets_to_train_on_follow_each_other_over_the_pool_of_all(self):
        self.pool.rename(self.pool.parent / "all")
        row = {"query_id": "d-1", "query": "Instruct: Find it.\nQuery: Who paid?", "answers": ["H. Vale"],
               "relevant_doc_ids": ["ticket", "board/1"]}
        lost = dict(row, query_id="d-2", relevant_doc_ids=["lost"])
        self.write_subset("docvqa", row, lost)
        result = self.must(*self.arguments("--all-pool"))
        self.assertIn("3 examples; 1 questions have no page in the pool", result.out)
        self.assertIn("page lost is not in the pool", result.err)
        lines = program.read_records(self.out)
        self.assertEqual([line["id"] for line in lines], ["c-1", "c-2", "d-1"])
        self.assertEqual(lines[2]["query"], "Who paid?")
        images = [passage["image"].rsplit("/", 1)[1] for passage in lines[2]["positive"]]
        self.assertEqual(images, ["ticket.jpg", "board%2F1.png"])
        self.must(*self.arguments("--all-pool", "--subset", "docvqa"))
        self.assertEqual([line["id"] for line in program.read_records(self.out)], ["d-1"])

    def test_what_cannot_be_made_is_named(self):
        self.assert_one_error(self.call("train", "questions", "--out", self.out), 2, "--data FOLDER")
        self.assert_one_error(self.call(*self.arguments("--subset", "nosuch")), 2, "mhdocvqa")
        self.assert_one_error(self.call(*self.arguments("--epochs", "2")), 2, "--epochs does not apply")
        self.assert_one_error(self.call("train", "pages", "--out", self.out, "--subset", "dude"), 2,
                              "--subset does not apply")
        self.assert_one_error(self.call("train", "questions", "--data", self.folder, "--out", self.out), 3,
                              "chartqa.jsonl")

    # Two epochs see two pages of each question; the examples are those of the maker.
    @program.needs_nets
    def test_a_retriever_is_trained_on_several_pages_in_turn(self):
        self.write_subset("chartqa", *({"query_id": f"q{i}", "query": f"Query: {text}", "answers": ["x"],
                                        "relevant_doc_ids": pages}
                                       for i, (text, pages) in enumerate([("A visit?", ["board/1", "ticket"]),
                                                                          ("A ticket?", ["ticket", "board/1"])])))
        self.must(*self.arguments())
        out = self.folder / "out"
        self.must("train", "retriever", "--config", program.REPOSITORY / "configs" / "train" / "retriever.toml",
                  "--retriever", model_of("dse_qwen2"), "--examples", self.out, "--out", out, "--loss", "infonce",
                  "--batch", "2", "--epochs", "2", "--json")
        self.assertEqual(len((out / "steps.jsonl").read_text().splitlines()), 2)


if __name__ == "__main__":
    unittest.main()
