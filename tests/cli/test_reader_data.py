"""scripts/data/reader: examples made of published sets, and the scorers. All input is made up here."""

import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import program

sys.path.insert(0, str(program.REPOSITORY / "scripts" / "data" / "reader"))

import claims  # noqa: E402
import covidqa  # noqa: E402
import denotations  # noqa: E402
import derivations  # noqa: E402
import documents  # noqa: E402
import griqa  # noqa: E402
import infotabs  # noqa: E402
import made  # noqa: E402
import made_tables  # noqa: E402
import made_texts  # noqa: E402
import mixtures  # noqa: E402
import qamr  # noqa: E402
import score_squad  # noqa: E402
import score_tabfact  # noqa: E402
import score_tatqa  # noqa: E402
import score_wtq  # noqa: E402
import scoring  # noqa: E402
import shared  # noqa: E402
import sqa  # noqa: E402
import squadshifts  # noqa: E402
import tabfact  # noqa: E402
import table_questions  # noqa: E402
import tables  # noqa: E402
import tatqa  # noqa: E402
import templates  # noqa: E402
import wikitables  # noqa: E402

HARBOURS = [
    ["Harbour", "Country", "Berths", "Opened"],
    ["Ostby", "Norway", "12", "1901"],
    ["Lunde", "Denmark", "30", "1924"],
    ["Kvalnes", "Norway", "18", "1950"],
    ["Total", "", "60", ""],
]
REPORT = [
    ["", "Years ended 31 December,", ""],
    ["(in thousands)", "2019", "2018"],
    ["Fares", "5,000", "4,000"],
    ["Other income (loss)", "(200)", "100"],
    ["Employees", "44", "40"],
]


def derived(question, answer, rows=HARBOURS):
    return derivations.derivations(question, rows, 1, answer if isinstance(answer, list) else [answer])


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data, self.out = pathlib.Path(folder.name) / "data", pathlib.Path(folder.name) / "out"
        self.out.mkdir()

    def put(self, name, content):
        path = self.data / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")

    def lines(self, name):
        path = self.out / f"{name}.jsonl"
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []

    def said(self, name):
        """(question, texts, operator) of each first answer."""
        found = [line for line in self.lines(name) if line["answers"]]
        return [
            (line["question"], shared.said(line, line["answers"][0]), line["answers"][0]["operator"]) for line in found
        ]


class Texts(unittest.TestCase):
    def test_spans_count_bytes(self):
        text = "Café Ål cost €4.2 million."
        start = text.index("4.2")
        self.assertEqual(text.encode()[slice(*shared.byte_span(text, start, start + 3))], b"4.2")

    def test_a_window_holds_its_span_between_whole_sentences(self):
        text = " ".join(f"Sentence number {n} says little of note." for n in range(200))
        start = text.index("number 120")
        part, cut = shared.window(text, start, start + 10, 400)
        self.assertLessEqual(len(part.encode()), 400)
        self.assertEqual(part[start - cut : start - cut + 10], "number 120")
        self.assertTrue(part.startswith("Sentence") and part.endswith("note."))

    def test_what_resembles_is_found_and_what_holds_the_answer_is_not(self):
        pool = shared.Pool()
        pool.add("The ferry to Lunde leaves at nine.", "a")
        pool.add("The ferry to Ostby leaves at ten.", "a")
        pool.add("Bread is baked daily.", "a")
        self.assertEqual(pool.resembling("When does the ferry to Ostby leave?", 1, "a", ["ten"]), [0])

    def test_malformed_examples_are_refused(self):
        good = {"question": "q", "passages": [{"context": "", "text": "é one"}], "answers": []}
        shared.check(good)
        for answer in (
            {"passage": 1, "operator": "yes"},
            {"passage": 0, "operator": "span", "spans": [[0, 1]]},
            {"passage": 0, "operator": "span", "spans": [[3, 30]]},
            {"passage": 0, "operator": "difference", "spans": [[3, 6]]},
            {"passage": 0, "operator": "span", "cells": [[0, 0]]},
            {"passage": 0, "operator": "guess", "spans": [[3, 6]]},
        ):
            with self.subTest(answer=answer), self.assertRaises(shared.DataError):
                shared.check({**good, "answers": [answer]})

    def test_sentences_of_tokens_are_printed_as_they_read(self):
        text, places = qamr.joined("He said `` it is 9 % -LRB- or so -RRB- '' , did n't he ?".split())
        self.assertEqual(text, 'He said "it is 9% (or so)", didn\'t he?')
        self.assertEqual(text[slice(*places[5])], "9")


class Tables(unittest.TestCase):
    def test_numbers_of_cells(self):
        for cell, value in (
            ("$ 1,234.5", 1234.5),
            ("(12)", -12),
            ("$(5,637)", -5637),
            ("($12.5)", -12.5),
            ("-$3", -3),
            ("−3%", -3),
            ("RMB 1,000", 1000),
            ("CHF (12)", -12),
            ("12 km", 12),
            ("44[2]", 44),
            ("18*", 18),
        ):
            self.assertEqual(tables.number(cell), value, cell)
        for cell in ("4G", "3–1", "", "—", "(12", "May 4", "1,2,3 x y z"):
            self.assertIsNone(tables.number(cell), cell)

    def test_a_table_is_cut_around_its_answer(self):
        rows = [["Name", "Note"]] + [[f"row {n}", "word " * 30] for n in range(60)]
        part, places = tables.cut_table(rows, 1, [(41, 0)], 200)
        self.assertEqual(part[0], rows[0])
        self.assertEqual(part[places[41]][0], "row 40")
        self.assertLessEqual(tables.size(part), 200)
        self.assertIsNone(tables.cut_table(rows, 1, [(n, 1) for n in range(1, 61)], 200))

    def test_counts_without_cells_hold_for_whole_tables_only(self):
        rows = [["Name"]] + [[f"row {n}"] for n in range(200)]
        answers = [{"operator": "span", "cells": [[3, 0]]}, {"operator": "count", "count": 9}]
        part, held = tables.cut_answers(rows, 1, answers, 100)
        self.assertEqual([answer["operator"] for answer in held], ["span"])
        self.assertEqual(part[held[0]["cells"][0][0]], ["row 2"])

    def test_windows_leave_no_row_out(self):
        rows = [["Name"]] + [[f"row {n}"] for n in range(50)]
        parts = tables.windows(rows, 1, 40)
        self.assertGreater(len(parts), 1)
        self.assertTrue(all(part[0] == ["Name"] for part in parts))
        self.assertEqual([row for part in parts for row in part[1:]], rows[1:])


class Derivations(unittest.TestCase):
    def test_cells_that_say_the_answer(self):
        self.assertEqual(derived("which harbour is in denmark?", "Lunde"), [{"operator": "span", "cells": [[2, 0]]}])
        both = derived("which harbours are in norway?", ["Ostby", "Kvalnes"])
        self.assertEqual(both, [{"operator": "spans", "cells": [[1, 0], [3, 0]]}])

    def test_counts(self):
        found = derived("how many harbours are in norway?", "2")
        self.assertEqual(found[0], {"operator": "count", "cells": [[1, 1], [3, 1]]})
        self.assertIn({"operator": "count", "count": 2}, found)

    def test_differences_and_sums(self):
        found = derived("how many more berths has lunde than ostby?", "18")
        self.assertIn({"operator": "difference", "cells": [[2, 2], [1, 2]]}, found)
        found = derived("what is the total of berths of ostby and lunde?", "42")
        self.assertIn({"operator": "sum", "cells": [[1, 2], [2, 2]]}, found)
        found = derived("what is the average of berths in norway?", "15")
        self.assertIn({"operator": "average", "cells": [[1, 2], [3, 2]]}, found)

    def test_nothing_is_made_up(self):
        self.assertEqual(derived("who built it?", "Ferdinand"), [])


class Reports(unittest.TestCase):
    def document(self, rows=REPORT, paragraphs=(), questions=()):
        return tatqa.Document(
            {
                "table": {"uid": "t", "table": rows},
                "paragraphs": [{"order": n, "text": text} for n, text in enumerate(paragraphs, 1)],
                "questions": list(questions),
            }
        )

    def resolve(self, question, answer, kind="arithmetic", derivation="", source="table", scale="", paragraphs=()):
        asked = {
            "question": question,
            "answer": answer,
            "answer_type": kind,
            "answer_from": source,
            "derivation": derivation,
            "scale": scale,
            "rel_paragraphs": [],
        }
        return tatqa.resolved(self.document(paragraphs=paragraphs), asked)

    def test_heads(self):
        document = self.document()
        self.assertEqual(document.header_rows, 2)
        self.assertEqual(document.column_heads[2], "Years ended 31 December, 2018")

    def test_derivations_are_operators(self):
        for text, name, values in (
            ("5,000-4,000", "difference", [5000, 4000]),
            ("(5,000 - 4,000) / 4,000", "change", [5000, 4000]),
            ("5,000/4,000 - 1", "change", [5000, 4000]),
            ("((5-4)/4 ) * 100", "change", [5, 4]),
            ("[(-3)-(-4)]/-4", "change", [-3, -4]),
            ("(5+4)/2", "average", [5, 4]),
            ("-(5+4)/2", "average", [-5, -4]),
            ("(5+4+3)/(2019-2017+1)", "average", [5, 4, 3]),
            ("$5 + $4", "sum", [5, 4]),
            ("5/$4", "ratio", [5, 4]),
            ("21.0% - 20.0%", "difference", [21, 20]),
        ):
            self.assertEqual(tatqa.operation(text), (name, values), text)
        for text in ("2*3", "(1+2)/4", "[(1+2)/2]-[(3+4)/2]", "see row 5", ""):
            with self.assertRaises(tatqa.Unread, msg=text):
                tatqa.operation(text)

    def test_answers_are_found_where_the_question_points(self):
        change = self.resolve(
            "What is the percentage change in Fares in 2019?", 25, derivation="(5,000-4,000)/4,000", scale="percent"
        )
        self.assertEqual(change, ("table", [{"operator": "change", "cells": [[2, 1], [2, 2]]}]))
        fares = self.resolve("What were Fares in 2018?", ["4,000"], "span", scale="thousand")
        self.assertEqual(fares, ("table", [{"operator": "span", "cells": [[2, 2]]}]))
        year = self.resolve("In which year were Fares higher?", ["2019"], "span")
        self.assertEqual(year, ("table", [{"operator": "span", "cells": [[1, 1]]}]))
        count = self.resolve("How many years had Fares above 1,000?", "2", "count", "2019##2018")
        self.assertEqual(count, ("table", [{"operator": "count", "cells": [[1, 1], [1, 2]]}]))

    def test_answers_in_paragraphs(self):
        text = "Fuel cost $7.5 million in 2019, after $5.0 million in 2018."
        found = self.resolve(
            "What was the change in fuel cost?", 2.5, derivation="7.5-5.0", source="text", paragraphs=[text]
        )
        place, answers = found
        self.assertEqual((place, [text[slice(*span)] for span in answers[0]["spans"]]), ("1", ["7.5", "5.0"]))

    def test_heads_become_one(self):
        answers = [
            {"operator": "span", "cells": [[2, 2]]},
            {"operator": "span", "cells": [[1, 1]]},
            {"operator": "yes"},
        ]
        rows, moved = tatqa.with_one_head(self.document(), answers)
        self.assertEqual(rows[0], ["(in thousands)", "Years ended 31 December, 2019", "Years ended 31 December, 2018"])
        self.assertEqual(
            [[rows[r][c] for r, c in answer.get("cells", [])] for answer in moved], [["4,000"], [rows[0][1]], []]
        )
        heads = [["", "Years ended May 31,", "", ""], ["(in m)", "2019", "2018", "Change"]]
        self.assertEqual(
            made_tables.merged(heads, 1, [1, 1, None]),
            ["(in m)", "Years ended May 31, 2019", "Years ended May 31, 2018", "Change"],
        )

    def test_a_result_that_differs_is_no_derivation(self):
        self.assertIsNone(self.resolve("What is the change in Fares?", 999, derivation="5,000-4,000"))


class Sources(Files):
    def squad(self):
        texts = [f"The {n}th ferry was painted in colour number {n} by the crew. It sails daily." for n in range(40)]
        paragraphs = [
            {
                "context": text,
                "qas": [
                    {
                        "id": f"q{n}",
                        "question": f"In which hue had the {n}th ferry been before?",
                        "answers": [{"text": f"number {n}", "answer_start": text.index("number")}] * 2,
                    }
                ],
            }
            for n, text in enumerate(texts)
        ]
        return {"data": [{"title": "Ferries", "paragraphs": paragraphs}]}

    def test_squadshifts(self):
        for name in squadshifts.FILES:
            self.put(f"squadshifts/datasets/{name}", self.squad() if name.startswith("reddit") else {"data": []})
        sizes = squadshifts.make(self.data, self.out, 1)
        training, test = self.lines("squadshifts.train"), self.lines("squadshifts.test")
        self.assertEqual(len(training) + len(test), 40)
        self.assertEqual(sizes["squadshifts.train.jsonl"]["lines"], len(training))
        self.assertTrue(any(not line["answers"] for line in training))
        for question, said, operator in self.said("squadshifts.train") + self.said("squadshifts.test"):
            self.assertEqual((said, operator), ([f"number {question.split('the ')[1].split('th')[0]}"], "span"))
        for line in test:
            self.assertEqual(len(line["answers"]), 1)
            self.assertFalse({line["question"]} & {other["question"] for other in training})
        before = (self.out / "squadshifts.train.jsonl").read_bytes()
        squadshifts.make(self.data, self.out, 1)
        self.assertEqual((self.out / "squadshifts.train.jsonl").read_bytes(), before)
        for line in training:
            if not line["answers"]:
                number = line["question"].split("the ")[1].split("th")[0]
                self.assertFalse(any(f"number {number} " in passage["text"] for passage in line["passages"]))

    def test_covidqa(self):
        text = "A title\n" + " ".join(f"Patient {n} recovered after {n} days in the ward." for n in range(100))
        qas = [
            {
                "id": n,
                "question": f"When did patient {n} recover?",
                "answers": [{"text": f"after {n} days", "answer_start": text.index(f"after {n} days")}],
            }
            for n in range(100)
        ]
        self.put(
            f"covidqa/data/question-answering/{covidqa.FILES[0]}",
            {"data": [{"paragraphs": [{"context": text, "qas": qas}]}]},
        )
        self.put(f"covidqa/data/question-answering/{covidqa.FILES[1]}", {"data": []})
        covidqa.make(self.data, self.out, 1)
        lines = self.said("covidqa.train") + self.said("covidqa.test")
        self.assertGreater(len(lines), 20)
        for question, said, _ in lines:
            self.assertEqual(said, [f"after {question.split('patient ')[1].split()[0]} days"])

    def test_qamr(self):
        self.put(
            "qamr/data/wiki-sentences.tsv",
            "".join(f"Wiki1k:wikinews:{n}:0:0\tCaptain {n} sailed the `` Anna {n} '' home .\n" for n in range(30)),
        )
        for part, numbers in (("dev", range(20)), ("test", range(20, 30))):
            self.put(
                f"qamr/data/filtered/{part}.tsv",
                "".join(
                    f"Wiki1k:wikinews:{n}:0:0\t1 2\t7\t0\t1\tWho sailed the Anna home?\t0 1\t8:0 1\t9:Invalid\n"
                    for n in numbers
                ),
            )
        qamr.make(self.data, self.out, 1)
        lines = self.said("qamr.train") + self.said("qamr.test")
        self.assertGreater(len(lines), 10)
        self.assertTrue(all(said[0].startswith("Captain ") for _, said, _ in lines))

    def test_wikitables_and_sqa(self):
        self.put("wikitables/csv/200-csv/1.csv", "\n".join(",".join(f'"{c}"' for c in row) for row in HARBOURS))
        self.put("wikitables/page/200-page/1.json", {"title": "Harbours"})
        head = "id\tutterance\tcontext\ttargetValue"
        asked = [
            f"nt-{n}\tin which country is {name}?\tcsv/200-csv/1.csv\t{country}"
            for n, (name, country) in enumerate([("Ostby", "Norway"), ("Lunde", "Denmark")] * 6)
        ]
        self.put("wikitables/data/training.tsv", "\n".join([head] + asked))
        self.put(
            "wikitables/tagged/data/pristine-unseen-tables.tagged",
            f"{head}\ttargetCanon\nnu-0\thow many berths has lunde?\tcsv/200-csv/1.csv\t30\t30.0\n",
        )
        wikitables.make(self.data, self.out, 1)
        lines = self.said("wikitables.train") + self.said("wikitables.dev")
        self.assertGreater(len(lines), 3)
        for question, said, _ in lines:
            self.assertEqual(said, ["Norway" if "Ostby" in question else "Denmark"])
        (test,) = self.lines("wikitables.test")
        self.assertEqual((test["id"], test["gold"], test["passages"][0]["context"]), ("nu-0", ["30"], "Harbours"))
        self.assertEqual(self.lines("wikitables.gold"), [{"id": "nu-0", "gold": ["30"], "canonical": ["30.0"]}])

        self.put("sqa/data/sqa/table_csv/200_1.csv", "\n".join(",".join(row) for row in HARBOURS))
        rows = ["id\tannotator\tposition\tquestion\ttable_file\tanswer_coordinates\tanswer_text"]
        rows += [
            f"nt-{n}\t0\t{n % 2}\twhich are the harbours? {n}\ttable_csv/200_1.csv\t['(0, 0)', '(2, 0)']\t['x', 'y']"
            for n in range(12)
        ]
        self.put("sqa/data/sqa/random-split-1-train.tsv", "\n".join(rows))
        self.put("sqa/data/sqa/random-split-1-dev.tsv", rows[0])
        sqa.make(self.data, self.out, 1)
        lines = self.said("sqa.train") + self.said("sqa.test")
        self.assertTrue(lines)
        for question, said, operator in lines:
            self.assertEqual((said, operator, int(question.split("? ")[1]) % 2), (["Ostby", "Kvalnes"], "spans", 0))

    def test_tabfact(self):
        for name in ("1-1", "1-2", "1-3"):
            self.put(f"tabfact/data/all_csv/{name}.html.csv", "harbour#berths\nostby#12\nlunde#30")
        self.put("tabfact/data/train_id.json", ["1-1.html.csv", "1-2.html.csv"])
        for part in ("val", "test"):
            self.put(
                f"tabfact/tokenized_data/{part}_examples.json",
                {"1-3.html.csv": [["lunde be large", "ostby be larger"], [1, 0], "ports"]},
            )
        statement = {"caption": "ports", "answer": ["False", "False"], "id": "nt-1"}
        for shard in range(tabfact.SHARDS):
            rows = [
                {**statement, "context": f"1-{1 + n}", "question": f"ostby have {n + 13} berths", "id": f"{shard}-{n}"}
                for n in range(2)
            ]
            self.put(
                f"sasp/data/tabfact/data_shard/train_shard_90-{shard}.jsonl",
                "".join(json.dumps(row) + "\n" for row in rows),
            )
        tabfact.make(self.data, self.out, 1)
        self.assertEqual({operator for _, _, operator in self.said("tabfact.train")}, {"no"})
        self.assertEqual([line["gold"] for line in self.lines("tabfact.val")], [["yes"], ["no"]])
        self.put("tabfact/data/train_id.json", ["1-1.html.csv", "1-2.html.csv", "1-3.html.csv"])
        with self.assertRaisesRegex(shared.DataError, "table of training"):
            tabfact.make(self.data, self.out, 1)

    def test_infotabs(self):
        self.put("infotabs/data/tables/json/T1.json", {"title": ["Anna"], "Built": ["1901"], "Owners": ["A", "B"]})
        head = "annotater_id\ttable_id\thypothesis\tlabel\n"
        for part in ("train", "dev"):
            self.put(
                f"infotabs/data/maindata/infotabs_{part}.tsv",
                head + "1\tT1\tAnna is old.\tE\n1\tT1\tAnna has one owner.\tC\n1\tT1\tAnna is blue.\tN\n",
            )
        infotabs.make(self.data, self.out, 1)
        for part in ("train", "test"):
            found = [[answer["operator"] for answer in line["answers"]] for line in self.lines(f"infotabs.{part}")]
            self.assertEqual(found, [["yes"], ["no"], []])
        self.assertEqual(self.lines("infotabs.train")[0]["passages"][0]["rows"][2], ["Owners", "A; B"])

    def test_tatqa(self):
        questions = [
            {
                "uid": "u1",
                "question": "What were Fares in 2019?",
                "answer": ["5,000"],
                "answer_type": "span",
                "answer_from": "table",
                "derivation": "",
                "scale": "thousand",
                "rel_paragraphs": [],
            },
            {
                "uid": "u2",
                "question": "What is the change in Employees from 2018 to 2019?",
                "answer": 4,
                "answer_type": "arithmetic",
                "answer_from": "table",
                "derivation": "44-40",
                "scale": "",
                "rel_paragraphs": [],
            },
        ]
        document = {
            "table": {"uid": "t1", "table": REPORT},
            "paragraphs": [
                {"uid": "p", "order": 1, "text": "Fares rose in both years because more people came to the islands."}
            ],
            "questions": questions,
        }
        listed = {**document, "table": {**document["table"], "uid": "secret"}}
        self.put("tatqa/dataset_raw/tatqa_dataset_dev.json", [document, listed])
        self.put("tatqa/dataset_raw/tatqa_dataset_test_gold.json", [document])
        self.put("tathqa/dataset_extra_field/orig/tatqa_and_hqa_field_dev.json", [])
        with mock.patch("exclusions.LISTED", {("tatqa", "secret")}):
            tatqa.make(self.data, self.out, 1)
        self.assertEqual(
            self.said("tatqa.train"),
            [(questions[0]["question"], ["5,000"], "span"), (questions[1]["question"], ["44", "40"], "difference")],
        )
        test = self.lines("tatqa.test")
        self.assertEqual(
            [(line["id"], line["scale"], line["gold"]) for line in test],
            [("u1", "thousand", ["5,000"]), ("u2", "none", ["4"])],
        )
        self.assertEqual(len(test[0]["passages"]), 2)
        self.assertEqual(self.lines("tatqa.gold")[1]["answer_type"], "arithmetic")

    def test_sizes_are_of_what_is_there(self):
        (self.out / "sizes.json").write_text('{"gone.train.jsonl": {"lines": 1}}', encoding="utf-8")
        for part in ("train", "dev"):
            self.put(
                f"infotabs/data/maindata/infotabs_{part}.tsv",
                "annotater_id\ttable_id\thypothesis\tlabel\n1\tT1\tIt is old.\tE\n",
            )
        self.put("infotabs/data/tables/json/T1.json", {"title": ["Anna"], "Built": ["1901"]})
        self.assertEqual(self.make("--only", "infotabs").code, 0)
        sizes = json.loads((self.out / "sizes.json").read_text(encoding="utf-8"))
        self.assertEqual(
            {name: size["lines"] for name, size in sizes.items()}, {"infotabs.train.jsonl": 1, "infotabs.test.jsonl": 1}
        )

    def test_a_missing_checkout_is_named(self):
        result = self.make("--only", "qamr")
        self.assertEqual(result.code, 1)
        self.assertIn("qamr is missing", result.err)

    def make(self, *arguments):
        words = [
            sys.executable,
            str(program.REPOSITORY / "scripts/data/reader/make"),
            "--data",
            str(self.data),
            "--out",
            str(self.out),
        ]
        run = subprocess.run([*words, *arguments], capture_output=True, text=True)
        return mock.Mock(code=run.returncode, err=run.stderr, out=run.stdout)

    def test_griqa(self):
        table = "\ufeff;2022;2023\nWater (m3);300;450\nWaste (t);20;10\n"
        self.put("griqa/dataset/annotation/port_2023/7_0.csv", table)
        self.put("griqa/dataset/annotation/ferry_2023/9_1.csv", table)
        where = "['{}.pdf'],{},[{}],[{}]"
        ours = where.format("port_2023", 303, 7, 0)
        self.put(
            "griqa/dataset/one-table/gri-qa_extra.csv",
            "pdf name,gri,page nbr,table nbr,question,value,row,column\n"
            + f"{ours},How much water was used in 2023?,450,2,3\n{ours},How much water was lost?,77,2,3\n" * 3,
        )
        self.put(
            "griqa/dataset/one-table/gri-qa_quant.csv",
            "pdf name,gri,page nbr,table nbr,question,question_type_ext,value,row indices,col indices\n"
            + f'{ours},By how many percent did waste fall?,reduction_percentage,50,"[3, 3]","[2, 3]"\n{ours},What is the sum of waste?,sum,30,"[3, 3]","[2, 3]"\n'
            * 3,
        )
        self.put(
            "griqa/dataset/one-table/gri-qa_rel.csv",
            "pdf name,gri,page nbr,table nbr,question,question_type_ext,value,row indices,col indices\n"
            + f'{ours},Is there less waste in 2023?,comparative,yes,"[3, 3]","[3, 2]"\n{ours},Which are the two lowest?,rank,"10, 20","[3, 3]","[2, 3]"\n'
            * 3,
        )
        with mock.patch("griqa.held_back", return_value=True), mock.patch("exclusions.LISTED", set()):
            griqa.make(self.data, self.out, 1)
        self.assertEqual(
            sorted(set(map(str, self.said("griqa.test")))),
            sorted(
                map(
                    str,
                    [
                        ("How much water was used in 2023?", ["450"], "span"),
                        ("By how many percent did waste fall?", ["10", "20"], "change"),
                        ("What is the sum of waste?", ["20", "10"], "sum"),
                        ("Is there less waste in 2023?", [], "yes"),
                        ("Which are the two lowest?", ["10", "20"], "spans"),
                    ],
                )
            ),
        )

    def test_templates(self):
        self.put("wikitables/csv/200-csv/1.csv", "\n".join(",".join(f'"{c}"' for c in row) for row in HARBOURS))
        self.put("wikitables/page/200-page/1.json", {"title": "Harbours"})
        self.put("wikitables/data/training.tsv", "id\tutterance\tcontext\ttargetValue\nnt-0\tq\tcsv/200-csv/1.csv\tx\n")
        self.put("tabfact/data/train_id.json", [])
        self.put("tabfact/data/table_to_page.json", {})
        with mock.patch("templates.held_back", return_value=False), mock.patch.dict(
            templates.QUESTIONS, wikitables=400
        ):
            templates.make(self.data, self.out, 1)
        found = self.said("templates.train")
        self.assertGreater(len(found), 40)
        berths = {"Ostby": 12, "Lunde": 30, "Kvalnes": 18}
        checked = 0
        for question, said, operator in found:
            if "has the highest berths" in question:
                self.assertEqual(said, ["Lunde"], question)
            elif "has the lowest berths" in question:
                self.assertEqual(said, ["Ostby"], question)
            elif "difference in berths" in question or "how much more berths" in question:
                pair = sorted(berths[name] for name in berths if name in question)
                self.assertEqual((said, operator), ([str(pair[1]), str(pair[0])], "difference"), question)
            elif "how many harbours have country Norway" in question:
                self.assertEqual((len(said), operator), (2, "count"), question)
            else:
                continue
            checked += 1
        self.assertGreater(checked, 3)

    def test_mixtures(self):
        for name in ("a", "b"):
            (self.out / f"{name}.train.jsonl").write_text(f'{{"question":"{name}","answers":[]}}\n', encoding="utf-8")
        with mock.patch.dict(mixtures.MIXTURES, {"ab": (("a", 1), ("b", 3)), "ac": (("a", 1), ("c", 1))}, clear=True):
            sizes = mixtures.make(self.out, 1)
        self.assertEqual(list(sizes), ["mixture.ab.train.jsonl"])
        self.assertEqual(sorted(line["question"] for line in self.lines("mixture.ab.train")), ["a", "b", "b", "b"])
        self.assertEqual(sizes["mixture.ab.train.jsonl"]["without_answer"], 4)

    def test_documents_hold_all_passages_and_ask_each_line_of_its_own(self):
        table = {"context": "Harbours <here>", "rows": HARBOURS, "header_rows": 1}
        text = {"context": "", "text": "Åse built Lunde & Ostby."}
        lines = [
            {"question": "Who?", "passages": [text], "answers": [{"passage": 0, "operator": "span", "spans": [[0, 4]]}]},
            {"question": "Where?", "passages": [table],
             "answers": [{"passage": 0, "operator": "span", "cells": [[1, 1]]}]},
            {"question": "How many?", "passages": [table], "answers": [], "gold": ["3"]},
            {"question": "Both?", "passages": [table], "answers": [], "gold": ["Lunde", "Ostby"]},
            {"question": "When?", "passages": [text], "answers": [], "gold": []},
            {"question": "More?", "passages": [table],
             "answers": [{"passage": 0, "operator": "difference", "cells": [[1, 2], [2, 2]]}]},
        ]  # fmt: skip
        path = self.out / "some.test.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        self.assertEqual(documents.make([path], self.out, 100, 1), 5)
        asked = [json.loads(line) for line in (self.out / "questions.jsonl").read_text().splitlines()]
        self.assertEqual({line["question"]: line["answer"] for line in asked},
                         {"Who?": "Åse", "Where?": HARBOURS[1][1], "How many?": "3", "Both?": "['Lunde', 'Ostby']",
                          "When?": "Not answerable"})  # fmt: skip
        self.assertEqual({line["question"]: line["evidence_text"] for line in asked if "evidence_text" in line},
                         {"Who?": text["text"], "Where?": " ".join(HARBOURS[1])})  # fmt: skip
        page = (self.out / "docs" / asked[0]["doc"]).read_text(encoding="utf-8")
        self.assertEqual(page.count("<table>"), 1)
        for part in ("Harbours &lt;here&gt;", "<th>Berths</th>", "<td>Norway</td>", "Lunde &amp; Ostby"):
            self.assertIn(part, page)


PORTS = [
    ["Harbour", "Country", "Berths", "Opened"],
    ["Ostby", "Norway", "12", "1901"],
    ["Lunde", "Denmark", "30", "1924"],
    ["Kvalnes", "Norway", "18", "1950"],
    ["Rorvik", "Sweden", "7", "1888"],
]


class Claims(Files):
    """Claims are read again by rules that know nothing of how they were made."""

    NUMBERS = ("0", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")

    def pairs(self, kind, count=300):
        facts = templates.Facts(PORTS, "Ports")
        found = {kind(shared.chance(seed, "claims"), facts) for seed in range(count)} - {None}
        self.assertGreater(len(found), 3)
        return sorted(found)

    def rows(self, claim, column):
        """The rows of which a cell of the column is said."""
        return {row for row in range(1, 5) if re.search(rf"\b{re.escape(PORTS[row][column])}\b", claim)}

    def together(self, claim):
        """Whether all cells that the claim says stand in one row."""
        said = [self.rows(claim, column) for column in range(4)]
        said = [rows for rows in said if rows]
        self.assertGreaterEqual(len(said), 2, claim)
        return bool(set.intersection(*said))

    def test_cells_said_together_stand_in_one_row(self):
        for kind in (claims.fact, claims.two_facts):
            for right, wrong in self.pairs(kind):
                self.assertTrue(self.together(right), right)
                self.assertFalse(self.together(wrong), wrong)

    def test_the_largest_is_the_largest(self):
        column = {"berths": 2, "opened": 3}
        for pair in self.pairs(claims.best):
            for claim, holds in zip(pair, (True, False)):
                place = next(number for head, number in column.items() if head in claim)
                ordered = sorted(range(1, 5), key=lambda row: int(PORTS[row][place]))
                least = re.search(r"\b(lowest|smallest|earliest|first)\b", claim)
                (row,) = self.rows(claim, 0) or self.rows(claim, place)
                self.assertEqual(row == (ordered[0] if least else ordered[-1]), holds, claim)

    def test_comparisons_hold(self):
        more = r"\b(more|over|above|higher|larger|later)\b"
        for pair in self.pairs(claims.compared):
            for claim, holds in zip(pair, (True, False)):
                place = 3 if "opened" in claim else 2
                names = sorted(self.rows(claim, 0), key=lambda row: claim.index(PORTS[row][0]))
                figures = [int(PORTS[row][place]) for row in names]
                if len(figures) == 1:
                    figures.append(int(re.findall(r"\d+", claim)[-1]))
                self.assertEqual((figures[0] > figures[1]) == bool(re.search(more, claim)), holds, claim)

    def test_counts_hold(self):
        for pair in self.pairs(claims.counted):
            for claim, holds in zip(pair, (True, False)):
                said = next(int(word) for word in self.spelled(claim).split() if word.isdigit())
                above = re.search(r"more than (\d+)", claim)
                if above:
                    times = sum(int(row[2]) > int(above[1]) for row in PORTS[1:])
                else:
                    times = max(len(self.rows(claim, 1)), len(self.rows(claim, 3)) if "opened" in claim else 0)
                self.assertEqual(said == times, holds, claim)

    def spelled(self, claim):
        return " ".join(str(self.NUMBERS.index(word)) if word in self.NUMBERS else word for word in claim.split())

    def test_what_is_alike_is_alike(self):
        for pair in self.pairs(claims.alike):
            for claim, holds in zip(pair, (True, False)):
                place = 3 if "opened" in claim else 1
                cells = [PORTS[row][place] for row in self.rows(claim, 0)]
                everywhere = [row[place] for row in PORTS[1:]]
                same = len(cells) == 2 and cells[0] == cells[1]
                alone = len(cells) == 1 and everywhere.count(cells[0]) == 1
                self.assertEqual(same or alone, holds, claim)

    def test_sums_and_differences_hold(self):
        for pair in self.pairs(claims.summed):
            for claim, holds in zip(pair, (True, False)):
                figures = [int(PORTS[row][2]) for row in self.rows(claim, 0)]
                real = abs(figures[0] - figures[1]) if figures else sum(int(row[2]) for row in PORTS[1:])
                self.assertEqual(int(re.search(r"\d+", claim)[0]) == real, holds, claim)

    def test_the_order_of_rows_holds(self):
        for pair in self.pairs(claims.listed):
            for claim, holds in zip(pair, (True, False)):
                names = sorted(self.rows(claim, 0), key=lambda row: claim.index(PORTS[row][0]))
                if len(names) == 1:
                    held = names[0] == (1 if " first " in claim else 4)
                else:
                    held = (names[0] < names[1]) == (" before " in claim)
                self.assertEqual(held, holds, claim)

    def test_a_cell_gives_way_to_one_that_no_row_has_beside_the_others(self):
        statement = "the harbour of ostby in norway opened in 1901"
        made = {claims.exchanged(shared.chance(seed, "x"), PORTS, statement) for seed in range(60)}
        self.assertGreater(len(made), 5)
        self.assertNotIn(statement, made)
        self.assertNotIn("the harbour of kvalnes in norway opened in 1950", made)
        for claim in made:
            said = claim.title()
            self.assertFalse(self.rows(said, 0) & self.rows(said, 1) & self.rows(said, 3), claim)
        statement = "a harbour in norway has 12 berths"
        made = {claims.exchanged(shared.chance(seed, "x"), PORTS, statement) for seed in range(60)}
        self.assertIn("a harbour in norway has 30 berths", made)
        self.assertNotIn("a harbour in norway has 18 berths", made)  # as Kvalnes has
        for alone in ("ostby is the nicest", "there be 4 harbour", "norway and norway"):
            self.assertIsNone(claims.exchanged(shared.chance(1, "x"), PORTS, alone), alone)

    def test_lines(self):
        rows = "\n".join("#".join(row).lower() for row in PORTS)
        for name in ("1-1", "1-2"):
            self.put(f"tabfact/data/all_csv/{name}.html.csv", rows)
        self.put("tabfact/data/train_id.json", ["1-1.html.csv", "1-2.html.csv"])
        self.put("tabfact/data/table_to_page.json", {"1-1.html.csv": ["Ports", ""], "1-2.html.csv": ["Quays", ""]})
        statement = {"caption": "ports", "answer": ["True", "True"], "context": "1-1", "id": "nt-1"}
        line = json.dumps({**statement, "question": "ostby in norway have 12 berths"}) + "\n"
        for shard in range(tabfact.SHARDS):
            self.put(f"sasp/data/tabfact/data_shard/train_shard_90-{shard}.jsonl", line)
        with mock.patch("templates.wiki_tables", return_value={"w": (PORTS, "Ports")}):
            claims.make(self.data, self.out, 1)
        lines = self.lines("claims.train")
        said = [line["answers"][0]["operator"] for line in lines if line["answers"]]
        self.assertEqual({"yes", "no"}, set(said))
        self.assertLess(abs(said.count("yes") - said.count("no")), len(said) / 2)
        self.assertTrue(any(line["question"].startswith("ostby in ") for line in lines))


class Made(unittest.TestCase):
    """Questions about reports of our own making, checked by reading the printed cells."""

    def asked(self, count):
        for number in range(count):
            rng = shared.chance("test", number)
            report, found = made_tables.make_report(rng)
            for table in found:
                for _ in range(6):
                    asked = table_questions.ask(rng, table)
                    if asked:
                        yield table, asked

    def test_statements_add_up(self):
        for number in range(8):
            report = made_tables.Report(shared.chance("sheet", number))
            table = report.balance_sheet()
            rows = {row.key: row for row in table.rows}
            values = [
                table_questions.value(table, row, table.columns[0]) or 0 for row in table.rows
            ]  # a dash is nothing
            total = values[table.rows.index(rows["current assets"])]
            parts = values[: table.rows.index(rows["current assets"])]
            self.assertAlmostEqual(sum(parts), total, 1)

    def test_look_ups_name_the_year_of_their_column(self):
        checked = 0
        for table, asked in self.asked(14):
            years = {column.period[1] for column in table.columns if column.period and column.period[0] == "year"}
            if asked.kind == "lookup" and years:
                ((row, column),) = asked.answers[0]["cells"]
                head = " ".join(line[column] for line in table.grid[: table.header_rows])
                said = [
                    year
                    for year in years
                    if str(year) in asked.text or re.search(rf"\bFY{year % 100:02d}\b", asked.text)
                ]
                self.assertEqual(len(said), 1, asked.text)
                self.assertTrue(str(said[0]) in head or f"FY{said[0] % 100:02d}" in head, (asked.text, head))
                checked += 1
        self.assertGreater(checked, 30)

    def test_operators_have_figures_and_extremes_are_extreme(self):
        kinds = set()
        for table, asked in self.asked(14):
            for answer in asked.answers:
                kinds.add(answer["operator"])
                cells = [table.grid[row][column] for row, column in answer.get("cells", [])]
                if answer["operator"] in ("difference", "change", "ratio", "sum", "average"):
                    self.assertNotIn(None, [tables.number(cell) for cell in cells], (asked.text, cells))
            if (
                asked.kind == "argmax"
                and "highest" in asked.text
                and "second" not in asked.text
                and len(asked.rows) > 1
            ):
                column = table.lefts[id(asked.columns[0])]
                best = max(asked.rows, key=lambda row: tables.number(table.grid[table.places[id(row)]][column]))
                self.assertEqual(asked.answers[0]["cells"], [list(table.label_cell(best))], asked.text)
        self.assertLessEqual(
            {"span", "spans", "difference", "change", "ratio", "sum", "average", "count", "yes", "no"}, kinds
        )

    def test_yes_and_no_hold(self):
        checked = 0
        for table, asked in self.asked(14):
            if asked.kind == "yesno" and len(asked.rows) == 1 and len(asked.columns) == 2:
                new, old = (table_questions.value(table, asked.rows[0], column) for column in asked.columns)
                up = not any(word in asked.text for word in ("decrease", "lower"))
                self.assertEqual(asked.answers[0]["operator"], "yes" if (new > old) == up else "no", asked.text)
                checked += 1
        self.assertGreater(checked, 4)

    def test_other_years_are_not_in_the_table(self):
        checked = 0
        for table, asked in self.asked(15):
            rng = shared.chance("years", checked)
            text = made.of_another_year(rng, table, asked)
            if text:
                shown = {str(column.period[1]) for column in table.columns if column.period}
                self.assertFalse(any(year in text for year in shown), (asked.text, text))
                checked += 1
            rows = made.without_rows(table, asked)
            if rows:
                self.assertFalse({row.entity.lower() for row in asked.rows} & {line[0].lower() for line in rows})
        self.assertGreater(checked, 30)

    def test_facts_point_at_what_they_say(self):
        for number in range(60):
            rng = shared.chance("facts", number)
            writer = made_texts.Writer(rng, made_tables.Report(rng))
            for name, _ in made_texts.KINDS:
                fact = getattr(writer, name)()
                self.assertNotRegex(fact.text, r"[{}]|\s\s")
                for question, operator, slots, scale in fact.asked:
                    self.assertIn(scale, shared.SCALES)
                    operator, spans = made_texts.answer_of(fact, operator, slots, 0)
                    said = [fact.text[low:high] for low, high in spans]
                    if operator not in ("span", "spans"):
                        self.assertTrue(all(tables.number(text) is not None for text in said), (question, said))
                    self.assertTrue(all(text.strip() == text and text for text in said), (question, fact.text, said))

    def test_lines_are_well_formed_and_a_third_has_no_answer(self):
        lines = [line for number in range(20) for line in made.lines_of(shared.chance("lines", number))]
        for line in lines:
            shared.check(line)
        empty = sum(not line["answers"] for line in lines)
        self.assertTrue(0.2 < empty / len(lines) < 0.45, empty / len(lines))


class Scorers(Files):
    def score(self, module, predictions, gold, *arguments):
        for name, rows in (("predictions", predictions), ("gold", gold)):
            (self.out / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        words = [module.__name__, str(self.out / "predictions"), str(self.out / "gold"), *arguments]
        flags = {"threshold": {"type": float, "default": 0.5}} if module is score_squad else {}
        out = io.StringIO()
        with mock.patch.object(sys, "argv", words), contextlib.redirect_stdout(out), contextlib.redirect_stderr(
            io.StringIO()
        ):
            scoring.main("", module.score, **flags)
        return json.loads(out.getvalue())

    def test_squad(self):
        gold = [
            {"id": "a", "gold": ["the red ferry", "ferry"]},
            {"id": "b", "gold": []},
            {"id": "c", "gold": ["nine o'clock"]},
        ]
        said = [
            {"id": "a", "answer": "Red ferry."},
            {"id": "b", "answer": "x", "null": 0.8},
            {"id": "c", "answer": "nine", "null": 0.7},
        ]
        result = self.score(score_squad, said, gold)
        self.assertEqual((result["exact_match"], result["balanced"], result["balanced_best"]), (66.67, 75.0, 100.0))
        result = self.score(score_squad, said, gold, "--threshold", "2")
        self.assertEqual((result["exact_match"], result["f1"]), (33.33, 55.56))

    def test_tabfact(self):
        gold = [{"id": "a", "gold": ["yes"]}, {"id": "b", "gold": ["no"]}]
        self.assertEqual(self.score(score_tabfact, [{"id": "a", "answer": "Yes"}], gold)["accuracy"], 50.0)

    def test_wtq(self):
        for said, gold, canonical, right in (
            (["Ostby"], ["Ostby (Norway)"], None, True),
            (["1,000"], ["1,000"], ["1000.0"], True),
            (["1000"], ["1,000"], ["1000.0"], True),
            (["a", "b"], ["b", "a"], None, True),
            (["a"], ["a", "b"], None, False),
            (["a", "b"], ["a"], None, False),
            (["2004-05-xx"], ["May 2004"], ["2004-05-xx"], True),
            (["café"], ["Cafe"], None, True),
            ([], ["a"], None, False),
        ):
            with self.subTest(said=said, gold=gold):
                self.assertEqual(denotations.same(denotations.values(gold, canonical), denotations.values(said)), right)
        gold = [{"id": "a", "gold": ["30"], "canonical": ["30.0"]}, {"id": "b", "gold": ["x"], "canonical": ["x"]}]
        self.assertEqual(self.score(score_wtq, [{"id": "a", "answer": "30"}], gold)["accuracy"], 50.0)

    def test_tatqa(self):
        def gold(answer, kind, scale):
            return {"id": "a", "answer": answer, "answer_type": kind, "answer_from": "table", "scale": scale}

        for said, said_scale, row, expected in (
            (["$1,234"], "million", gold(["1,234"], "span", "million"), (1, 1)),
            (["1,234"], "", gold(["1,234"], "span", "million"), (0, 0)),
            (["1234000000"], "", gold(["1,234"], "span", "million"), (1, 1)),
            (["0.25"], "", gold(25, "arithmetic", "percent"), (1, 1)),
            (["24.999"], "percent", gold(25, "arithmetic", "percent"), (1, 1)),
            (["-25"], "percent", gold(25, "arithmetic", "percent"), (0, 0)),
            (["the harbour"], "", gold(["harbour master"], "span", ""), (0, 0.67)),
            (["b", "a"], "", gold(["a", "b"], "multi-span", ""), (1, 1)),
            (["3"], "", gold("3", "count", ""), (1, 1)),
            ([], "", gold(["a"], "span", ""), (0, 0)),
        ):
            with self.subTest(said=said, row=row):
                self.assertEqual(score_tatqa.question_score(said, said_scale, row), expected)
        row = gold(25, "arithmetic", "percent")
        result = self.score(score_tatqa, [{"id": "a", "answer": "25", "scale": "percent", "null": 0.1}], [row])
        self.assertEqual((result["exact_match"], result["scale"], result["arithmetic"]["questions"]), (100.0, 100.0, 1))

    def test_bad_predictions_are_named(self):
        gold = [{"id": "a", "gold": ["yes"]}]
        for rows, said in (
            ([{"id": "z", "answer": "yes"}], "z is not the id of a question"),
            ([{"id": "a"}, {"id": "a"}], "the id a occurs twice"),
            ([{"answer": "x"}], "no \"id\""),
        ):
            with self.assertRaisesRegex(SystemExit, said):
                self.score(score_tabfact, rows, gold)


if __name__ == "__main__":
    unittest.main()
