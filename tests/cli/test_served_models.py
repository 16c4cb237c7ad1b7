"""Models that people have: on a server, named in a word; what is said of those that cannot be run;
and what an answer is worth that is a model's word alone."""

import json
import socket
import struct
import unittest

from chat_server import free_port
from plain_server import PlainServer, reply_from
from program import QUICK, ProgramTest

QUESTION = "On what date will the annual general meeting be held?"
DATE = "16 May 2024"
GGUF = b"GGUF\x03\x00\x00\x00"


class ServedModels(ProgramTest):
    def ask(self, generator, *more, code=0, **options):
        # What replies alone are worth: the check of replies has tests of its own.
        arguments = ["--store", self.native_store(), *QUICK, "--check", "off", "--generator", generator]
        return self.must("ask", QUESTION, *arguments, *more, code=code, **options)

    def record(self, generator, *more):
        (answer,) = self.ask(generator, "--json", *more).records()
        return answer

    def test_a_named_model_is_asked_by_the_pipeline_for_generators(self):
        with PlainServer(reply_from(DATE, DATE)) as server:
            answer = self.record(f"{server.address}#tiny")
            self.assertEqual((answer["pipeline"], answer["generator"]), ("investigate", "tiny"))
            self.assertEqual(answer["answer"], DATE)
            self.assertEqual(server.asked, ["tiny"])

    def test_a_pipeline_that_was_chosen_stays_and_says_what_it_does_not_use(self):
        with PlainServer(reply_from(DATE, DATE)) as server:
            result = self.ask(server.address, "--pipeline", "extractive", "--json")
            self.assertEqual(result.records()[0]["pipeline"], "extractive")
            self.assertIn("investigate", result.err)
            self.assertIn(server.address, result.err)
            self.assertEqual(server.asked, [])

    def test_a_server_that_is_not_there_is_4(self):
        port = free_port()
        for spec in (f"http://localhost:{port}", f"http://localhost:{port}#tiny"):
            result = self.ask(spec, "--api-retries", "0", code=4)
            self.assert_one_error(result, 4, f"localhost:{port}", "check that the server runs")

    def test_an_empty_file_is_an_error(self):
        file = self.write("empty.bin", "")
        self.assert_one_error(self.ask(file, code=4), 4, file)

    def test_the_addresses_that_people_give(self):
        with PlainServer(reply_from(DATE, DATE)) as server:
            for spec in [
                server.address,
                f"{server.address}/",
                f"{server.address}/v1",
                f"{server.address}#tiny",
                f"{server.address}/v1#tiny",
                f"openai:{server.address}/v1",
                f"openai:{server.address}/v1#tiny",
            ]:
                with self.subTest(spec=spec):
                    self.assertEqual(self.record(spec)["generator"], "tiny")

    def test_names_of_programs_stand_for_their_ports(self):
        for program, port in [("ollama", 11434), ("lmstudio", 1234)]:
            try:
                server = PlainServer(reply_from(DATE, DATE), ["one:3b"], port)
            except OSError:
                continue  # the program itself may be running here
            with server:
                for spec in (f"{program}:one:3b", f"{program}:"):
                    self.assertEqual(self.record(spec)["generator"], "one:3b")

    def test_a_server_with_several_models_names_them(self):
        with PlainServer(reply_from(DATE, DATE), ["small", "large"]) as server:
            result = self.ask(server.address, code=2)
            self.assert_one_error(result, 2, "small, large", f"{server.address}#small")
            self.assertEqual(self.record(f"{server.address}#large")["generator"], "large")
        with PlainServer(reply_from(DATE, DATE), []) as server:
            self.assert_one_error(self.ask(server.address, code=4), 4, "no model")

    def test_a_gguf_file_that_is_not_run_here_says_what_runs_it(self):
        file = self.folder / "model-Q4_K_M.gguf"
        key, value = b"general.architecture", b"mamba"
        file.write_bytes(GGUF + struct.pack("<QQQ", 0, 1, len(key)) + key
                         + struct.pack("<IQ", 8, len(value)) + value)
        for spec in (file, self.folder):
            result = self.ask(spec, code=4)
            self.assert_one_error(result, 4, "mamba", "llama-server", file.name,
                                  "http://localhost:8080")
        file.write_bytes(GGUF)
        self.assert_one_error(self.ask(file, code=4), 4, file.name, "cut off")

    def test_a_reply_in_words_that_is_no_answer_abstains(self):
        for text in [
            "I cannot find that in the documents.",
            "Unfortunately, the provided passages do not mention any meeting.",
        ]:
            with PlainServer(lambda _, text=text: text) as server:
                for more in ([], ["--answer-format", "text"]):
                    answer = self.record(server.address, *more)
                    self.assertFalse(answer["answerable"], answer)
                    self.assertEqual(answer["answer"], "Not answerable")

    def test_confidence_is_what_the_pages_support(self):
        def confidence(answer, words):
            with PlainServer(reply_from(answer, words)) as server:
                return self.record(server.address)["confidence"]

        right = confidence(DATE, DATE)
        elsewhere = confidence(DATE, "gauge")
        invented = confidence("3 March 2031 in Reykjavik", DATE)
        self.assertGreater(right, 0.5)
        self.assertLess(right, 1)
        self.assertLess(elsewhere, right)
        self.assertLess(invented, right / 2)

    def test_a_reply_that_does_not_fit_is_never_certain(self):
        with PlainServer(lambda _: f"{{It is {DATE}") as server:
            answer = self.record(server.address)
            self.assertGreater(answer["usage"]["malformed"], 0)
            self.assertLess(answer["confidence"], 1)
        with PlainServer(lambda _: "It is the 31st of Zyzzyva") as server:
            self.assertLess(self.record(server.address)["confidence"], 0.5)

    def test_min_confidence_goes_by_what_is_supported(self):
        with PlainServer(reply_from("3 March 2031 in Reykjavik", DATE)) as server:
            answer = self.record(server.address, "--min-confidence", "0.5")
            self.assertFalse(answer["answerable"], answer)

    def test_textrag_cites_sentences(self):
        with PlainServer(reply_from(DATE, DATE)) as server:
            answer = self.record(server.address, "--pipeline", "textrag")
        self.assertTrue(answer["citations"])
        for citation in answer["citations"]:
            self.assertTrue(citation["boxes"], citation)
            self.assertLess(len(citation["quote"]), 300, citation)
        self.assertIn(DATE, answer["citations"][0]["quote"])

    def test_pipelines_tell_how_their_pages_are_found(self):
        text = self.must("pipelines").out
        self.assertIn("--retriever MODEL", text)
        self.assertIn("--scorer bm25,text", text)
        needing = {row["name"]: row["encoder"] for row in self.must("pipelines", "--json").records()}
        self.assertTrue(needing["visualrag"])
        self.assertFalse(needing["textrag"])

    def test_missing_page_encoders_name_both_remedies(self):
        script = self.write("s.jsonl", json.dumps({
            "agent": "answer.pages", "reply": {"answer": DATE, "answerable": True, "pages": [0]},
        }) + "\n")  # fmt: skip
        arguments = ["--store", self.native_store(), "--generator", f"script:{script}"]
        visual = ["ask", QUESTION, *arguments, "--pipeline", "visualrag"]
        result = self.must(*visual)
        self.assertIn("index PATH", result.err)
        self.assertIn("--retriever MODEL", result.err)
        self.assertIn("--scorer bm25,text", result.err)
        result = self.call(*visual, "--strict")
        self.assert_one_error(result, 3, "--retriever MODEL", "--scorer bm25")


if __name__ == "__main__":
    unittest.main()
