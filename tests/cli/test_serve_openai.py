"""`serve` as OpenAI's own Python client sees it."""

import json
import math
import unittest

import program
from clients import needs_clients, run_client
from program import DOCS
from served import ServedTest, events_of

HARBOR = "harbor-annual-report.pdf"
QUESTION = {"role": "user", "content": "Who audited the accounts of the ferry company?"}


@needs_clients
class Client(ServedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        nets = "nets" if program.HAS_NETS else "none"
        cls.got = run_client("openai_client.py", cls.server.address, nets, DOCS / "reef-survey-paper.pdf")
        cls.responses = cls.got["responses"]

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
        self.assertEqual((record["name"], record["width"] > 0), (record["name"], True))
        self.assertGreater(len(record["text"]), 20)
        self.assertIn("words", record["used"])

    def test_what_is_not_done_is_refused(self):
        for name, status, part in [
            ("model", 404, "gpt-9"),
            ("generator", 400, "--generator"),
            ("none", 400, "messages"),
            ("picture", 400, "messages[0].content[0].image_url.url"),
            ("address", 400, "messages[0].content[0].image_url.url"),
            ("audio", 400, "input_audio"),
            ("many", 400, "'n'"),
            ("embedding", 404, "gpt-9"),
        ]:
            with self.subTest(name=name):
                self.assertEqual(self.got["refused"][name][0], status)
                self.assertIn(part, self.got["refused"][name][1])

    def test_a_file_is_asked_alone(self):
        chat = self.got["file"]
        self.assertEqual({one["doc"] for one in chat["fineprint"]["retrieved"]}, {"paper.pdf"})
        self.assertEqual(chat["choices"][0]["message"]["annotations"], [])
        self.assertIn("[1] paper.pdf, page ", chat["choices"][0]["message"]["content"])

    def test_a_response_carries_its_citations(self):
        whole = self.responses["whole"]
        (item,) = whole["output"]
        (part,) = item["content"]
        content = self.got["chat"]["choices"][0]["message"]["content"]
        self.assertEqual((whole["status"], item["role"], part["text"]), ("completed", "assistant", content))
        first = part["annotations"][0]
        self.assertEqual((first["type"], first["filename"], first["page"]), ("file_citation", HARBOR, 2))
        self.assertTrue(content[first["index"] :].startswith(f"[1] {HARBOR}, page 2"), first)
        self.assertEqual(first["url"], self.got["chat"]["choices"][0]["message"]["annotations"][0]["url_citation"]["url"])
        self.assertEqual((whole["instructions"], whole["metadata"]), ("Be brief.", {"a": "b"}))
        self.assertEqual(whole["usage"]["total_tokens"], 0)

    def test_a_response_streams_typed_events(self):
        events = self.responses["events"]
        kinds = [event["type"].removeprefix("response.") for event in events]
        self.assertEqual(
            list(dict.fromkeys(kinds)),
            ["created", "in_progress", "output_item.added", "content_part.added", "output_text.delta",
             "output_text.annotation.added", "output_text.done", "content_part.done", "output_item.done",
             "completed"],
        )
        self.assertEqual([event["sequence_number"] for event in events], list(range(len(events))))
        said = "".join(event["delta"] for event in events if event["type"] == "response.output_text.delta")
        final = self.responses["final"]["output"][0]["content"][0]
        self.assertEqual(final["text"], said)
        whole = self.responses["whole"]["output"][0]["content"][0]
        self.assertEqual((final["text"], final["annotations"]), (whole["text"], whole["annotations"]))
        added = [event["annotation"] for event in events if "annotation" in event]
        self.assertEqual(added, whole["annotations"])
        self.assertEqual(self.responses["failed"]["type"], "response.failed")
        error = self.responses["failed"]["response"]["error"]
        self.assertEqual((error["code"], error["message"]), ("invalid_prompt", "the question is empty"))

    def test_a_response_continues_another(self):
        second, third = self.responses["second"], self.responses["third"]
        understood = "How many passengers can the Storm Petrel carry?"
        self.assertEqual(second["previous_response_id"], self.responses["first"])
        self.assertEqual(second["fineprint"]["question"], understood)
        self.assertEqual(third["fineprint"]["question"], "When was the Storm Petrel built?")
        self.assertEqual(self.responses["items"]["fineprint"]["question"], understood)

    def test_a_response_keeps_its_file(self):
        for name in ("file", "file_again"):
            record = self.responses[name]["fineprint"]
            self.assertEqual({one["doc"] for one in record["retrieved"]}, {"paper.pdf"}, name)

    def test_a_response_is_read_again(self):
        self.assertEqual(self.responses["again"], self.responses["second"])
        again, final = self.responses["streamed_again"], self.responses["final"]
        for part in ("id", "created_at", "status", "usage", "fineprint"):
            self.assertEqual(again[part], final[part], part)

    def test_responses_refuse_what_is_not_done(self):
        for name, status, part in [
            ("model", 404, "gpt-9"),
            ("tools", 400, "weather"),
            ("kept", 404, "previous_response_id"),
            ("url", 400, "input[0].content[0].file_url"),
            ("background", 400, "background"),
            ("deleted", 404, "resp_"),
            ("unknown", 404, "resp_1"),
        ]:
            with self.subTest(name=name):
                self.assertEqual(self.responses["refused"][name][0], status)
                self.assertIn(part, self.responses["refused"][name][1])

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
            ("/v1/chat/completions", chat(messages=[{"role": "user", "content": 7}]), "messages[0].content"),
            ("/v1/chat/completions", chat(messages=[{"role": "user", "content": ""}]), "empty"),
            ("/v1/chat/completions", chat(response_format={"type": "json_object"}), "response_format"),
            ("/v1/chat/completions", chat(response_format={"type": 7}), "response_format.type"),
            ("/v1/chat/completions", chat(tools=[{"function": {"name": "weather"}}]), "weather"),
            ("/v1/chat/completions", chat(messages=[{"role": "user", "content": [{"type": 7}]}]), "content[0].type"),
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
