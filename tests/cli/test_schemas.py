"""Every record that goes out, held against its schema: each schema has a function here that makes some."""

import json
import shutil
import unittest

import program
import record_schemas
import sample_benchmarks
import scripted_replies
from model_files import model_of, saved_graph
from program import QUICK, ProgramTest
from test_experiment import EXPERIMENT
from test_read import GOOD

QUESTION = "Who audited the accounts of the ferry company?"
READ = {"answer": "Tern & Pollock LLP", "answerable": True, "pages": [0]}
DOC = "harbor-annual-report.pdf"
ENCODER = model_of("bert_mean_a")
# What needs the networks.
NETS = {"embedding", "training", "training-step", "held-back", "reading"}
# Pipelines that need neither vectors of a page encoder nor a graph of pages.
PIPELINES = ["extractive", "textrag", "visualrag", "vdocrag", "m3docrag", "direct", "hkrag", "mdocagent", "dmap",
             "vidorag", "investigate"]
# Steps that answers of these hold.
STEPS = {"call", "bm25", "confidence", "uncertainty", "budget", "relevance", "located", "fallback",
         "adaptive_k", "empty_retrieval", "ended"}


class Records(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.schemas = record_schemas.Schemas(json.loads(cls.must("help", "formats", "all").out))

    def records(self, *arguments, code=0, **options):
        return self.must(*map(str, arguments), code=code, **options).records()

    def stored(self, *arguments, **options):
        return self.records(*arguments, "--store", self.native_store(), **options)

    def generator(self, **replies):
        script = self.write("replies.jsonl", scripted_replies.every_agent("Tern & Pollock LLP", **replies))
        return ["--generator", f"script:{script}"]

    made = {}

    def once(self, name, make):
        """What `make` returns, made once: several schemas are of what one command leaves."""
        if name not in self.made:
            self.made[name] = make()
        return self.made[name]

    def bench(self, *more, benchmark="mmlongbench"):
        """A run over a small benchmark; the folder of its files. The last of `more` is a script of
        replies, which lies elsewhere each time and says the same."""
        self.printed, out = self.once(("bench", benchmark, more and more[:-1]), lambda: self.run_bench(benchmark, *more))
        return out

    def run_bench(self, benchmark, *more):
        data, out = self.folder / benchmark, self.folder / "out"
        sample_benchmarks.lay_out(benchmark, data)
        return self.records("bench", benchmark, "--data", data, "--store", self.folder / "bench.store", "--out", out,
                            "--json", *QUICK, *more), out

    def trained_retriever(self):
        """The folder of a retriever's training, and what was printed."""
        return self.once("retriever", lambda: self.train(
            "retriever", self.pairs(), "--held-back",
            self.write("held.jsonl", "".join(json.dumps(line) + "\n" for line in self.pairs()))))

    def train(self, what, lines, *more, **options):
        examples = self.write("examples.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        out = self.folder / "trained"
        return out, self.records("train", what, "--examples", examples, "--out", out, "--retriever", ENCODER,
                                 "--batch", "2", "--epochs", "1", "--json", *more, **options)

    def test_each_has_records_that_fit(self):
        for name in self.schemas.texts:
            if name in NETS and not program.HAS_NETS:
                continue
            with self.subTest(name=name):
                self.folder = self.class_folder / f"made-{name}"
                self.folder.mkdir()
                make = getattr(self, "make_" + name.replace("-", "_"), None)
                self.assertIsNotNone(make, "there is no function that makes such records")
                records = make()
                self.assertGreater(len(records), 0)
                for record in records:
                    self.schemas.check(name, record)

    def test_each_is_named_and_numbered(self):
        listed = (program.REPOSITORY / "docs" / "formats.md").read_text()
        for name, schema in self.schemas.texts.items():
            self.assertRegex(schema["$id"], rf"^fineprint\.{name}/[1-9][0-9]*$")
            self.assertIn(f"[`{name}`](schemas/{name}.json)", listed)
            self.assertEqual(json.loads(self.must("help", "formats", name).out), schema)

    def test_every_command_with_records_has_a_schema(self):
        sources = " ".join(source for schema in self.schemas.texts.values() for source in schema["x-from"])
        for command in self.must("--help").out.split("Subcommands:")[1].splitlines():
            name = command.strip().split(" ")[0]
            if name and command.startswith("  ") and "--json" in self.must(name, "--help").out:
                self.assertRegex(sources, rf"(^| ){name}( |:)")

    def test_what_does_not_fit_is_found(self):
        hit = self.make_hit()[0]
        for wrong in ({"rank": 0}, {"rank": "1"}, {"more": 1}, {"boxes": [[1, 2, 3]]}):
            with self.assertRaises(AssertionError):
                self.schemas.check("hit", {**hit, **wrong})
        with self.assertRaises(AssertionError):
            self.schemas.check("hit", {name: value for name, value in hit.items() if name != "page"})

    # What a search and an answer are made of.

    def make_question(self):
        return program.read_records(self.bench() / "questions.jsonl") + program.native_questions()

    def make_answer(self):
        failing = self.write("failing.jsonl", json.dumps({"agent": "answer.pages_text", "reply": {"error": "no"}}) + "\n")
        failed = self.stored("ask", QUESTION, "--pipeline", "vdocrag", "--generator", f"script:{failing}", "--json",
                             *QUICK, code=4) or []
        return [*self.once("answers", self.answers), *failed, *self.stored("ask", "Who is the king of Norway?", "--json", *QUICK)]

    def answers(self):
        answers = []
        for pipeline in PIPELINES:
            generator = [] if pipeline == "extractive" else self.generator()
            answers += self.stored("ask", QUESTION, "--pipeline", pipeline, "--doc", DOC, "--trace", "--json",
                                   *generator, *QUICK)
        answers += self.stored("ask", QUESTION, "--pipeline", "mdocagent", "--max-calls", "2", "--trace", "--json",
                               *self.generator(), *QUICK)
        answers += self.stored("ask", QUESTION, "--pipeline", "molorag", "--molorag.all-pages", "--doc", DOC, "--trace",
                               "--json", *self.generator(**{"molorag.relevance": "4", "answer.pages": READ}), *QUICK)
        answers += self.stored("ask", QUESTION, "--pipeline", "visualrag", "--trace", "--json", *self.generator())
        answers += self.stored("ask", QUESTION, "--adaptive", "--trace", "--json", *QUICK)
        answers += self.stored("ask", "zzz", "--trace", "--json", *QUICK)
        answers += self.stored("chat", "--trace", "--json", *QUICK, text=f"{QUESTION}\nAnd when was it?\n")
        return answers

    def make_step(self):
        steps = [step for answer in self.once("answers", self.answers) for step in answer["trace"]]
        self.assertEqual(STEPS - {step["step"] for step in steps}, set())
        return steps

    def make_hit(self):
        file = self.write_questions("q.jsonl", program.native_questions()[:2])
        return [*self.stored("search", "tide gauge", "--json", *QUICK),
                *self.stored("search", "--questions", file, "--json", *QUICK)]

    # What documents are.

    def broken(self):
        docs = self.copy_documents(self.folder / "broken", ["rotated-table.pdf"])
        (docs / "empty.pdf").touch()
        (docs / "notes.xyz").write_text("x")
        return docs

    def make_file(self):
        return self.records("index", self.broken(), "--store", self.folder / "broken.store", "--json", *QUICK,
                            code=1)[:-1]

    def make_index_counts(self):
        docs = self.copy_documents(self.folder / "docs", ["rotated-table.pdf"])
        counts = []
        for more in ([], ["--map", "heuristic"]):
            counts += self.records("index", docs, "--store", self.folder / "counted.store", "--json", *QUICK, *more)
        return counts

    def make_forecast(self):
        return self.records("index", program.DOCS, "--dry-run", "--json")

    def make_map(self):
        return self.stored("map", DOC, "--json")

    def make_page(self):
        return [*self.stored("show", DOC, "--json"), *self.stored("show", f"{DOC}#2", "--mark", "audited by Tern", "--json")]

    def make_document(self):
        return self.stored("list", "--json")

    def failing_store(self):
        (self.folder / "docs").mkdir()
        (self.folder / "docs" / "torn.pdf").write_bytes(b"%PDF-1.7\nnothing")
        (self.folder / "docs" / "note.txt").write_text("A note.\n")
        store = self.folder / "failing.store"
        self.must("index", self.folder / "docs", "--store", store, *QUICK, code=1)
        return store

    def make_unread_file(self):
        return self.records("list", "torn.pdf", "--store", self.failing_store(), "--json")

    def make_removed_document(self):
        records = self.records("remove", "*", "--store", self.failing_store(), "--json")
        self.assertEqual([record["status"] for record in records], ["removed", "forgotten"])
        return records

    def make_export(self):
        records = self.stored("export", "--out", "-")
        self.assertEqual({record["type"] for record in records}, {"store", "document", "page", "chunk", "map"})
        return records

    def make_export_counts(self):
        return self.stored("export", "--out", self.folder / "all.jsonl", "--json")

    def make_hidden_text(self):
        self.write("white.html", "<p>The toll is 20 crowns.</p><p style='color:#fff'>The toll is free.</p>")
        store = self.folder / "hidden"
        self.must("index", self.folder / "white.html", "--store", store, *QUICK)
        return self.records("show", "white.html", "--hidden", "--json", "--store", store)

    def make_page_picture(self):
        return self.stored("show", f"{DOC}#2", "--mark", "audited by Tern", "--out", self.folder / "p.png", "--json")

    def make_kept_index(self):
        docs = self.copy_documents(self.folder / "asked", ["rotated-table.pdf"])
        self.must("search", "gauge", docs, *QUICK)
        return [*self.records("stores", "--json"), *self.records("stores", "--remove", docs, "--json")]

    def make_trusted_file(self):
        self.write("fineprint.toml", 'libreoffice = "/opt/soffice"\n')
        trusted = self.records("trust", self.folder, "--json")
        return [*trusted, *self.records("trust", "--list", "--json"),
                *self.records("trust", "--remove", self.folder, "--json")]

    # What many questions come to.

    def batch(self):
        """Answers `questions` into `out`; the counts."""
        self.questions, self.out, counts = self.once("batch", self.run_batch)
        return counts

    def run_batch(self):
        out, questions = self.folder / "answers.jsonl", self.write_questions("q.jsonl", program.native_questions())
        return questions, out, self.stored("batch", questions, "--out", out, "--json", *QUICK)

    def make_batch_counts(self):
        return self.batch()

    def table(self):
        columns = self.write("columns.txt", "Who audited the accounts?\nWhen was it signed?\n")
        out = self.folder / "table.jsonl"
        counts = self.stored("table", columns, "--out", out, "--json", *QUICK)
        return counts, program.read_records(out)

    def make_table_counts(self):
        return self.table()[0]

    def make_table_row(self):
        return self.table()[1]

    def make_manifest(self):
        self.batch()
        with_agents = self.bench("--pipeline", "hkrag", *self.generator())
        return [json.loads(path.read_text()) for path in
                (self.out.with_name("answers.jsonl.manifest.json"), with_agents / "hkrag" / "answers.jsonl.manifest.json")]

    def merge(self):
        self.batch()
        return self.records("merge", self.folder / "all.jsonl", self.out, "--json")

    def make_merge_counts(self):
        return self.merge()

    def make_merge_manifest(self):
        self.merge()
        return [json.loads((self.folder / "all.jsonl.manifest.json").read_text())]

    def make_joined_store(self):
        return self.records("merge", self.folder / "joined.store", self.native_store(), "--json")

    def make_served(self):
        server = self.start("serve", "--store", self.native_store(), "--port", "0", "--json", *QUICK)
        line = server.stdout.readline()
        server.terminate()
        server.communicate(timeout=60)
        return [json.loads(line)]

    def make_evaluation(self):
        self.batch()
        hits = self.write("hits.jsonl", self.must("search", "--questions", self.questions, "--json", "--store",
                                                  self.native_store(), *QUICK).out)
        return [record for file in (self.out, hits)
                for record in self.records("eval", file, "--gold", self.questions, "--json")]

    def make_item_score(self):
        self.batch()
        return self.records("eval", self.out, "--gold", self.questions, "--per-item", "--json")[:-1]

    def items(self, *more, code=0):
        lines = [{"prediction": "12", "answer": "12"}, {"prediction": "-4", "references": ["4", "5"]}, {"answer": 3}]
        items = self.write("items.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        return self.records("eval", items, *more, code=code)

    def make_scored_item(self):
        return [*self.items("--scorer", "anls", "--per-item", code=1),
                *self.items("--scorer", "mmlongbench", "--per-item", code=1)]

    def make_item_totals(self):
        return self.items("--scorer", "f1", "--json", code=1)

    def make_report_counts(self):
        self.batch()
        return self.stored("report", self.out, "--out", self.folder / "report.html", "--json")

    # What benchmarks come to.

    def make_bench_run(self):
        out = self.bench("--pipeline", "extractive", "--pipeline", "textrag", *self.generator())
        return [*self.printed, *json.loads((out / "results.json").read_text())["runs"]]

    def make_bench_results(self):
        return [json.loads((self.bench() / "results.json").read_text())]

    def make_bench_score(self):
        return program.read_records(self.bench() / "extractive" / "scores.jsonl")

    def make_bench_judged(self):
        out = self.bench("--judge", self.generator(**{"judges.binary": {"binary_correctness": 1}})[1],
                         benchmark="financebench")
        return program.read_records(out / "extractive" / "judged.jsonl")

    def make_bench_comparison(self):
        out = self.bench("--pipeline", "extractive", "--pipeline", "textrag", *self.generator())
        return self.records("bench", "--compare", out / "extractive", out / "textrag", "--json")

    def make_experiment(self):
        sample_benchmarks.lay_out("folder", self.folder / "papers" / "folder")
        file = self.write("small.toml", EXPERIMENT)
        arguments = ["bench", "--experiment", file, "--data", self.folder / "papers", "--out", self.folder / "tables"]
        return self.records(*arguments, "--partial", "--json")

    def make_experiment_needs(self):
        return self.records("bench", "--list-experiments", "--json")

    # Models.

    def make_pipeline(self):
        return self.records("pipelines", "--json")

    def make_reply(self):
        script = self.write("reply.jsonl", json.dumps({"agent": "", "reply": "A lamp."}) + "\n")
        if not program.HAS_NETS:
            return self.records("generate", "What?", "--generator", f"script:{script}", "--json")
        return self.records("generate", "What?", "--generator", model_of("llama_a"), "--max-new-tokens", "3", "--json")

    def make_choice(self):
        model = model_of("llama_a") if program.HAS_NETS else None
        if model is None:
            self.skipTest("replies are scored by networks")
        return self.records("generate", "Yes?", "--choose", "yes", "--choose", "no", "--generator", model, "--json")

    def make_embedding(self):
        return self.records("embed", "--text", "a", "--retriever", ENCODER, "--out", self.folder / "v", "--json")

    def make_model(self):
        return [*self.records("models", "--json")[:1], *self.records("models", model_of("qwen25vl_a"), "--json"),
                *self.records("models", ENCODER, "--json")]

    def make_graph(self):
        return self.records("models", saved_graph("Conv.0", self.folder), "--json")

    def make_unusable_model(self):
        hub = self.folder / "hub"
        broken = shutil.copytree(ENCODER, hub / "models--a--b" / "snapshots" / "1", copy_function=shutil.copyfile)
        (broken / "config.json").write_text("{}")
        (hub / "models--a--b" / "refs").mkdir()
        (hub / "models--a--b" / "refs" / "main").write_text("1")
        listed = self.records("models", "--json", env={"HF_HUB_CACHE": str(hub)})
        return [record for record in listed if "code" in record]

    def make_suggested_model(self):
        return self.records("models", "--suggest", "--json")

    def make_verified_case(self):
        cases = [program.DATA / case for case in ("tok_bert", "bert_mean_a")]
        broken = self.folder / "case"
        broken.mkdir()
        return self.records("verify", *cases, broken, "--json", code=3)

    def make_finding(self):
        result = self.call("doctor", "--json")
        self.assertIn(result.code, (0, 1))
        return result.records()

    # Training.

    def make_example(self):
        out = self.folder / "pages.jsonl"
        self.must("train", "pages", "--store", self.native_store(), "--out", out)
        mined = self.stored("search", "--questions", out, "--format", "negatives", "-k", "2", *QUICK)
        return program.read_records(out) + mined

    def make_made_questions(self):
        data = sample_benchmarks.lay_out_pictures(self.folder / "opendocvqa")
        return self.records("train", "questions", "--data", data, "--out", self.folder / "questions.jsonl", "--json")

    def make_corpus_questions(self):
        reply = {"possible": False, "query": "", "answer": ""}
        script = self.write("c.jsonl", (json.dumps({"agent": "questions.write", "reply": reply}) + "\n") * 20)
        return self.stored("train", "corpus-questions", "--generator", f"script:{script}", "--verdicts", "1", "--out",
                           self.folder / "corpus.jsonl", "--json")

    def make_made_pages(self):
        return self.stored("train", "pages", "--out", self.folder / "pages.jsonl", "--json")

    def verdicts(self):
        reply = {"query": "What was built?", "relevance_score": 3, "answer": "A pier."}
        lines = [{"agent": "molorag.question", "reply": reply}, {"agent": "molorag.relevance", "reply": "3"}]
        script = self.write("v.jsonl", "".join((json.dumps(line) + "\n") * 400 for line in lines))
        out = self.folder / "verdicts.jsonl"
        return out, self.stored("train", "verdicts", "--generator", f"script:{script}", "--verdicts", "6", "--out", out,
                                "--json")

    def make_made_verdicts(self):
        return self.once("verdicts", self.verdicts)[1]

    def make_verdict(self):
        return program.read_records(self.once("verdicts", self.verdicts)[0])

    def pairs(self):
        return [{"query": f"Which {thing}?", "positive": f"The {thing}.", "negatives": ["No."]}
                for thing in ("lamp", "ferry", "pier", "crane")]

    def make_training(self):
        return self.trained_retriever()[1]

    def make_training_step(self):
        return program.read_records(self.trained_retriever()[0] / "steps.jsonl")

    def make_held_back(self):
        return program.read_records(self.trained_retriever()[0] / "held_back.jsonl")

    def make_reading(self):
        table = {"rows": [["", "2001"], ["Lamps", "12"]], "header_rows": 1}
        lines = [{"question": "How many lamps in 2001?", "passages": [table], "gold": "12",
                  "answers": [{"passage": 0, "operator": "span", "cells": [[1, 1]]}]}] * 8
        recipe = program.REPOSITORY / "configs" / "train" / "qa.toml"
        out, _ = self.train("qa", lines, "--config", recipe, "--dtype", "float32")
        asked = self.write("asked.jsonl", "".join(json.dumps(line) + "\n" for line in (*lines[:1], GOOD)))
        return self.records("read", "--examples", asked, "--qa", out / "reader", "--json")


if __name__ == "__main__":
    unittest.main()
