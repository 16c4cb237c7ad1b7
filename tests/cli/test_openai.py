"""`--generator openai:URL#MODEL` against a real server, and one that misbehaves on the way."""

import os
import re
import signal
import socket
import time
import unittest

import chat_server
from chat_server import MODEL, ModelServer, Relay, unchanged
from model_files import case_of
from program import DATA, ProgramTest

PAGE = DATA / MODEL / "input" / "page_a.png"
SECRET = "sk-not-to-be-seen"


def expected_reply():
    """The reference's greedy reply to one page and the text of its prompt."""
    for run in case_of(MODEL)["runs"]:
        if run["images"] == ["input/page_a.png"]:
            return re.fullmatch(r"<image><bos>(.*)\n", run["prompt"])[1], run["gen_text"]
    raise AssertionError("the case has no run with one page")


SCHEMA = (
    '{"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"],'
    ' "additionalProperties": false}'
)


@unittest.skipUnless(
    chat_server.INSTALLED or os.environ.get("FINEPRINT_NEED_SERVER"),
    "SKIPPED: the server is not installed (scripts/test makes .venv-server)",
)
class Server(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = ModelServer(cls.class_folder)
        cls.addClassCleanup(cls.server.stop)
        cls.server.wait_until_ready()
        cls.text, cls.reply = expected_reply()

    def ask(self, url, *more, code=0, image=PAGE, **options):
        return self.must(
            *["generate", self.text, "--image", image, "--max-new-tokens", "12"],
            *["--generator", f"openai:{url}#{self.server.model}", *more],
            code=code,
            **options,
        )

    def test_the_reply_is_the_references(self):
        self.assertEqual(self.ask(self.server.url).out, self.reply + "\n")
        (record,) = self.ask(self.server.url, "--json").records()
        self.assertEqual(record["text"], self.reply)
        self.assertEqual(record["finish"], "length")
        self.assertEqual(record["output_tokens"], 12)
        self.assertGreater(record["prompt_tokens"], 36)
        self.assertEqual(record["cached_tokens"], 0)
        self.assertGreater(record["prefill_ms"], 0)

    def test_a_jpeg_is_read_too(self):
        self.assertEqual(len(self.ask(self.server.url, "--api-image", "jpeg", "--json").records()), 1)

    def test_libtorch_stays_out(self):
        def slow(pieces):
            yield from pieces
            time.sleep(2)

        with Relay(self.server.port, lambda *_: slow) as relay:
            process = self.start(
                *["generate", self.text, "--image", PAGE, "--max-new-tokens", "4"],
                *["--generator", f"openai:{relay.url}#{self.server.model}"],
            )
            process.stdout.read(1)
            with open(f"/proc/{process.pid}/maps") as maps:
                self.assertNotIn("libtorch", maps.read())
            process.communicate(timeout=60)

    def test_a_server_without_probabilities_is_4(self):
        result = self.call(
            *["generate", self.text, "--image", PAGE, "--choose", "yes", "--choose", "no"],
            *["--generator", f"openai:{self.server.url}#{self.server.model}"],
        )
        self.assert_one_error(result, 4, "probabilities", "vLLM")

    def test_a_reply_that_does_not_fit_its_schema_is_4(self):
        result = self.call(
            *["generate", self.text, "--image", PAGE, "--schema", SCHEMA],
            *["--generator", f"openai:{self.server.url}#{self.server.model}"],
            *["--max-new-tokens", "8"],
        )
        self.assert_one_error(result, 4, "schema")

    def test_another_model_is_refused(self):
        result = self.call(
            *["generate", "x", "--image", PAGE],
            *["--generator", f"openai:{self.server.url}#nobody/nothing"],
        )
        self.assertIn(result.code, (3, 4))
        self.assertIn("nobody/nothing", result.err)

    def test_too_many_requests(self):
        def fault(call, handler):
            return unchanged if call else handler.refuse(429, Retry_After="1")

        with Relay(self.server.port, fault) as relay:
            start = time.monotonic()
            self.assertEqual(self.ask(relay.url).out, self.reply + "\n")
            self.assertGreaterEqual(time.monotonic() - start, 1)
            self.assertEqual(relay.calls, 2)

    def test_a_connection_that_drops_in_the_middle(self):
        def cut(pieces):
            whole = b""
            for piece in pieces:
                whole += piece
                if whole.count(b'"content"') > 3:
                    yield whole[: whole.rindex(b'"content"') + 3]
                    return

        with Relay(self.server.port, lambda call, _: unchanged if call else cut) as relay:
            self.assertEqual(self.ask(relay.url).out, self.reply + "\n")
            self.assertEqual(relay.calls, 2)
        with Relay(self.server.port, lambda *_: cut) as relay:
            result = self.ask(relay.url, "--api-retries", "1", "--json", code=4)
            self.assert_one_error(result, 4, "127.0.0.1")
            self.assertEqual(relay.calls, 2)

    def test_a_slow_stream(self):
        def slow(pieces):
            for piece in pieces:
                for at in range(0, len(piece), 100):
                    time.sleep(0.01)
                    yield piece[at : at + 100]

        with Relay(self.server.port, lambda *_: slow) as relay:
            self.assertEqual(self.ask(relay.url).out, self.reply + "\n")
            self.assertEqual(relay.calls, 1)

    def test_time_is_up(self):
        def hang(pieces):
            yield next(pieces)
            time.sleep(5)

        with Relay(self.server.port, lambda call, _: unchanged if call else hang) as relay:
            self.assertEqual(self.ask(relay.url, "--api-timeout", "2").out, self.reply + "\n")
        with Relay(self.server.port, lambda *_: hang) as relay:
            result = self.ask(
                relay.url, "--api-timeout", "0.5", "--api-retries", "0", "--json", code=3
            )
            self.assert_one_error(result, 3, "0.5 s")

    def test_a_broken_reply(self):
        def garble(pieces):
            for piece in pieces:
                yield piece.replace(b'"choices"', b'"cho\xff')

        with Relay(self.server.port, lambda call, _: unchanged if call else garble) as relay:
            self.assertEqual(self.ask(relay.url).out, self.reply + "\n")
            self.assertEqual(relay.calls, 2)

    def test_the_key_comes_from_a_file_or_the_environment_and_is_never_said(self):
        file = self.write("key.txt", SECRET + "\n")
        for options, env in [
            (["--api-key-file", file], {}),
            ([], {"FINEPRINT_API_KEY": SECRET}),
            ([], {"OPENAI_API_KEY": SECRET}),
        ]:
            with Relay(self.server.port, lambda _, handler: handler.refuse(401)) as relay:
                result = self.ask(relay.url, *options, "--debug", code=4, env=env)
                self.assertEqual(relay.headers_seen[0]["Authorization"], f"Bearer {SECRET}")
                self.assertEqual(relay.calls, 1)
                self.assertIn("does not accept", result.err)
                self.assertNotIn(SECRET, result.err)

    def test_ctrl_c_ends_a_call(self):
        def slow(pieces):
            for piece in pieces:
                yield piece
                time.sleep(0.2)

        with Relay(self.server.port, lambda *_: slow) as relay:
            process = self.start(
                *["generate", self.text, "--image", PAGE, "--max-new-tokens", "2000"],
                *["--generator", f"openai:{relay.url}#{self.server.model}"],
            )
            begin = process.stdout.read(1)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=30)
            self.assertEqual(process.returncode, 130, err)
            self.assertNotIn(b"error", err)
            self.assertTrue((begin + out).endswith(b"\n"))

    def test_a_redirect_elsewhere_is_not_followed(self):
        with socket.create_server(("127.0.0.1", 0)) as elsewhere:
            elsewhere.settimeout(0.2)
            location = f"http://127.0.0.1:{elsewhere.getsockname()[1]}/v1"

            def fault(_, handler):
                return handler.refuse(307, Location=location)

            with Relay(self.server.port, fault) as relay:
                result = self.ask(relay.url, code=4, env={"FINEPRINT_API_KEY": SECRET})
                self.assert_one_error(result, 4, "redirects")
            self.assertRaises(TimeoutError, elsewhere.accept)


if __name__ == "__main__":
    unittest.main()
