"""What scripts/fit/ranking fits, on made-up rankings whose weights are known."""

import importlib.machinery
import importlib.util
import json
import math
import random
import sys
import tempfile
import unittest
from types import SimpleNamespace
from unittest import mock

import program

SCRIPTS = program.REPOSITORY / "scripts" / "fit"
sys.path.insert(0, str(SCRIPTS))

import newton  # noqa: E402


def loaded(name):
    loader = importlib.machinery.SourceFileLoader(name.replace("-", "_"), str(SCRIPTS / name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


fit_ranking = loaded("ranking")


class Newton(unittest.TestCase):
    def test_solves_with_pivots(self):
        solution = newton.solve([[0.0, 2.0], [3.0, 1.0]], [4.0, 5.0])
        for value, expected in zip(solution, [1.0, 2.0]):
            self.assertAlmostEqual(value, expected)

    def test_finds_the_largest_value(self):  # of -(x - 3)^2 - (y + 1)^2
        best = newton.maximum(lambda w: ([-2 * (w[0] - 3), -2 * (w[1] + 1)], [[2.0, 0.0], [0.0, 2.0]]), 2)
        for value, expected in zip(best, [3.0, -1.0]):
            self.assertAlmostEqual(value, expected)


class Fit(unittest.TestCase):
    def drawn(self, count, weights):
        """Groups of five pages of which one, drawn by these weights, is right."""
        rng = random.Random(3)
        groups = []
        for _ in range(count):
            signs = [[rng.gauss(0, 2), rng.random(), -math.log(rank)] for rank in range(1, 6)]
            right = rng.choices(range(5), fit_ranking.chances(weights, signs))[0]
            groups.append([(place == right, page) for place, page in enumerate(signs)])
        return groups

    def test_finds_the_weights_that_pages_were_drawn_by(self):
        weights = fit_ranking.fit([self.drawn(3000, [0.4, 5, 0])], [0, 1])
        self.assertAlmostEqual(weights[0], 0.4, delta=0.05)
        self.assertAlmostEqual(weights[1], 5, delta=0.5)

    def test_each_set_weighs_the_same(self):
        some, more = self.drawn(300, [0.4, 5, 0]), self.drawn(300, [1, 0, 0])
        for one, other in zip(fit_ranking.fit([some, more], [0, 1]), fit_ranking.fit([some, more * 3], [0, 1])):
            self.assertAlmostEqual(one, other, places=3)


class Read(unittest.TestCase):
    def read(self, question):
        score = {1: 0.9, 2: 0.8, 3: 0.5}
        relevance = {1: -2.0, 2: 3.0}  # the third was not read
        odds = {page: 0.5 * relevance[page] + 10 * (score[page] - 0.9) for page in relevance}

        def records(command, *arguments):
            if command == "export":
                return [{"type": "store"}] + [
                    {"type": "page", "doc": "a.html", "page": page, "text": text}
                    for page, text in ((1, "Lamps were sold."), (2, "The ferry, built\nin 1962"), (3, "Rope"))
                ]
            if arguments[arguments.index("--rerank") + 1] == "none":
                return [{"id": "q", "doc": "a.html", "page": page, "score": score[page], "scores": {}} for page in (1, 2, 3)]
            return [{"id": "q", "doc": "a.html", "page": page, "score": 0, "scores":
                     {"rerank": 1 / (1 + math.exp(-odds[page]))} if page in odds else {}} for page in (2, 1, 3)]  # fmt: skip

        with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
            file.write(json.dumps({"id": "q", "question": "When?"} | question) + "\n")
            file.flush()
            with mock.patch.object(fit_ranking, "records", records):
                return fit_ranking.read_set(
                    f"store:{file.name}", SimpleNamespace(qa="reader", trust=0.5, worth=10)
                )

    def test_right_pages_hold_the_evidence_and_relevance_is_the_reader_s_own(self):
        [group] = self.read({"evidence_text": "ferry built in 1962."})
        self.assertEqual([right for right, _ in group], [False, True])
        for (_, signs), expected in zip(group, ([-2, 0.9, 0], [3, 0.8, -math.log(2)])):
            for value, wanted in zip(signs, expected):
                self.assertAlmostEqual(value, wanted)

    def test_questions_without_evidence_or_with_it_nowhere_say_nothing(self):
        for question in ({}, {"evidence_text": "in"}, {"evidence_text": "the harbour of Lunde"}):
            self.assertEqual(self.read(question), [])


if __name__ == "__main__":
    unittest.main()
