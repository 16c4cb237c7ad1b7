"""`serve` as OpenAI's own Python client sees it."""

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

    def test_what_is_not_done_is_refused(self):
        for name, status, part in [
            ("model", 404, "gpt-9"),
            ("generator", 400, "--generator"),
            ("none", 400, "messages"),
            ("picture", 400, "only text parts are accepted"),
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

    def test_wrong_requests_say_what_is_wrong(self):
        def chat(**more):
            return {"model": "extractive", "messages": [QUESTION], **more}

        for path, body, part in [
            ("/v1/chat/completions", chat(messages="x"), "messages"),
            ("/v1/chat/completions", chat(messages=[{"content": "x"}]), "role"),
            ("/v1/chat/completions", chat(messages=[{"role": "system", "content": "x"}]), "user"),
            ("/v1/chat/completions", chat(messages=[{"role": "user", "content": 7}]), "text parts"),
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
