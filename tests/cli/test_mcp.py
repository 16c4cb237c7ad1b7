"""A store as tools of agents: `mcp` over pipes, and `/mcp` of `serve`."""

import json
import signal
import socket
import subprocess
import time
import unittest

import program
from clients import needs_clients, run_client
from program import FINEPRINT, ProgramTest
from served import PLAIN, ServedTest, events_of

HARBOR = "harbor-annual-report.pdf"
QUESTION = "Who audited the accounts of the ferry company?"
TOOLS = ["search", "read_page", "show_page", "list_documents", "ask"]


class Used:
    """What both ways of reaching the tools must give the official client; `got` is that."""

    def test_the_revision_is_agreed_on(self):
        self.assertEqual(self.got["revision"], self.revision)

    def test_the_tools_are_described(self):
        self.assertEqual([tool["name"] for tool in self.got["tools"]], TOOLS)
        for tool in self.got["tools"]:
            self.assertTrue(tool["description"])
            self.assertFalse(tool["input_schema"]["additionalProperties"])
        self.assertEqual(self.got["server"]["name"], "fineprint")

    def test_documents_and_pages(self):
        listed = self.got["list_documents"]["structured"]
        names = [one["doc"] for one in listed["documents"]]
        self.assertEqual(names, sorted(program.NATIVE_TEXT))
        self.assertIn("Tern & Pollock", self.got["read_page"]["text"])
        self.assertEqual(self.got["read_page"]["structured"]["page"], 2)
        self.assertEqual(len(self.got["search"]["structured"]["hits"]), 2)
        self.assertEqual(self.got["picture"][0], "image/jpeg")
        self.assertGreater(self.got["picture"][1], 1000)
        self.assertTrue(self.got["is_marked"])
        text, record = self.got["pictured"]
        self.assertEqual(record["images"][0]["name"], "b.png")
        self.assertGreater(len(record["images"][0]["text"]), 20)
        self.assertIn("confidence", text)
        self.assertFalse(self.got["found_by_picture"])

    def test_an_answer_has_its_proof(self):
        self.assertIn("Tern & Pollock", self.got["ask"]["text"])
        self.assertIn(f"[1] {HARBOR}, page 2: ", self.got["ask"]["text"])
        self.assertEqual(self.got["ask"]["structured"]["citations"][0]["doc"], HARBOR)

    def test_progress_is_told(self):
        self.assertGreater(len(self.got["steps"]), 0)
        numbers = [number for number, _ in self.got["steps"]]
        self.assertEqual(numbers, sorted(numbers))

    def test_resources_are_pages(self):
        pages = sum(one["pages"] for one in self.got["list_documents"]["structured"]["documents"])
        self.assertEqual(len(self.got["resources"]), pages)
        self.assertEqual(len(set(self.got["resources"])), pages)
        self.assertIn(f"fineprint://page/{HARBOR}/2", self.got["resources"])
        self.assertEqual(self.got["templates"], ["fineprint://page/{doc}/{page}"])
        self.assertIn("Tern & Pollock", self.got["page"])

    def test_nothing_outside_the_store_is_reached(self):
        for name, _, said in self.got["hostile"]:
            self.assertIsNotNone(said, name)
            self.assertNotIn("root:", said)
            self.assertNotIn(str(self.class_folder), said)
        for uri, said in self.got["no_resources"]:
            self.assertIsNotNone(said, uri)
            self.assertNotIn("root:", said)
        self.assertIn("run_shell", self.got["no_tool"])


@needs_clients
class OverPipes(Used, ProgramTest):
    revision = "2026-07-28"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        arguments = ["mcp", "--store", cls.native_store(), *PLAIN, "--quiet"]
        cls.got = run_client("mcp_client.py", "stdio", "auto", FINEPRINT, *arguments)


@needs_clients
class OverAFolder(Used, ProgramTest):
    """The folder is read first; nobody has indexed it."""

    revision = "2026-07-28"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        docs = cls.copy_documents(cls.class_folder / "docs")
        # The client passes only a few variables on.
        started = ["env", f"XDG_CACHE_HOME={cls.class_folder / 'cache'}", FINEPRINT, "mcp", docs, *PLAIN]
        cls.got = run_client("mcp_client.py", "stdio", "auto", *started)


@needs_clients
class OverHttp(Used, ServedTest):
    mode, revision = "auto", "2026-07-28"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.got = run_client("mcp_client.py", "http", cls.mode, cls.server.address)


class OverHttpWithAHandshake(OverHttp):
    mode, revision = "legacy", "2025-11-25"


def call(number, method, **parameters):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}


def tool(number, name, **arguments):
    return call(number, "tools/call", name=name, arguments=arguments)


REVISION = "io.modelcontextprotocol/protocolVersion"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
STATELESS = {REVISION: "2026-07-28", CAPABILITIES: {}}


def stateless(number, method, meta=None, **parameters):
    """A request of revision 2026-07-28, which needs no handshake."""
    return call(number, method, _meta={**STATELESS, **(meta or {})}, **parameters)


class Pipe(ProgramTest):
    """The messages themselves."""

    def say(self, *lines, code=0, over=None):
        """The messages that come back, by id."""
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
        arguments = ["mcp", *(over or ["--store", self.native_store()]), *PLAIN]
        result = self.must(*arguments, text=text, code=code)
        return [json.loads(line) for line in result.out.splitlines()]

    def documents_of(self, *over):
        (reply,) = self.say(tool(1, "list_documents"), over=over)
        return [one["doc"] for one in reply["result"]["structuredContent"]["documents"]]

    def test_a_folder_shows_nothing_around_it(self):
        docs = self.copy_documents(self.folder / "docs")
        self.copy_documents(docs / "sub", ["rotated-table.pdf"])
        everything = self.documents_of(docs)
        self.assertIn("sub/rotated-table.pdf", everything)
        self.assertEqual(len(everything), len(program.NATIVE_TEXT) + 1)
        self.assertEqual(self.documents_of(docs / "sub"), ["rotated-table.pdf"])
        (docs / "sub" / "rotated-table.pdf").unlink()
        self.assertEqual(self.documents_of(docs), sorted(program.NATIVE_TEXT))

    def test_several_folders_and_the_folder_of_a_store(self):
        one = self.copy_documents(self.folder / "one", ["rotated-table.pdf"])
        two = self.copy_documents(self.folder / "two", ["reef-survey-paper.pdf"])
        self.assertEqual(len(self.documents_of(one, two)), 2)
        self.assertEqual(self.documents_of(self.native_store()), sorted(program.NATIVE_TEXT))
        store = self.folder / "kept"
        self.assertEqual(self.documents_of(one, "--store", store), ["rotated-table.pdf"])
        self.assertTrue((store / "catalog.sqlite").exists())

    def test_an_empty_folder_is_served_and_a_missing_one_refused(self):
        empty = self.folder / "empty"
        empty.mkdir()
        self.assertEqual(self.documents_of(empty), [])
        (searched,) = self.say(tool(1, "search", query="ferry"), over=[empty])
        self.assertIn("result", searched)
        self.assertEqual(self.call("mcp", self.folder / "nowhere", *PLAIN).code, 3)
        twice = self.call("mcp", self.native_store(), "--store", self.folder / "x", *PLAIN)
        self.assertEqual(twice.code, 2)
        self.assertIn("two stores", twice.err)

    def test_each_revision_is_spoken(self):
        for asked, spoken in [("2024-11-05",) * 2, ("2025-06-18",) * 2, ("1999-01-01", "2025-11-25")]:
            hello = call(1, "initialize", protocolVersion=asked, capabilities={}, clientInfo={})
            (reply,) = self.say(hello, {"jsonrpc": "2.0", "method": "notifications/initialized"})
            self.assertEqual(reply["result"]["protocolVersion"], spoken)

    def test_calls_are_worked_on_side_by_side(self):
        replies = self.say(*[tool(i, "search", query="ferry") for i in range(20)])
        self.assertEqual(sorted(reply["id"] for reply in replies), list(range(20)))
        self.assertEqual(len({json.dumps(reply["result"]["structuredContent"]) for reply in replies}), 1)

    def test_what_is_no_request_gets_its_code(self):
        for line, code in [
            ("{", -32700),
            ("[]", -32600),
            ("7", -32600),
            ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
            ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, -32600),
            ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, -32602),
            (call(1, "no/such"), -32601),
            (call(1, "tools/call", name="no_such"), -32602),
            (call(1, "tools/call", name="search", arguments=[]), -32602),
            (call(1, "resources/read", uri="file:///etc/passwd"), -32002),
            (call(1, "resources/list", cursor="../"), -32602),
            (call(1, "resources/list", cursor="99999999999999999999"), -32602),
            ("[" * 10000, -32700),
            ("x" * 6_000_000, -32700),
        ]:
            with self.subTest(line=str(line)[:60]):
                (reply,) = self.say(line)
                self.assertEqual(reply["error"]["code"], code, reply)

    def test_null_parameters_are_none(self):
        (reply,) = self.say({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": None})
        self.assertEqual(reply, {"jsonrpc": "2.0", "id": 1, "result": {}})

    def test_a_batch_gets_the_replies_to_its_requests(self):
        told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        (replies,) = self.say([call(1, "ping"), told, call("b", "no/such"), 7])
        self.assertEqual([one["id"] for one in replies], [1, "b", None])
        self.assertEqual(replies[0]["result"], {})
        self.assertEqual([one["error"]["code"] for one in replies[1:]], [-32601, -32600])
        self.assertEqual(self.say([told, told]), [])

    def test_a_request_without_a_handshake_says_all_that_is_needed(self):
        (found,) = self.say(stateless("d", "server/discover"))
        result = found["result"]
        self.assertEqual(result["resultType"], "complete")
        self.assertEqual(result["supportedVersions"], ["2026-07-28"])
        self.assertEqual(result["capabilities"]["resources"], {"subscribe": True, "listChanged": True})
        self.assertEqual(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "fineprint")
        self.assertGreater(result["ttlMs"], 0)
        self.assertEqual(result["cacheScope"], "public")
        page = f"fineprint://page/{HARBOR}/2"
        listed, read, searched = self.say(
            stateless(1, "tools/list"),
            stateless(2, "resources/read", uri=page),
            stateless(3, "tools/call", name="search", arguments={"query": "ferry"}),
        )
        replies = {one["id"]: one["result"] for one in (listed, read, searched)}
        self.assertEqual([tool["name"] for tool in replies[1]["tools"]], TOOLS)
        self.assertEqual((replies[2]["ttlMs"], replies[2]["cacheScope"]), (0, "private"))
        self.assertIn("Tern & Pollock", replies[2]["contents"][0]["text"])
        self.assertFalse(replies[3]["isError"])
        self.assertNotIn("ttlMs", replies[3])
        self.assertEqual({one["resultType"] for one in replies.values()}, {"complete"})

    def test_results_of_older_revisions_have_no_newer_fields(self):
        (reply,) = self.say(call(1, "tools/list"))
        self.assertEqual(list(reply["result"]), ["tools"])

    def test_what_a_request_without_a_handshake_lacks_is_named(self):
        old = {REVISION: "1900-01-01"}
        for request, code, said in [
            (stateless(1, "ping"), -32601, "ping"),
            (stateless(1, "initialize"), -32601, "initialize"),
            (stateless(1, "tools/list", old), -32022, "1900-01-01"),
            (stateless(1, "tools/list", {REVISION: "2025-11-25"}), -32022, "initialize"),
            (stateless(1, "tools/list", {CAPABILITIES: []}), -32602, "clientCapabilities"),
            (stateless(1, "tools/list", {REVISION: 7}), -32602, "protocolVersion"),
            (call(1, "server/discover"), -32602, "protocolVersion"),
            (call(1, "tools/list", _meta={REVISION: "2026-07-28"}), -32602, "clientCapabilities"),
            (stateless(1, "resources/read", uri="file:///etc/passwd"), -32602, "/etc/passwd"),
            (stateless(1, "subscriptions/listen"), -32602, "notifications"),
        ]:
            with self.subTest(request=request):
                (reply,) = self.say(request)
                self.assertEqual(reply["error"]["code"], code, reply)
                self.assertIn(said, reply["error"]["message"])
        (reply,) = self.say(stateless(1, "tools/list", old))
        self.assertEqual(
            reply["error"]["data"], {"supported": ["2026-07-28"], "requested": "1900-01-01"}
        )
        (reply,) = self.say(stateless(1, "resources/read", uri="fineprint://page/no.pdf/1"))
        self.assertEqual(reply["error"]["data"], {"uri": "fineprint://page/no.pdf/1"})

    def test_a_subscription_ends_with_the_input(self):
        wanted = {"resourceSubscriptions": ["file:///etc/passwd"], "toolsListChanged": True}
        started = time.monotonic()
        agreed, ended = self.say(stateless(4, "subscriptions/listen", notifications=wanted))
        self.assertEqual(agreed["method"], "notifications/subscriptions/acknowledged")
        self.assertEqual(agreed["params"]["notifications"], {})
        self.assertEqual(agreed["params"]["_meta"], {SUBSCRIPTION: 4})
        self.assertEqual(ended["result"]["_meta"][SUBSCRIPTION], 4)
        self.assertLess(time.monotonic() - started, 60)

    def test_subscriptions_are_limited(self):
        wanted = {"resourcesListChanged": True}
        said = self.say(
            *[stateless(i, "subscriptions/listen", notifications=wanted) for i in range(20)]
        )
        refused = [one["id"] for one in said if "error" in one]
        self.assertEqual(len(refused), 4)
        self.assertEqual(len([one for one in said if "result" in one]), 16)

    def test_changes_of_the_store_are_told(self):
        docs = self.folder / "docs"
        docs.mkdir()
        (docs / "one.txt").write_text("The ferry carries 612 passengers.")
        store = self.folder / "s"
        self.must("index", docs, "--store", store, "--scorer", "bm25")
        process = self.start("mcp", "--store", store, *PLAIN, stdin=subprocess.PIPE)

        def send(message):
            process.stdin.write(json.dumps(message).encode() + b"\n")
            process.stdin.flush()

        page = "fineprint://page/one.txt/1"
        wanted = {"resourcesListChanged": True, "resourceSubscriptions": [page]}
        send(stateless("s", "subscriptions/listen", notifications=wanted))
        agreed = json.loads(process.stdout.readline())
        self.assertEqual(agreed["params"]["notifications"], wanted)
        (docs / "one.txt").write_text("The ferry carries 640 passengers.")
        (docs / "two.txt").write_text("The harbour is closed.")
        self.must("index", docs, "--store", store, "--scorer", "bm25")
        told = [json.loads(process.stdout.readline()) for _ in range(2)]
        methods = {one["method"]: one["params"] for one in told}
        self.assertEqual(
            sorted(methods),
            ["notifications/resources/list_changed", "notifications/resources/updated"],
        )
        for parameters in methods.values():
            self.assertEqual(parameters["_meta"], {SUBSCRIPTION: "s"})
        self.assertEqual(methods["notifications/resources/updated"]["uri"], page)
        cancelled = {"requestId": "s", "reason": "enough"}
        send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (0, b""), err)

    def test_notifications_and_blank_lines_get_no_reply(self):
        said = self.say(
            *["", "  ", {"jsonrpc": "2.0", "method": "notifications/whatever"}],
            *[{"jsonrpc": "2.0", "id": 9, "result": {}}, call("a", "ping")],
        )
        self.assertEqual(said, [{"jsonrpc": "2.0", "id": "a", "result": {}}])

    def test_it_ends_with_its_input_and_when_told_to(self):
        for ending in ("input", signal.SIGTERM):
            process = self.start(
                *["mcp", "--store", self.native_store(), *PLAIN], stdin=subprocess.PIPE
            )
            process.stdin.write(json.dumps(call(1, "ping")).encode() + b"\n")
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
            if ending != "input":
                process.send_signal(ending)
                process.wait(timeout=60)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 0, err)

    def test_a_call_can_be_cancelled(self):
        with socket.create_server(("127.0.0.1", 0)) as silent:
            model = f"openai:http://127.0.0.1:{silent.getsockname()[1]}/v1#m"
            process = self.start(
                *["mcp", "--store", self.native_store(), *PLAIN, "--generator", model],
                stdin=subprocess.PIPE,
            )

            def send(message):
                process.stdin.write(json.dumps(message).encode() + b"\n")
                process.stdin.flush()

            send(tool(1, "ask", question=QUESTION, pipeline="textrag"))
            silent.accept()  # it is being asked
            cancelled = {"requestId": 1, "reason": "enough"}
            send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled})
            send(call(2, "ping"))
            self.assertEqual(json.loads(process.stdout.readline())["id"], 2)
            start = time.monotonic()
            out, err = process.communicate(timeout=60)
            self.assertLess(time.monotonic() - start, 30)
            self.assertEqual(out, b"", "a cancelled call gets no reply")
            self.assertEqual(process.returncode, 0, err)


class Http(ServedTest):
    def test_a_request_gets_json_and_a_notification_nothing(self):
        reply = self.json(self.server.post("/mcp", call(1, "ping")))
        self.assertEqual(reply, {"jsonrpc": "2.0", "id": 1, "result": {}})
        told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        status, _, body = self.server.post("/mcp", told)
        self.assertEqual((status, body), (202, b""))
        self.assertEqual(self.server.get("/mcp")[0], 405)

    def test_progress_comes_before_the_reply(self):
        wanted = tool(5, "ask", question=QUESTION)
        wanted["params"]["_meta"] = {"progressToken": "p"}
        status, head, body = self.server.post("/mcp", wanted, {"Accept": "text/event-stream"})
        self.assertEqual((status, head["Content-Type"]), (200, "text/event-stream"))
        messages = [json.loads(data) for _, data in events_of(body)]
        self.assertEqual(messages[-1]["id"], 5)
        for message in messages[:-1]:
            self.assertEqual(message["method"], "notifications/progress")
            self.assertEqual(message["params"]["progressToken"], "p")

    def post(self, message, **head):
        """The status and the reply to a message, with the head that its revision demands."""
        parameters = message.get("params", {})
        fields = {
            "MCP-Protocol-Version": parameters.get("_meta", {}).get(REVISION),
            "Mcp-Method": message["method"],
            "Mcp-Name": parameters.get("name", parameters.get("uri")),
        } | {name.replace("_", "-"): value for name, value in head.items()}
        sent = {name: value for name, value in fields.items() if value is not None}
        status, _, body = self.server.post("/mcp", message, sent)
        return status, json.loads(body)

    def test_the_head_repeats_the_message(self):
        search = stateless(1, "tools/call", name="search", arguments={"query": "ferry"})
        self.assertEqual(self.post(search)[0], 200)
        coded = "=?base64?c2VhcmNo?="
        self.assertEqual(self.post(search, Mcp_Name=coded)[0], 200)
        for head in [
            {"Mcp_Name": "ask"},
            {"Mcp_Name": None},
            {"Mcp_Name": "=?base64?YXNr?="},
            {"Mcp_Name": "=?base64?!?="},
            {"Mcp_Method": "tools/list"},
            {"Mcp_Method": None},
            {"MCP_Protocol_Version": None},
            {"MCP_Protocol_Version": "2025-11-25"},
        ]:
            with self.subTest(head=head):
                status, reply = self.post(search, **head)
                self.assertEqual((status, reply["error"]["code"]), (400, -32020), reply)
                self.assertEqual(reply["id"], 1)

    def test_errors_of_the_newest_revision_have_a_status(self):
        for message, status, code in [
            (stateless(1, "no/such"), 404, -32601),
            (stateless(1, "tools/list", {REVISION: "1900-01-01"}), 400, -32022),
            (stateless(1, "tools/list", {CAPABILITIES: None}), 400, -32602),
            (stateless(1, "resources/read", uri="fineprint://page/no.pdf/1"), 200, -32602),
            (call(1, "no/such"), 200, -32601),
        ]:
            with self.subTest(message=message):
                got, reply = self.post(message)
                self.assertEqual((got, reply["error"]["code"]), (status, code), reply)

    def test_a_subscription_needs_a_client_that_takes_events(self):
        wanted = {"resourcesListChanged": True}
        listen = stateless(1, "subscriptions/listen", notifications=wanted)
        self.assertEqual(self.post(listen, Accept="application/json")[0], 406)

    def test_pages_of_other_sites_are_refused(self):
        reply = self.server.post("/mcp", call(1, "ping"), {"Origin": "http://evil.example"})
        self.refused(reply, 403)


if __name__ == "__main__":
    unittest.main()
