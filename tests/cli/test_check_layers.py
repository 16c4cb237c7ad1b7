"""scripts/check-layers on small trees that break one rule each, and on this repository."""
import shutil
import unittest

from small_tree import ROOT, SmallTree

LAYERS = """\
# a comment
core : 0 : : fmt/
text : 1 : core : pcre2.h
pdf : 1 : core : mupdf/
store : 2 : core text : sqlite3.h
nets : 3 : core : torch/
cli : 8 : * :
"""


class CheckLayers(SmallTree):
    SCRIPT = "check-layers"

    def setUp(self):
        super().setUp()
        self.write_table(LAYERS)

    def write_table(self, table):
        """Writes layers.txt, and for each row a header that includes all that the row permits."""
        self.write("scripts/layers.txt", table)
        for line in table.splitlines():
            if not line.startswith("#"):
                name, _, uses, owns = (field.strip() for field in line.split(":"))
                self.write_uses(name, uses.replace("*", "").split(), owns.split())

    def write_uses(self, name, uses, owns):
        lines = [f'#include "fineprint/{used}/a.h"' for used in uses]
        lines += [f"#include <{own}a.h>" if own.endswith("/") else f"#include <{own}>" for own in owns]
        self.write(f"src/{name}/uses.h", "\n".join(lines))

    def breach_of(self, path, text):
        """The only breach in a tree with this file, which stands on the file's second line."""
        self.write(path, "// One sentence.\n" + text + "\n")
        lines = self.breaches()
        self.assertEqual(len(lines), 1, lines)
        self.assertTrue(lines[0].startswith(f"{path}:2: "), lines)
        return lines[0].split(": ", 1)[1]

    def test_a_good_tree_passes(self):
        self.write("include/fineprint/core/json.h", "#include <vector>\n#include <nlohmann/json.hpp>")
        self.write("include/fineprint/nets/a.h", "#include <torch/torch.h>")
        self.write("src/core/a.cpp", '#include <fmt/format.h>\n#include "fineprint/core/json.h"\n'
                                     '#include <sys/mman.h>\nusing X = nlohmann::json;')
        self.write("src/store/a.cpp", '#include <sqlite3.h>\n#include "store/a.h"\n'
                                      '#include "fineprint/text/a.h"\n#include "build_info.h"\n'
                                      "// nlohmann may be spoken of\n")
        self.write("src/cli/a.cpp", '#include "fineprint/store/a.h"')
        self.write("src/README.md", '#include "fineprint/nonsense/a.h"')
        self.assertEqual(self.breaches(), [])

    def test_a_module_outside_the_row(self):
        self.assertEqual(self.breach_of("src/store/a.cpp", '#include "fineprint/pdf/a.h"'),
                         "store may not use pdf")

    def test_a_higher_module(self):
        self.write_table(LAYERS.replace("core text", "core"))  # no cycle besides
        self.assertEqual(self.breach_of("include/fineprint/text/a.h",
                                        '#  include "fineprint/store/a.h"'),
                         "text may not use store")

    def test_modules_of_one_layer(self):
        self.assertEqual(self.breach_of("src/text/a.cpp", '#include "fineprint/pdf/a.h"'),
                         "text and pdf are of one layer and never include each other")

    def test_an_unknown_module(self):
        self.assertEqual(self.breach_of("src/text/a.cpp", '#include "fineprint/texts/a.h"'),
                         "module texts has no row in layers.txt")

    def test_a_private_header_of_another_module(self):
        self.assertEqual(self.breach_of("src/store/a.cpp", '#include "text/a.h"'),
                         '"text/a.h" is private to text')

    def test_a_private_header_in_a_public_one(self):
        self.assertEqual(self.breach_of("include/fineprint/text/a.h", '#include "text/a.h"'),
                         'public headers include no private header ("text/a.h")')

    def test_third_party_headers_outside_their_owner(self):
        self.assertEqual(self.breach_of("src/store/a.cpp", "#include <mupdf/fitz.h>"),
                         "mupdf/fitz.h belongs to pdf alone")

    def test_third_party_headers_in_quotes(self):
        self.assertEqual(self.breach_of("src/store/a.cpp", '#include "mupdf/fitz.h"'),
                         "mupdf/fitz.h belongs to pdf alone")

    def test_third_party_headers_in_public_ones(self):
        self.assertEqual(self.breach_of("include/fineprint/store/a.h", "#include <sqlite3.h>"),
                         "public headers name no third-party library (sqlite3.h)")

    def test_third_party_headers_that_nobody_owns(self):
        self.assertEqual(self.breach_of("src/store/a.cpp", "#include <boost/asio.hpp>"),
                         "layers.txt gives third-party header boost/asio.hpp to no module")

    def test_nlohmann_is_included_in_one_place(self):
        self.assertEqual(self.breach_of("src/core/a.cpp", "#include <nlohmann/json.hpp>"),
                         "nlohmann/json is named only in fineprint/core/json.h")

    def test_nlohmann_is_not_named_elsewhere(self):
        self.assertEqual(self.breach_of("src/text/a.cpp", "nlohmann::json value;"),
                         "nlohmann/json is named only in fineprint/core/json.h; write Json")

    def test_json_stays_out_of_public_headers(self):
        self.assertEqual(self.breach_of("include/fineprint/text/a.h",
                                        '#include "fineprint/core/json.h"'),
                         "public headers do not include fineprint/core/json.h; sources do")

    def test_a_source_outside_any_module(self):
        self.write("src/a.cpp", "")
        self.write("src/extra/b.cpp", "")
        self.assertEqual(self.breaches(), ["src/a.cpp:1: lies in no module of layers.txt",
                                           "src/extra/b.cpp:1: lies in no module of layers.txt"])

    def test_rows_use_lower_layers_only(self):
        shutil.rmtree(self.root / "src")
        self.write("scripts/layers.txt", "core : 0 : :\na : 1 : core b :\nb : 1 : core c :\n")
        self.assertEqual(self.breaches(), [
            "scripts/layers.txt:2: a (layer 1) may not use b (layer 1): only lower layers",
            "scripts/layers.txt:3: b uses c, which has no row"])

    def test_cycles(self):
        self.write("src/core/a.cpp", '#include "fineprint/text/a.h"')
        self.write("src/text/a.cpp", '#include "fineprint/core/a.h"')
        self.assertEqual(self.breaches(), [
            "src/core/a.cpp:1: core may not use text",
            "scripts/layers.txt:1: modules include each other: core -> text -> core"])

    def test_permissions_that_no_include_uses(self):
        self.write_uses("store", ["text"], [])
        self.assertEqual(self.breaches(), [
            "scripts/layers.txt:5: no file of store includes core; remove it from the row",
            "scripts/layers.txt:5: no file of store includes sqlite3.h; remove it from the row"])
        self.write("include/fineprint/store/a.h", '#include "fineprint/core/a.h"')
        self.write("src/store/b.cpp", "#include <sqlite3.h>")
        self.assertEqual(self.breaches(), [])

    def test_a_folder_of_headers_that_no_include_uses(self):
        self.write_uses("pdf", ["core"], ["mupdf.h"])
        self.assertIn("scripts/layers.txt:4: no file of pdf includes mupdf/; remove it from the row",
                      self.breaches())

    def test_a_row_without_sources(self):
        self.write("scripts/layers.txt", LAYERS + "later : 9 : core :\n")
        self.assertEqual(self.breaches(),
                         ["scripts/layers.txt:8: later has no sources; remove its row"])

    def test_layers_by_use(self):
        self.write("src/cli/a.cpp", '#include "fineprint/store/a.h"')
        self.assertEqual(self.check(self.root, "--print"), (0, [
            "module       declared  by use",
            "core                0       0",
            "text                1       1",
            "pdf                 1       1",
            "store               2       2",
            "nets                3       1",
            "cli                 8       3"], ""))

    def test_a_cycle_has_no_layers(self):
        self.write("src/core/a.cpp", '#include "fineprint/text/a.h"')
        code, lines, _ = self.check(self.root, "--print")
        self.assertEqual(code, 1)
        self.assertNotIn("module       declared  by use", lines)

    def with_papers(self):
        self.write_table(LAYERS + "metrics : 3 : core text :\npipelines : 6 : core text :\n")
        for path in ["hkrag/hkrag.cpp", "hkrag/agents.h", "vdocrag.cpp", "direct.cpp",
                     "registry.cpp", "reading/found.cpp"]:
            self.write(f"src/pipelines/{path}", "")
        self.write("configs/prompts/hkrag/system.txt", "Read.")
        self.write("configs/prompts/answer/system.txt", "Read.")

    def test_papers_are_named_by_themselves_and_by_comments(self):
        self.with_papers()
        self.write("src/pipelines/hkrag/hkrag.cpp", "int hkrag_pipeline();\nauto name = \"hkrag\";\n")
        self.write("src/pipelines/registry.cpp", "int registry = find(\"reading\");")
        self.write("src/text/a.cpp", "// HKRAG, section 3; \"hkrag\"\n/* the vdocrag\nof 2025 */\n"
                                     "int direct = answer(\"direct\", \"see HKRAG\", 'a', 1'000);\n"
                                     "auto text = R\"(hkrag)\";  // \"hkrag\"\n")
        self.assertEqual(self.breaches(), [])

    def test_a_paper_in_another_room(self):
        self.with_papers()
        rule = "only src/pipelines may name the pipeline hkrag"
        for line in ["void check_hkrag();", "class HkragAgents;", "HKRAGOptions options;",
                     "auto name = \"hkrag\";", "ask(\"hkrag.pruner\");", "open(\"hkrag-paper\");"]:
            with self.subTest(line=line):
                self.assertEqual(self.breach_of("src/text/a.cpp", line), rule)
        self.assertEqual(self.breach_of("src/text/a.cpp", "int vdocrag;"), rule.replace("hk", "vdoc"))

    def test_a_paper_in_an_include_or_a_file_name(self):
        self.with_papers()
        self.write("src/pipelines/vdocrag.cpp", '#include "pipelines/hkrag/agents.h"')
        self.write("src/metrics/scorers/hkrag.cpp", "int hkrag();")  # a published evaluator
        self.write("src/text/hkrag_case.cpp", "")
        self.assertEqual(self.breaches(), [
            "src/pipelines/vdocrag.cpp:1: only src/pipelines may name the pipeline hkrag",
            "src/text/hkrag_case.cpp:1: its name names the pipeline hkrag: "
            "that belongs to src/pipelines"])

    def test_a_broken_table_or_folder_is_named(self):
        self.write("scripts/layers.txt", "core 0\n")
        code, _, errors = self.check(self.root)
        self.assertNotEqual(code, 0)
        self.assertIn("layers.txt:1: expected", errors)
        code, _, errors = self.check(self.root / "absent")
        self.assertEqual(code, 2)
        self.assertIn("holds no scripts/layers.txt", errors)

    def test_this_repository(self):
        self.assertEqual(self.check(ROOT), (0, [], ""))


if __name__ == "__main__":
    unittest.main()
