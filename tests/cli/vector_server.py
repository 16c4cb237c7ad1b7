"""A server of vectors and scores for tests, with the interfaces of OpenAI, Ollama,
text-embeddings-inference and vLLM. Vectors count words, so that texts with common words are near."""

import base64
import hashlib
import http.server
import json
import math
import re
import struct
import threading

WIDTH = 64


def words_of(text):
    return [word for word in re.findall(r"[a-z]+", text.lower()) if len(word) > 3]


def vector_of(text, width=WIDTH):
    """Not of unit length; the last value says that even a text without words has a vector."""
    vector = [0.0] * (width - 1) + [0.125]
    for word in words_of(text):
        vector[int(hashlib.sha256(word.encode()).hexdigest(), 16) % (width - 1)] += 1
    return vector


def unit(vector):
    length = math.sqrt(sum(value * value for value in vector))
    return [value / length for value in vector]


def score_of(question, text):
    """The part of the question's words that the text has."""
    asked = set(words_of(question))
    return len(asked & set(words_of(text))) / max(1, len(asked))


class VectorServer(http.server.ThreadingHTTPServer):
    """`fault(call, handler, texts)` may answer the call with this number (from 0) itself and return
    True. `width(call)` is the length of its vectors. More than `most` texts a call are refused."""

    daemon_threads = True

    def __init__(self, fault=None, base64=False, most=1000, width=lambda call: WIDTH):
        super().__init__(("127.0.0.1", 0), VectorHandler)
        self.fault, self.base64, self.most, self.width = fault, base64, most, width
        self.asked = []  # (path, body, headers) of each call
        self.lock = threading.Lock()
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address):
        pass  # clients that are killed are what is tested

    def openai(self, name="tiny"):
        return f"openai:{self.address}/v1#{name}"

    def texts(self):
        """All texts that were embedded, in the order of the calls."""
        return [text for _, body, _ in self.asked for text in body.get("input") or body.get("inputs") or []]


class VectorHandler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def send(self, record, status=200):
        body = json.dumps(record).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/info":
            return self.send({"model_id": "tiny"})
        return self.send({"data": [{"id": "tiny"}]})

    def do_POST(self):
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            call = len(server.asked)
            server.asked.append((self.path, body, dict(self.headers)))
        texts = body.get("input") or body.get("inputs") or body.get("documents") or body.get("texts") or []
        if server.fault and server.fault(call, self, texts):
            return None
        if len(texts) > server.most:
            return self.send({"error": {"message": f"at most {server.most} texts"}}, 413)
        return self.send(self.reply(body, texts, server.width(call)))

    def reply(self, body, texts, width):
        if self.path.endswith("/rerank"):
            name = "relevance_score" if "documents" in body else "score"
            scores = [{"index": i, name: score_of(body["query"], text)} for i, text in enumerate(texts)]
            scores.sort(key=lambda one: -one[name])  # best first, as all of these servers do
            return {"results": scores} if "documents" in body else scores
        vectors = [vector_of(text, width) for text in texts]
        if self.path == "/embed":
            return vectors
        if self.path == "/api/embed":
            return {"embeddings": vectors}
        if "messages" in body:  # of a picture: how long it is
            (message,) = body["messages"]
            vectors = [vector_of(json.dumps(message["content"])[-40:], width)]
        if self.path == "/pooling":
            return {"data": [{"index": i, "data": [v, v[::-1]]} for i, v in enumerate(vectors)]}
        entries = [{"index": i, "embedding": self.coded(vector)} for i, vector in enumerate(vectors)]
        return {"data": entries[::-1]}  # the last one first

    def coded(self, vector):
        if not self.server.base64:
            return vector
        return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
