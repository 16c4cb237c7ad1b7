"""scripts/check-words on small repositories, and on this one's allow list."""
import unittest

from small_tree import ROOT, SmallRepository

ALLOWED = "scripts/words-allowed.txt"


class CheckWords(SmallRepository):
    SCRIPT = "check-words"

    def words_in(self, path, text):
        """The refused words of a new file, as (line number, word)."""
        self.write(path, text)
        return [(int(line.split(":")[1]), line.split('"')[1])
                for line in self.breaches() if line.startswith(path + ":")]

    def test_each_word_is_refused_with_advice(self):
        self.write("README.md", "It was told.\nIt tells all.\nIt stands.\nThey stand.\nOne behind it.\n"
                                "One beside it.\nRead what is there.\nUse those that fit.\n"
                                "Begin anew.\nAmid others.\n")
        lines = self.breaches()
        self.assertEqual([line.split(": ")[1] for line in lines],
                         ['"told"', '"tells"', '"stands"', '"stand"', '"behind"', '"beside"',
                          '"what is"', '"those that"', '"anew"', '"Amid"'])
        self.assertEqual(lines[4], 'README.md:5: "behind": write after or following')

    def test_other_words_pass(self):
        self.assertEqual(self.words_in("README.md", "besides, standard, understand, retold_x, those\n"), [])

    def test_a_question_may_ask_what_is(self):
        self.assertEqual(self.words_in("README.md", "What is the total? Print what is read.\n"
                                                    "Ask: what is it?\n"), [(1, "what is")])

    def test_of_sources_only_comments_and_strings_are_looked_at(self):
        text = ('int told = behind(x);  // told\n/* one\n   beside the other */\n'
                'auto a = "stands \\" here", b = R"(it\n  tells)";\nint n = 1\'000; char c = \'"\'; int anew;\n')
        expected = [(1, "told"), (3, "beside"), (4, "stands"), (5, "tells")]
        self.assertEqual(self.words_in("src/core/a.cpp", text), expected)
        self.assertEqual(self.words_in("include/fineprint/core/a.h", text), expected)

    def test_of_python_too(self):
        text = ('#!/usr/bin/env python3\n"""It tells\nand stands."""\ntold = behind  # anew\n'
                'print(f"beside {told}")\n')
        self.assertEqual(self.words_in("scripts/a", text),
                         [(2, "tells"), (3, "stands"), (4, "anew"), (5, "beside")])

    def test_of_other_files_all_lines_are(self):
        for path in ("scripts/a.sh", "CMakeLists.txt", "docs/schemas/a.json", "docs/help/a.txt",
                     "configs/a.toml", ".ci/run", "src/core/README.md"):
            self.assertEqual(self.words_in(path, "told=1\n"), [(1, "told")], path)

    def test_tests_prompts_and_data_are_not_checked(self):
        for path in ("tests/README.md", "configs/prompts/a.txt", "configs/qa-model/a.json", "LICENSE"):
            self.assertEqual(self.words_in(path, "told\n"), [], path)
        (self.root / "docs").mkdir(exist_ok=True)
        (self.root / "docs/a").write_bytes(b"told\0")
        self.assertEqual(self.breaches(), [])

    def test_only_new_lines_are_refused(self):
        self.write("README.md", "It was told.\nIt tells all.\n")
        self.commit()
        self.commit()
        self.assertEqual(self.breaches(), [])
        self.write("README.md", "It was told.\nIt also tells.\n")
        self.assertEqual(len(self.breaches()), 1)
        self.commit()  # the last commit counts as new
        self.assertEqual(len(self.breaches()), 1)
        self.commit()
        self.assertEqual(self.breaches(), [])
        self.assertEqual(len(self.breaches("--all")), 2)
        self.assertEqual(len(self.breaches("--base", "HEAD~3")), 1)

    def test_a_moved_line_is_not_new(self):
        self.write("docs/a.md", "One.\n++ It was told.\n-- It tells.\nTwo.\n")
        self.write("docs/b.md", "Three.\n")
        self.commit()
        self.commit()
        self.git("mv", "docs/a.md", "docs/c.md")
        self.write("docs/c.md", "One.\nTwo.\n")
        self.write("docs/b.md", "Three.\n++ It was told.\n-- It tells.\n")
        self.assertEqual(self.breaches(), [])
        self.write("docs/b.md", "Three.\n++ It was told. Often.\n-- It tells.\n")
        self.assertEqual(len(self.breaches()), 1)

    def test_allowed_places(self):
        text = "int told; // An entry stands for one. It stands.\n"
        self.write(ALLOWED, "# a comment\n\nsrc/*: stands for  # an idiom\nsrc/core/b.cpp: .*  # data\n")
        self.assertEqual(len(self.words_in("src/core/a.cpp", text)), 1)
        self.assertEqual(self.words_in("src/core/b.cpp", text), [])
        self.assertEqual(len(self.words_in("include/fineprint/core/a.h", text)), 2)

    def test_an_allowed_place_needs_a_reason(self):
        for line, message in [("src/*: stands for", "expected"), ("src/*: (  # a reason", "unterminated")]:
            self.write(ALLOWED, line + "\n")
            code, _, errors = self.check(self.root)
            self.assertEqual(code, 1)
            self.assertIn("words-allowed.txt:1: ", errors)
            self.assertIn(message, errors)

    def test_without_git_it_says_so(self):
        code, _, errors = self.check(self.root / "absent")
        self.assertEqual(code, 1)
        self.assertIn("check-words: git failed", errors)

    def test_the_allow_list_of_this_repository(self):
        self.write(ALLOWED, (ROOT / ALLOWED).read_text())
        self.assertEqual(self.words_in("README.md", "GNU stands for GNU's Not Unix.\n"), [])


if __name__ == "__main__":
    unittest.main()
