"""What programs find fineprint by: an MCP bundle, the MCP registry, a skill for AI agents, llms.txt."""

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import zipfile

import fastjsonschema

import program
from clients import needs_clients, run_client
from program import DATA, DOCS, FINEPRINT, REPOSITORY, ProgramTest, needs_nets
from test_mcp import Used

PACKAGING = REPOSITORY / "scripts" / "packaging"
SCHEMAS = DATA / "published_schemas"
SKILL = REPOSITORY / "docs" / "skills" / "fineprint" / "SKILL.md"
LLMS = REPOSITORY / "docs" / "llms.txt"
LANGUAGES = pathlib.Path("/usr/share/tesseract-ocr/5/tessdata")
VERSION = "1.2.3"


def check(schema, document):
    """Holds a document against a published schema."""
    text = json.loads((SCHEMAS / schema).read_text(encoding="utf-8"))
    fastjsonschema.validate(text, document)


def make_bundle(tree, out, *more):
    """The paths that make-mcpb prints."""
    out.mkdir(exist_ok=True)
    done = subprocess.run([sys.executable, PACKAGING / "make-mcpb", tree, VERSION, out, *more],
                          capture_output=True, text=True, check=True)
    return [pathlib.Path(line) for line in done.stdout.splitlines()]


def unpack(bundle, folder):
    """As programs that take bundles do: with the modes of files."""
    with zipfile.ZipFile(bundle) as packed:
        for entry in packed.infolist():
            path = pathlib.Path(packed.extract(entry, folder))
            path.chmod(entry.external_attr >> 16 & 0o777 or 0o644)


def started(manifest, folder, config):
    """The variables and the words of the command that a manifest asks for."""
    def filled(text):
        return re.sub(r"\$\{user_config\.(\w+)\}", lambda found: str(config[found[1]]),
                      text.replace("${__dirname}", str(folder)))

    how, words = manifest["server"]["mcp_config"], []
    for word in how["args"]:
        whole = re.fullmatch(r"\$\{user_config\.(\w+)\}", word)
        several = whole and isinstance(config[whole[1]], list)
        words += [str(one) for one in config[whole[1]]] if several else [filled(word)]
    variables = [f"{name}={filled(value)}" for name, value in how.get("env", {}).items()]
    return variables, [filled(how["command"]), *words]


def small_tree(folder):
    """The program as it was built, in the places where an installation has it."""
    (folder / "bin").mkdir(parents=True)
    (folder / "lib/fineprint").mkdir(parents=True)
    (folder / "share/fineprint/tessdata").mkdir(parents=True)
    shutil.copy(LANGUAGES / "eng.traineddata", folder / "share/fineprint/tessdata")
    shutil.copy(FINEPRINT, folder / "bin/fineprint")
    for library in pathlib.Path(FINEPRINT).resolve().parent.glob("libfineprint_*.so"):
        shutil.copy(library, folder / "lib/fineprint")
    (folder / "share/fineprint/README").write_text("no program\n")
    (folder / "share/fineprint/link").symlink_to("README")
    return folder


@needs_clients
class Bundle(Used, ProgramTest):
    """The bundle is unpacked elsewhere, and started as its manifest says."""

    revision = "2026-07-28"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        tree = small_tree(cls.class_folder / "tree")
        cls.bundle, cls.server = make_bundle(tree, cls.class_folder / "out", "octo-org/fine.print")
        (cls.again,) = make_bundle(tree, cls.class_folder / "again")
        shutil.rmtree(tree)
        cls.place = cls.class_folder / "extensions" / "fineprint"
        unpack(cls.bundle, cls.place)
        cls.manifest = json.loads((cls.place / "manifest.json").read_text(encoding="utf-8"))
        docs = cls.copy_documents(cls.class_folder / "docs", program.NATIVE_TEXT[:2])
        more = cls.copy_documents(cls.class_folder / "more", program.NATIVE_TEXT[2:])
        variables, command = started(cls.manifest, cls.place, {"folders": [docs, more]})
        # The test's own: a cache of its own, and no vectors, which would take time.
        own = [f"XDG_CACHE_HOME={cls.class_folder / 'cache'}", "FINEPRINT_SCORER=bm25", "FINEPRINT_QA=none"]
        cls.got = run_client("mcp_client.py", "stdio", "auto", "env", *own, *variables, *command)

    def test_the_manifest_is_valid_and_names_what_there_is(self):
        check("mcpb-manifest-0.3.json", self.manifest)
        self.assertEqual(self.manifest["version"], VERSION)
        self.assertTrue((self.place / self.manifest["server"]["entry_point"]).exists())
        self.assertEqual([tool["name"] for tool in self.manifest["tools"]],
                         [tool["name"] for tool in self.got["tools"]])
        asked = re.findall(r"\$\{user_config\.(\w+)\}", json.dumps(self.manifest["server"]))
        self.assertEqual(set(asked), set(self.manifest["user_config"]))
        for tool in self.manifest["tools"]:
            self.assertTrue(tool["description"])

    def test_the_same_tree_gives_the_same_bytes(self):
        self.assertEqual(self.bundle.read_bytes(), self.again.read_bytes())
        with zipfile.ZipFile(self.bundle) as packed:
            names = packed.namelist()
        self.assertEqual(names[1:], sorted(names[1:]))
        self.assertEqual((self.place / "share/fineprint/link").read_text(), "no program\n")

    def test_the_registry_is_given_the_hash_of_the_bundle(self):
        server = json.loads(self.server.read_text(encoding="utf-8"))
        check("server-2025-12-11.json", server)
        self.assertEqual(server["name"], "io.github.octo-org/fineprint")
        (package,) = server["packages"]
        self.assertEqual(package["fileSha256"], hashlib.sha256(self.bundle.read_bytes()).hexdigest())
        self.assertEqual(package["identifier"],
                         "https://github.com/octo-org/fine.print/releases/download/v1.2.3/" + self.bundle.name)
        self.assertEqual({server["version"], package["version"]}, {VERSION})


class Templates(unittest.TestCase):
    def test_the_files_in_the_repository_are_valid_too(self):
        for name, schema in (("server.json", "server-2025-12-11.json"), ("mcpb-manifest.json", "mcpb-manifest-0.3.json")):
            check(schema, json.loads((PACKAGING / name).read_text(encoding="utf-8")))

    def test_a_wrong_file_is_noticed(self):
        server = json.loads((PACKAGING / "server.json").read_text(encoding="utf-8"))
        for change in ({"name": "no slash"}, {"description": "x" * 101}, {"version": 1}):
            with self.assertRaises(fastjsonschema.JsonSchemaException):
                check("server-2025-12-11.json", {**server, **change})
        manifest = json.loads((PACKAGING / "mcpb-manifest.json").read_text(encoding="utf-8"))
        for change in ({"manifest_version": "9"}, {"server": {}}, {"surprise": 1}):
            with self.assertRaises(fastjsonschema.JsonSchemaException):
                check("mcpb-manifest-0.3.json", {**manifest, **change})

    def test_wrong_usage_of_make_mcpb(self):
        for more, said in (([REPOSITORY / "docs", VERSION, "/tmp"], "has no bin/fineprint"),
                           ([REPOSITORY, VERSION, "/tmp", "https://x"], "is not OWNER/REPOSITORY"), ([], "make-mcpb TREE")):
            done = subprocess.run([sys.executable, PACKAGING / "make-mcpb", *more], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)


CONSOLE = re.compile(r"^```console\n(.*?)^```", re.M | re.S)


def steps_of(text):
    """(command, expected lines) of the console blocks of a document, in order."""
    for block in CONSOLE.findall(text):
        steps = []
        for line in block.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            else:
                steps[-1][1].append(line)
        yield from steps


def fits(printed, expected):
    """Whether the output is the expected one. "..." stands for any text, alone on a line for any lines."""
    pattern = ""
    for line in expected:
        pattern += r"(?:.*\n)*" if line == "..." else r".*".join(map(re.escape, line.split("..."))) + r"\n"
    return re.fullmatch(pattern, printed) is not None


class SkillForm(unittest.TestCase):
    def test_the_head_is_of_the_form(self):
        text = SKILL.read_text(encoding="utf-8")
        head = re.match(r"---\n(.*?)\n---\n", text, re.S)[1]
        fields = dict(line.split(": ", 1) for line in head.splitlines())
        self.assertLessEqual(set(fields), {"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
        self.assertEqual(fields["name"], SKILL.parent.name)
        self.assertRegex(fields["name"], r"\A[a-z0-9]+(-[a-z0-9]+)*\Z")
        self.assertLessEqual(len(fields["name"]), 64)
        self.assertTrue(0 < len(fields["description"]) <= 1024)
        self.assertLessEqual(len(fields["compatibility"]), 500)
        self.assertLess(len(text.splitlines()), 500)

    def test_outputs_are_compared(self):
        self.assertTrue(fits("a\nb 1 c\n", ["a", "b ... c"]))
        self.assertTrue(fits("x\ny\nz\n", ["x", "...", "z"]))
        self.assertTrue(fits("", []))
        self.assertFalse(fits("a\n", []))
        self.assertFalse(fits("a\nb\n", ["a"]))
        self.assertFalse(fits("a\nx\n", ["a", "b"]))


@needs_nets
class SkillCommands(ProgramTest):
    reads = True

    def test_each_command_prints_what_it_says(self):
        shutil.copytree(DOCS, self.folder / "docs")
        (self.folder / "bin").mkdir()
        (self.folder / "bin/fineprint").symlink_to(pathlib.Path(FINEPRINT).resolve())
        env = self.environment()
        env["PATH"] = f"{self.folder / 'bin'}:{env['PATH']}"
        steps = list(steps_of(SKILL.read_text(encoding="utf-8")))
        self.assertGreater(len(steps), 10)
        for command, expected in steps:
            with self.subTest(command=command):
                done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=env, capture_output=True,
                                      text=True, timeout=300, check=False)
                self.assertEqual(done.returncode, 0, done.stderr[-2000:])
                self.assertTrue(fits(done.stdout, expected), f"printed:\n{done.stdout}\nnot:\n" + "\n".join(expected))
        self.assertGreater((self.folder / "page.png").stat().st_size, 1000)

    def test_options_and_commands_that_it_names_exist(self):
        text = SKILL.read_text(encoding="utf-8")
        every = "".join(self.must(command, "--help").out for command in ("ask", "search", "index", "show", "table"))
        for option in set(re.findall(r"--[a-z][a-z-]+", text)):
            self.assertIn(option, every)
        commands = re.findall(r"^  ([a-z]+) {2,}\S", self.must("--help").out.split("Subcommands:")[1], re.M)
        for command in set(re.findall(r"(?:`|\$ )fineprint ([a-z]+)", text)):
            self.assertIn(command, commands)


class LlmsText(unittest.TestCase):
    """The form of llmstxt.org: a title, a summary as a quote, and sections of links with notes."""

    def test_the_form(self):
        text = LLMS.read_text(encoding="utf-8")
        self.assertRegex(text, r"\A# fineprint\n\n> .+")
        head, *sections = re.split(r"^## (.+)\n", text, flags=re.M)
        self.assertNotIn("](", head)
        self.assertEqual(sections[-2], "Optional")
        for body in sections[1::2]:
            for line in filter(None, body.splitlines()):
                self.assertRegex(line, r"\A- \[[^]]+\]\([^)]+\): \S.*\Z")

    def test_links_lead_to_files(self):
        links = re.findall(r"\]\(([^)]+)\)", LLMS.read_text(encoding="utf-8"))
        self.assertGreater(len(links), 10)
        for link in links:
            self.assertTrue((LLMS.parent / link).is_file(), link)


if __name__ == "__main__":
    unittest.main()
