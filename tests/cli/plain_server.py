"""A chat completions server that lists models and replies with what a test says, without
log-probabilities: what Ollama, LM Studio or llama.cpp's server look like from outside."""

import http.server
import json
import re
import threading


class PlainServer(http.server.ThreadingHTTPServer):
    """`reply(prompt)` gives the text of a reply; `models` are the names that are listed."""

    daemon_threads = True

    def __init__(self, reply, models=("tiny",), port=0, usage=None):
        super().__init__(("127.0.0.1", port), Handler)
        self.reply, self.models = reply, models
        self.usage = usage  # of each reply; None: replies do not say it
        self.asked = []  # names of models that chats were asked of
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, status, record):
        body = json.dumps(record).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path != "/v1/models":
            return self.send(404, {"error": "no such path"})
        models = [{"id": name, "object": "model"} for name in self.server.models]
        self.send(200, {"object": "list", "data": models})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path != "/v1/chat/completions":
            return self.send(404, {"error": "no such path"})
        self.server.asked.append(body["model"])
        message = {"role": "assistant", "content": self.server.reply(prompt_of(body))}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        self.send(200, {"choices": [choice], **({"usage": self.server.usage} if self.server.usage else {})})


def prompt_of(body):
    """All that was said, as one text."""
    texts = []
    for message in body["messages"]:
        content = message["content"]
        parts = [{"text": content}] if isinstance(content, str) else content
        texts += [part["text"] for part in parts if "text" in part]
    return "\n".join(texts)


def reply_from(answer, words):
    """A reply of the agent that reads passages: `answer`, proven by those that hold `words`."""

    def reply(prompt):
        passages = re.split(r"^Passage (\d+):$", prompt, flags=re.M)
        holding = [
            int(number)
            for number, text in zip(passages[1::2], passages[2::2])
            if words in " ".join(re.sub(r"^\| ", "", text, flags=re.M).split())
        ]
        return json.dumps({"answer": answer, "answerable": True, "chunks": holding})

    return reply
