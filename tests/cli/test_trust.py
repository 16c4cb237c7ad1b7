"""Settings that come with a folder are not obeyed for what runs or sends, until they are trusted."""

import hashlib
import http.server
import os
import stat
import threading
import unittest

from program import QUICK, ProgramTest


class Trust(ProgramTest):
    def setUp(self):
        super().setUp()
        self.config = self.folder / "config"
        self.work = self.folder / "work"
        self.work.mkdir()
        self.file = self.work / "fineprint.toml"

    def run_there(self, *arguments, code=0, cwd=None, **env):
        env.setdefault("XDG_CONFIG_HOME", str(self.config))
        return self.must(*arguments, code=code, cwd=cwd or self.work, env=env)

    def settle(self, text):
        self.file.write_text(text, encoding="utf-8")

    def test_a_program_is_started_only_once_trusted(self):
        # It converts nothing. That this is reported shows that it was started.
        program = self.work / "soffice"
        program.write_text("#!/bin/sh\nexit 1\n")
        program.chmod(0o755)
        (self.work / "letter.rtf").write_text(r"{\rtf1 A letter.}")
        self.settle('libreoffice = "./soffice"\n')
        index = ["index", ".", "--store", self.folder / "s", *QUICK]
        refused = self.run_there(*index, code=2)
        for part in (str(self.file), "libreoffice", "./soffice", "starts this program",
                     f"fineprint trust {self.work}", "--libreoffice", "FINEPRINT_LIBREOFFICE"):
            self.assertIn(part, refused.err)
        self.assertEqual(refused.out, "")
        self.assertFalse((self.folder / "s").exists())
        never = self.run_there(*index, "--libreoffice", "never", code=1)
        self.assertNotIn("cannot convert it", never.err)

        shown = self.run_there("trust", self.work).out
        self.assertEqual(shown, f"trusted {self.file}\n"
                                '  libreoffice = "./soffice" (starts this program)\n')
        self.assertIn("cannot convert it", self.run_there(*index, "--retry-failed", code=1).err)

    def test_nothing_is_sent_before_the_file_is_trusted(self):
        asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_address[1]}"
            store = self.native_store()
            ask = ["ask", "Who?", "--store", store, *QUICK, "--api-retries", "0"]
            for line in (f'generator = "{url}#m"', f'generator = "openai:{url}/v1#m"',
                         f'rerank = "tei:{url}"', f'retriever = ["late:{url}#m"]',
                         f'agent-generator = ["hkrag.pruner={url}#m"]'):
                self.settle(line + "\n")
                refused = self.run_there(*ask, code=2)
                self.assertIn("sends questions", refused.err)
            self.assertEqual(asked, [])
            self.settle(f'generator = "{url}#m"\n')
            self.run_there("trust", ".")
            self.run_there("generate", "Hello", "--api-retries", "0", code=4)
            self.assertNotEqual(asked, [])
            server.shutdown()

    def test_serve_does_not_open_the_machine(self):
        store = self.native_store()
        token = self.work / "token"
        token.write_text("a" * 40)
        self.settle('host = "0.0.0.0"\ntoken-file = "token"\nallowed-host = ["evil.example"]\n')
        refused = self.run_there("serve", "--store", store, "--port", "0", code=2)
        for part in ("host", "0.0.0.0", "token-file", "allowed-host", "evil.example"):
            self.assertIn(part, refused.err)

    def test_harmless_keys_and_other_commands_work_as_before(self):
        store = self.native_store()
        self.settle(f'store = "{store}"\nk = 2\nscorer = ["bm25"]\n')
        self.assertEqual(len(self.run_there("search", "profit", "--json").records()), 2)
        self.settle(f'store = "{store}"\nk = 2\nscorer = ["bm25"]\nhost = "0.0.0.0"\n')
        self.assertEqual(len(self.run_there("search", "profit", "--json").records()), 2)
        self.run_there("list", "--json")

    def test_a_changed_file_must_be_trusted_again(self):
        self.settle('generator = "ollama:a"\n')
        store = self.native_store()
        ask = ["ask", "Who?", "--store", store, *QUICK]
        self.run_there("trust", self.file)
        self.settle('generator = "ollama:b"\n')
        self.assertIn("changed since you trusted it", self.run_there(*ask, code=2).err)
        (listed,) = self.run_there("trust", "--list", "--json").records()
        self.assertEqual(listed["state"], "changed")
        self.assertEqual(listed["file"], str(self.file))
        self.assertEqual(listed["sha256"], hashlib.sha256(b'generator = "ollama:a"\n').hexdigest())

    def test_the_list_and_its_files(self):
        self.assertIn("no file is trusted", self.run_there("trust", "--list").err)
        self.settle('generator = "ollama:a"\n')
        (record,) = self.run_there("trust", ".", "--json").records()
        self.assertEqual(record["values"][0]["key"], "generator")
        kept = self.config / "fineprint" / "trusted"
        self.assertEqual(stat.S_IMODE(kept.stat().st_mode), 0o700)
        (entry,) = kept.iterdir()
        self.assertEqual(stat.S_IMODE(entry.stat().st_mode), 0o600)
        self.assertEqual(entry.read_text(), f"{record['sha256']}  {self.file}\n")
        self.assertEqual(self.run_there("trust", "--list").out, f"trusted {self.file}\n")
        self.file.unlink()
        self.assertEqual(self.run_there("trust", "--list").out, f"missing {self.file}\n")
        nowhere = self.run_there("trust", "--remove", self.folder, code=3)
        self.assertIn("no trusted file is in this folder", nowhere.err)
        self.assertEqual(self.run_there("trust", "--remove", ".").out, f"removed {self.file}\n")
        self.assertEqual(list(kept.iterdir()), [])

    def test_wrong_usage(self):
        self.assertIn("FOLDER is missing", self.run_there("trust", code=2).err)
        self.assertIn("no such file", self.run_there("trust", ".", code=3).err)
        self.assertIn("only one of", self.run_there("trust", ".", "--list", code=2).err)
        self.settle('generator = "ollama:a"\nno-such-key = 1\n')
        self.assertIn("no-such-key", self.run_there("trust", self.work, code=2, cwd=self.folder).err)
        self.settle('generator = "ollama:a"\nk = 0\n')
        self.assertIn("k", self.run_there("trust", self.work, code=2, cwd=self.folder).err)
        self.assertFalse((self.config / "fineprint" / "trusted").exists())

    def test_escape_sequences_do_not_reach_the_terminal(self):
        self.settle('generator = "http://h#\\u001b[2J\\u009b2J\\nlibreoffice = ok"\n')
        shown = self.run_there("trust", ".")
        self.assertNotIn("\x1b", shown.out + shown.err)
        self.assertNotIn("\x9b", shown.out + shown.err)
        self.assertEqual(len(shown.out.splitlines()), 2)

    def test_doctor_says_what_is_not_obeyed(self):
        self.settle('libreoffice = "./soffice"\n')
        result = self.call("doctor", "--json", cwd=self.work,
                           env={"XDG_CONFIG_HOME": str(self.config)})
        self.assertEqual(result.code, 1)
        finding = {one["what"]: one for one in result.records()}["folder settings"]
        self.assertFalse(finding["works"])
        self.assertIn("untrusted, not obeyed: libreoffice", finding["detail"])
        self.assertIn(f"fineprint trust {self.work}", finding["detail"])

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file to another user")
    def test_the_file_of_another_user_is_trusted_as_it_is_now(self):
        self.settle('generator = "ollama:a"\n')
        os.chown(self.file, 65534, 65534)
        said = self.run_there("trust", ".")
        self.assertIn("belongs to", said.err)
        self.assertEqual(self.run_there("trust", "--list").out, f"trusted {self.file}\n")


if __name__ == "__main__":
    unittest.main()
