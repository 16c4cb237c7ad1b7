"""`serve` as OpenAI's own Python client sees it."""

import json
import math
import unittest

import program
from clients import needs_clients, run_client
from served import ServedTest, events_of

HARBOR = "harbor-annual-report.pdf"
QUESTION = {"role": "user", "content": "Who audited the accounts of the ferry company?"}


@needs_clients
class Client(ServedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        nets = "nets" if program.HAS_NETS else "none"
        cls.got = run_client("openai_client.py", cls.server.address, nets)

    def test_models_are_the_ways_to_answer(self):
        self.assertIn("extractive", self.got["models"])
        self.assertNotIn("hkrag", self.got["models"])
        self.assertEqual(self.got["model"]["id"], "extractive")

    def test_a_reply_carries_its_citations(self):
        chat = self.got["chat"]
        (choice,) = chat["choices"]
        self.assertEqual(choice["finish_reason"], "stop")
        content = choice["message"]["content"]
        self.assertIn("Tern & Pollock", content)
        self.assertIn(f"[1] {HARBOR}, page 2: ", content)
        first = choice["message"]["annotations"][0]["url_citation"]
        self.assertTrue(
            content[first["start_index"] : first["end_index"]].startswith(f"[1] {HARBOR}, page 2")
        )
        self.assertEqual(first["title"], f"{HARBOR}, page 2")
        self.assertTrue(
            first["url"].startswith(f"{self.server.address}/#doc={HARBOR}&page=2&mark="),
            first["url"],
        )
        self.assertEqual(chat["fineprint"]["citations"][0]["doc"], HARBOR)
        self.assertEqual(chat["usage"]["total_tokens"], 0)

    def test_a_stream_says_the_same(self):
        *said, last, usage = self.got["chunks"]
        content = "".join(one["choices"][0]["delta"]["content"] or "" for one in said)
        self.assertEqual(content, self.got["chat"]["choices"][0]["message"]["content"])
        self.assertEqual(said[0]["choices"][0]["delta"]["role"], "assistant")
        self.assertEqual(last["choices"][0]["finish_reason"], "stop")
        self.assertEqual(last["fineprint"]["citations"][0]["doc"], HARBOR)
        self.assertEqual(usage["choices"], [])
        self.assertEqual(usage["usage"]["completion_tokens"], 0)
        self.assertEqual(len({one["id"] for one in self.got["chunks"]}), 1)

    def test_documents_can_be_chosen(self):
        cited = self.got["limited"]["fineprint"]["citations"]
        self.assertTrue(all(one["doc"].startswith("reef") for one in cited), cited)

    def test_a_picture_is_part_of_the_question(self):
        (record,) = self.got["pictured"]["fineprint"]["images"]
        self.assertEqual((record["name"], record["width"] > 0), ("picture 1", True))
        self.assertGreater(len(record["text"]), 20)
        self.assertIn("words", record["used"])

    def test_what_is_not_done_is_refused(self):
        for name, status, part in [
            ("model", 404, "gpt-9"),
            ("generator", 400, "--generator"),
            ("none", 400, "messages"),
            ("picture", 400, "must be a data URL in base64"),
            ("address", 400, "nothing is fetched from other servers"),
            ("file", 400, "'text' and 'image_url'"),
            ("many", 400, "'n'"),
            ("embedding", 404, "gpt-9"),
        ]:
            with self.subTest(name=name):
                self.assertEqual(self.got["refused"][name][0], status)
                self.assertIn(part, self.got["refused"][name][1])

    @program.needs_nets
    def test_embeddings_are_unit_vectors_in_either_coding(self):
        vectors = self.got["embeddings"]
        for vector in vectors:
            self.assertAlmostEqual(math.hypot(*vector), 1, places=5)
        for packed, plain in zip(vectors[0], self.got["plain"], strict=True):
            self.assertAlmostEqual(packed, plain, places=5)

        def likeness(a, b):
            return sum(x * y for x, y in zip(vectors[a], vectors[b], strict=True))

        self.assertGreater(likeness(0, 2), likeness(0, 1))


class Wire(ServedTest):
    """What needs no client of theirs."""

    def test_a_stream_ends_as_theirs_do(self):
        wanted = {"model": "extractive", "messages": [QUESTION], "stream": True}
        status, head, body = self.server.post("/v1/chat/completions", wanted)
        self.assertEqual((status, head["Content-Type"]), (200, "text/event-stream"))
        self.assertEqual(events_of(body)[-1], ("message", "[DONE]"))

    def ask(self, *messages):
        said = [{"role": ("user", "assistant")[i % 2], "content": text} for i, text in enumerate(messages)]
        wanted = {"model": "extractive", "messages": said}
        status, _, body = self.server.post("/v1/chat/completions", wanted)
        self.assertEqual(status, 200, body)
        reply = json.loads(body)
        return reply["choices"][0]["message"]["content"], reply["fineprint"]

    def test_a_follow_up_takes_what_it_needs_from_the_messages_before(self):
        first = "How many passengers can the Gannet carry?"
        said, record = self.ask(first)
        self.assertEqual(record["question"], first)
        self.assertNotIn("understood:", said)
        again, record = self.ask(first, said, "And the Storm Petrel?")
        self.assertEqual(record["question"], "How many passengers can the Storm Petrel carry?")
        self.assertTrue(again.endswith("\n\nunderstood: How many passengers can the Storm Petrel carry?"), again)
        # The second question is known by what the server understood, not by what was typed.
        _, record = self.ask(first, said, "And the Storm Petrel?", again, "When was it built?")
        self.assertEqual(record["question"], "When was the Storm Petrel built?")
        # A client that leaves that line out, or shortens the answers, gets the same.
        _, record = self.ask(first, "1,040", "And the Storm Petrel?", "", "When was it built?")
        self.assertEqual(record["question"], "When was the Storm Petrel built?")

    def test_the_document_that_was_cited_limits_the_search(self):
        _, record = self.ask("Who?", f"Some\n\n[1] {HARBOR}, page 2: x", "Which year is named in that document?")
        self.assertEqual({page["doc"] for page in record["retrieved"]}, {HARBOR})
        # A document that the store does not have limits nothing.
        _, record = self.ask("Who?", "Some\n\n[1] nothing.pdf, page 2: x", "Which year is named in that document?")
        self.assertGreater(len({page["doc"] for page in record["retrieved"]}), 1)

    def test_earlier_turns_are_taken_by_ask(self):
        turns = [{"question": "How many passengers can the Gannet carry?", "answer": "1,040"}]
        status, _, body = self.server.post("/v1/ask", {"question": "When was it built?", "earlier": turns})
        self.assertEqual((status, json.loads(body)["question"]), (200, "When was the Gannet built?"))
        wanted = {"question": "When was it built?", "earlier": turns, "stream": True}
        events = events_of(self.server.post("/v1/ask", wanted)[2])
        steps = [json.loads(data) for name, data in events if name == "step"]
        self.assertEqual(steps[0]["step"], "understood")
        self.assertEqual(steps[0]["question"], "When was the Gannet built?")
        for wrong in ("x", ["x"], [{"question": 7}]):
            self.refused(self.server.post("/v1/ask", {"question": "Who?", "earlier": wrong}), 400, "earlier")

    def test_wrong_requests_say_what_is_wrong(self):
        def chat(**more):
            return {"model": "extractive", "messages": [QUESTION], **more}

        for path, body, part in [
            ("/v1/chat/completions", chat(messages="x"), "messages"),
            ("/v1/chat/completions", chat(messages=[{"content": "x"}]), "role"),
            ("/v1/chat/completions", chat(messages=[{"role": "system", "content": "x"}]), "user"),
            ("/v1/chat/completions", chat(messages=[{"role": "user", "content": 7}]), "parts of the types"),
            ("/v1/chat/completions", chat(messages=[{"role": "user", "content": ""}]), "empty"),
            ("/v1/chat/completions", chat(response_format={"type": "json_object"}), "response_format"),
            ("/v1/chat/completions", chat(docs=["/etc/passwd", 7]), "docs"),
            ("/v1/embeddings", {"model": "x", "input": []}, "input"),
            ("/v1/embeddings", {"model": "x", "input": [[1, 2]]}, "input"),
            ("/v1/embeddings", {"model": "x", "input": "x", "dimensions": 3}, "dimensions"),
            ("/v1/embeddings", {"model": "x", "input": "x", "encoding_format": "y"}, "encoding_format"),
        ]:
            with self.subTest(body=str(body)[:80]):
                self.refused(self.server.post(path, body), 400, part)


if __name__ == "__main__":
    unittest.main()
