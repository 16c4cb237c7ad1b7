"""What scripts/fit/check fits, on made-up replies of which it is known what makes them right."""

import json
import os
import re
import subprocess
import sys
import unittest

import program
from program import ProgramTest

CHECK = program.REPOSITORY / "scripts" / "fit" / "check"


def step(number, reply, held, quote, sure, answerable):
    return {"step": "check", "ms": 0, "reply": reply, "quote": quote, "given": "reply", "answers": True, "says": True, "proved": True,
            "held": held, "quoted": 0.5, "names": 1, "years": 1, "cosine": 0, "kind_fits": True,
            "same_as_quote": False, "same_as_reading": False, "quotes_sentence": False, "repeats_question": False,
            "read": 0.9 * held, "quote_read": sure, "quote_confidence": sure, "answerability": answerable,
            "odds": {"reply": 0.5, "quote": 0.5, "answerable": 0.5}}  # fmt: skip


class FitCheck(ProgramTest):
    def lay_out(self):
        """Replies that the pages hold are right; else the quote is; a third of the questions has no answer."""
        answers, gold = [], []
        for number in range(90):
            kind = number % 3
            right = f"Harbour {number}"
            reply = right if kind == 0 else "Elsewhere"
            quote = right if kind == 1 else "Nowhere"
            one = step(number, reply, held=float(kind == 0), quote=quote, sure=0.8 if kind == 1 else 0.1,
                       answerable=0.1 if kind == 2 else 0.9)  # fmt: skip
            answers.append({"id": str(number), "question": "Where?", "answer": reply, "answerable": True,
                            "confidence": 0.5, "citations": [], "retrieved": [], "pipeline": "textrag",
                            "generator": "none", "usage": {}, "trace": [one]})  # fmt: skip
            gold.append({"id": str(number), "question": "Where?", "doc": f"{number % 30}.pdf",
                         "answer": "Not answerable" if kind == 2 else right})  # fmt: skip
        lines = lambda records: "".join(json.dumps(record) + "\n" for record in records)  # noqa: E731
        return f"{self.write('answers.jsonl', lines(answers))}:{self.write('gold.jsonl', lines(gold))}"

    def test_finds_what_makes_replies_right(self):
        kept = {key: value for key, value in os.environ.items() if not key.startswith("FINEPRINT")}
        run = subprocess.run([sys.executable, CHECK, self.lay_out()], capture_output=True, text=True,
                             env=kept | {"FINEPRINT": program.FINEPRINT})  # fmt: skip
        self.assertEqual(run.returncode, 0, run.stderr)
        weights = dict(re.findall(r"^  (\w+) +(-?\d+\.\d+)$", run.stdout.split("quote right:")[0], re.M))
        largest = sorted(weights, key=lambda name: -float(weights[name]))
        self.assertIn("read_sure", largest[:2])
        # With the weights of all sets, and with those of other documents.
        outcomes = re.findall(r"60 answerable: right (\d+) .* 30 others: declined (\d+)", run.stdout)
        self.assertEqual(outcomes, [("60", "30")] * 2)


if __name__ == "__main__":
    unittest.main()
