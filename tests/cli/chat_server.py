"""A real chat completions server (`transformers serve` with a tiny model of random weights) and a
relay in front of it that loses, delays, garbles or refuses what passes.

The server lives in .venv-server, made by scripts/test from tests/cli/requirements.txt.
"""

import http.client
import http.server
import os
import shutil
import socket
import subprocess
import threading
import time
import urllib.request

from model_files import model_of
from program import REPOSITORY

COMMAND = REPOSITORY / ".venv-server" / "bin" / "transformers"
INSTALLED = (REPOSITORY / ".venv-server" / ".installed").exists()
MODEL = "paligemma_gen"
# Images first, then the texts: what this family reads.
CHAT_TEMPLATE = """\
{%- for message in messages -%}
  {%- if message.content is string -%}{{ message.content }}
  {%- else -%}
    {%- for part in message.content if part.type == 'image' -%}<image>{%- endfor -%}
    {%- for part in message.content if part.type == 'text' -%}{{ part.text }}{%- endfor -%}
  {%- endif -%}
{%- endfor -%}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ModelServer:
    """The server; `url` is what clients are told, `model` the model's name there."""

    def __init__(self, folder):
        self.model = str(folder / "model")
        shutil.copytree(model_of(MODEL), self.model)
        for file in (folder / "model").iterdir():
            file.chmod(0o644)
        (folder / "model" / "chat_template.jinja").write_text(CHAT_TEMPLATE)
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/v1"
        self.log = open(folder / "server.log", "w+b")
        kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
        kept.update(HF_HUB_OFFLINE="1", HF_HOME=str(folder / "hub"), OMP_NUM_THREADS="1")
        self.process = subprocess.Popen(
            [COMMAND, "serve", self.model, "--host", "127.0.0.1", "--port", str(self.port)]
            + ["--device", "cpu"],
            env=kept,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=subprocess.STDOUT,
        )

    def wait_until_ready(self, seconds=240):
        end = time.monotonic() + seconds
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=5):
                    return
            except OSError:
                time.sleep(0.2)
        raise AssertionError(f"the server does not start:\n{self.said()[-3000:]}")

    def said(self):
        self.log.seek(0)
        return self.log.read().decode(errors="replace")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


class Relay(http.server.ThreadingHTTPServer):
    """Hands calls on to a server. `fault(call, handler)` may answer the call with this number (from
    0) itself and return None, or return a generator function through which the reply's bytes go."""

    daemon_threads = True

    def __init__(self, port, fault):
        super().__init__(("127.0.0.1", 0), RelayHandler)
        self.port, self.fault = port, fault
        self.calls = 0
        self.headers_seen = []
        self.lock = threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        pass  # clients that go away are what is tested


class RelayHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            call = self.server.calls
            self.server.calls += 1
            self.server.headers_seen.append(dict(self.headers))
        through = self.server.fault(call, self)
        if through is None:
            return
        upstream = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=120)
        try:
            self.pass_on(upstream, body, through)
        finally:
            upstream.close()

    def pass_on(self, upstream, body, through):
        upstream.request("POST", self.path, body, {"Content-Type": "application/json"})
        reply = upstream.getresponse()
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.headers["Content-Type"])
        self.end_headers()  # HTTP/1.0: the end of the connection is the end of the reply
        for piece in through(iter(lambda: reply.read1(4096), b"")):
            self.wfile.write(piece)
            self.wfile.flush()

    def refuse(self, status, **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", "0")
        self.end_headers()


def unchanged(pieces):
    yield from pieces
