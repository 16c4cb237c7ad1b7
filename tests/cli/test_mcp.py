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
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        arguments = ["mcp", "--store", cls.native_store(), *PLAIN, "--quiet"]
        cls.got = run_client("mcp_client.py", "stdio", FINEPRINT, *arguments)


@needs_clients
class OverHttp(Used, ServedTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.got = run_client("mcp_client.py", "http", cls.server.address)


def call(number, method, **parameters):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": parameters}


def tool(number, name, **arguments):
    return call(number, "tools/call", name=name, arguments=arguments)


class Pipe(ProgramTest):
    """The messages themselves."""

    def say(self, *lines, code=0):
        """The messages that come back, by id."""
        text = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in lines)
        arguments = ["mcp", "--store", self.native_store(), *PLAIN]
        result = self.must(*arguments, text=text, code=code)
        return [json.loads(line) for line in result.out.splitlines()]

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

    def test_pages_of_other_sites_are_refused(self):
        reply = self.server.post("/mcp", call(1, "ping"), {"Origin": "http://evil.example"})
        self.refused(reply, 403)


if __name__ == "__main__":
    unittest.main()
