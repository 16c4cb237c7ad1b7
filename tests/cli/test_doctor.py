"""`fineprint doctor`: facts of this machine, each problem with its remedy."""

import ctypes
import errno
import json
import pathlib
import platform
import re
import shutil
import subprocess
import unittest

import program
from program import ProgramTest


class Argument(ctypes.Structure):
    """libseccomp's scmp_arg_cmp: a rule that looks at an argument of the call."""

    _fields_ = [("index", ctypes.c_uint), ("how", ctypes.c_int),
                ("a", ctypes.c_uint64), ("b", ctypes.c_uint64)]


def refuse_filters():
    """From here on this process and its children get EINVAL when they ask for a seccomp filter.

    Other calls of prctl must work: by one the helper of the leak checker dies with its parent.
    """
    library = ctypes.CDLL("libseccomp.so.2")
    library.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(library.seccomp_init(ctypes.c_uint32(0x7FFF0000)))  # allow
    with_einval = ctypes.c_uint32(0x00050000 | errno.EINVAL)
    set_seccomp = Argument(0, 4, 22, 0)  # the first argument equals PR_SET_SECCOMP
    for name, count in ((b"seccomp", 0), (b"prctl", 1)):
        number = library.seccomp_syscall_resolve_name(name)
        library.seccomp_rule_add_array(context, with_einval, number, count,
                                       ctypes.byref(set_seccomp))
    library.seccomp_load(context)


def processor_flags():
    """What Linux says of the processor."""
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("flags"):
            return set(line.split(":", 1)[1].split())
    return set()


class Doctor(ProgramTest):
    def findings(self, *more, code=0, **options):
        records = self.must("doctor", "--json", *more, code=code, **options).records()
        return {record["what"]: record for record in records}

    def test_what_this_build_has_works(self):
        findings = self.findings(code=0 if program.HAS_NETS else 1)
        for what in ("program", "cores", "vector kernels", "gpu scoring", "documents",
                     "isolation", "ocr"):
            self.assertTrue(findings[what]["works"], findings[what])
        self.assertIn("MuPDF", findings["documents"]["detail"])
        self.assertIn("no network, no writing", findings["isolation"]["detail"])
        self.assertIn("eng", findings["ocr"]["detail"])
        self.assertEqual(findings["text encoder"]["works"], program.HAS_NETS)
        # Folders next to the program; the default encoder needs none of them.
        others = findings["other encoders"]
        self.assertTrue(others["works"])
        self.assertRegex(others["detail"], r"--retriever e5 .*models/multilingual-e5-small")
        self.assertRegex(others["detail"], r"--retriever embeddinggemma .*models/embeddinggemma-300m")
        if program.HAS_NETS:
            self.assertIn("384", findings["text encoder"]["detail"])

    def test_the_table_of_kernels_says_what_each_is_used_for(self):
        findings = self.findings(code=0 if program.HAS_NETS else 1)
        tables = {what: finding["detail"] for what, finding in findings.items()
                  if what.startswith("kernel: ")}
        every_type = ("float32", "float16", "bfloat16", "int8")
        expected = {"cosine": every_type, "hybrid mask": every_type, "MaxSim": every_type,
                    "MaxSim by codes": ("int8",), "MaxSim by signs": ("one bit",)}
        if program.HAS_NETS:
            expected |= {"products": every_type, "products of rounded vectors": ("bfloat16",),
                         "products of quantised weights": ("GGUF's blocks",),
                         "text encoder": ("float32",), "text encoder's products": ("int8",)}
        self.assertEqual(set(tables), {f"kernel: {use}" for use in expected})
        for use, types in expected.items():
            detail = tables[f"kernel: {use}"]
            for one in types:
                self.assertIn(one, detail)
            if "by codes" in use or "rounded" in use:
                continue  # a machine may have no instructions for these
            chosen, available = re.fullmatch(r"(\S+) \(.*; available: (.*)\)", detail).groups()
            names = available.split(", ")
            self.assertEqual(chosen, names[0], "the best one is in use")
            self.assertEqual(names[-1], "portable")
            if {"avx2", "fma", "f16c"} <= processor_flags():
                self.assertIn("avx2", names)
            if platform.machine() == "aarch64":
                self.assertIn("neon", names)

    def test_kept_states_are_counted(self):
        code = 0 if program.HAS_NETS else 1
        self.assertNotIn("page states", self.findings(code=code))
        states = self.folder / "states"
        findings = self.findings("--store", self.folder, code=code)
        self.assertEqual(findings["page states"]["detail"], "none kept")
        states.mkdir()
        (states / "ab.state").write_bytes(b"x" * 100)
        findings = self.findings("--store", self.folder, code=1)
        self.assertFalse(findings["page states"]["works"])
        self.assertIn("--verify", findings["page states"]["detail"])

    def test_a_kernel_without_filters_is_a_problem_with_its_remedy(self):
        findings = self.findings(preexec_fn=refuse_filters, code=1)
        self.assertFalse(findings["isolation"]["works"])
        for part in ("reach the network", "write files", "start programs", "Invalid argument",
                     "CONFIG_SECCOMP_FILTER"):
            self.assertIn(part, findings["isolation"]["detail"])

    def test_documents_are_read_where_the_kernel_takes_no_filter(self):
        store = self.folder / "docs.store"
        run = ("index", program.DOCS / "rotated-table.pdf", "--store", store, "--scorer", "bm25")
        result = self.must(*run, "--debug", preexec_fn=refuse_filters)
        self.assertIn("no seccomp filter: Invalid argument", result.err)

    def test_a_library_that_is_missing_is_named_once(self):
        alone = self.folder / "fineprint"
        shutil.copy(program.FINEPRINT, alone)

        def run(*arguments):
            return subprocess.run([alone, *map(str, arguments)], env=self.environment(),
                                  capture_output=True, text=True, timeout=60)

        result = run("index", program.DOCS, "--store", self.folder / "docs.store")
        self.assertEqual(result.returncode, 5)
        self.assertEqual(result.stderr.count("libfineprint_reading.so"), 1, result.stderr)
        self.assertIn("scripts/fineprint", result.stderr)
        findings = {record["what"]: record for record in
                    map(json.loads, run("doctor", "--json").stdout.splitlines())}
        for what in ("documents", "isolation", "ocr"):
            self.assertFalse(findings[what]["works"])
            self.assertIn("libfineprint_reading.so", findings[what]["detail"])

    def test_models_in_the_cache_are_listed(self):
        hub = self.folder / "hub"
        for name, case in (("good", "bert_mean_a"), ("bad", None)):
            folder = hub / f"models--some--{name}"
            (folder / "refs").mkdir(parents=True)
            (folder / "refs" / "main").write_text("0123abc")
            snapshot = folder / "snapshots" / "0123abc"
            if case:
                shutil.copytree(program.DATA / case / "model", snapshot)
            else:
                snapshot.mkdir(parents=True)
                (snapshot / "config.json").write_text('{"architectures": ["NoSuchModel"]}')
        # Without networks there is no text encoder, a problem of its own.
        out = self.must("doctor", "--json", env={"HF_HUB_CACHE": str(hub)},
                        code=0 if program.HAS_NETS else 1).out
        (finding,) = [record for record in map(json.loads, out.splitlines())
                      if record["what"] == "model folders"]
        self.assertEqual(finding["detail"],
                         "some/good (bert); not usable: some/bad (fineprint models NAME says why)")

    def test_a_problem_is_named(self):
        result = self.must("doctor", env={"FINEPRINT_RETRIEVER": "/no/such/model"}, code=1)
        self.assertIn("/no/such/model", result.out)


if __name__ == "__main__":
    unittest.main()
