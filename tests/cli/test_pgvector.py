"""Vectors in a PostgreSQL database: `export --format pgvector` and `search --vectors-at`.

The tests of searches start a server of their own, if one with the extension pgvector is installed: Debian's
postgresql-15-pgvector or a later one, the wheel pgserver, or the folder with bin/ that FINEPRINT_PGVECTOR names.
"""

import ctypes.util
import glob
import importlib.util
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import paper_stores
from program import ProgramTest, needs_nets

QUESTIONS = ("Who audits the company?", "How many harbors are there?", "species on the reef", "total")
SCORERS = ("page", "late", "late-text")
# Servers refuse to run as root.
USER = "nobody" if os.geteuid() == 0 else None


def folder_of_server():
    """The folder with bin/ of a server that has pgvector, or None."""
    candidates = [os.environ.get("FINEPRINT_PGVECTOR", "")]
    wheel = importlib.util.find_spec("pgserver")
    if wheel:
        candidates.append(pathlib.Path(wheel.origin).parent / "pginstall")
    candidates += sorted(glob.glob("/usr/lib/postgresql/*"), reverse=True)
    for candidate in filter(None, candidates):
        config = pathlib.Path(candidate) / "bin" / "pg_config"
        if not config.exists():
            continue
        share = subprocess.run([config, "--sharedir"], capture_output=True, text=True).stdout.strip()
        places = [pathlib.Path(share), *pathlib.Path(candidate).glob("share/*")]
        if any((place / "extension" / "vector.control").exists() for place in places):
            return pathlib.Path(candidate)
    return None


FOLDER = folder_of_server()
NO_SERVER = "no PostgreSQL server with pgvector is installed"


class Server:
    """A server of databases, on a socket in a temporary folder."""

    def __init__(self):
        # Paths of sockets are short.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))
        if USER:
            shutil.chown(self.folder, USER)
        self.run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "tester", "--no-sync")
        options = f"-k {self.folder} -c listen_addresses= -c fsync=off"
        self.run("pg_ctl", "-D", self.folder / "data", "-l", self.folder / "log", "-w", "-o", options, "start")

    def new_database(self, name):
        """Returns its address."""
        self.run("createdb", "-h", self.folder, "-U", "tester", name)
        return f"postgresql://tester@/{name}?host={self.folder}"

    def run(self, command, *arguments):
        subprocess.run([FOLDER / "bin" / command, *arguments], check=True, user=USER, cwd=self.folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip

    def stop(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)


@unittest.skipUnless(FOLDER, NO_SERVER)
@needs_nets
class Searches(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        super().setUp()
        self.store = self.folder / "store"
        paper_stores.store_for(self, self.store)
        self.database = self.server.new_database(self._testMethodName)

    def export(self, *arguments, code=0):
        return self.must("export", "--format", "pgvector", "--out", self.database, "--store", self.store,
                         *arguments, code=code)  # fmt: skip

    def hits(self, question, *arguments):
        return self.must("search", question, "--store", self.store, "--json", *arguments).records()

    def test_the_first_ten_are_the_same(self):
        self.export()
        file = self.write_questions(
            "questions.jsonl", [{"id": f"q{i}", "question": one} for i, one in enumerate(QUESTIONS)]
        )
        for scorer in (*SCORERS, "bm25,late:0.5,page"):
            call = ["search", "--questions", file, "--store", self.store, "--json", "--scorer", scorer]
            here = self.must(*call).records()
            there = self.must(*call, "--vectors-at", self.database).records()
            places = [(hit["id"], hit["doc"], hit["page"]) for hit in here]
            self.assertGreater(len(places), 4 * len(QUESTIONS) - 4)
            self.assertEqual([(hit["id"], hit["doc"], hit["page"]) for hit in there], places, scorer)
            for one, other in zip(here, there):
                self.assertAlmostEqual(one["score"], other["score"], places=5)

    def test_a_search_of_named_documents_finds_these(self):
        self.export("--set", "late")
        flags = ["--scorer", "late", "--doc", "reef-survey-paper.pdf"]
        here = self.hits(QUESTIONS[2], *flags)
        there = self.hits(QUESTIONS[2], *flags, "--vectors-at", self.database)
        self.assertEqual([hit["page"] for hit in there], [hit["page"] for hit in here])
        self.assertEqual({hit["doc"] for hit in there}, {"reef-survey-paper.pdf"})

    def test_vectors_that_are_not_those_of_the_store_are_refused(self):
        call = ["search", "x", "--store", self.store, "--vectors-at", self.database]
        self.export("--set", "late")
        self.assert_one_error(self.call(*call, "--scorer", "page"), 3, "no vectors", "export")
        self.must(*call, "--scorer", "late")
        self.must("remove", "rotated-table.pdf", "--store", self.store)
        self.assert_one_error(self.call(*call, "--scorer", "late"), 3, "earlier state", "export")
        self.export("--set", "late")
        self.must(*call, "--scorer", "late")

    def test_a_part_of_the_documents_is_refused(self):
        self.assert_one_error(self.export("rotated-table.pdf", code=2), 2, "all documents")


@unittest.skipUnless(ctypes.util.find_library("pq"), "libpq is not installed")
class Usage(ProgramTest):
    def search(self, *arguments):
        return self.call("search", "harbor", "--store", self.native_store(), *arguments)

    def test_addresses_that_are_wrong_are_2(self):
        for address, part in [("http://x", "postgresql://"), ("postgresql://me:secret@h/d", "PGPASSWORD"),
                              ("postgresql://h/d?password=secret", "PGPASSWORD")]:  # fmt: skip
            found = self.search("--scorer", "text", "--vectors-at", address)
            self.assert_one_error(found, 2, part)
            out = self.call("export", "--format", "pgvector", "--out", address, "--store", self.native_store())
            self.assert_one_error(out, 2, part)

    def test_options_without_an_effect_are_2(self):
        at = ["--vectors-at", "postgresql:///none"]
        self.assert_one_error(self.search("--scorer", "bm25", *at), 2, "--vectors-at", "scorer")

    def test_a_store_without_vectors_is_3(self):
        out = self.call("export", "--format", "pgvector", "--out", "postgresql:///none", "--store", self.native_store())
        self.assert_one_error(out, 3, "no vectors", "index")

    @needs_nets
    def test_nobody_there_is_3(self):
        paper_stores.store_for(self, self.folder / "store")
        address = f"postgresql:///none?host={self.folder}"
        out = self.call("export", "--format", "pgvector", "--out", address, "--store", self.folder / "store")
        self.assert_one_error(out, 3, "cannot be used")


if __name__ == "__main__":
    unittest.main()
