"""`serve` as the clients of Anthropic and Ollama see it, and what all dialects have in common."""

import base64
import contextlib
import json
import unittest

import program
from clients import needs_clients, run_client
from plain_server import PlainServer, reply_from
from program import DOCS, QUICK
from served import PLAIN, ServedTest, Server, events_of

HARBOR = "harbor-annual-report.pdf"
QUESTION = "Who audited the accounts of the ferry company?"
CHAT = [{"role": "user", "content": QUESTION}]

# The path, and what a request needs besides the model.
DIALECTS = [
    ("/v1/chat/completions", {"messages": CHAT}),
    ("/v1/responses", {"input": QUESTION}),
    ("/v1/messages", {"messages": CHAT, "max_tokens": 100}),
    ("/api/chat", {"messages": CHAT, "stream": False}),
    ("/api/generate", {"prompt": QUESTION, "stream": False}),
]


def text_of(path, reply):
    """What a reply says."""
    if path == "/v1/chat/completions":
        return reply["choices"][0]["message"]["content"]
    if path == "/v1/responses":
        return reply["output"][0]["content"][0]["text"]
    if path == "/v1/messages":
        return "".join(block["text"] for block in reply["content"])
    return reply["message"]["content"] if path == "/api/chat" else reply["response"]


def tokens_of(path, reply):
    """The tokens that a reply says were read and written."""
    if path == "/v1/chat/completions":
        return reply["usage"]["prompt_tokens"], reply["usage"]["completion_tokens"]
    if path == "/v1/responses":
        return reply["usage"]["input_tokens"], reply["usage"]["output_tokens"]
    if path == "/v1/messages":
        usage = reply["usage"]
        return usage["input_tokens"] + usage["cache_read_input_tokens"], usage["output_tokens"]
    return reply["prompt_eval_count"], reply["eval_count"]


def message_of(path, body):
    """The message of an error in the dialect's own form."""
    error = json.loads(body)["error"]
    if path.startswith("/api/"):
        return error
    if path.startswith("/v1/messages"):
        assert json.loads(body)["type"] == "error", body
    return error["message"]


@needs_clients
class Anthropic(ServedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        paper = DOCS / "reef-survey-paper.pdf"
        cls.got = run_client("anthropic_client.py", cls.server.address, paper)

    def test_models_are_the_ways_to_answer(self):
        self.assertIn("extractive", self.got["models"])
        self.assertNotIn("hkrag", self.got["models"])

    def test_a_message_carries_its_citations(self):
        message = self.got["message"]
        answer, lines = message["content"]
        self.assertIn("Tern & Pollock", answer["text"])
        first = answer["citations"][0]
        self.assertEqual(
            (first["type"], first["document_title"], first["start_page_number"], first["end_page_number"]),
            ("page_location", HARBOR, 2, 3),
        )
        self.assertIn("Tern & Pollock", first["cited_text"])
        self.assertTrue(lines["text"].startswith(f"\n\n[1] {HARBOR}, page 2: "), lines)
        self.assertEqual((message["stop_reason"], message["role"]), ("end_turn", "assistant"))
        self.assertEqual(message["fineprint"]["citations"][0]["doc"], HARBOR)

    def test_a_stream_says_the_same(self):
        for part in ("content", "usage", "stop_reason"):
            self.assertEqual(self.got["streamed"][part], self.got["message"][part], part)
        raw = [kind for kind in self.got["events"] if kind not in ("text", "citation")]
        self.assertEqual(raw[:2], ["message_start", "content_block_start"])
        self.assertEqual(raw[-3:], ["content_block_stop", "message_delta", "message_stop"])

    def test_a_follow_up_is_understood(self):
        record = self.got["follow_up"]["fineprint"]
        self.assertEqual(record["question"], "How many passengers can the Storm Petrel carry?")

    def test_a_document_is_asked_alone(self):
        message = self.got["document"]
        self.assertEqual({one["doc"] for one in message["fineprint"]["retrieved"]}, {"The reef.pdf"})
        for citation in message["content"][0]["citations"]:
            self.assertEqual((citation["document_index"], citation["document_title"]), (0, "The reef.pdf"))

    def test_tokens_of_presets_without_a_generator_are_counted(self):
        self.assertEqual(self.got["tokens"], self.got["message"]["usage"]["input_tokens"])

    def test_what_is_not_done_is_refused(self):
        for name, status, kind, part in [
            ("model", 404, "not_found_error", "claude-9"),
            ("tools", 400, "invalid_request_error", "weather"),
            ("url", 400, "invalid_request_error", "messages[0].content[0].source.type"),
            ("damaged", 422, "invalid_request_error", "document.pdf"),
        ]:
            with self.subTest(name=name):
                self.assertEqual(self.got["refused"][name][:2], [status, kind])
                self.assertIn(part, self.got["refused"][name][2])
        self.assertEqual(self.got["refused"]["stream"][1:], ["invalid_request_error", "the question is empty"])


@needs_clients
class Ollama(ServedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        nets = "nets" if program.HAS_NETS else "none"
        cls.got = run_client("ollama_client.py", cls.server.address, DOCS / "notice-board.png", nets)

    def test_models_are_the_ways_to_answer(self):
        self.assertIn("extractive", self.got["models"])
        self.assertNotIn("hkrag", self.got["models"])
        self.assertEqual(self.got["show"]["capabilities"], ["completion"])
        self.assertEqual(self.got["show"]["modelinfo"]["general.name"], "extractive")

    def test_a_chat_and_a_text_say_the_same(self):
        content = self.got["chat"]["message"]["content"]
        self.assertIn("Tern & Pollock", content)
        self.assertIn(f"[1] {HARBOR}, page 2: ", content)
        self.assertEqual((self.got["chat"]["done"], self.got["chat"]["done_reason"]), (True, "stop"))
        self.assertEqual(self.got["generate"]["response"], content)
        chunks, pieces = self.got["chunks"], self.got["pieces"]
        self.assertEqual("".join(one["message"]["content"] for one in chunks), content)
        self.assertEqual("".join(one["response"] for one in pieces), content)
        self.assertEqual([one["done"] for one in chunks], [False] * (len(chunks) - 1) + [True])
        self.assertEqual((chunks[-1]["prompt_eval_count"], chunks[-1]["eval_count"]), (0, 0))
        self.assertGreater(chunks[-1]["total_duration"], 0)

    def test_a_model_can_be_loaded(self):
        self.assertEqual((self.got["load"]["response"], self.got["load"]["done_reason"]), ("", "load"))

    def test_a_picture_is_read(self):
        self.assertTrue(self.got["picture"]["message"]["content"])
        seen = base64.b64encode((DOCS / "notice-board.png").read_bytes()).decode()
        message = {"role": "user", "content": "What coin do the lockers take?", "images": [seen]}
        # The client leaves out members that it does not know.
        reply = self.json(self.server.post(
            "/api/chat", {"model": "extractive", "messages": [message], "stream": False}))
        (record,) = reply["fineprint"]["images"]
        self.assertIn("Lockers take a", record["text"])

    def test_what_is_not_done_is_refused(self):
        for name, status, part in [
            ("model", 404, "llama9"),
            ("tools", 400, "weather"),
            ("format", 400, "format"),
            ("pull", 404, "nothing at this path"),
            ("stream", -1, "the question is empty"),
        ]:
            with self.subTest(name=name):
                self.assertEqual(self.got["refused"][name][0], status)
                self.assertIn(part, self.got["refused"][name][1])

    @program.needs_nets
    def test_both_kinds_of_embeddings_agree(self):
        self.assertEqual(len(self.got["embed"]), 2)
        for one, other in zip(self.got["embed"][0], self.got["embeddings"], strict=True):
            self.assertAlmostEqual(one, other, places=5)


class Every(ServedTest):
    """What needs no client of theirs."""

    def ask(self, path, more, status=200):
        got, _, body = self.server.post(path, {"model": "extractive", **more})
        self.assertEqual(got, status, body)
        return body

    def test_dialects_say_the_same(self):
        said = [text_of(path, json.loads(self.ask(path, more))) for path, more in DIALECTS]
        self.assertIn("Tern & Pollock", said[0])
        self.assertEqual(said, said[:1] * len(DIALECTS))

    def test_dialects_stream_the_same(self):
        for path, more in DIALECTS:
            whole = text_of(path, json.loads(self.ask(path, more)))
            body = self.ask(path, {**more, "stream": True})
            with self.subTest(path=path):
                if path.startswith("/api/"):
                    lines = [json.loads(line) for line in body.decode().splitlines()]
                    said = "".join(text_of(path, line) for line in lines)
                else:
                    events = [json.loads(data) for _, data in events_of(body) if data != "[DONE]"]
                    said = "".join(delta_of(event) for event in events)
                self.assertEqual(said, whole)

    def test_errors_have_the_form_of_their_dialect(self):
        for path, more in DIALECTS:
            for wrong, status, part in [
                ({"model": "gpt-9"}, 404, "gpt-9"),
                ({"model": 7}, 400, "model"),
                ({"docs": ["nothing.pdf"]}, 404, "nothing.pdf"),
                ({"tools": [{"name": "weather"}]}, 400, "weather"),
                ({"stream": "yes"}, 400, "stream"),
            ]:
                with self.subTest(path=path, wrong=wrong):
                    body = self.ask(path, {**more, **wrong}, status)
                    self.assertIn(part, message_of(path, body))
            sent = {"Content-Type": "application/json"}
            for body, status in [(b"{", 400), (b"x" * 45_000_000, 413)]:
                got, _, reply = self.server.request("POST", path, body, sent)
                self.assertEqual(got, status, reply[:200])
                self.assertTrue(message_of(path, reply))
            got, _, reply = self.server.get(path)
            self.assertEqual(got, 405, reply)
            self.assertIn("GET", message_of(path, reply))

    def test_documents_can_be_chosen(self):
        for path, more in DIALECTS:
            more = json.loads(json.dumps(more).replace(QUESTION, "How many banks were surveyed?"))
            record = json.loads(self.ask(path, {**more, "docs": ["reef*"]}))["fineprint"]
            self.assertEqual({page["doc"] for page in record["retrieved"]}, {"reef-survey-paper.pdf"}, path)

    def test_many_and_scanned_files_are_read(self):
        def part(name):
            data = base64.b64encode((DOCS / name).read_bytes()).decode()
            return {"type": "file", "file": {"filename": name, "file_data": data}}

        names = [HARBOR, "handbook.html", "notice-board.png"]
        parts = [*map(part, names), {"type": "text", "text": QUESTION}]
        chat = json.loads(self.ask("/v1/chat/completions", {"messages": [{"role": "user", "content": parts}]}))
        self.assertIn("Tern & Pollock", chat["choices"][0]["message"]["content"])
        self.assertLessEqual({page["doc"] for page in chat["fineprint"]["retrieved"]}, set(names))
        # They are not in the store.
        self.assertEqual(self.server.get("/v1/documents", match="notice-board.png")[0], 404)

    def test_a_file_that_cannot_be_read_is_named(self):
        damaged = base64.b64encode(b"%PDF-1.7 nothing").decode()
        part = {"type": "file", "file": {"filename": "a.pdf", "file_data": damaged}}
        messages = [{"role": "user", "content": [part, {"type": "text", "text": "Who?"}]}]
        error = json.loads(self.ask("/v1/chat/completions", {"messages": messages}, 422))["error"]
        self.assertTrue(error["message"].startswith("a.pdf"), error)
        self.assertNotIn("/", error["message"])


def delta_of(event):
    """The text of an event of OpenAI's or Anthropic's streams."""
    if "choices" in event:
        return "".join(one["delta"].get("content") or "" for one in event["choices"])
    if event["type"] == "response.output_text.delta":
        return event["delta"]
    return event["delta"].get("text", "") if event["type"] == "content_block_delta" else ""


class WithoutUploads(ServedTest):
    @classmethod
    def more_arguments(cls):
        return ["--max-upload", "0"]

    def test_files_are_refused_too(self):
        source = {"type": "text", "media_type": "text/plain", "data": "It rains."}
        content = [{"type": "document", "source": source}, {"type": "text", "text": "Does it rain?"}]
        wanted = {"model": "extractive", "max_tokens": 9, "messages": [{"role": "user", "content": content}]}
        status, _, body = self.server.post("/v1/messages", wanted)
        self.assertEqual((status, json.loads(body)["error"]["type"]), (403, "permission_error"))
        self.assertIn("--max-upload", message_of("/v1/messages", body))


class Files(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        self.server = Server(self, self.native_store(), *PLAIN, env={"TMPDIR": str(self.temporary)})
        self.addCleanup(self.server.stop)

    def ask(self, files, question):
        parts = [{"type": "document", "title": name, "source": source} for name, source in files]
        content = [*parts, {"type": "text", "text": question}]
        wanted = {"model": "extractive", "max_tokens": 9, "messages": [{"role": "user", "content": content}]}
        status, _, body = self.server.post("/v1/messages", wanted)
        return status, json.loads(body)

    def test_they_are_read_once_in_a_private_folder_and_removed(self):
        # More than other requests may have.
        text = "The keeper of the lighthouse is called Brenda Mull.\n" + "It rained all day and nothing passed the light. " * 25_000
        files = [("log.txt", {"type": "text", "media_type": "text/plain", "data": text})]
        for question in ("Who is the keeper of the lighthouse?", "What is the keeper called?"):
            status, reply = self.ask(files, question)
            self.assertEqual(status, 200, reply)
            self.assertIn("Brenda Mull", reply["content"][0]["text"])
            (folder,) = self.temporary.glob("fineprint-sent-*")
            self.assertEqual(folder.stat().st_mode & 0o777, 0o700)
        self.assertEqual(self.server.stop()[0], 0)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_too_many_scanned_pages_are_refused_before_they_are_recognised(self):
        data = base64.b64encode((DOCS / "slides-no-text.pdf").read_bytes()).decode()
        source = {"type": "base64", "media_type": "application/pdf", "data": data}
        status, reply = self.ask([(f"slides {i}", source) for i in range(15)], "Who?")
        self.assertEqual((status, reply["error"]["type"]), (413, "request_too_large"))
        self.assertIn("scanned pages", reply["error"]["message"])
        self.assertEqual(list(self.temporary.glob("fineprint-sent-*")), [])

    def test_large_requests_are_limited_in_number(self):
        head = ("POST /api/chat HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                "Content-Length: 2000000\r\n\r\n").encode()
        connections, reply = [], b""
        for _ in range(4 + 16 + 20):
            connection = self.server.raw()
            self.addCleanup(connection.close)
            connection.sendall(head)
            connections.append(connection)
            connection.settimeout(0.2)
            with contextlib.suppress(TimeoutError):
                while piece := connection.recv(10_000):  # head and body come apart
                    reply += piece
            if reply:
                break
        self.assertIn(b" 429 ", reply.split(b"\r\n")[0])
        self.assertIn(b'{"error":"', reply)
        self.assertGreater(len(connections), 20)
        # Small ones are answered meanwhile.
        wanted = {"model": "extractive", "stream": False, "messages": CHAT}
        self.assertEqual(self.server.post("/api/chat", wanted)[0], 200)


class WithToken(ServedTest):
    TOKEN = "a-token-of-enough-letters"

    @classmethod
    def more_arguments(cls):
        file = cls.class_folder / "token"
        file.write_text(cls.TOKEN)
        return ["--token-file", file]

    def test_either_way_to_show_it_is_accepted(self):
        for path, more in DIALECTS:
            wanted = {"model": "extractive", **more}
            for head, status in [
                ({"x-api-key": self.TOKEN}, 200),
                ({"Authorization": f"Bearer {self.TOKEN}"}, 200),
                ({"x-api-key": "wrong"}, 401),
                ({}, 401),
            ]:
                with self.subTest(path=path, head=head):
                    got, _, body = self.server.post(path, wanted, head)
                    self.assertEqual(got, status, body)
                    if status == 401:
                        self.assertIn("token", message_of(path, body))


class Tokens(program.ProgramTest):
    def test_all_dialects_count_the_same(self):
        usage = {"prompt_tokens": 1234, "completion_tokens": 56, "total_tokens": 1290,
                 "prompt_tokens_details": {"cached_tokens": 1000}}
        name = "Tern & Pollock LLP"
        with PlainServer(reply_from(name, name), usage=usage) as models:
            server = Server(self, self.native_store(), *QUICK, "--generator", models.address,
                            "--check", "off", "--pipeline", "textrag")
            self.addCleanup(server.stop)
            for path, more in DIALECTS:
                with self.subTest(path=path):
                    status, _, body = server.post(path, {"model": "textrag", **more})
                    self.assertEqual(status, 200, body)
                    reply = json.loads(body)
                    self.assertEqual(tokens_of(path, reply), (1234, 56))
                    spent = reply["fineprint"]["usage"]
                    self.assertEqual((spent["prompt_tokens"], spent["output_tokens"]), (1234, 56))
            wanted = {"model": "textrag", "messages": CHAT}
            status, _, body = server.post("/v1/messages/count_tokens", wanted)
            self.assertEqual(status, 400, body)
            self.assertIn("only afterwards", message_of("/v1/messages", body))
            # At the end of a stream, too.
            wanted = {"model": "textrag", "messages": CHAT, "max_tokens": 9, "stream": True}
            events = events_of(server.post("/v1/messages", wanted)[2])
            (last,) = [json.loads(data) for kind, data in events if kind == "message_delta"]
            self.assertEqual(tokens_of("/v1/messages", last), (1234, 56))


if __name__ == "__main__":
    unittest.main()
