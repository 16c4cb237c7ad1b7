"""Headless Chromium, asked by its DevTools protocol: over a WebSocket, with the standard library."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import time
import urllib.parse
import urllib.request


class Socket:
    """The client's side of a WebSocket, for texts (RFC 6455)."""

    def __init__(self, url):
        place = urllib.parse.urlsplit(url)
        self.stream = socket.create_connection((place.hostname, place.port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.stream.sendall(
            f"GET {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.file = self.stream.makefile("rb")
        while self.file.readline().strip():
            pass

    def send(self, text):
        data, mask = text.encode(), os.urandom(4)
        size = len(data)
        head = bytes([0x81, 0x80 | size]) if size < 126 else struct.pack(">BBH", 0x81, 0xFE, size)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.stream.sendall(head + mask + masked)

    def receive(self):
        _, size = self.file.read(2)
        if size == 126:
            (size,) = struct.unpack(">H", self.file.read(2))
        elif size == 127:
            (size,) = struct.unpack(">Q", self.file.read(8))
        return self.file.read(size).decode()


# What browsers tell scripts of keys that write nothing.
KEY_NUMBERS = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, " ": 32}


class Chromium:
    def __init__(self, folder, *more_flags):
        profile = folder / "profile"
        shutil.rmtree(profile, ignore_errors=True)
        flags = ["--headless", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0"]
        flags += ["--disable-dev-shm-usage", "--disable-background-networking", *more_flags]
        if os.geteuid() == 0:
            flags.append("--no-sandbox")
        self.process = subprocess.Popen(
            ["chromium", *flags, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        port_file = profile / "DevToolsActivePort"
        while not port_file.exists() or not port_file.read_text().strip():
            time.sleep(0.05)
        port = port_file.read_text().split()[0]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as reply:
            pages = [one for one in json.load(reply) if one["type"] == "page"]
        self.socket, self.calls = Socket(pages[0]["webSocketDebuggerUrl"]), 0

    def call(self, method, **parameters):
        self.calls += 1
        self.socket.send(json.dumps({"id": self.calls, "method": method, "params": parameters}))
        while True:
            reply = json.loads(self.socket.receive())
            if reply.get("id") == self.calls:
                return reply["result"]

    def open(self, address):
        self.call("Page.navigate", url=address)

    def value(self, expression):
        """Of an expression in JavaScript; a promise is waited for."""
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in result:
            raise AssertionError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key, code=None, text="", modifiers=0):
        """A key goes down and up again, as at a keyboard."""
        facts = {"key": key, "code": code or key, "modifiers": modifiers}
        facts["windowsVirtualKeyCode"] = KEY_NUMBERS.get(key, 0)
        down = "keyDown" if text else "rawKeyDown"
        self.call("Input.dispatchKeyEvent", type=down, text=text, **facts)
        self.call("Input.dispatchKeyEvent", type="keyUp", **facts)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            where = {"x": x, "y": y, "button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, **where)

    def screenshot(self, file):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        file.write_bytes(base64.b64decode(data))

    def close(self):
        self.process.terminate()
        self.process.wait()
