"""`serve`: what programs ask of it, what it refuses, and how it ends."""

import json
import pathlib
import shutil
import signal
import socket
import struct
import threading
import time
import unittest

import program
from pixels import Picture
from program import DOCS, QUICK
from served import PLAIN, ServedTest, Server, events_of

HARBOR = "harbor-annual-report.pdf"
QUESTION = "Who audited the accounts of the ferry company?"
TERN = "audited by Tern & Pollock LLP"


class Questions(ServedTest):
    def test_search_finds_what_the_program_finds(self):
        found = self.json(self.server.post("/v1/search", {"query": "ferry passengers", "k": 3}))
        printed = self.must(
            *["search", "ferry passengers", "--store", self.store, *QUICK, "-k", "3"],
            "--json",
        ).records()
        self.assertEqual(found["hits"], printed)
        self.assertEqual(found["query"], "ferry passengers")
        self.assertGreater(found["ms"], 0)

    def test_search_keeps_to_documents(self):
        wanted = {"query": "annual report", "docs": ["reef*"]}
        found = self.json(self.server.post("/v1/search", wanted))
        self.assertEqual({hit["doc"] for hit in found["hits"]}, {"reef-survey-paper.pdf"})

    def test_ask_answers_as_the_program_does(self):
        answer = self.json(self.server.post("/v1/ask", {"question": QUESTION}))
        (printed,) = self.must(
            "ask", QUESTION, "--store", self.store, *PLAIN, "--json"
        ).records()
        for record in (answer, printed):
            record["usage"].pop("ms")
        answer.pop("kept", None)  # if another test has asked it before
        self.assertEqual(answer, printed)
        self.assertIn("Tern & Pollock", answer["answer"])

    def test_ask_tells_its_steps_as_they_happen(self):
        wanted = {"question": QUESTION, "stream": True}
        status, head, body = self.server.post("/v1/ask", wanted)
        self.assertEqual((status, head["Content-Type"]), (200, "text/event-stream"))
        events = events_of(body)
        names = [name for name, _ in events]
        self.assertEqual(names[-1], "answer")
        self.assertGreater(names.count("step"), 0)
        self.assertIn("Tern & Pollock", json.loads(events[-1][1])["answer"])

    def test_an_error_in_a_stream_is_an_event(self):
        wanted = {"question": QUESTION, "stream": True, "pipeline": "textrag"}
        events = events_of(self.server.post("/v1/ask", wanted)[2])
        self.assertEqual([name for name, _ in events], ["error"])
        self.assertIn("--generator", json.loads(events[0][1])["error"]["message"])

    def test_a_trace_is_in_the_record_when_asked_for(self):
        self.assertNotIn("trace", self.json(self.server.post("/v1/ask", {"question": QUESTION})))
        wanted = {"question": QUESTION, "trace": True}
        self.assertGreater(len(self.json(self.server.post("/v1/ask", wanted))["trace"]), 0)

    def test_pipelines_say_which_can_be_used(self):
        told = self.json(self.server.get("/v1/pipelines"))
        self.assertEqual(told["default"], "extractive")
        usable = {way["name"]: way["usable"] for way in told["pipelines"]}
        self.assertTrue(usable["extractive"])
        self.assertFalse(usable["hkrag"])

    def test_wrong_requests_say_what_is_wrong(self):
        for path, body, status, part in [
            ("/v1/search", {}, 400, "query"),
            ("/v1/search", {"query": " "}, 400, "empty"),
            ("/v1/search", {"query": "x" * 20000}, 400, "20000"),
            ("/v1/search", {"query": "x", "k": 0}, 400, "'k'"),
            ("/v1/search", {"query": "x", "k": 10**30}, 400, "'k'"),
            ("/v1/search", {"query": "x", "kk": 1}, 400, "'kk'"),
            ("/v1/search", {"query": "x", "scorer": "nonsense"}, 400, "nonsense"),
            ("/v1/search", {"query": "x", "docs": ["none.pdf"]}, 404, "none.pdf"),
            ("/v1/search", {"query": "x", "docs": ["/"]}, 404, "/"),
            ("/v1/search", {"query": "x", "docs": ["*" * 2000]}, 400, "2000"),
            ("/v1/search", {"query": "x", "docs": 7}, 400, "'docs'"),
            ("/v1/search", ["x"], 400, "object"),
            ("/v1/ask", {"question": 7}, 400, "'question'"),
            ("/v1/ask", {"question": "x", "pipeline": "nonsense"}, 400, "nonsense"),
            ("/v1/ask", {"question": "x", "pipeline": "../x"}, 400, "../x"),
            ("/v1/ask", {"question": "x", "max_seconds": -1}, 400, "'max_seconds'"),
        ]:
            with self.subTest(path=path, body=str(body)[:60]):
                self.refused(self.server.post(path, body), status, part)

    def test_what_is_no_json_is_refused(self):
        sent = {"Content-Type": "application/json"}
        for body in [b"", b"{", b"{} x", b"\xff\xfe", b"[" * 5000]:
            with self.subTest(body=body[:10]):
                self.refused(self.server.request("POST", "/v1/ask", body, sent), 400)


class AskedAgain(ServedTest):
    def ask(self, question, **more):
        return self.json(self.server.post("/v1/ask", {"question": question, **more}))

    def test_the_answer_is_kept_with_its_times(self):
        question = "When was the survey of the reef made?"
        first, second = self.ask(question), self.ask(question)
        self.assertNotIn("kept", first)
        self.assertIs(second.pop("kept"), True)
        self.assertEqual(first, second)  # including the milliseconds
        # A question with less time gets it as well: nothing is left to do.
        self.assertIs(self.ask(question, max_seconds=0)["kept"], True)

    def test_a_client_may_ask_for_a_fresh_one(self):
        question = "Which birds were seen at the reef?"
        self.ask(question)
        fresh = {"Cache-Control": "no-cache"}
        again = self.json(self.server.post("/v1/ask", {"question": question}, fresh))
        self.assertNotIn("kept", again)
        kept = self.ask(question)
        self.assertIs(kept.pop("kept"), True)
        self.assertEqual(kept, again)
        asked = {"model": "extractive", "messages": [{"role": "user", "content": question}]}
        reply = self.json(self.server.post("/v1/chat/completions", asked, fresh))
        self.assertNotIn("kept", reply["fineprint"])

    def test_it_is_not_the_answer_to_another_question(self):
        question = "How many passengers used the ferry?"
        self.ask(question)
        for more in ({"docs": ["reef*"]}, {"trace": True}, {"earlier": [{"question": "Who audits?", "answer": "Tern"}]}):
            with self.subTest(more=more):
                self.assertNotIn("kept", self.ask(question, **more))
        self.assertIn("trace", self.ask(question, trace=True))

    def test_streams_and_other_dialects_say_so(self):
        question = "Which fish were counted at the reef?"
        self.ask(question)
        wanted = {"question": question, "stream": True}
        first, again = (events_of(self.server.post("/v1/ask", wanted)[2]) for _ in range(2))
        # The steps of the first answer are not known: nobody followed them.
        self.assertNotIn("kept", json.loads(first[-1][1]))
        self.assertEqual(json.loads(again[0][1])["step"], "kept")
        self.assertEqual(again[1:-1], [event for event in first[:-1] if event[0] == "step"])
        self.assertGreater(len(again), 2)
        self.assertIs(json.loads(again[-1][1])["kept"], True)
        wanted = {"model": "extractive", "messages": [{"role": "user", "content": question}]}
        reply = self.json(self.server.post("/v1/chat/completions", wanted))
        self.assertIs(reply["fineprint"]["kept"], True)
        self.assertRegex(self.server.get("/metrics")[2].decode(), r"(?m)^fineprint_kept_answers_total [1-9]")

    def test_what_was_cut_short_is_not_kept(self):
        question = "Who wrote the survey of the reef?"
        for seconds in (0, 0.001):
            status, _, body = self.server.post("/v1/ask", {"question": question, "max_seconds": seconds})
            self.assertIn(status, (200, 504), body)
            if status == 200 and "limit" not in json.loads(body):
                return  # a fast machine, which has answered in a millisecond
        self.assertNotIn("kept", self.ask(question))


class NothingKept(ServedTest):
    @classmethod
    def more_arguments(cls):
        return ["--kept-answers", "0"]

    def test_answers_are_made_each_time(self):
        for _ in range(2):
            self.assertNotIn("kept", self.json(self.server.post("/v1/ask", {"question": QUESTION})))


class ManyClients(ServedTest):
    @classmethod
    def setUpClass(cls):
        program.ProgramTest.setUpClass.__func__(cls)
        cls.server = Server(cls, cls.native_store(program.SCORERS), *program.SCORERS, "--qa", "none")
        cls.addClassCleanup(cls.server.stop)

    def test_fifty_searches_at_once_find_what_each_finds_alone(self):
        words = ["ferry", "harbor", "reef", "survey", "passengers", "auditor", "coral", "revenue"]
        queries = [f"{words[i % 8]} {words[(i // 8 + i) % 8]} {i}" for i in range(50)]
        alone = [self.json(self.server.post("/v1/search", {"query": one}))["hits"] for one in queries]
        together = [None] * len(queries)

        def search(number):
            together[number] = self.server.post("/v1/search", {"query": queries[number]})

        threads = [threading.Thread(target=search, args=[i]) for i in range(len(queries))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([self.json(one)["hits"] for one in together], alone)


class Pages(ServedTest):
    def test_documents_are_listed_without_their_places(self):
        told = self.json(self.server.get("/v1/documents"))
        self.assertEqual([one["doc"] for one in told["documents"]], sorted(program.NATIVE_TEXT))
        self.assertEqual(told["pages"], sum(one["pages"] for one in told["documents"]))
        self.assertNotIn(str(self.class_folder), json.dumps(told))
        told = self.json(self.server.get("/v1/documents", match="harbor*"))
        self.assertEqual([one["doc"] for one in told["documents"]], [HARBOR])

    def test_a_page_has_its_text_and_marks(self):
        told = self.json(self.server.get("/v1/page", doc=HARBOR, page=2, mark=TERN))
        self.assertIn("Tern & Pollock", told["text"])
        self.assertEqual(told["marks"][0]["quote"], TERN)
        self.assertEqual(len(told["marks"][0]["boxes"][0]), 4)

    def picture(self, **parameters):
        status, head, body = self.server.get("/v1/page/picture", doc=HARBOR, page=2, **parameters)
        self.assertEqual(status, 200, body[:300])
        file = self.folder / "page"
        file.write_bytes(body)
        return head["Content-Type"], body, file

    def test_a_picture_is_marked_where_the_quote_stands(self):
        kind, plain, file = self.picture(format="png")
        self.assertEqual(kind, "image/png")
        clean = Picture(file)
        _, marked, file = self.picture(format="png", mark=TERN)
        self.assertNotEqual(plain, marked)
        shown = self.folder / "shown.png"
        self.must(*["show", f"{HARBOR}#2", "--store", self.store, "--mark", TERN], "--out", shown)
        self.assertEqual(marked, shown.read_bytes())
        self.assertEqual((clean.width, clean.height), (Picture(shown).width, Picture(shown).height))
        box = self.json(self.server.get("/v1/page", doc=HARBOR, page=2, mark=TERN))["marks"][0]
        sides = ",".join(map(str, box["boxes"][0]))
        self.assertNotEqual(self.picture(format="png", box=sides)[1], plain)

    def test_a_picture_is_a_jpeg_unless_asked_otherwise(self):
        kind, small, _ = self.picture(dpi=40)
        self.assertEqual(kind, "image/jpeg")
        self.assertTrue(small.startswith(b"\xff\xd8"))
        self.assertLess(len(small), len(self.picture(dpi=200)[1]))

    def test_what_is_not_there_is_not_found(self):
        outside = self.write("outside.pdf", (DOCS / HARBOR).read_bytes().hex())
        for doc, page in [
            ("nothing.pdf", 1), ("*", 1), ("harbor*", 1), (str(outside), 1), ("../outside.pdf", 1),
            ("/etc/passwd", 1), (HARBOR, 0), (HARBOR, 10**6), ("", 1),
        ]:  # fmt: skip
            for path in ("/v1/page", "/v1/page/picture"):
                with self.subTest(doc=doc, page=page, path=path):
                    self.refused(self.server.get(path, doc=doc, page=page), 404)

    def test_wrong_parameters_are_named(self):
        wanted = {"doc": HARBOR, "page": 2}
        for more, status, part in [
            ({"page": "two"}, 400, "'page'"),
            ({"page": 10**30}, 400, "'page'"),
            ({"dpi": 10000}, 400, "dpi"),
            ({"dpi": "nan"}, 400, "dpi"),
            ({"format": "gif"}, 400, "format"),
            ({"mark": "nowhere to be found at all"}, 400, "nowhere"),
            ({"box": "1,2,3"}, 400, "box"),
            ({"file": "/etc/passwd"}, 400, "'file'"),
        ]:
            with self.subTest(more=more):
                reply = self.server.get("/v1/page/picture", **{**wanted, **more})
                self.refused(reply, status, part)


class Protocol(ServedTest):
    def test_state_is_told(self):
        told = self.json(self.server.get("/healthz"))
        self.assertEqual((told["status"], told["documents"]), ("ok", len(program.NATIVE_TEXT)))
        self.server.post("/v1/ask", {"question": QUESTION})
        status, head, body = self.server.get("/metrics")
        self.assertEqual((status, head["Content-Type"]), (200, "text/plain; version=0.0.4"))
        samples = dict(
            line.rsplit(" ", 1) for line in body.decode().splitlines() if not line.startswith("#")
        )
        self.assertGreaterEqual(
            int(samples['fineprint_requests_total{route="/v1/ask",status="200"}']), 1
        )
        self.assertGreater(float(samples["process_resident_memory_bytes"]), 1e6)
        self.assertGreaterEqual(
            int(samples['fineprint_answers_total{pipeline="extractive",answerable="true"}']), 1
        )

    def test_unknown_paths_and_methods_are_told_apart(self):
        self.refused(self.server.get("/v1/nothing"), 404)
        self.refused(self.server.get("/v1/ask"), 405)
        self.refused(self.server.request("DELETE", "/v1/documents"), 405)
        self.refused(self.server.get("/" + "x" * 3000), 414)

    def test_a_connection_serves_several_requests(self):
        with self.server.raw() as connection:
            file = connection.makefile("rb")
            for _ in range(3):
                head = f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n\r\n"
                connection.sendall(head.encode())
                self.assertIn(b"200", file.readline())
                length = 0
                while line := file.readline().strip():
                    if line.lower().startswith(b"content-length:"):
                        length = int(line.split(b":")[1])
                self.assertIn(b"ok", file.read(length))

    def test_other_names_of_the_server_are_refused(self):
        for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "10.0.0.1"):
            with self.subTest(host=host):
                self.refused(self.server.request("GET", "/healthz", host=host), 403, "--allowed-host")
        for host in ("localhost", f"LOCALHOST:{self.server.port}", "[::1]:80"):
            with self.subTest(host=host):
                self.assertEqual(self.server.request("GET", "/healthz", host=host)[0], 200)

    def test_pages_of_other_sites_may_not_ask(self):
        own = f"http://127.0.0.1:{self.server.port}"
        question = {"question": QUESTION}
        for origin in ("http://evil.example", "null", f"http://localhost:{self.server.port}"):
            with self.subTest(origin=origin):
                reply = self.server.post("/v1/ask", question, {"Origin": origin})
                self.refused(reply, 403)
        self.assertEqual(self.server.post("/v1/ask", question, {"Origin": own})[0], 200)
        cross = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
        self.refused(self.server.get("/v1/documents", cross), 403)
        visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
        self.assertEqual(self.server.get("/", visit)[0], 200)

    def test_forms_of_other_pages_are_no_requests(self):
        body = json.dumps({"question": QUESTION}).encode()
        for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            with self.subTest(kind=kind):
                reply = self.server.request("POST", "/v1/ask", body, {"Content-Type": kind})
                self.refused(reply, 415)

    def test_bodies_have_a_limit(self):
        sent = {"Content-Type": "application/json"}
        reply = self.server.request("POST", "/v1/embeddings", b"x" * 2_000_000, sent)
        self.refused(reply, 413, "2000000", "1000000")
        # A question may carry files, in base64.
        reply = self.server.request("POST", "/v1/ask", b"x" * 44_000_000, sent)
        self.refused(reply, 413, "44000000", "43666664")
        with self.server.raw() as connection:
            connection.sendall(
                f"POST /v1/embeddings HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
            )
            piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
            try:
                for _ in range(40):
                    connection.sendall(piece)
            except OSError:
                pass  # it may have hung up by now
            self.assertIn(b" 413 ", connection.makefile("rb").readline())

    def test_a_body_without_a_length_is_refused(self):
        with self.server.raw() as connection:
            connection.sendall(
                f"POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
                "Content-Type: application/json\r\n\r\n".encode()
            )
            self.assertIn(b" 411 ", connection.makefile("rb").readline())

    def test_heads_that_never_end_are_cut_off(self):
        with self.server.raw() as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\n")
            try:
                for _ in range(2000):
                    connection.sendall(b"X-More: " + b"x" * 100 + b"\r\n")
                connection.sendall(b"\r\n")
                line = connection.makefile("rb").readline()
            except OSError:
                line = b""
            self.assertNotIn(b" 200 ", line)
        self.assertEqual(self.server.get("/healthz")[0], 200)

    def test_garbage_harms_nobody(self):
        for garbage in (b"\x16\x03\x01\x02\x00" * 50, b"GET\r\n\r\n", b"\r\n" * 100, b"\0" * 1000):
            with self.server.raw() as connection:
                connection.sendall(garbage)
                connection.shutdown(socket.SHUT_WR)
                connection.recv(1000)
        self.assertEqual(self.server.get("/healthz")[0], 200)

    def test_replies_tell_browsers_to_be_careful(self):
        _, head, _ = self.server.get("/")
        self.assertIn("default-src 'none'", head["Content-Security-Policy"])
        for path in ("/", "/healthz", "/v1/nothing"):
            _, head, _ = self.server.get(path)
            self.assertEqual(head["X-Content-Type-Options"], "nosniff")
            self.assertEqual(head["X-Frame-Options"], "DENY")
            self.assertNotIn("Access-Control-Allow-Origin", head)


class Tokens(ServedTest):
    TOKEN = "a-long-and-secret-token"

    @classmethod
    def more_arguments(cls):
        file = cls.class_folder / "token"
        file.write_text(cls.TOKEN + "\n")
        return ["--token-file", file]

    def test_only_those_who_show_it_are_answered(self):
        for given in (None, "Bearer wrong", f"Bearer {self.TOKEN}x", f"Basic {self.TOKEN}", "Bearer"):
            with self.subTest(given=given):
                head = {"Authorization": given} if given else {}
                reply = self.server.get("/v1/documents", head)
                self.refused(reply, 401, "token")
                self.assertEqual(reply[1]["WWW-Authenticate"], "Bearer")
        head = {"Authorization": f"Bearer {self.TOKEN}"}
        self.assertEqual(self.server.get("/v1/documents", head)[0], 200)

    def test_the_page_and_its_health_are_open(self):
        for path, status in [("/", 200), ("/page.js", 200), ("/healthz", 200), ("/metrics", 401)]:
            self.assertEqual(self.server.get(path)[0], status, path)


class Starting(program.ProgramTest):
    def test_what_it_cannot_start_with(self):
        store = self.native_store()
        short = self.write("short", "secret")
        taken = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(taken.close)
        port = str(taken.getsockname()[1])
        for arguments, code, part in [
            ([], 2, "--store"),
            (["--store", self.folder / "none"], 3, "fineprint index"),
            (["--store", store, "--host", "0.0.0.0"], 2, "--token-file"),
            (["--store", store, "--host", "no.such.host.invalid"], 2, "--token-file"),
            (["--store", store, "--port", port], 2, port),
            (["--store", store, "--port", "70000"], 2, "port"),
            (["--store", store, "--token-file", short], 2, "16"),
            (["--store", store, "--token-file", self.folder / "none"], 3, "none"),
            (["--store", store, "--pipeline", "nonsense"], 2, "nonsense"),
            (["--store", store, "--pipeline", "hkrag"], 2, "--generator"),
            (["--store", store, "more"], 2, "more"),
        ]:
            with self.subTest(arguments=arguments[2:]):
                result = self.call("serve", *arguments, *QUICK)
                self.assertEqual(result.code, code, result.err)
                self.assertEqual(result.out, "")
                self.assertIn(part, result.err)

    def test_it_ends_when_told_to(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            server = Server(self, self.native_store(), *PLAIN)
            with server.raw():  # somebody who says nothing keeps it no longer
                self.assertEqual(server.get("/healthz")[0], 200)
                start = time.monotonic()
                code, err = server.stop(number)
            self.assertEqual(code, 0, err)
            self.assertLess(time.monotonic() - start, 30)


class SlowModel(program.ProgramTest):
    """A generator on a server that does not answer: so a question lasts until it is stopped."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.listener = socket.create_server(("127.0.0.1", 0))
        cls.addClassCleanup(cls.listener.close)
        cls.model_port = cls.listener.getsockname()[1]

    def setUp(self):
        super().setUp()
        self.server = Server(
            *[self, self.native_store(), *PLAIN, "--at-once", "1"],
            *["--pipeline", "textrag"],
            *["--generator", f"openai:http://127.0.0.1:{self.model_port}/v1#m", "--time-limit", "60"],
        )
        self.addCleanup(self.server.stop)

    def ask_and_leave_open(self, path="/v1/ask", **more):
        body = json.dumps(more if "model" in more else {"question": QUESTION, **more}).encode()
        connection = self.server.raw()
        connection.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode() + body
        )
        return connection

    def running(self):
        text = self.server.get("/metrics")[2].decode()
        (line,) = [one for one in text.splitlines() if one.startswith("fineprint_questions_running")]
        return int(line.split()[1])

    def wait_until_running(self, count):
        end = time.monotonic() + 60
        while self.running() != count:
            self.assertLess(time.monotonic(), end, f"never {count} questions")
            time.sleep(0.05)

    def test_a_client_that_hangs_up_stops_its_question(self):
        for more in ({}, {"stream": True}):
            with self.subTest(more=more):
                connection = self.ask_and_leave_open(**more)
                self.wait_until_running(1)
                connection.close()
                self.wait_until_running(0)

    def test_so_does_a_client_of_another_dialect(self):
        messages = [{"role": "user", "content": QUESTION}]
        for path, more in [
            ("/v1/chat/completions", {"messages": messages}),
            ("/v1/responses", {"input": QUESTION}),
            ("/v1/messages", {"messages": messages, "max_tokens": 9}),
            ("/api/chat", {"messages": messages}),
            ("/api/generate", {"prompt": QUESTION}),
        ]:
            for stream in (False, True):
                with self.subTest(path=path, stream=stream):
                    connection = self.ask_and_leave_open(path, model="textrag", stream=stream, **more)
                    self.wait_until_running(1)
                    connection.close()
                    self.wait_until_running(0)

    def test_more_than_can_be_answered_are_told_to_come_again(self):
        connections = [self.ask_and_leave_open() for _ in range(2)]  # one waits
        self.wait_until_running(1)
        end = time.monotonic() + 60
        while "fineprint_waiting 1" not in self.server.get("/metrics")[2].decode():
            self.assertLess(time.monotonic(), end)
        status, head, body = self.server.post("/v1/ask", {"question": QUESTION})
        self.assertEqual(status, 429, body)
        self.assertGreaterEqual(int(head["Retry-After"]), 1)
        self.assertEqual(self.server.get("/healthz")[0], 200)
        for connection in connections:
            connection.close()

    def test_a_question_has_a_time_limit(self):
        start = time.monotonic()
        status, _, body = self.server.post("/v1/ask", {"question": QUESTION, "max_seconds": 1})
        self.assertLess(time.monotonic() - start, 40)
        self.assertEqual(status, 200, body)
        self.assertNotEqual(json.loads(body)["limit"], "")

    def test_a_question_under_way_ends_with_the_server(self):
        connection = self.ask_and_leave_open()
        self.wait_until_running(1)
        code, err = self.server.stop()
        self.assertEqual(code, 0, err)
        reply = connection.makefile("rb").read()
        self.assertIn(b" 503 ", reply.split(b"\r\n")[0])
        connection.close()


class Changes(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.docs = self.copy_documents(self.folder / "docs", ["reef-survey-paper.pdf"])
        self.store = self.folder / "a.store"
        self.must("index", self.docs, "--store", self.store, *QUICK)
        self.server = Server(self, self.store, *PLAIN)
        self.addCleanup(self.server.stop)

    def names(self):
        return [one["doc"] for one in json.loads(self.server.get("/v1/documents")[2])["documents"]]

    def test_what_another_process_indexes_is_seen(self):
        self.assertEqual(self.names(), ["reef-survey-paper.pdf"])
        for kept in (None, True):
            answer = json.loads(self.server.post("/v1/ask", {"question": QUESTION})[2])
            self.assertEqual(answer.get("kept"), kept)
            self.assertNotIn("Tern", answer["answer"])
        shutil.copy(DOCS / HARBOR, self.docs)
        self.must("index", self.docs, "--store", self.store, *QUICK)
        end = time.monotonic() + 60
        while HARBOR not in self.names():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)
        answer = json.loads(self.server.post("/v1/ask", {"question": QUESTION})[2])
        self.assertNotIn("kept", answer)
        self.assertIn("Tern & Pollock", answer["answer"])

    def test_a_document_is_taken_in(self):
        content = (DOCS / HARBOR).read_bytes()
        status, _, body = self.server.upload(HARBOR, content)
        self.assertEqual(status, 201, body)
        self.assertEqual(json.loads(body)["doc"], HARBOR)
        self.assertIn(HARBOR, self.names())
        answer = json.loads(self.server.post("/v1/ask", {"question": QUESTION})[2])
        self.assertEqual(answer["citations"][0]["doc"], HARBOR)
        status, _, _ = self.server.get("/v1/page/picture", doc=HARBOR, page=2)
        self.assertEqual(status, 200)
        # Another one of its name replaces it only when that was asked for.
        self.assertEqual(self.server.upload(HARBOR, content)[0], 409)
        self.assertEqual(self.server.upload(HARBOR, content, replace="true")[0], 201)
        self.assertEqual(self.names().count(HARBOR), 1)

    def test_what_was_indexed_is_not_replaced(self):
        content = (DOCS / HARBOR).read_bytes()
        before = (self.docs / "reef-survey-paper.pdf").read_bytes()
        status, _, body = self.server.upload("reef-survey-paper.pdf", content, replace="true")
        self.assertEqual(status, 409, body)
        self.assertEqual((self.docs / "reef-survey-paper.pdf").read_bytes(), before)

    def test_bad_documents_are_refused_and_leave_nothing(self):
        for name, content, status in [
            ("broken.pdf", b"%PDF-1.7\nnothing follows", 422),
            ("empty.pdf", b"", 422),
            ("program.exe", b"MZ" + bytes(1000), 415),
            ("../outside.pdf", b"x", 400),
            ("..", b"x", 400),
            (".hidden.pdf", b"x", 400),
            ("a/b.pdf", b"x", 400),
            ("a\\b.pdf", b"x", 400),
            ("n" * 300 + ".pdf", b"x", 400),
            ("new\nline.pdf", b"x", 400),
            ("", b"x", 400),
        ]:
            with self.subTest(name=name[:30]):
                got, _, body = self.server.upload(name, content)
                self.assertEqual(got, status, body)
                message = json.loads(body)["error"]["message"]
                self.assertTrue(message)
                self.assertNotIn(str(self.folder), message)
        self.assertEqual(self.names(), ["reef-survey-paper.pdf"])
        uploads = pathlib.Path(self.store) / "uploads"
        self.assertEqual(list(uploads.iterdir()) if uploads.exists() else [], [])
        self.assertFalse((self.folder / "outside.pdf").exists())

    def test_an_upload_that_breaks_off_leaves_nothing(self):
        with self.server.raw() as connection:
            connection.sendall(
                b"POST /v1/documents?name=half.pdf HTTP/1.1\r\nHost: localhost\r\n"
                b"Content-Type: application/octet-stream\r\nContent-Length: 100000\r\n\r\n%PDF-1.7"
            )
            linger = struct.pack("ii", 1, 0)
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        end = time.monotonic() + 60
        uploads = pathlib.Path(self.store) / "uploads"
        while uploads.exists() and list(uploads.iterdir()):
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)
        self.assertEqual(self.names(), ["reef-survey-paper.pdf"])


class Refusing(program.ProgramTest):
    def test_uploads_can_be_refused_and_limited(self):
        content = (DOCS / HARBOR).read_bytes()
        docs = self.copy_documents(self.folder / "docs", ["reef-survey-paper.pdf"])
        store = self.folder / "a.store"
        self.must("index", docs, "--store", store, *QUICK)
        for limit, status in [("0", 403), ("1000", 413)]:
            server = Server(self, store, *PLAIN, "--max-upload", limit)
            self.addCleanup(server.stop)
            got, _, body = server.upload(HARBOR, content)
            self.assertIn(got, (status, 413), body)
            self.assertEqual(server.stop()[0], 0)


if __name__ == "__main__":
    unittest.main()
