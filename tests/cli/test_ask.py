"""`fineprint ask`: one answer with its pages, from a store or straight from a folder."""

import unittest

from program import NATIVE_TEXT, QUICK, SCORERS, ProgramTest, with_scorers


class Ask(ProgramTest):
    def ask(self, question, *more):
        arguments = ["--store", self.native_store(SCORERS), "--json", *with_scorers(more)]
        (answer,) = self.must("ask", question, *arguments).records()
        return answer

    def test_the_record_is_complete(self):
        answer = self.ask("On what date will the annual general meeting be held?")
        self.assertEqual(
            list(answer),
            ["id", "question", "answer", "answerable", "confidence", "answerability", "citations", "retrieved"]
            + ["pipeline", "generator", "usage"],
        )
        self.assertEqual(answer["pipeline"], "extractive")
        self.assertEqual(answer["generator"], "")
        self.assertEqual(answer["usage"]["vlm_calls"], 0)
        self.assertGreater(answer["usage"]["ms"], 0)
        self.assertTrue(0 <= answer["confidence"] <= 1)

    def test_an_answer_names_its_page(self):
        answer = self.ask("On what date will the annual general meeting be held?")
        self.assertTrue(answer["answerable"])
        self.assertIn("16 May 2024", answer["answer"])
        first = answer["citations"][0]
        self.assertEqual((first["doc"], first["page"]), ("harbor-annual-report.pdf", 3))
        self.assertIn("16 May 2024", first["quote"])
        for citation in answer["citations"]:
            pages = [(page["doc"], page["page"]) for page in answer["retrieved"]]
            self.assertIn((citation["doc"], citation["page"]), pages)

    def test_the_same_question_gets_the_same_answer(self):
        one, two = (self.ask("Which reef is drawn as a dashed line?") for _ in range(2))
        for answer in (one, two):
            del answer["usage"]
        self.assertEqual(one, two)

    def test_declines_below_the_confidence_asked_for(self):
        question = "On what date will the annual general meeting be held?"
        self.assertTrue(self.ask(question, "--min-confidence", "0")["answerable"])
        declined = self.ask(question, "--min-confidence", "1.01")
        self.assertFalse(declined["answerable"])
        self.assertEqual(declined["answer"], "Not answerable")

    def test_doc_limits_the_pool(self):
        answer = self.ask("What was surveyed?", "--doc", "rotated-table.pdf")
        self.assertEqual({page["doc"] for page in answer["retrieved"]}, {"rotated-table.pdf"})

    def test_trace_is_there_when_asked_for(self):
        self.assertNotIn("trace", self.ask("What was surveyed?"))
        self.assertGreater(len(self.ask("What was surveyed?", "--trace")["trace"]), 0)

    def test_limits_out_of_range_are_2(self):
        for flag in ("--max-calls", "--max-image-tokens", "--max-pages", "--max-seconds"):
            arguments = ["ask", "What?", "--store", self.native_store(SCORERS), flag, "-1"]
            self.assert_one_error(self.call(*arguments), 2, flag[2:])

    def test_a_generator_that_nobody_asks_is_not_opened(self):
        chosen = ["--pipeline", "extractive", "--max-calls", "1"]
        more = ["--generator", "script:nowhere.jsonl", *chosen]
        answer = self.ask("What was surveyed?", *more)
        self.assertEqual(answer["generator"], "")
        self.assertEqual(answer["usage"]["vlm_calls"], 0)

    def test_a_question_without_words_is_declined(self):
        for question in ("", "?", "zyzzyva quuxly?"):
            answer = self.ask(question, "--scorer", "bm25")
            self.assertFalse(answer["answerable"], answer)
            self.assertEqual(answer["answer"], "Not answerable")

    def test_a_folder_is_indexed_into_the_cache_once(self):
        docs = self.copy_documents(self.folder / "docs")
        cache = self.class_folder / "cache" / "fineprint" / "stores"
        before = len(list(cache.iterdir())) if cache.exists() else 0
        question = ["ask", "How many fixed transects were surveyed?", docs, *QUICK, "--json"]
        first = self.must(*question, "-v")
        second = self.must(*question, "-v")
        one, two = first.records()[0], second.records()[0]
        self.assertEqual((one["answer"], one["citations"]), (two["answer"], two["citations"]))
        self.assertEqual(len(list(cache.iterdir())), before + 1)
        self.assertEqual(sorted(path.name for path in docs.iterdir()), sorted(NATIVE_TEXT))
        # A document that went away is no longer cited.
        (docs / "reef-survey-paper.pdf").unlink()
        third = self.must(*question).records()[0]
        self.assertNotIn("reef-survey-paper.pdf", {page["doc"] for page in third["retrieved"]})

    def test_a_configured_store_is_left_alone(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        store = self.folder / "mine.store"
        config = self.write("c.toml", f'store = "{store}"\n')
        question = ["ask", "Which gauge?", docs, *QUICK, "--json"]
        self.must(*question, "--config", config)
        self.assertFalse(store.exists())
        self.must(*question, "--store", store)
        self.assertTrue(store.exists())

    def test_one_file_can_be_asked(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        file = docs / "rotated-table.pdf"
        (answer,) = self.must("ask", "Which gauge?", file, "--json", *QUICK).records()
        self.assertEqual({page["doc"] for page in answer["retrieved"]}, {"rotated-table.pdf"})

    def test_for_people(self):
        result = self.must(
            *["ask", "On what date will the annual general meeting be held?"],
            *["--store", self.native_store(SCORERS), *SCORERS],
        )
        self.assertIn("16 May 2024", result.out.splitlines()[0])
        self.assertIn("[1] harbor-annual-report.pdf, page 3: ", result.out)
        self.assertRegex(result.out.splitlines()[-1], r"confidence [01]\.\d\d")
        self.assertNotIn("not found on the page", result.out)


if __name__ == "__main__":
    unittest.main()
