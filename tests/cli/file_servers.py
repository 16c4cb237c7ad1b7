"""Servers of files on this machine: one that shows pages of links and can be made to fail, and two of others
in .venv-server (made by scripts/test): moto, which speaks the protocol of S3 and checks signatures, and
WsgiDAV."""

import contextlib
import hashlib
import html
import http.server
import json
import os
import pathlib
import socket
import ssl
import subprocess
import threading
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import chat_server
from program import REPOSITORY

BIN = REPOSITORY / ".venv-server" / "bin"
FOLDER = pathlib.Path(__file__).resolve().parent
TIME = "Sun, 15 Mar 2026 10:00:00 GMT"

needs_servers = unittest.skipUnless(
    chat_server.INSTALLED or os.environ.get("FINEPRINT_NEED_SERVER"),
    "SKIPPED: the servers are not installed (scripts/test makes .venv-server)",
)


class PageServer(http.server.ThreadingHTTPServer):
    """Serves `files` (bytes by path) with entity tags, ranges and pages of links as nginx writes them.

    `faults` has for a path what happens at its next requests, in order: functions of the handler, or None
    for the usual reply. `pages` replaces pages of links. `asked` has (method, path, headers) of each request.
    """

    daemon_threads = True

    def __init__(self, files=(), certificate=None):
        super().__init__(("127.0.0.1", 0), PageHandler)
        self.files, self.faults, self.pages, self.asked = dict(files), {}, {}, []
        self.tags = True  # whether replies have an entity tag and a time
        scheme = "http"
        if certificate:
            scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.port = self.server_address[1]
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):  # clients that give up are part of the tests
        pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def paths(self):
        """What was asked since the last call, sorted."""
        paths = sorted(path for _, path, _ in self.asked)
        self.asked.clear()
        return paths


def tag_of(content):
    return f'"{hashlib.sha256(content).hexdigest()[:16]}"'


class PageHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path).lstrip("/")
        self.server.asked.append((self.command, path, dict(self.headers)))
        faults = self.server.faults.get(path)
        fault = faults.pop(0) if faults else None
        if fault:
            return fault(self)
        if path in self.server.pages:
            return self.send_whole(self.server.pages[path], kind="text/html")
        if path in self.server.files:
            return self.send_file(self.server.files[path])
        names = self.names_in(path)
        if names and (path.endswith("/") or not path):
            return self.send_whole(page_of_links(path, names), kind="text/html")
        if self.names_in(path + "/"):
            return self.send_redirect(f"/{urllib.parse.quote(path)}/")
        return self.send_whole(b"no such file", status=404)

    do_HEAD = do_PROPFIND = do_GET

    def names_in(self, folder):
        inner = [path[len(folder):] for path in self.server.files if path.startswith(folder)]
        return sorted({name.split("/")[0] + ("/" if "/" in name else "") for name in inner})

    def send_file(self, content):
        tag = tag_of(content)
        facts = {"ETag": tag, "Last-Modified": TIME} if self.server.tags else {}
        if self.headers.get("If-None-Match") == tag:
            return self.send_whole(b"", status=304, **facts)
        start = self.headers.get("Range", "")
        if start and self.headers.get("If-Range") == tag:
            first = int(start.removeprefix("bytes=").rstrip("-"))
            facts["Content-Range"] = f"bytes {first}-{len(content) - 1}/{len(content)}"
            return self.send_whole(content[first:], status=206, **facts)
        return self.send_whole(content, **facts)

    def send_redirect(self, url, status=301):
        self.send_whole(b"", status=status, Location=url)

    def send_whole(self, content, status=200, kind="application/octet-stream", length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 304:
            self.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


def page_of_links(folder, names):
    lines = [f'<a href="{urllib.parse.quote(name)}">{html.escape(name)}</a>   15-Mar-2026 10:00   12' for name in names]
    title = f"Index of /{html.escape(folder)}"
    text = "\n".join(['<a href="../">../</a>', *lines])
    return f"<html><head><title>{title}</title></head><body><h1>{title}</h1><hr><pre>{text}</pre></body></html>".encode()


def fails(status, **headers):
    """A fault: an error page."""
    return lambda handler: handler.send_whole(b"later", status=status, **headers)


def cut(content, sent):
    """A fault: the connection ends after `sent` bytes."""

    def fault(handler):
        facts = {"ETag": tag_of(content), "Last-Modified": TIME}
        handler.send_whole(content[:sent], length=len(content), **facts)
        handler.close_connection = True

    return fault


def leads_to(url, status=302):
    """A fault: a redirect."""
    return lambda handler: handler.send_redirect(url, status)


def make_certificate(folder):
    """A certificate that is its own authority, for 127.0.0.1 and localhost, with its key."""
    file = folder / "server.pem"
    names = "subjectAltName=IP:127.0.0.1,DNS:localhost"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        + ["-addext", names, "-keyout", folder / "key.pem", "-out", file],
        check=True,
        capture_output=True,
    )
    file.write_text(file.read_text() + (folder / "key.pem").read_text())
    return file


@contextlib.contextmanager
def started(command, port, log, **environment):
    """A server of others, from when it replies until the block ends."""
    kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    with open(log, "wb") as said:
        process = subprocess.Popen(
            list(map(str, command)), env={**kept, **environment}, stdin=subprocess.DEVNULL, stdout=said, stderr=said
        )
    try:
        end = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 5):
                break
            time.sleep(0.1)
        else:
            raise AssertionError(f"{command[0]} does not start:\n{pathlib.Path(log).read_text()[-2000:]}")
        yield
    finally:
        process.terminate()
        process.wait(30)


@contextlib.contextmanager
def bucket_server(folder):
    """moto. Yields its URL, and the variables of a user whose signatures it checks. The user owns the bucket
    that s3_bucket.py fills."""
    port = chat_server.free_port()
    command = [BIN / "moto_server", "-H", "127.0.0.1", "-p", port]
    # The three calls that make the user and its key are not checked. Pages are short, so that lists have several.
    variables = {"INITIAL_NO_AUTH_ACTION_COUNT": "3", "MOTO_S3_DEFAULT_MAX_KEYS": "10"}
    with started(command, port, folder / "moto.log", **variables):
        url = f"http://127.0.0.1:{port}"
        yield url, bucket_call(url, "user")


def bucket_call(url, *arguments):
    """What a call of s3_bucket.py prints."""
    kept = {k: v for k, v in os.environ.items() if not k.lower().endswith("_proxy")}
    done = subprocess.run(
        [BIN / "python", "-B", FOLDER / "s3_bucket.py", url, *map(str, arguments)],
        env=kept,
        check=False,
        capture_output=True,
        timeout=300,
    )
    if done.returncode != 0:
        raise AssertionError(f"s3_bucket.py: {done.stderr.decode()[-3000:]}")
    return json.loads(done.stdout)


@contextlib.contextmanager
def dav_server(folder, root, user, password):
    """WsgiDAV over the folder `root`, for one user. Yields its host and port."""
    port = chat_server.free_port()
    settings = {
        "host": "127.0.0.1",
        "port": port,
        "provider_mapping": {"/": {"root": str(root), "readonly": True}},
        "simple_dc": {"user_mapping": {"*": {user: {"password": password}}}},
        "http_authenticator": {"accept_basic": True, "accept_digest": False, "default_to_digest": False},
        "verbose": 1,
    }
    file = folder / "wsgidav.json"
    file.write_text(json.dumps(settings))
    with started([BIN / "wsgidav", "--config", file], port, folder / "wsgidav.log"):
        yield f"127.0.0.1:{port}"
