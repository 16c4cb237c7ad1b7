"""Every preset answers over one store with models of random weights: valid records, each agent in
the trace, no reply that does not fit its schema."""

import re
import shutil
import unittest

import program
from model_files import model_of
from paper_stores import FLAGS, GRAPHS, store_for
from program import ProgramTest

DOC = "harbor-annual-report.pdf"
QUESTION = "Who audited the accounts?"

# Agents that every question meets; which others do is up to what is replied.
AGENTS = {
    "dmap": ["dmap.locate", "dmap.general", "dmap.text", "dmap.image", "dmap.summarise"],
    "hkrag": ["hkrag.pruner", "hkrag.judger", "hkrag.summarizer"],
    "mdocagent": [
        *["mdocagent.general", "mdocagent.critical", "mdocagent.text", "mdocagent.image"],
        "mdocagent.summarise",
    ],
    "molorag": ["molorag.relevance", "answer.pages"],
    "vidorag": ["vidorag.seeker", "vidorag.inspector"],
}
# What no question meets in a variant.
MISSING = {
    "dmap-paper-without-map": {"dmap.locate"},
    "dmap-paper-without-reflection": {"dmap.reflect"},
    "hkrag-paper-without-agents": {"hkrag.pruner", "hkrag.judger"},
    "hkrag-paper-without-decoupler": {"hkrag.judger", "hkrag.decoupler_separate"},
    "hkrag-paper-without-pruner": {"hkrag.pruner"},
    "hkrag-without-crops": {"hkrag.decoupler_mine_zoom"},
    "hkrag-without-decoupler": {"hkrag.judger", "hkrag.decoupler_separate"},
    "hkrag-without-pruner": {"hkrag.pruner"},
    "mdocagent-without-critical": {"mdocagent.critical"},
    "molorag-plus-without-logic": {"molorag.relevance"},
}
# What a question meets in a variant only if the map gives a page.
PERHAPS = {"dmap-paper-without-images": {"dmap.image"}, "dmap-paper-without-text": {"dmap.text"}}

# Presets of HKRAG whose scorer has no mask.
NO_MASK = {"hkrag-without-mask", "hkrag-paper", *(name for name in MISSING if name.startswith("hkrag-paper"))}

# Models of random weights seldom end a reply before its limit, and more of it shows nothing.
MOST_TOKENS = 64


@program.needs_nets
class Papers(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = store_for(self, self.folder / "store")
        question = {"id": "a", "question": QUESTION, "doc": DOC, "evidence_pages": [2]}
        self.write_questions("data/questions.jsonl", [question])
        (self.folder / "data" / "docs").symlink_to(self.native_docs())

    def index(self, *more):
        arguments = ["--store", self.store, "--ocr", "never", "--map", "heuristic"]
        return self.must("index", self.native_docs(), *arguments, *more)

    def prompts(self):
        """The prompts as they are, but for the longest replies."""
        folder = self.folder / "prompts"
        if not folder.exists():
            shutil.copytree(program.REPOSITORY / "configs" / "prompts", folder)
            for file in folder.rglob("*.txt"):
                text = file.read_text(encoding="utf-8")
                file.write_text(re.sub(r"(?<=^max-new-tokens = )\d+", lambda most: str(min(int(most[0]), MOST_TOKENS)),
                                       text, flags=re.M), encoding="utf-8")
        return folder

    def answers(self, presets, *more):
        """Each preset's answer, of one run of the program."""
        out = self.folder / "-".join(["out", *presets[:1]])
        named = [word for preset in presets for word in ("--pipeline", preset)]
        self.must("bench", "folder", "--data", self.folder / "data", "--store", self.store, "--out", out,
                  "--ocr", "never", *FLAGS, "--generator", model_of("qwen25vl_a"), "--prompts", self.prompts(), "--answer-tokens", MOST_TOKENS,
                  *named, *more, timeout=800)
        found = {}
        for preset in presets:
            (found[preset],) = program.read_records(out / preset / "answers.jsonl")
        return found

    def test_every_preset_answers(self):
        lines = self.must("pipelines", "--json").records()
        presets = [line["name"] for line in lines]
        answers = self.answers([preset for preset in presets if preset not in GRAPHS])
        for preset, graph in GRAPHS.items():
            answers |= self.answers([preset], *graph)
        self.assertEqual(set(answers), set(presets))
        for line in lines:
            preset, method = line["name"], line["method"]
            with self.subTest(preset=preset):
                self.assertTrue(line["generator"] or preset == "extractive")
                answer = answers[preset]
                self.assertNotIn("error", answer)
                self.assertEqual((answer["id"], answer["pipeline"]), ("a", preset))
                self.assertEqual(answer["usage"]["malformed"], 0)
                # The models are not trained with the mask.
                masks = method == "hkrag" and preset not in NO_MASK
                self.assertEqual(answer.get("mask"), "cosine" if masks else None)
                self.assertEqual("mask_reason" in answer, masks)
                self.assertLessEqual({page["doc"] for page in answer["citations"]}, {DOC})
                calls = [step["agent"] for step in answer["trace"] if step["step"] == "call"]
                self.assertEqual(answer["usage"]["vlm_calls"], len(calls))
                met = {agent.removesuffix("_free").removesuffix("_text") for agent in calls}
                missing = MISSING.get(preset, set())
                perhaps = PERHAPS.get(preset, set())
                self.assertLessEqual(set(AGENTS.get(method, [])) - missing - perhaps, met)
                self.assertFalse(missing & met)

    def test_elements_are_made_when_asked_for_and_named_where_they_lack(self):
        self.assertIn("late-elements", self.index("--elements").err)
        self.must("index", "--store", self.store, "--drop-set", "late-elements")
        script = self.write("none.jsonl", '{"agent": "none", "reply": "none"}\n')
        arguments = ["--store", self.store, "--generator", f"script:{script}", "--pipeline"]
        result = self.call("ask", QUESTION, *arguments, "dmap-paper")
        self.assert_one_error(result, 3, "fineprint index", self.store, "--elements")
        (counts,) = self.index("--elements", "--json").records()
        self.assertGreater(counts["vectors"]["late-elements"], 0)
        self.assertEqual(counts["vectors"]["late-text-elements"], 0)  # they are there
        found = self.answers(["dmap-paper"])["dmap-paper"]
        calls = [step["agent"] for step in found["trace"] if step["step"] == "call"]
        self.assertEqual(calls[0], "dmap.locate")
        self.must("index", "--verify", "--store", self.store)


if __name__ == "__main__":
    unittest.main()
