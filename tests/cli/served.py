"""Starts `fineprint serve` and asks it."""

import http.client
import json
import signal
import socket
import urllib.parse

import program
from program import ProgramTest


# Words alone find pages, and no model reads them.
PLAIN = [*program.QUICK, "--qa", "none"]


class Server:
    """A server of a store on a free port; `port` is where."""

    def __init__(self, test, store, *arguments, **options):
        self.process = test.start(
            *["serve", "--store", store, "--port", "0", "--json", *arguments], **options
        )
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"serve ended: {self.process.communicate()[1].decode()}")
        self.address = json.loads(line)["address"]
        self.port = urllib.parse.urlsplit(self.address).port

    def stop(self, number=signal.SIGTERM):
        """Ends it; its exit code, and what it said."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        err = self.process.communicate(timeout=60)[1]
        return self.process.returncode, err.decode()

    def request(self, method, path, body=None, headers=None, host=None):
        """The status, the head and the body of a reply."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        connection.putrequest(method, path, skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{self.port}")
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            connection.putheader(name, value)
        connection.endheaders(body)
        reply = connection.getresponse()
        read = reply.read()
        connection.close()
        return reply.status, reply.headers, read

    def get(self, path, headers=None, **parameters):
        query = f"?{urllib.parse.urlencode(parameters, doseq=True)}" if parameters else ""
        return self.request("GET", path + query, headers=headers)

    def post(self, path, value, headers=None):
        sent = {"Content-Type": "application/json", **(headers or {})}
        return self.request("POST", path, json.dumps(value).encode(), sent)

    def upload(self, name, content, **parameters):
        query = urllib.parse.urlencode({"name": name, **parameters})
        sent = {"Content-Type": "application/octet-stream"}
        return self.request("POST", f"/v1/documents?{query}", content, sent)

    def raw(self):
        """A connection for what http.client would not send."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)


def events_of(body):
    """(name, data) of each server-sent event."""
    events = []
    for block in body.decode().split("\n\n"):
        lines = [line for line in block.split("\n") if line and not line.startswith(":")]
        if not lines:
            continue
        fields = dict(line.split(": ", 1) for line in lines)
        events.append((fields.get("event", "message"), fields["data"]))
    return events


class ServedTest(ProgramTest):
    """Tests of one server over the documents that need no OCR."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.store = cls.native_store()
        cls.server = Server(cls, cls.store, *PLAIN, *cls.more_arguments())
        cls.addClassCleanup(cls.server.stop)

    @classmethod
    def more_arguments(cls):
        return []

    def json(self, reply, status=200):
        self.assertEqual(reply[0], status, reply[2][:500])
        self.assertEqual(reply[1]["Content-Type"], "application/json")
        return json.loads(reply[2])

    def refused(self, reply, status, *parts):
        error = self.json(reply, status)["error"]
        for part in parts:
            self.assertIn(part, error["message"])
        return error
