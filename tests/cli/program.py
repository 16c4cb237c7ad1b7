"""Runs the program under test and reads what it says.

FINEPRINT names the program; FINEPRINT_HAS_NETS says whether it was built with its networks. Each
run gets a clean environment, so that no setting of the person who tests leaks in.
"""

import contextlib
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DATA = REPOSITORY / "tests" / "data"
DOCS = DATA / "docs"
QUESTIONS = DATA / "questions.jsonl"
FINEPRINT = os.environ.get("FINEPRINT", str(REPOSITORY / "build" / "release" / "fineprint"))
HAS_NETS = os.environ.get("FINEPRINT_HAS_NETS", "OFF").upper() in ("ON", "1", "TRUE", "YES")

# The best scorers that this build has; and the quick one, where vectors are not what is tested.
SCORERS = [] if HAS_NETS else ["--scorer", "bm25"]
QUICK = ["--scorer", "bm25"]
NATIVE_TEXT = ["harbor-annual-report.pdf", "reef-survey-paper.pdf", "rotated-table.pdf"]


def with_scorers(arguments):
    """The arguments, and the best scorers that this build has where they name none."""
    return [*arguments] if "--scorer" in arguments else [*SCORERS, *arguments]


needs_nets = unittest.skipUnless(HAS_NETS, "this build has no networks (FINEPRINT_NETS=OFF)")


@functools.cache
def shared_folder():
    """Returns the folder for what several suites need. It is next to the program and named after
    the program and the documents, so that a suite never uses what another build made."""
    program = pathlib.Path(FINEPRINT).resolve()
    inputs = [program, *sorted(program.parent.glob("libfineprint_*")), *map(DOCS.joinpath, NATIVE_TEXT)]
    stamps = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in inputs]
    folder = program.parent / "test-stores"
    if not os.access(program.parent, os.W_OK):  # an installed program
        folder = pathlib.Path(tempfile.gettempdir()) / f"fineprint-test-stores-{os.getuid()}"
    folder /= hashlib.sha256(repr(stamps).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)  # so that it is not taken for an old one
    for other in folder.parent.iterdir():  # of programs that were built before
        with contextlib.suppress(FileNotFoundError):  # another suite removes it, too
            if time.time() - other.stat().st_mtime > 86400:
                shutil.rmtree(other, ignore_errors=True)
    return folder


@contextlib.contextmanager
def made_once(path):
    """Yields a name under which the caller makes the folder `path`, or None if it exists already.
    Suites that run at the same time wait for each other and never see an unfinished folder."""
    with open(path.parent / f"{path.name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if path.exists():
            yield None
            return
        part = path.parent / f"{path.name}.part"
        shutil.rmtree(part, ignore_errors=True)
        yield part
        part.rename(path)


class Result:
    """What a finished run left."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def records(self):
        return [json.loads(line) for line in self.out.splitlines()]


def read_records(path):
    """The records of a JSON Lines file; every line must parse and end with a newline."""
    text = pathlib.Path(path).read_text(encoding="utf-8")
    assert text == "" or text.endswith("\n"), f"{path} ends in the middle of a line"
    return [json.loads(line) for line in text.splitlines()]


def without_times(answers):
    """Answers by id, less what may differ between two runs."""
    kept = {}
    for answer in answers:
        answer = dict(answer, usage={k: v for k, v in answer["usage"].items() if k != "ms"})
        kept[answer["id"]] = answer
    return kept


class ProgramTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs; quotes answer, but for tests of the reader."""

    reads = False

    @classmethod
    def setUpClass(cls):
        cls.class_folder = pathlib.Path(tempfile.mkdtemp(prefix="fineprint-cli-"))
        cls.addClassCleanup(shutil.rmtree, cls.class_folder, ignore_errors=True)

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="test-", dir=self.class_folder))

    @classmethod
    def environment(cls, **more):
        kept = {k: v for k, v in os.environ.items() if not k.startswith("FINEPRINT")}
        kept.update(
            HOME=str(cls.class_folder),
            XDG_CACHE_HOME=str(cls.class_folder / "cache"),
            XDG_CONFIG_HOME=str(cls.class_folder / "config"),
        )
        if not cls.reads:
            kept.update(FINEPRINT_QA="none")
        return {**kept, **more}

    @classmethod
    def start(cls, *arguments, cwd=None, env=None, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("stdout", subprocess.PIPE)
        options.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen(
            [FINEPRINT, *map(str, arguments)],
            cwd=cwd or cls.class_folder,
            env=cls.environment(**(env or {})),
            **options,
        )

    @classmethod
    def call(cls, *arguments, text=None, timeout=300, **options):
        """Runs to the end, whatever the exit code."""
        if text is not None:
            options["stdin"] = subprocess.PIPE
        process = cls.start(*arguments, **options)
        try:
            out, err = process.communicate(text and text.encode(), timeout=timeout)
        except subprocess.TimeoutExpired:
            # What it started and left behind may hold the pipes that are read here.
            for running in processes_in(pathlib.Path(options.get("cwd") or cls.class_folder)):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(running, signal.SIGKILL)
            process.communicate()
            raise
        return Result(process.returncode, (out or b"").decode(), (err or b"").decode())

    @classmethod
    def must(cls, *arguments, code=0, **options):
        """Runs to the end; any other exit code fails the test with what the program said."""
        result = cls.call(*arguments, **options)
        if result.code != code:
            words = " ".join(map(str, arguments))
            raise AssertionError(
                f"fineprint {words}: exit code {result.code}, not {code}\n{result.err[-2000:]}"
            )
        return result

    @classmethod
    def copy_documents(cls, folder, names=tuple(NATIVE_TEXT)):
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            shutil.copy(DOCS / name, folder / name)
        return folder

    @classmethod
    def native_docs(cls):
        """Returns a folder with the documents that need no OCR. Suites share it, so tests must not
        change it."""
        docs = shared_folder() / "native"
        with made_once(docs) as part:
            if part:
                cls.copy_documents(part)
        return docs

    @classmethod
    def shared_docs(cls, name, write):
        """Returns a folder with what `write` writes into the one it is given, for shared_store()."""
        own = cls.class_folder / name
        write(own)
        written = hashlib.sha256(b"".join(path.read_bytes() for path in sorted(own.iterdir()))).hexdigest()
        docs = shared_folder() / f"{name}-{written[:8]}"
        with made_once(docs) as part:
            if part:
                shutil.copytree(own, part)
        return docs

    @classmethod
    def shared_store(cls, name, docs, options=()):
        """Returns a store of the folder `docs`, which no test changes, as `index` makes it with these
        options. It is made once for each build; each class has its own copy."""
        store = cls.class_folder / f"{name}.store"
        if not store.exists():
            files = sorted(path for path in pathlib.Path(docs).rglob("*") if path.is_file())
            made_of = hashlib.sha256(repr((str(docs), [str(option) for option in options])).encode())
            for path in files:
                made_of.update(f"{path}\0{path.stat().st_size}\0".encode() + path.read_bytes())
            shared = shared_folder() / f"{name}-{made_of.hexdigest()[:8]}.store"
            with made_once(shared) as part:
                if part:
                    cls.must("index", docs, "--store", part, *options)
            shutil.copytree(shared, store)
        return store

    @classmethod
    def native_store(cls, scorers=tuple(QUICK)):
        """Returns a store of these documents. Each class has its own copy of one that suites share."""
        options = ["--ocr", "never", "--map", "heuristic", *scorers]
        return cls.shared_store(f"native-{scorers[-1] if scorers else 'default'}", cls.native_docs(), options)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def write_questions(self, name, questions):
        return self.write(name, "".join(json.dumps(question) + "\n" for question in questions))

    def assert_one_error(self, result, code, *parts):
        """One line of error on stderr that holds `parts`; nothing on stdout."""
        self.assertEqual(result.code, code, result.err)
        self.assertEqual(result.out, "")
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 1, result.err)
        self.assertTrue(lines[0].startswith("error: "), result.err)
        for part in parts:
            self.assertIn(str(part), lines[0])


def native_questions():
    """The questions of tests/data that are asked of one document with a text layer."""
    with open(QUESTIONS, encoding="utf-8") as file:
        questions = [json.loads(line) for line in file]
    return [question for question in questions if question.get("doc") in NATIVE_TEXT]


def many_questions(count):
    """Questions of tests/data over and over, each time with another id."""
    some = native_questions()
    return [dict(some[i % len(some)], id=f"q{i:05}") for i in range(count)]


def kills(few, many):
    """How often a test kills the program: few times; as FINEPRINT_TEST_KILLS says, `many` at most."""
    return min(many, int(os.environ.get("FINEPRINT_TEST_KILLS") or few))


def processes_in(folder):
    """Ids of processes whose working folder is `folder`: ours and what they left behind."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if pathlib.Path(os.readlink(entry / "cwd")) == folder:
                state = (entry / "stat").read_text().rsplit(")", 1)[1].split()[0]
                if state != "Z":
                    found.append(int(entry.name))
        except OSError:
            pass
    return found


def kill(process, number=signal.SIGKILL):
    process.send_signal(number)
    process.communicate()
