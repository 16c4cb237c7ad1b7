"""The encoder of many languages, where scripts/data/get-e5 has put it beside the program."""

import json
import pathlib
import unittest

import program
from model_files import Tensors
from program import DATA, FINEPRINT, ProgramTest

MODEL = pathlib.Path(FINEPRINT).resolve().parent / "models" / "multilingual-e5-small"
GOLDEN = DATA.parent / "golden" / "e5.json"
LANGUAGES = DATA / "languages"


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other))


@program.needs_nets
@unittest.skipUnless(MODEL.exists(), f"{MODEL} is missing: scripts/data/get-e5 fetches it")
class E5(ProgramTest):
    def test_it_is_equal_to_its_own_engine(self):
        golden = json.loads(GOLDEN.read_text(encoding="utf-8"))["small"]
        for role in ("query", "passage"):
            out = self.folder / f"{role}.safetensors"
            texts = [word for item in golden for word in ("--text", item["text"])]
            self.must("embed", "--retriever", "e5", "--role", role, *texts, "--out", out)
            vectors = Tensors(out)
            for index, item in enumerate(golden):
                vector = vectors.rows(f"text.{index}")[0]
                self.assertGreaterEqual(cosine(vector, item[role]), 1 - 1e-3, item["text"])
                # Every value, where the engine's arithmetic is not rounded to eight bits.
                exact = item["exact"][role]
                apart = max(abs(a - b) for a, b in zip(vector, exact, strict=True))
                self.assertLessEqual(apart, 1e-3, item["text"])

    def test_pages_are_found_by_questions_in_another_language(self):
        store = self.folder / "store"
        told = self.must("index", LANGUAGES, "--store", store, "--retriever", "e5").err
        self.assertNotIn("languages other than English", told)
        for question, document, page in [
            ("How many people did the utility company employ at the end of 2023?",
             "stadtwerke-de.pdf", 6),
            ("When did the new cheese dairy open?", "cooperative-fr.pdf", 5),
            ("How many visitors did the museum have?", "museum-ar.pdf", 3),
        ]:
            arguments = ["--store", store, "--json", "-k", "1", "--scorer", "text"]
            result = self.must("search", question, *arguments)
            (hit,) = result.records()
            self.assertEqual((hit["doc"], hit["page"]), (document, page), question)
            self.assertNotIn("no document is", result.err)


if __name__ == "__main__":
    unittest.main()
