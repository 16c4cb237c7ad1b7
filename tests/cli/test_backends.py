"""`--generator openai:...` without a server, and `--generator script:FILE`."""

import http.server
import json
import threading
import unittest

import program
from chat_server import free_port
from program import DATA, QUICK, ProgramTest

PAGE = DATA / "qwen25vl_a" / "input" / "page_a.png"
SCHEMA = (
    '{"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"],'
    ' "additionalProperties": false}'
)


class Usage(ProgramTest):
    def test_specs_that_are_wrong_are_2(self):
        for spec, part in [
            ("openai:", "openai:URL#NAME"),
            ("http://", "http://HOST:PORT"),
            ("openai:localhost#m", "URL"),
            ("openai:http://me:secret@localhost/v1#m", "password"),
        ]:
            result = self.call("generate", "x", "--generator", spec)
            self.assert_one_error(result, 2, part)
            self.assertNotIn("secret", result.err)

    def test_options_out_of_range_are_2(self):
        spec = ["--generator", "openai:http://localhost:1/v1#m"]
        for flag, value in [("--api-timeout", "0"), ("--api-retries", "-1"), ("--api-image", "gif")]:
            self.assert_one_error(self.call("generate", "x", *spec, flag, value), 2, flag[2:])

    def test_nobody_there_is_4(self):
        for name in ("#m", ""):
            spec = f"openai:http://127.0.0.1:{free_port()}/v1{name}"
            call = ["generate", "x", "--generator", spec]
            self.assert_one_error(self.call(*call), 4, "cannot be reached")
            self.assertNotIn("retrying in", self.call(*call, "-v").err)


class Scripts(ProgramTest):
    """`--generator script:FILE` needs no server and no networks."""

    def test_replies_choices_and_schemas(self):
        script = self.write(
            "replies.jsonl",
            '{"agent": "generate", "match": {"question": "How many?"}, "reply": "Ten."}\n'
            '{"agent": "generate", "match": {"question": "Yes?"}, "reply": "yes", "entropy": 0.5}\n'
            '{"agent": "generate", "match": {"pages": ["%s"]}, "reply": {"page": 4}}\n' % PAGE,
        )
        spec = ["--generator", f"script:{script}"]
        self.assertEqual(self.must("generate", "How many?", *spec).out, "Ten.\n")
        (record,) = self.must(
            *["generate", "Yes?", *spec, "--choose", "yes", "--choose", "no", "--json"]
        ).records()
        self.assertEqual(record["choice"], "yes")
        self.assertAlmostEqual(record["probabilities"]["yes"], 0.8, places=2)
        with_schema = ["generate", "Where?", *spec, "--image", PAGE, "--schema", SCHEMA]
        self.assertEqual(self.must(*with_schema).out, '{"page":4}\n')
        file = self.write("schema.json", SCHEMA.replace("integer", "string"))
        self.assert_one_error(self.call(*with_schema[:-1], file), 4, "schema", "page")
        self.assert_one_error(self.call("generate", "Else?", *spec), 4, "unused lines", "2")
        self.assert_one_error(self.call(*with_schema[:-1], "{"), 2, "schema")
        self.assert_one_error(self.call(*with_schema, "--choose", "a"), 2, "--choose")


class Harbour(http.server.BaseHTTPRequestHandler):
    """Replies the same to every question but those with a word that its server cannot bear."""

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if any(word in body for word in self.server.unbearable):
            self.send_error(500)
            return
        reply = {"choices": [{"message": {"content": "Ten."}, "finish_reason": "stop"}]}
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(reply).encode())


class FailingServer(ProgramTest):
    """A batch whose server fails at some questions."""

    def setUp(self):
        super().setUp()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Harbour)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.out = self.folder / "answers.jsonl"

    def batch(self, *more, code):
        questions = [
            {"id": f"q{i}", "question": f"How many berths has Harbour{i:02}?"} for i in range(12)
        ]
        return self.must(
            *["batch", self.write_questions("questions.jsonl", questions), "--out", self.out],
            *["--store", self.native_store(), *QUICK, "--pipeline", "textrag", "--workers", "1"],
            *["--check", "off", "--generator", f"openai:http://127.0.0.1:{self.server.server_address[1]}/v1#m"],
            *["--api-retries", "0", *more],
            code=code,
        )

    def failed(self):
        answers = program.read_records(self.out)
        return [answer["id"] for answer in answers if "error" in answer]

    def test_a_question_that_it_cannot_bear_is_lost_alone(self):
        self.server.unbearable = ["Harbour00", "Harbour04"]
        self.batch(code=1)
        answers = {answer["id"]: answer for answer in program.read_records(self.out)}
        self.assertEqual(len(answers), 12)
        self.assertEqual(self.failed(), ["q0", "q4"])
        self.assertEqual(answers["q4"]["error"]["code"], "no_reply")
        self.assertIn("500", answers["q4"]["error"]["message"])
        self.assertEqual(answers["q5"]["answer"], "Ten.")

    def test_one_that_fails_at_all_of_them_ends_the_batch_which_can_be_gone_on_with(self):
        self.server.unbearable = ["Harbour"]
        error = self.batch(code=4).err.splitlines()[-1]
        self.assertRegex(error, "^error: .*500.*--retry-failed")
        self.assertEqual(len(self.failed()), 8)
        self.server.unbearable = []
        self.batch("--retry-failed", code=0)
        last = {answer["id"]: answer for answer in program.read_records(self.out)}
        self.assertEqual(len(last), 12)
        self.assertFalse([answer for answer in last.values() if "error" in answer])


if __name__ == "__main__":
    unittest.main()
