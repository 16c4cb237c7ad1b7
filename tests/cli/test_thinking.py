"""Replies as models in the field give them: with thoughts, in fences, in parts, cut, or empty."""

import http.server
import json
import threading
import unittest

from program import ProgramTest

QUESTION = "How many visitors did Denver Hall have in 2022?"
TABLE = "hall,2021,2022\nDenver Hall,8412,9137\nMilan Hall,5210,5077\n"
GOOD = json.dumps({"answer": "9,137", "answerable": True, "chunks": [0]})
THOUGHT = 'The user wants {"answer": "42"}? No, 8,412 is of 2021.'

# What a server sends for each model: the members of the message, why it ended.
REPLIES = {
    "plain": ({"content": GOOD}, "stop"),
    "think": ({"content": f"<think>\n{THOUGHT}\n</think>\n\n{GOOD}"}, "stop"),
    "think-open": ({"content": f"{THOUGHT}\n</think>\n\n{GOOD}"}, "stop"),
    "think-words": ({"content": f"<think>{THOUGHT}</think>Denver Hall had 9,137 visitors."}, "stop"),
    "channel": ({"content": f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant"
                            f"<|channel|>final<|message|>{GOOD}"}, "stop"),
    "reasoning": ({"content": GOOD, "reasoning_content": THOUGHT}, "stop"),
    "fence": ({"content": f"Sure:\n```json\n{GOOD}\n```\nAnything else?"}, "stop"),
    "words": ({"content": "Denver Hall had 9,137 visitors in 2022."}, "stop"),
    "parts": ({"content": [{"type": "text", "text": GOOD}]}, "stop"),
    "partial": ({"content": '{"answer": "9,137"}'}, "stop"),
    "empty": ({"content": ""}, "stop"),
    "null": ({"content": None, "reasoning_content": THOUGHT}, "stop"),
    "reasoning-only": ({"content": "", "reasoning": GOOD}, "stop"),
    "think-cut": ({"content": f"<think>\n{THOUGHT}"}, "length"),
}
EMPTY = {"empty": "the reply is empty", "null": "256 tokens went into thinking",
         "reasoning-only": "256 tokens went into thinking",
         "think-cut": "256 tokens went into thinking, until the limit"}


class Server(http.server.BaseHTTPRequestHandler):
    prompt_tokens = 1000

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message, reason = REPLIES[body["model"]]
        usage = {"prompt_tokens": Server.prompt_tokens, "completion_tokens": 256}
        if body.get("stream") and not isinstance(message["content"], list):
            events = [{"choices": [{"delta": {name: text[at:at + 7]}}]} for name, text in message.items()
                      for at in range(0, len(text or ""), 7)]
            events += [{"choices": [{"delta": {}, "finish_reason": reason}]}, {"choices": [], "usage": usage}]
            data = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
            self.reply("text/event-stream", data)
        else:
            self.reply("application/json", json.dumps(
                {"choices": [{"message": message, "finish_reason": reason}], "usage": usage}))

    def reply(self, kind, text):
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class Thinking(ProgramTest):
    def setUp(self):
        super().setUp()
        self.store = self.folder / "halls.store"
        self.must("index", self.write("halls.csv", TABLE), "--store", self.store)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def ask(self, model):
        spec = f"http://127.0.0.1:{self.server.server_address[1]}#{model}"
        return self.call("ask", QUESTION, "--store", self.store, "-g", spec, "--json")

    def test_the_answer_is_what_follows_the_thoughts(self):
        for model in REPLIES:
            if model in EMPTY:
                continue
            with self.subTest(model=model):
                result = self.ask(model)
                self.assertEqual(result.code, 0, result.err)
                (answer,) = result.records()
                self.assertIn("9,137", answer["answer"])
                self.assertNotIn("8,412", answer["answer"])
                self.assertTrue(answer["answerable"])
                self.assertEqual(answer["citations"][0]["doc"], "halls.csv")

    def test_a_reply_without_text_is_an_error_and_no_abstention(self):
        for model, why in EMPTY.items():
            with self.subTest(model=model):
                self.assert_one_error(self.ask(model), 4, why, model)

    def test_generate_prints_no_thoughts(self):
        spec = f"http://127.0.0.1:{self.server.server_address[1]}#"
        self.assertEqual(self.must("generate", "?", "-g", spec + "think").out, GOOD + "\n")
        (record,) = self.must("generate", "?", "-g", spec + "think", "--json").records()
        self.assertEqual(record["text"], GOOD)
        self.assertGreater(record["thought_tokens"], 0)
        self.assert_one_error(self.call("generate", "?", "-g", spec + "think-cut"), 4, "went into thinking")

    def test_a_prompt_that_the_server_cut_is_reported_once(self):
        self.addCleanup(setattr, Server, "prompt_tokens", 1000)
        Server.prompt_tokens = 12
        self.assertIn("read 12 tokens of a prompt of at least", self.ask("plain").err)
        Server.prompt_tokens = 100000
        self.assertNotIn("it has cut the prompt", self.ask("plain").err)


if __name__ == "__main__":
    unittest.main()
