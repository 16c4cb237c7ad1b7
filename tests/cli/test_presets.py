"""`--pipeline NAME` with scripted replies: what each preset calls, needs and refuses."""

import json
import unittest

from program import QUICK, ProgramTest, read_records

DOC = "rotated-table.pdf"
QUESTION = "Which gauge is named in the table?"
STRICT = ["dmap-paper", "hkrag-paper", "m3docrag-code", "mdocagent-paper", "vidorag-paper"]
VISUAL = ["dmap", "hkrag", "m3docrag", "mdocagent", "vdocrag", "vidorag", "visualrag", *STRICT]
GENERATING = [*VISUAL, "direct", "investigate", "textrag"]

READ = {"answer": "Gauge 7", "answerable": True, "pages": [0]}
CHUNKS = {"answer": "Gauge 7", "answerable": True, "chunks": [0]}
FACTS = {"facts": [{"text": "Gauge 7", "kind": "salient"}], "sufficient": True}
CHOICE = {"reason": "a table", "summary": "a table of gauges", "choice": [0]}
DRAFT = {"reason": "the table", "verdict": "answer", "answer": "Gauge 7", "reference": [0],
         "missing": "", "keep": []}
SUMMARY = {"reason": "the table", "answer": "Gauge 7", "answerable": True, "pages": [0]}

# The calls of a question that one page answers, by preset.
CALLS = {
    "hkrag": [("hkrag.pruner", FACTS), ("hkrag.judger", "Gauge 7"), ("hkrag.summarizer", SUMMARY)],
    "m3docrag": [("answer.pages", READ)],
    "m3docrag-code": [("answer.pages_text", "Gauge 7")],
    "vdocrag": [("answer.pages_text", "Gauge 7")],
    "vidorag": [("vidorag.seeker", CHOICE), ("vidorag.inspector", DRAFT)],
    "visualrag": [("answer.pages", READ)],
    "direct": [("answer.pages", READ)],
    "investigate": [("investigate.first", dict(CHUNKS, open=[]))],
    "textrag": [("answer.chunks", CHUNKS)],
}
CALLS["hkrag-paper"] = CALLS["hkrag"]
# No page has the answer of these replies, which this pipeline would not believe.
MORE = {"investigate": ["--fact-check", "off"]}
CLUES = ("mdocagent.critical", {"text": "the row of gauge 7", "image": "the table"})
WEIGHED = ("mdocagent.summarise", {"answer": "Gauge 7", "answerable": True})
SAID = {"answer": "Gauge 7"}
CALLS["mdocagent"] = [
    *[("mdocagent.general", SAID), CLUES, ("mdocagent.text", SAID), ("mdocagent.image", SAID)],
    WEIGHED,
]
CALLS["mdocagent-paper"] = [
    *[("mdocagent.general_free", "Gauge 7"), CLUES, ("mdocagent.text_free", "Gauge 7")],
    *[("mdocagent.image_free", "Gauge 7"), WEIGHED],
]
CALLS["vidorag-paper"] = CALLS["vidorag"]
PLACE = ("dmap.locate", {"location": ["Page 1"]})
SURE = dict(SAID, answerable=True)
ENDED = [
    ("dmap.summarise", SURE),
    ("dmap.reflect", {"addressed": True, "missing": ""}),
]
CALLS["dmap"] = [
    *[PLACE, ("dmap.general", SAID), ("dmap.text", SURE), ("dmap.image", SURE)],
    *ENDED,
]
CALLS["dmap-paper"] = [
    *[PLACE, ("dmap.general_free", "Gauge 7"), ("dmap.text_free", "Gauge 7")],
    *[("dmap.image_free", "Gauge 7"), *ENDED],
]


class Presets(ProgramTest):
    def script(self, calls, name="replies.jsonl"):
        lines = [{"agent": agent, "reply": reply, "entropy": 0.1} for agent, reply in calls]
        return self.write(name, "".join(json.dumps(line) + "\n" for line in lines))

    def arguments(self, preset, calls=None):
        calls = CALLS[preset] if calls is None else calls
        generator = f"script:{self.script(calls)}"
        return ["--store", self.native_store(), "--pipeline", preset, "--generator", generator]

    def ask(self, preset, *more, calls=None):
        arguments = [*self.arguments(preset, calls), *QUICK, "--doc", DOC, "--json", *more]
        (answer,) = self.must("ask", QUESTION, *arguments).records()
        return answer

    def traced_agents(self, answer):
        return [step["agent"] for step in answer["trace"] if step["step"] == "call"]

    def batch(self, preset, *more):
        """The file of answers, and how the run that should write it ended."""
        out = self.folder / "answers.jsonl"
        questions = self.write_questions("q.jsonl", [{"id": "a", "question": QUESTION, "doc": DOC}])
        return out, self.call("batch", questions, "--out", out, *self.arguments(preset), *more)

    def test_each_preset_calls_its_agents(self):
        for preset, calls in CALLS.items():
            with self.subTest(preset=preset):
                answer = self.ask(preset, "--trace", *MORE.get(preset, []))
                self.assertEqual(self.traced_agents(answer), [agent for agent, _ in calls])
                self.assertEqual(answer["pipeline"], preset)
                self.assertEqual(answer["generator"], "script:replies.jsonl")
                self.assertEqual((answer["answer"], answer["answerable"]), ("Gauge 7", True))
                self.assertEqual(answer["usage"]["vlm_calls"], len(calls))
                self.assertEqual(answer["usage"]["malformed"], 0)
                self.assertNotIn("limit", answer)
                self.assertTrue(answer["citations"])
                self.assertEqual({page["doc"] for page in answer["citations"]}, {DOC})

    def test_a_preset_is_settings_that_flags_override(self):
        out, result = self.batch("vdocrag", *QUICK, "--answer-tokens", "7")
        self.assertEqual(result.code, 0, result.err)
        manifest = json.loads((self.folder / "answers.jsonl.manifest.json").read_text())
        for settings in (manifest["settings"], manifest["answer_settings"]):
            self.assertEqual(settings["pipeline"], "vdocrag")
            self.assertEqual((settings["k"], settings["answer-format"]), (3, "text"))
            self.assertEqual((settings["scorer"], settings["answer-tokens"]), (["bm25"], 7))
        self.assertEqual(read_records(out)[0]["pipeline"], "vdocrag")

    def test_adaptive_k_that_cannot_vary_is_refused(self):
        for preset in ["dmap", "hkrag-paper", "m3docrag", "mdocagent", "vdocrag", "visualrag"]:
            with self.subTest(preset=preset):
                out, result = self.batch(preset, *QUICK, "--adaptive")
                self.assert_one_error(result, 2, "K would always be", "--min-k", "--adaptive")
                self.assertFalse(out.exists())
        self.assert_one_error(self.batch("vidorag", *QUICK, "-k", "5")[1], 2, "K would always be 5", "--adaptive=false")
        self.assertEqual(self.batch("m3docrag", *QUICK, "--adaptive", "-k", "6")[1].code, 0)

    def test_records_rank_ten_pages_and_mark_those_that_were_read(self):
        text = "Which revenue, passengers, routes and gauges of the ferry are in the report?"
        questions = self.write_questions("all.jsonl", [{"id": "a", "question": text}])
        plain = ["--named-pages", "off", "--glossary", "off", "-k", "10", "--json"]
        hits = self.must("search", text, "--store", self.native_store(), *QUICK, *plain).records()
        self.assertGreater(len(hits), 5)
        for preset, k in [("m3docrag", 4), ("vdocrag", 3), ("visualrag", 5), ("hkrag-paper", 3)]:
            with self.subTest(preset=preset):
                out = self.folder / f"{preset}.jsonl"
                result = self.call("batch", questions, "--out", out, *self.arguments(preset), *QUICK)
                self.assertEqual(result.code, 0, result.err)
                pages = read_records(out)[0]["retrieved"]
                self.assertEqual([(page["doc"], page["page"]) for page in pages],
                                 [(hit["doc"], hit["page"]) for hit in hits])
                self.assertEqual([page.get("shown", False) for page in pages],
                                 [True] * k + [False] * (len(hits) - k))

    def test_search_has_no_preset(self):
        project = self.write("fineprint.toml", 'pipeline = "vdocrag"\n')
        arguments = ["the reef and the harbor", "--store", self.native_store(), *QUICK, "--json"]
        self.assertGreater(len(self.must("search", *arguments, cwd=project.parent).records()), 3)

    def test_a_missing_set_is_named_with_its_remedy_before_anything_is_written(self):
        for preset in VISUAL:
            with self.subTest(preset=preset):
                out, result = self.batch(preset, *([] if preset in STRICT else ["--strict"]))
                self.assert_one_error(result, 3, "index", "--retriever")
                self.assertEqual([path.name for path in out.parent.glob("answers*")], [])
        self.assert_one_error(self.batch("textrag", "--strict")[1], 3, "index", "text")
        result = self.call("ask", QUESTION, *self.arguments("hkrag"), "--strict")
        self.assert_one_error(result, 3, "index", "--retriever")

    def test_without_a_page_encoder_words_find_the_pages_and_it_is_said(self):
        questions = [
            {"id": f"q{i}", "question": f"Which gauge, {i}?", "doc": DOC} for i in range(3)
        ]
        file = self.write_questions("three.jsonl", questions)
        for preset in [name for name in VISUAL if name not in STRICT]:
            with self.subTest(preset=preset):
                out = self.folder / f"{preset}.jsonl"
                arguments = [*self.arguments(preset), "--check", "off"]
                result = self.call("batch", file, "--out", out, *arguments)
                self.assertEqual(result.code, 0, result.err)
                self.assertEqual(result.err.count(": the store lacks these vectors, so pages are"),
                                 2 if preset in ("dmap", "mdocagent") else 1, result.err)
                self.assertIn("--retriever MODEL", result.err)
                records = read_records(out)
                self.assertEqual([record["answer"] for record in records], ["Gauge 7"] * 3)
                for record in records:
                    self.assertIn("pages are found by bm25", record["fallback"])
        self.assertNotIn("fallback", self.ask("visualrag"))
        more = ["--scorer", "page", "--max-calls", "0", "--doc", DOC, "--json"]
        (answer,) = self.must("ask", QUESTION, *self.arguments("hkrag"), *more).records()
        self.assertIn("page: the store lacks these vectors", answer["fallback"])
        result = self.call("search", QUESTION, "--store", self.native_store(), "--scorer", "page")
        self.assert_one_error(result, 3, "--retriever")

    def test_without_text_vectors_words_find_the_pages_and_it_is_said(self):
        store, said = self.native_store(QUICK), "text: the store lacks these vectors"
        script = self.script(CALLS["textrag"])
        for more in (["--generator", f"script:{script}"], []):
            result = self.must("ask", QUESTION, "--store", store, "--json", *more)
            (answer,) = result.records()
            self.assertEqual(answer["pipeline"], "textrag" if more else "extractive")
            self.assertTrue(answer["retrieved"])
            self.assertEqual(answer["fallback"], said + ", so pages are found by bm25")
            self.assertEqual(result.err.count(said), 1, result.err)
            self.assertIn("--scorer bm25,text` makes the vectors", result.err)
            self.assertIn("--scorer bm25 avoids this warning", result.err)
        self.assert_one_error(self.call("ask", QUESTION, "--store", store, "--strict"), 3, "index")

    def test_a_generator_is_asked_for_and_opened_before_anything_is_written(self):
        questions = self.write_questions("q.jsonl", [{"id": "a", "question": QUESTION}])
        out = self.folder / "answers.jsonl"
        for preset in GENERATING:
            arguments = ["--store", self.native_store(), "--pipeline", preset, *QUICK]
            for command in (["batch", questions, "--out", out], ["ask", QUESTION]):
                with self.subTest(preset=preset, command=command[0]):
                    result = self.call(*command, *arguments)
                    self.assert_one_error(result, 2, "--generator", preset)
        arguments = ["--store", self.native_store(), "--pipeline", "direct", "--generator"]
        for generator, code in [("nowhere/model", 4), ("script:nowhere.jsonl", 3)]:
            result = self.call("batch", questions, "--out", out, *arguments, generator)
            self.assert_one_error(result, code, "nowhere")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["q.jsonl"])

    def test_a_scale_without_its_file_is_refused_before_anything_is_written(self):
        scale = ["--scorer", "bm25", "--judger-normalise", "quantile"]
        out, result = self.batch("hkrag", *scale)
        self.assert_one_error(result, 2, "--judger-calibration")
        result = self.batch("hkrag", *scale, "--judger-calibration", "nowhere.txt")[1]
        self.assert_one_error(result, 3, "nowhere.txt")
        self.assertEqual([path.name for path in out.parent.glob("answers*")], [])

    def test_prompts_of_a_folder_are_checked_first(self):
        prompts = self.folder / "prompts"
        more = [*QUICK, "--prompts", prompts]
        out, result = self.batch("direct", *more)
        self.assert_one_error(result, 2, "--prompts", prompts)
        (prompts / "answer").mkdir(parents=True)
        file = prompts / "answer" / "pages.txt"
        file.write_text("[system]\nBe brief.\n[user]\n{qestion}\n")
        self.assert_one_error(self.batch("direct", *more)[1], 2, file, "{qestion}")
        self.assertFalse(out.exists())
        file.write_text("[system]\nBe brief.\n[user]\n{question}\n")
        self.assertEqual(self.batch("direct", *more)[1].code, 0)
        # What was answered by other prompts is not gone on with, wherever they lie.
        moved = prompts.rename(self.folder / "moved")
        result = self.batch("direct", *QUICK, "--prompts", moved)[1]
        self.assertEqual(result.code, 0, result.err)
        (moved / "answer" / "pages.txt").write_text("[system]\nBe.\n[user]\n{question}\n")
        result = self.batch("direct", *QUICK, "--prompts", moved)[1]
        self.assert_one_error(result, 2, "prompts", "--force")
        self.assert_one_error(self.batch("direct", *QUICK)[1], 2, "prompts", "--force")

    def test_settings_of_the_method_are_settings_of_answers(self):
        self.assertEqual(self.batch("direct")[1].code, 0)
        for flag, value in [
            ("--direct-pages", "3"),
            ("--image-tier", "fine"),
            ("--iterations", "1"),
            ("--late-tokens", "3"),
            ("--late-rescore", "off"),
            ("--dtype", "float32"),
        ]:
            with self.subTest(flag=flag):
                result = self.batch("direct", flag, value)[1]
                self.assert_one_error(result, 2, flag[2:], "--force")
        self.assert_one_error(self.batch("direct", "--gold-pages")[1], 2, "gold-pages", "--force")
        more = ["--workers", "2", "--cache-bytes", "1MB", "--jobs", "1", "--trace"]
        self.assertEqual(self.batch("direct", *more)[1].code, 0)

    def test_settings_of_a_method_have_a_full_and_a_bare_name(self):
        def batch(*more):
            return self.batch("hkrag", *QUICK, *more)

        out, result = batch("--hkrag.iterations", "1", "--hkrag.no-decoupler")
        self.assertEqual(result.code, 0, result.err)
        manifest = self.folder / "answers.jsonl.manifest.json"
        written = json.loads(manifest.read_text())
        settings = written["answer_settings"]
        self.assertEqual(settings["hkrag.iterations"], 1)
        self.assertIs(settings["hkrag.no-decoupler"], True)
        self.assertNotIn("iterations", settings)
        self.assertEqual(batch("--iterations", "1", "--no-decoupler")[1].code, 0)
        result = batch("--iterations", "2", "--no-decoupler")[1]
        self.assert_one_error(result, 2, "hkrag.iterations", "--force")
        # A manifest may have been written before the settings had full names.
        for key in [key for key in settings if "." in key]:
            settings[key.partition(".")[2]] = settings.pop(key)
        manifest.write_text(json.dumps(written))
        result = batch("--iterations", "2", "--no-decoupler")[1]
        self.assert_one_error(result, 2, "hkrag.iterations = 1", "--force")
        self.assertEqual(batch("--iterations", "1", "--no-decoupler")[1].code, 0)
        both = batch("--iterations", "1", "--hkrag.iterations", "1")[1]
        self.assert_one_error(both, 2, "iterations", "one setting")
        text = self.must("ask", "--help").out
        self.assertIn("--hkrag.iterations T", text)
        self.assertNotIn(" --iterations", text)

    def test_values_of_settings_are_checked(self):
        for flag, value in [("--image-tier", "huge"), ("--iterations", "-1"), ("-k", "0")]:
            result = self.batch("hkrag", *QUICK, flag, value)[1]
            self.assertEqual(result.code, 2, result.err)
            self.assertIn(flag.lstrip("-"), result.err)

    def test_an_agent_has_a_model_of_its_own(self):
        calls = [call for call in CALLS["mdocagent"] if call[0] != "mdocagent.text"]
        own = self.script([("mdocagent.text", SAID)], "language.jsonl")
        out, result = self.batch("mdocagent", *QUICK, "--agent-generator",
                                 f"mdocagent.text=script:{own}")
        self.assertEqual(result.code, 0, result.err)
        manifest = json.loads((self.folder / "answers.jsonl.manifest.json").read_text())
        self.assertEqual(manifest["models"]["agents"]["mdocagent.text"]["name"],
                         "script:language.jsonl")
        self.assertEqual(manifest["models"]["generator"]["name"], "script:replies.jsonl")
        # Neither file alone has the replies of all.
        own = ["--agent-generator", f"mdocagent.text=script:{own}"]
        answer = self.ask("mdocagent", *own, "--trace", calls=calls)
        self.assertEqual(self.traced_agents(answer), [agent for agent, _ in CALLS["mdocagent"]])
        self.assertEqual(answer["usage"]["malformed"], 0)
        self.assertEqual(answer["generator"], "script:replies.jsonl")
        # What was answered with another model is not gone on with.
        self.assert_one_error(self.batch("mdocagent", *QUICK)[1], 2, "agent-generator", "--force")

    def test_the_model_of_an_agent_is_that_of_all_its_forms(self):
        own = self.script([("mdocagent.text_free", "Gauge 7")], "language.jsonl")
        calls = CALLS["mdocagent-paper"]
        # The common model has no reply of the text agent.
        common = [call for call in calls if call[0] != "mdocagent.text_free"]
        answer = self.ask("mdocagent-paper", "--trace", "--agent-generator",
                          f"mdocagent.text=script:{own}", calls=common)
        self.assertEqual(self.traced_agents(answer), [agent for agent, _ in calls])

    def test_a_model_of_an_agent_that_is_switched_off_is_an_error(self):
        entry = f"mdocagent.critical=script:{self.script(CALLS['mdocagent'], 'own.jsonl')}"
        out, result = self.batch("mdocagent", *QUICK, "--mdocagent.critical", "off",
                                 "--agent-generator", entry)
        self.assert_one_error(result, 2, "never asked", "mdocagent.summarise")
        self.assertFalse(out.exists())

    def test_a_model_of_an_agent_is_checked_before_anything_is_written(self):
        for entry, code, *said in [
            ("mdocagent.txt=script:replies.jsonl", 2, "no pipeline has this agent",
             "mdocagent.text"),
            ("hkrag.judger=script:replies.jsonl", 2, "never asked", "mdocagent.text"),
            ("mdocagent.text=", 2, "expected AGENT=MODEL"),
            ("mdocagent.text", 2, "expected AGENT=MODEL"),
            ("mdocagent.text=nowhere/model", 4, "nowhere/model"),
        ]:
            with self.subTest(entry=entry):
                out, result = self.batch("mdocagent", *QUICK, "--agent-generator", entry)
                self.assert_one_error(result, code, *said)
                self.assertEqual([path.name for path in out.parent.glob("answers*")], [])

    def test_a_limit_is_told(self):
        answer = self.ask("direct", "--max-calls", "0")
        self.assertIn("--max-calls", answer["limit"])
        self.assertEqual((answer["answerable"], answer["usage"]["vlm_calls"]), (False, 0))
        arguments = [*self.arguments("direct"), *QUICK, "--doc", DOC, "--max-calls", "0"]
        result = self.must("ask", QUESTION, *arguments)
        self.assertRegex(result.out, r"(?m)^  stopped early: .*--max-calls")
        self.assertRegex(result.err, r"warning: question [0-9a-f]{16}: stopped early: ")

    def test_citations_for_people(self):
        arguments = [*QUICK, "--doc", DOC]
        result = self.must("ask", QUESTION, *self.arguments("direct"), *arguments)
        self.assertIn(f"  [1] {DOC}, page 1\n", result.out)
        facts = dict(FACTS, facts=[{"text": "nowhere to be read", "kind": "salient"}])
        calls = [("hkrag.pruner", facts), *CALLS["hkrag"][1:]]
        result = self.must("ask", QUESTION, *self.arguments("hkrag", calls), *arguments)
        self.assertIn(": nowhere to be read (not found on the page)\n", result.out)

    def test_verbose_follows_the_loop(self):
        arguments = [*self.arguments("hkrag"), *QUICK, "--doc", DOC, "-v"]
        err = self.must("ask", QUESTION, *arguments).err
        for agent, _ in CALLS["hkrag"]:
            self.assertRegex(err, rf"{agent}.* {DOC}:\d at .* ms")

    def test_results_do_not_depend_on_the_workers(self):
        calls = [call for call in CALLS["hkrag"] for _ in range(3)]
        questions = [
            {"id": f"q{i}", "question": f"Which gauge, {i}?", "doc": DOC} for i in range(12)
        ]
        file = self.write_questions("many.jsonl", questions)
        answers = []
        for workers in (1, 4):
            out = self.folder / f"by-{workers}.jsonl"
            arguments = [*self.arguments("hkrag", calls), *QUICK, "--workers", workers]
            self.must("batch", file, "--out", out, *arguments)
            records = {record["id"]: record for record in read_records(out)}
            for record in records.values():
                del record["usage"]["ms"]
            answers.append(records)
        self.assertEqual(*answers)


if __name__ == "__main__":
    unittest.main()
