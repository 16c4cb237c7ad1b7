"""`fineprint bench`: every layout, every pipeline, resuming, shards, comparisons, bad data."""

import json
import random
import shutil
import signal
import time
import unittest

import program
import sample_benchmarks
import scripted_replies
from model_files import model_of
from paper_stores import FLAGS, GRAPHS, store_for
from program import QUICK, ProgramTest

# What each layout is scored by; the others by their rankings.
SCORERS = {"folder": "relaxed", "mmlongbench": "mmlongbench", "longdocurl": "longdocurl",
           "mmlongbench_shared": "molorag_mmlong", "longdocurl_shared": "molorag_longdocurl",
           "papertab": "uda_f1", "papertab_shared": "uda_f1", "papertext": "uda_f1",
           "fetatab": "uda_f1", "financebench": "relaxed", "m3docvqa": "f1"}
# Where the plainest reply that fits the schema says nothing.
REPLIES = {
    "molorag.relevance": "3",
    "vidorag.seeker": {"reason": "R", "summary": "S", "choice": [0]},
    "vidorag.inspector": {"reason": "R", "verdict": "answer", "answer": "612", "reference": [0],
                          "missing": "", "keep": []},
    "vidorag.answer": {"reason": "R", "answer": "612", "reference": [0], "answerable": True},
}

def without_seconds(results):
    """The figures of a run, less the times."""
    for run in results["runs"]:
        for name in ("seconds", "seconds_retrieval", "seconds_answering"):
            del run["a_question"][name]
    return results


class BenchTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def lay_out(self, name):
        return sample_benchmarks.lay_out(name, self.folder / name)

    def arguments(self, name, data, *more, out=None):
        store = self.folder / f"{data.name}.store"
        return ["bench", name, "--data", data, "--store", store, "--out", out or self.out, *more]

    def bench(self, name, data, *more, code=0, out=None):
        return self.must(*self.arguments(name, data, *QUICK, *more, out=out), code=code)

    def results(self, out=None):
        return json.loads(((out or self.out) / "results.json").read_text(encoding="utf-8"))

    def scores(self, pipeline="extractive", out=None):
        return program.read_records((out or self.out) / pipeline / "scores.jsonl")


class Layouts(BenchTest):
    def test_every_layout_is_indexed_answered_and_scored(self):
        for name in sample_benchmarks.DOCUMENTS:
            with self.subTest(name=name):
                data, out = self.lay_out(name), self.folder / f"{name}.out"
                result = self.bench(name.removesuffix("_shared"), data, out=out)
                results = self.results(out)
                (run,) = results["runs"]
                self.assertEqual(results["problems"], [], result.err)
                self.assertEqual(run["failed"], 0)
                questions = program.read_records(out / "questions.jsonl")
                self.assertEqual([line["id"] for line in self.scores(out=out)],
                                 [question["id"] for question in questions])
                self.assertEqual(results["questions"], len(questions))
                self.assertGreater(run["score"]["mean"], 0)
                self.assertLessEqual(run["score"]["low"], run["score"]["mean"])
                self.assertLessEqual(run["score"]["mean"], run["score"]["high"])
                self.assertEqual(run["scored_by"], SCORERS.get(name, "rankings"))
                self.assertNotIn("error", run["totals"])
                self.assertIn("| extractive |", result.out)
                self.assertEqual(result.out, (out / "results.md").read_text(encoding="utf-8"))

    def test_pages_that_are_pictures(self):
        data = sample_benchmarks.lay_out_pictures(self.folder / "opendocvqa")
        self.bench("opendocvqa", data, "--subset", "chartqa")
        (run,) = self.results()["runs"]
        self.assertEqual(run["measure"], "relaxed")
        self.assertEqual(run["ranking"]["R@1"]["mean"], 1)
        predictions = json.loads((self.out / "extractive" / "predictions.json").read_text())
        self.assertEqual(predictions["c-1"]["ground_truth"], ["£2.40", "2.40"])
        self.assertIsInstance(predictions["c-1"]["prediction"], str)
        first = (self.out / "extractive" / "ranking.txt").read_text().splitlines()[0]
        self.assertEqual(first.split("\t")[:2], ["c-1", "board%2F1"])

    def test_predictions_have_the_fields_of_the_published_scorers(self):
        fields = {
            "mmlongbench": {"doc_id", "answer", "answer_format", "response", "raw_response",
                            "pages_ranking", "ans_fineprint", "mix-top-10-question"},
            "longdocurl": {"question_id", "answer", "answer_format", "detailed_response", "pred"},
            "vidoseek": {"uid", "query", "reference_answer", "meta_info", "response",
                         "recall_results"},
            "financebench": {"financebench_id", "gold_answer", "model_answer"},
        }
        for name, wanted in fields.items():
            with self.subTest(name=name):
                out = self.folder / f"{name}.out"
                self.bench(name, self.lay_out(name), out=out)
                (file,) = (out / "extractive").glob("predictions.*")
                text = file.read_text(encoding="utf-8")
                is_list = file.suffix == ".json"
                records = json.loads(text) if is_list else program.read_records(file)
                self.assertEqual(len(records), self.results(out)["questions"])
                self.assertLessEqual(wanted, set(records[0]))

    def test_pages_of_rankings_count_as_their_harness_counts(self):
        self.bench("mmlongbench", self.lay_out("mmlongbench"))
        record = json.loads((self.out / "extractive" / "predictions.json").read_text())[0]
        first = program.read_records(self.out / "questions.jsonl")[0]["id"]
        answers = program.read_records(self.out / "extractive" / "answers.jsonl")
        (answer,) = [answer for answer in answers if answer["id"] == first]
        pages = [page["page"] for page in answer["retrieved"]]
        self.assertEqual(json.loads(record["pages_ranking"]), pages)
        self.assertEqual(record["mix-top-10-question"], [page - 1 for page in pages])

    def test_published_figures_stand_beside_ours(self):
        result = self.bench("mmlongbench", self.lay_out("mmlongbench"))
        self.assertIn("| MoLoRAG, Qwen2.5-VL-7B | 39.3 |", result.out)
        self.assertIn("MoLoRAG, Table 2", result.out)


class Pipelines(BenchTest):
    def data_of(self, count):
        data = self.lay_out("folder")
        file = data / "questions.jsonl"
        file.write_text("".join(file.read_text().splitlines(keepends=True)[:count]))
        return data

    def run_presets(self, lines, *more):
        """Answers by all presets in one call, and looks at what each gave."""
        replies = scripted_replies.every_agent("612", **REPLIES)
        script = self.write("script.jsonl", replies)
        given = [word for line in lines for word in ("--pipeline", line["name"])]
        more = ["--generator", f"script:{script}", *given, *more]
        result = self.must(*self.arguments("folder", self.folder / "folder", *more))
        runs = self.results()["runs"]
        self.assertEqual([run["pipeline"] for run in runs], [line["name"] for line in lines])
        for run, line in zip(runs, lines):
            with self.subTest(preset=run["pipeline"]):
                self.assertEqual((run["failed"], run["missing"]), (0, 0), result.err[-3000:])
                self.assertEqual(run["a_question"]["calls"] > 0, line["generator"])
                self.assertEqual(run["a_question"]["malformed_replies"], 0)
                answers = program.read_records(self.out / run["pipeline"] / "answers.jsonl")
                self.assertTrue(all(answer["trace"] for answer in answers))

    def test_every_pipeline_but_those_over_page_graphs_runs_without_an_encoder(self):
        self.data_of(2)
        lines = self.must("pipelines", "--json").records()
        # QUICK names only a scorer of texts, and the variant without these has nothing to search by.
        lines = [line for line in lines if "page graph" not in line["needs"]
                 and line["name"] != "dmap-paper-without-text"]
        self.run_presets(lines, "--map", "heuristic", *QUICK, "--strict=false")

    @program.needs_nets
    def test_every_pipeline_runs_with_a_scripted_model(self):
        docs = self.data_of(1) / "docs"
        shutil.rmtree(docs)
        docs.symlink_to(self.native_docs())
        store_for(self, self.folder / "folder.store")
        lines = self.must("pipelines", "--json").records()
        own = [line for line in lines if line["name"] in GRAPHS]
        self.run_presets([line for line in lines if line not in own], *FLAGS)
        for line in own:
            self.run_presets([line], *FLAGS, *GRAPHS[line["name"]])

    def test_a_pipeline_that_there_is_not_is_refused_before_anything_is_written(self):
        data = self.lay_out("folder")
        result = self.call(*self.arguments("folder", data, "--pipeline", "extractive,nosuch"))
        self.assert_one_error(result, 2, "nosuch")
        self.assertFalse(self.out.exists())
        result = self.call(*self.arguments("folder", data, "--pipeline", "extractive",
                                           "--pipeline", "extractive"))
        self.assert_one_error(result, 2, "twice")


class Runs(BenchTest):
    """Many questions, so that there is time to stop."""

    def many(self, count=60):
        data = self.lay_out("folder")
        questions = [dict(question, doc=question["doc"]) for question in
                     program.many_questions(count)]
        (data / "questions.jsonl").write_text(
            "".join(json.dumps(question) + "\n" for question in questions))
        return data

    def slow_script(self):
        """Each call takes 20 ms, so that questions are under way when the run is killed."""
        reply = {"answer": "612", "answerable": True, "chunks": []}
        line = json.dumps({"agent": "answer.chunks", "reply": reply, "entropy": 0, "ms": 20})
        return f"script:{self.write('slow.jsonl', (line + chr(10)) * 60)}"

    def test_killed_again_and_again_it_ends_as_one_left_alone(self):
        data = self.many()
        more = ["--generator", self.slow_script(), "--pipeline", "textrag", "--workers", "1"]
        self.bench("folder", data, *more, out=self.folder / "whole")
        chance = random.Random(7)
        numbers = [signal.SIGKILL, signal.SIGINT, signal.SIGTERM]
        for kill in range(program.kills(few=3, many=10)):
            process = self.start(*self.arguments("folder", data, *QUICK, *more))
            time.sleep(0.05 + 0.25 * chance.random())
            program.kill(process, numbers[kill % 3])
        self.bench("folder", data, *more)
        whole, killed = self.results(self.folder / "whole"), self.results()
        self.assertEqual(without_seconds(killed), without_seconds(whole))
        for name in ("scores.jsonl", "predictions.json"):
            one, other = (out / "textrag" / name for out in (self.out, self.folder / "whole"))
            self.assertEqual(one.exists(), other.exists())
            if one.exists():
                self.assertEqual(one.read_bytes(), other.read_bytes())

    def test_ctrl_c_ends_with_130_and_keeps_the_answers(self):
        data = self.many()
        more = ["--generator", self.slow_script(), "--pipeline", "textrag", "--workers", "1"]
        process = self.start(*self.arguments("folder", data, *QUICK, *more))
        answers = self.out / "textrag" / "answers.jsonl"
        while process.poll() is None and not (answers.exists() and answers.stat().st_size > 0):
            time.sleep(0.01)
        program.kill(process, signal.SIGINT)
        self.assertEqual(process.returncode, 130)
        kept = program.read_records(answers)
        self.assertGreater(len(kept), 0)
        self.assertFalse((self.out / "results.json").exists())
        self.bench("folder", data, *more)
        self.assertEqual(program.read_records(answers)[: len(kept)], kept)

    def test_shards_are_joined_by_merge(self):
        data = self.many(20)
        self.bench("folder", data, out=self.folder / "whole")
        parts = []
        for part in ("1/2", "2/2"):
            out = self.folder / f"part{part[0]}"
            result = self.bench("folder", data, "--shard", part, out=out)
            self.assertIn("fineprint merge", result.err)
            self.assertFalse((out / "results.json").exists())
            parts.append(out / "extractive" / "answers.jsonl")
        (self.out / "extractive").mkdir(parents=True)
        self.must("merge", self.out / "extractive" / "answers.jsonl", *parts)
        self.bench("folder", data)
        self.assertEqual(without_seconds(self.results()),
                         without_seconds(self.results(self.folder / "whole")))

    def test_other_questions_or_settings_are_refused_unless_forced(self):
        data = self.many(5)
        self.bench("folder", data)
        more = self.arguments("folder", data, *QUICK)
        self.assert_refused(self.call(*more, "-k", "3"), "extractive/answers.jsonl", "--force")
        file = data / "questions.jsonl"
        file.write_text(file.read_text().replace("What", "Which"))
        self.assert_refused(self.call(*more), "questions.jsonl", "--force")
        self.must(*more, "--force")

    def assert_refused(self, result, *parts):
        self.assertEqual(result.code, 2, result.err)
        for part in parts:
            self.assertIn(part, result.err.splitlines()[-1])


    def test_a_sample_is_the_same_for_all_pipelines_and_runs(self):
        data = self.many(20)
        script = self.slow_script()
        more = ["--sample", "6", "--seed", "3", "--pipeline", "extractive,textrag", "--generator", script]
        result = self.bench("folder", data, *more)
        self.assertIn("6 questions, drawn at random from 20 with the seed 3", result.out)
        self.assertEqual(self.results()["sample"], {"of": 20, "seed": 3})
        ids = [question["id"] for question in program.read_records(self.out / "questions.jsonl")]
        self.assertEqual(len(ids), 6)
        for pipeline in ("extractive", "textrag"):
            self.assertEqual([line["id"] for line in self.scores(pipeline)], ids)
        answers = (self.out / "textrag" / "answers.jsonl").read_bytes()
        self.bench("folder", data, *more)
        self.assertEqual((self.out / "textrag" / "answers.jsonl").read_bytes(), answers)
        self.assert_refused(self.call(*self.arguments("folder", data, *QUICK, "--sample", "7", "--seed", "3")),
                            "questions.jsonl", "--force")
        self.assert_one_error(self.call(*self.arguments("folder", data, "--sample", "21", out=self.folder / "more")),
                              2, "only 20 questions")


class Judges(BenchTest):
    def script(self, name, **replies):
        lines = scripted_replies.script_of({f"judges.{role}": reply for role, reply in replies.items()})
        return f"script:{self.write(name, lines)}"

    def test_right_or_wrong(self):
        data = self.lay_out("financebench")
        judge = self.script("judge.jsonl", binary={"binary_correctness": 1})
        result = self.bench("financebench", data, "--judge", judge)
        (run,) = self.results()["runs"]
        self.assertEqual((run["scored_by"], run["judge"]), ("judge", "script:judge.jsonl"))
        self.assertEqual(run["score"]["mean"], 1)
        self.assertIn("own words", result.out)
        # What was judged needs no model to be scored again.
        self.bench("financebench", data)
        self.assertEqual(self.results()["runs"][0]["score"]["mean"], 1)

    def test_grades_pass_from_four_on(self):
        for grade, passing in (("3\nHalf.", 0), ("4\nWordy.", 1)):
            out = self.folder / f"out{passing}"
            judge = self.script(f"judge{passing}.jsonl", grade=grade)
            self.bench("vidoseek", self.folder / "vidoseek" if passing else self.lay_out("vidoseek"),
                       "--judge", judge, out=out)
            self.assertEqual(self.results(out)["runs"][0]["score"]["mean"], passing)
            self.assertEqual(self.scores(out=out)[0]["judge_reply"], grade)

    def test_short_answers_are_extracted_and_compared(self):
        data = self.lay_out("mmlongbench")
        reply = "Extracted answer: Not answerable\nAnswer format: None"
        self.bench("mmlongbench", data, "--judge", self.script("judge.jsonl", extract=reply))
        records = json.loads((self.out / "extractive" / "predictions.json").read_text())
        self.assertEqual({record["pred"] for record in records}, {"Not answerable"})
        self.assertEqual(records[0]["extracted_res"], reply)
        right = [line["score"] for line in self.scores()]
        self.assertEqual(right, [0, 0, 0, 0, 1, 0, 0, 0])  # one cannot be answered

    def test_another_judge_than_the_papers(self):
        data = self.lay_out("mmlongbench")
        judge = self.script("judge.jsonl", binary={"binary_correctness": 1})
        result = self.bench("mmlongbench", data, "--judge", judge, "--judge-kind", "binary")
        (run,) = self.results()["runs"]
        self.assertEqual((run["scored_by"], run["judge_kind"], run["score"]["mean"]), ("judge", "binary", 1))
        self.assertNotIn("accuracy after extraction", result.out)
        self.assertIn("judged by GPT-4o", result.out)
        self.assertEqual({line["kind"] for line in program.read_records(self.out / "extractive" / "judged.jsonl")},
                         {"binary"})
        # What was judged needs no model to be scored again; the paper's kind was not asked.
        self.bench("mmlongbench", data, "--judge-kind", "binary")
        self.assertEqual(self.results()["runs"][0]["score"]["mean"], 1)
        self.bench("mmlongbench", data)
        self.assertEqual(self.results()["runs"][0]["judge"], "")

    def test_a_kind_of_judge_without_an_effect_is_refused(self):
        data = self.lay_out("vidoseek")
        kind = ("--judge-kind", "extract")
        self.assert_one_error(self.call(*self.arguments("vidoseek", data, *kind)), 2, "--judge MODEL")
        judge = self.script("judge.jsonl", extract="Extracted answer: 612\nAnswer format: Integer")
        self.assert_one_error(self.call(*self.arguments("vidoseek", data, *kind, "--judge", judge)), 2,
                              "vidoseek has no rules")

    def test_judging_goes_on_where_it_stopped(self):
        data = self.lay_out("financebench")
        line = {"agent": "judges.binary", "reply": {"binary_correctness": 1}, "ms": 300}
        slow = f"script:{self.write('judge.jsonl', json.dumps(line))}"
        more = [*QUICK, "--judge", slow, "--workers", "1"]
        process = self.start(*self.arguments("financebench", data, *more))
        judged = self.out / "extractive" / "judged.jsonl"
        while process.poll() is None and not (judged.exists() and judged.stat().st_size > 0):
            time.sleep(0.01)
        program.kill(process)
        kept = judged.read_bytes()
        self.must(*self.arguments("financebench", data, *more))
        self.assertTrue(judged.read_bytes().startswith(kept))
        self.assertEqual(len(program.read_records(judged)), 7)
        self.assertEqual(self.results()["runs"][0]["score"]["mean"], 1)


@program.needs_nets
class Retrievers(BenchTest):
    def test_one_that_no_scorer_uses_is_refused(self):
        data = self.lay_out("vidore")
        encoder = ["--retriever", model_of("bert_mean_a")]
        result = self.call(*self.arguments("vidore", data, "--qa", "none", "--scorer", "bm25", *encoder))
        self.assertEqual(result.code, 2, result.err)
        for part in ("bert_mean_a/model made the vectors \"text\"", "--scorer bm25 does not use"):
            self.assertIn(part, result.err)
        self.assertFalse(self.out.exists())
        for more in (["--scorer", "text"], ["--scorer", "bm25", "--gold-pages"]):
            self.must(*self.arguments("vidore", data, "--qa", "none", "--force", *more, *encoder))


class Comparisons(BenchTest):
    def write_scores(self, name, scores):
        folder = self.folder / name
        folder.mkdir()
        lines = [json.dumps({"id": key, "score": value}) for key, value in scores.items()]
        (folder / "scores.jsonl").write_text("\n".join(lines) + "\n")
        return folder

    def test_differences_are_paired_and_named(self):
        a = self.write_scores("a", {"p": 1, "q": 0, "r": 0.5, "s": 1})
        b = self.write_scores("b", {"q": 1, "p": 0, "r": 1, "t": 1})
        (record,) = self.must("bench", "--compare", a, b, "--json").records()
        self.assertAlmostEqual(record["difference"]["mean"], 0.5 / 3)
        self.assertLessEqual(record["difference"]["low"], 0.5 / 3)
        self.assertEqual(record["better"], [{"id": "q", "a": 0, "b": 1}, {"id": "r", "a": 0.5, "b": 1}])
        self.assertEqual(record["worse"], [{"id": "p", "a": 1, "b": 0}])
        self.assertEqual((record["questions"], record["only_a"], record["only_b"]), (3, 1, 1))
        text = self.must("bench", "--compare", a, b).out
        self.assertIn("B - A: +16.7 points", text)
        self.assertIn("q  0.00 -> 1.00", text)

    def test_a_split_limits_what_is_compared(self):
        a = self.write_scores("a", {"p": 1, "q": 0, "r": 0.5})
        b = self.write_scores("b", {"p": 0, "q": 1, "r": 1})
        lines = [dict(line, splits={"reflected": line["id"] != "p", "rounds": 2})
                 for line in program.read_records(b / "scores.jsonl")]
        (b / "scores.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
        (record,) = self.must("bench", "--compare", a, b, "--split", "reflected", "--json").records()
        self.assertEqual((record["split"], record["questions"]), ("reflected", 2))
        self.assertAlmostEqual(record["difference"]["mean"], 0.75)
        self.assertIn("3 questions (rounds=2)", self.must("bench", "--compare", a, b, "--split", "rounds=2").out)
        self.assert_one_error(self.call("bench", "--compare", a, b, "--split", "uncertain"), 2,
                              "reflected, rounds")
        self.assert_one_error(self.call("bench", "--compare", a, b, "--split", "rounds=3"), 3,
                              "no question in common in the group rounds=3")
        data = self.lay_out("folder")
        self.assert_one_error(self.call(*self.arguments("folder", data, "--split", "reflected")), 2, "--compare")

    def test_what_cannot_be_compared_is_named(self):
        a = self.write_scores("a", {"p": 1})
        b = self.write_scores("b", {"q": 1})
        self.assert_one_error(self.call("bench", "--compare", a, b), 3, "no question in common")
        self.assert_one_error(self.call("bench", "--compare", a), 2, "B, a folder")
        self.assert_one_error(self.call("bench", "--compare", a, "nowhere"), 3, "nowhere")
        (a / "scores.jsonl").write_text('{"id": "p"}\n')
        self.assert_one_error(self.call("bench", "--compare", a, b), 3, "scores.jsonl:1")


class BadData(BenchTest):
    def problems(self):
        return {(one["line"], one["field"]): one["problem"] for one in self.results()["problems"]}

    def test_what_is_wrong_is_reported_and_the_rest_runs(self):
        data = self.lay_out("folder")
        good = {"question": "How many fixed transects were surveyed?", "answer": "48",
                "doc": "reef-survey-paper.pdf", "evidence_pages": [1]}
        rows = [dict(good, id="a"), dict(good, id="a"), dict(good, id="lost", doc="lost.pdf"),
                dict(good, id="none", evidence_pages=[]), dict(good, id="far", evidence_pages=[99])]
        text = "".join(json.dumps(row) + "\n" for row in rows).encode()
        text += json.dumps(dict(good, id="bytes")).encode().replace(b"fixed", b"fi\xffed") + b"\n"
        (data / "questions.jsonl").write_bytes(text)
        result = self.bench("folder", data, code=1)
        problems = self.problems()
        self.assertIn("already used on line 1", problems[2, ""])
        self.assertIn("lost.pdf", problems[3, "doc"])
        self.assertIn("no gold pages", problems[4, ""])
        self.assertIn("gold page 99 is left out", problems[5, ""])
        self.assertIn("not UTF-8", problems[6, ""])
        self.assertEqual(len(self.results()["problems"]), 5)
        for part in ("questions.jsonl:2", "questions.jsonl:3: doc", "questions.jsonl:5"):
            self.assertIn(part, result.err)
        scores = {line["id"]: line for line in self.scores()}
        self.assertEqual(set(scores), {"a", "a~2", "lost", "none", "far", "bytes"})
        self.assertEqual(scores["lost"]["score"], 0)
        self.assertNotIn("ranking", scores["far"])
        self.assertGreater(scores["a"]["score"], 0)
        (run,) = self.results()["runs"]
        self.assertEqual(run["failed"], 1)

    def test_documents_of_other_folders_are_told_where_all_are_searched(self):
        data = self.lay_out("vidoseek")
        store = self.folder / "vidoseek.store"
        other = self.copy_documents(self.folder / "other", ["rotated-table.pdf"])
        (other / "rotated-table.pdf").rename(other / "more.pdf")
        self.must("index", other, "--store", store, *QUICK)
        result = self.bench("vidoseek", data)
        self.assertIn("the store has 1 documents of other folders", result.err)
        self.assertEqual(len(self.results()["problems"]), 1)

    def test_a_damaged_document_does_not_stop_the_run(self):
        data = self.lay_out("folder")
        (data / "docs" / "rotated-table.pdf").write_bytes(b"%PDF-1.4 broken")
        result = self.bench("folder", data, code=1)
        self.assertIn("rotated-table.pdf", result.err)
        self.assertEqual(len(self.scores()), 8)

    def test_what_is_missing_of_the_command_is_named(self):
        data = self.lay_out("folder")
        self.assert_one_error(self.call("bench"), 2, "NAME", "mmlongbench")
        self.assert_one_error(self.call("bench", "nosuch"), 2, "nosuch", "mmlongbench")
        self.assert_one_error(self.call("bench", "folder", "--out", "x"), 2, "--data")
        self.assert_one_error(self.call("bench", "folder", "--data", data), 2, "--out")
        result = self.call(*self.arguments("financebench", data))
        self.assert_one_error(result, 3, "financebench_open_source.jsonl")


if __name__ == "__main__":
    unittest.main()
