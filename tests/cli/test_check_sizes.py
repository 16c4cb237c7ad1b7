"""scripts/check-sizes on small repositories, and on this one."""
import hashlib
import unittest

from small_tree import ROOT, SmallRepository

LIST = "scripts/large-files.txt"


def digest_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


class CheckSizes(SmallRepository):
    SCRIPT = "check-sizes"

    def write_pinned(self, content, reason, digest=None):
        """A large file whose line gives a digest; by default its own."""
        self.write("a.bin", content)
        self.write(LIST, f"a.bin : {digest or digest_of(content)} : {reason}\n")

    def breach(self):
        lines = self.breaches()
        self.assertEqual(len(lines), 1, lines)
        return lines[0]

    def test_small_files_and_ignored_ones_pass(self):
        self.write("a", "x" * 1_000_000)
        self.write(".gitignore", "/build/\n")
        self.write("build/b", "x" * 1_000_001)
        self.assertEqual(self.breaches(), [])

    def test_a_large_file_is_refused(self):
        self.write("docs/a", "x" * 1_000_001)
        self.assertEqual(self.breach(), "docs/a: 1,000,001 bytes, over 1,000,000; make it smaller, or "
                                        "name it in scripts/large-files.txt with a reason")

    def test_a_large_file_with_a_reason_passes(self):
        self.write("docs/a", "x" * 1_000_001)
        self.write(LIST, "# a comment\n\ndocs/a : - : a reason\n")
        self.assertEqual(self.breaches(), [])
        self.commit()
        self.assertEqual(self.breaches(), [])

    def test_a_line_needs_a_reason(self):
        self.write(LIST, "docs/a : - :\n")
        self.assertEqual(self.breach(),
                         "scripts/large-files.txt:1: expected 'path : SHA-256 or - : reason'")

    def test_a_line_without_its_file(self):
        self.write("small", "x")
        self.write(LIST, "small : - : why\nabsent : - : why\n")
        self.assertEqual(self.breaches(), [
            "scripts/large-files.txt:1: small is missing or not over 1,000,000 bytes; remove the line",
            "scripts/large-files.txt:2: absent is missing or not over 1,000,000 bytes; remove the line"])

    def test_another_content_than_the_digest(self):
        content = "x" * 1_000_001
        self.write_pinned(content, "first weights", digest_of("other"))
        self.assertIn(f"a.bin has another content: its SHA-256 is {digest_of(content)}", self.breach())

    def test_a_change_needs_its_gain(self):
        old, new = "x" * 1_000_001, "y" * 1_000_001
        self.write_pinned(old, "first weights")
        self.assertEqual(self.breaches(), [])
        self.commit()
        self.write_pinned(new, "first weights")
        self.assertIn("a.bin changed, but the reason did not", self.breach())
        self.write_pinned(new, "F1 on held-out lines 72.7 instead of 71.8: 0.9 points")
        self.assertIn("the reason names no gain of at least two points", self.breach())
        self.write_pinned(new, "F1 on held-out lines 75.9 instead of 71.8: 4.1 points")
        self.assertEqual(self.breaches(), [])
        self.commit()
        self.assertEqual(self.breaches(), [])

    def test_a_reason_may_be_reworded(self):
        self.write_pinned("x" * 1_000_001, "first weights")
        self.commit()
        self.write_pinned("x" * 1_000_001, "the weights")
        self.assertEqual(self.breaches(), [])

    def test_without_git_it_says_so(self):
        code, _, errors = self.check(self.root / "absent")
        self.assertEqual(code, 1)
        self.assertIn("is no git repository", errors)

    def test_the_weights_of_the_qa_model_have_a_digest(self):
        lines = (ROOT / LIST).read_text().splitlines()
        weights = [line for line in lines if line.startswith("configs/qa-model/model.safetensors ")]
        self.assertRegex(weights[0], "^configs/qa-model/model.safetensors : [0-9a-f]{64} : ")


if __name__ == "__main__":
    unittest.main()
