"""Answers that must not say more than their page: each case is a reply that once misled somebody.

A value is printed, and stands in `answer`, only where its kind, its unit and what stands around it
fit; else the quote is the answer. Made-up documents, by words alone.
"""

import unittest

from program import QUICK, ProgramTest

RIVERINE = """<html><head><title>Riverine Stores annual report 2017</title></head><body>
<h1>Riverine Stores</h1><p>Annual report 2017</p>
<h2>People</h2>
<p>Riverine Stores opened three warehouses in 2017, whose employees were hired at the end of 2017.</p>
<h2>Exhibits</h2>
<p>10.33 Agreement of Riverine Stores with its employees, 4 May 2011</p>
<h2>Results</h2>
<p>The net loss of Riverine Stores in 2017 was $12 million.</p>
<p>The annual meeting is chaired by Ada Norwich, and Bram Outen keeps its minutes.</p>
<h2>Revenue</h2>
<p>(Dollars in millions)</p>
<table><tr><td>Year</td><td>2017</td><td>2016</td></tr>
<tr><td>Total revenue</td><td>66,608</td><td>61,340</td></tr></table>
</body></html>"""

COUNTY = """<html><head><title>Hamilton County at a glance</title></head><body>
<h1>Hamilton County</h1>
<p>Hamilton County is large<sup>18</sup> and lies on the river.</p>
<p>18 Bureau of Maps, Hamilton County, how large it is and was.</p></body></html>"""


class HonestAnswers(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        docs = cls.class_folder / "docs"
        docs.mkdir()
        (docs / "riverine-2017.html").write_text(RIVERINE, encoding="utf-8")
        (docs / "county.html").write_text(COUNTY, encoding="utf-8")
        cls.store = cls.class_folder / "honest.store"
        cls.must("index", docs, "--store", cls.store, *QUICK)

    def ask(self, question, *more):
        arguments = ["ask", question, "--store", self.store, "--json", *QUICK, *more]
        (answer,) = self.must(*arguments).records()
        return answer

    def assert_no_bare(self, question, *wrong):
        answer = self.ask(question)
        self.assertNotIn(answer["answer"], wrong)
        if answer["answerable"]:
            self.assertEqual(answer["answer"], answer["citations"][0]["quote"])

    def test_a_number_word_that_counts_other_things(self):
        self.assert_no_bare("How many employees did Riverine Stores have at the end of 2017?", "three")

    def test_the_number_of_an_exhibit(self):
        self.assert_no_bare("How many employees does Riverine Stores have?", "10.33", "10", "4")

    def test_a_footnote_mark(self):
        self.assert_no_bare("How large is Hamilton County?", "18")

    def test_no_yes_over_a_loss(self):
        self.assert_no_bare("Did Riverine Stores make a profit in 2017?", "Yes")

    def test_the_name_of_the_quote(self):
        answer = self.ask("Who chairs the annual meeting?")
        self.assertIn("Ada Norwich", answer["answer"])
        self.assertIn("Ada Norwich", answer["citations"][0]["quote"])
        self.assertNotEqual(answer["answer"], "Bram Outen")

    def test_a_figure_carries_the_scale_of_its_table(self):
        answer = self.ask("What was the total revenue of Riverine Stores in 2017?")
        self.assertIn("66,608", answer["citations"][0]["quote"])
        self.assertIn(answer["answer"], ("$66,608 million", answer["citations"][0]["quote"]))

    def test_confidence_is_not_answerability(self):
        answer = self.ask("How many employees does Riverine Stores have?")
        self.assertLess(answer["confidence"], answer["answerability"])
        declined = self.ask("How many employees does Riverine Stores have?", "--min-answerability", "1")
        self.assertFalse(declined["answerable"])
        self.assertEqual(declined["answerability"], answer["answerability"])

    def test_the_quote_and_its_page_come_first(self):
        question = "What was the net loss of Riverine Stores in 2017?"
        result = self.must("ask", question, "--store", self.store, *QUICK)
        lines = result.out.splitlines()
        self.assertTrue(lines[0].startswith("[1] riverine-2017.html, page "), lines[0])
        self.assertIn("net loss of Riverine Stores in 2017 was $12 million", lines[0])
        self.assertIn("  answer: $12 million", lines)

    def test_what_is_only_related_is_called_so(self):
        result = self.must("ask", "What was Zenith Motors' revenue in 2017?", "--store", self.store, *QUICK)
        lines = result.out.splitlines()
        self.assertEqual(lines[:2], ["Not answerable", "  related pages that do not answer it:"])
        self.assertIn("do not seem to contain the answer", result.err)


if __name__ == "__main__":
    unittest.main()
