"""The bill of materials of a package, and the list of hashes next to it."""

import hashlib
import json
import pathlib
import shutil
import subprocess
import unittest

from clients import PYTHON, needs_clients
from program import FINEPRINT, REPOSITORY, ProgramTest, needs_nets

PACKAGING = REPOSITORY / "scripts" / "packaging"
BUILD = pathlib.Path(FINEPRINT).resolve().parent
LIBRARIES = pathlib.Path("/usr/lib/x86_64-linux-gnu")
LANGUAGES = pathlib.Path("/usr/share/tesseract-ocr/5/tessdata")


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def debian_version(package):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True, check=True).stdout


def make_sbom(tree, out, *more, code=0):
    done = subprocess.run([PYTHON, "-B", PACKAGING / "make-sbom", tree, "1.2.3", out, *more],
                          capture_output=True, text=True, check=False)
    if done.returncode != code:
        raise AssertionError(f"make-sbom: {done.returncode}\n{done.stderr[-2000:]}")
    return done.stderr


@needs_clients
@needs_nets
class BillOfMaterials(ProgramTest):
    """A tree with the program, a library of the system, a model and a language."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.tree = cls.class_folder / "tree"
        held, share = cls.tree / "lib/fineprint", cls.tree / "share/fineprint"
        for folder in (cls.tree / "bin", held, share / "models/reader", share / "tessdata"):
            folder.mkdir(parents=True)
        shutil.copy(FINEPRINT, cls.tree / "bin/fineprint")
        shutil.copy(BUILD / "libfineprint_reading.so", held)
        shutil.copy((LIBRARIES / "libxxhash.so.0").resolve(), held / "libxxhash.so.0")
        torch = next((REPOSITORY / ".venv/lib").glob("python3*")) / "site-packages/torch/lib/libc10.so"
        shutil.copy(torch, held)
        shutil.copy(REPOSITORY / "configs/qa-model/config.json", share / "models/reader")
        shutil.copy(LANGUAGES / "eng.traineddata", share / "tessdata")
        (share / "README").write_text("fineprint's own\n")
        cls.file = cls.class_folder / "tree.cdx.json"
        more = ["--build", BUILD] if (BUILD / ".ninja_deps").exists() else []
        make_sbom(cls.tree, cls.file, "--needs", "pymupdf==2.0", *more)
        cls.bill = json.loads(cls.file.read_text(encoding="utf-8"))
        cls.components = {one["name"]: one for one in cls.bill["components"]}

    def test_files_have_their_hashes(self):
        listed = {file["name"]: file["hashes"] for one in self.bill["components"] for file in one.get("components", [])}
        expected = {path.relative_to(self.tree).as_posix() for path in self.tree.rglob("*") if path.is_file()}
        self.assertEqual(set(listed), expected - {"share/fineprint/README"})
        for name, hashes in listed.items():
            self.assertEqual(hashes, [{"alg": "SHA-256", "content": sha256(self.tree / name)}])

    def test_versions_and_licences_are_those_of_the_packages(self):
        xxhash = self.components["libxxhash0"]
        self.assertEqual(xxhash["version"], debian_version("libxxhash0"))
        self.assertEqual(xxhash["licenses"], [{"license": {"id": "BSD-2-Clause"}}])
        self.assertTrue(xxhash["purl"].startswith("pkg:deb/debian/libxxhash0@"))
        english = self.components["tesseract-ocr-eng"]
        self.assertEqual((english["version"], english["type"]), (debian_version("tesseract-ocr-eng"), "data"))
        reader = self.components["fineprint-reader"]
        self.assertEqual((reader["version"], reader["type"]), ("1.2.3", "machine-learning-model"))
        torch = self.components["torch"]
        self.assertRegex(torch["version"], r"\A2\.")
        self.assertEqual(torch["description"], "LibTorch")
        self.assertIn("AGPL", self.bill["metadata"]["component"]["licenses"][0]["expression"])

    def from_where(self, name):
        return {one["value"] for one in self.components[name].get("properties", [])}

    def test_what_is_not_in_the_package_says_where_it_is(self):
        self.assertEqual(self.from_where("libsqlite3-0"), {"system"})
        self.assertEqual(self.components["libsqlite3-0"]["version"], debian_version("libsqlite3-0"))
        self.assertEqual(self.from_where("libtesseract5"), {"system"})
        self.assertEqual(self.from_where("pymupdf"), {"pip"})
        self.assertEqual(self.from_where("libxxhash0"), set())
        self.assertNotIn("libc6", self.components)

    @unittest.skipUnless((BUILD / ".ninja_deps").exists(), "an installed program has no build folder")
    def test_headers_that_were_compiled_in_are_named(self):
        for name in ("nlohmann-json3-dev", "libtomlplusplus-dev", "libcli11-dev"):
            self.assertEqual(self.from_where(name), {"headers"})
            self.assertEqual(self.components[name]["version"], debian_version(name))
        for name in self.components:
            self.assertNotRegex(name, r"gtest|libstdc|libsqlite3-dev|libxxhash-dev")

    def test_it_says_what_it_is(self):
        self.assertEqual((self.bill["bomFormat"], self.bill["specVersion"]), ("CycloneDX", "1.6"))
        self.assertNotIn("timestamp", self.bill["metadata"])

    def test_the_same_tree_gives_the_same_bytes(self):
        one, two = self.folder / "one.json", self.folder / "two.json"
        for out in (one, two):
            make_sbom(self.tree, out)
        self.assertEqual(one.read_bytes(), two.read_bytes())

    def test_a_library_that_nobody_knows_is_an_error(self):
        tree = self.folder / "tree"
        (tree / "lib/fineprint").mkdir(parents=True)
        shutil.copy(BUILD / "libfineprint_reading.so", tree / "lib/fineprint/libstranger.so.1")
        said = make_sbom(tree, self.folder / "out.json", code=1)
        self.assertIn("lib/fineprint/libstranger.so.1: nothing says where it comes from", said)
        self.assertFalse((self.folder / "out.json").exists())
        self.assertIn("is no folder", make_sbom(self.folder / "nowhere", self.folder / "out.json", code=1))


class Sums(ProgramTest):
    def write(self, *globs):
        subprocess.run([PACKAGING / "write-sums", self.folder, *globs], check=True)
        return (self.folder / "SHA256SUMS").read_text(encoding="utf-8")

    def check(self, code=0):
        done = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=self.folder,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, code)

    def test_files_are_listed_by_name_and_checked(self):
        (self.folder / "sub").mkdir()
        for name in ("b", "a b", "sub/c", "B"):
            (self.folder / name).write_text(name)
        lines = self.write().splitlines()
        self.assertEqual([line[66:] for line in lines], ["B", "a b", "b", "sub/c"])
        self.assertEqual(lines, self.write().splitlines())
        self.check()
        (self.folder / "b").write_text("other")
        self.check(code=1)
        self.assertEqual([line[66:] for line in self.write("a*", "b").splitlines()], ["a b", "b"])
        self.assertEqual(self.write("none"), "")


if __name__ == "__main__":
    unittest.main()
