"""Asks a server by OpenAI's own client, and prints what it got as JSON. Run by clients.py."""

import base64
import json
import pathlib
import sys

import openai

BOARD = pathlib.Path(__file__).resolve().parents[1] / "data" / "docs" / "notice-board.png"
QUESTION = "Who audited the accounts of the ferry company?"


def refused(call):
    """The status and the message of a call that fails."""
    try:
        call()
    except openai.APIStatusError as error:
        return [error.status_code, error.body["message"]]
    except openai.APIError as error:
        return [0, error.message]
    return None


def main(address, has_nets):
    client = openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "An earlier question"},
        {"role": "assistant", "content": "An earlier answer"},
        {"role": "user", "content": [{"type": "text", "text": QUESTION}]},
    ]
    ask = client.chat.completions.create
    got = {"models": [one.id for one in client.models.list()]}
    got["model"] = client.models.retrieve("extractive").model_dump()
    got["chat"] = ask(model="extractive", messages=messages, temperature=0.2).model_dump()
    pieces = ask(
        model="extractive",
        messages=messages,
        stream=True,
        stream_options={"include_usage": True},
    )
    got["chunks"] = [piece.model_dump() for piece in pieces]
    limited = ask(model="extractive", messages=messages, extra_body={"docs": ["reef*"]})
    got["limited"] = limited.model_dump()
    seen = base64.b64encode(BOARD.read_bytes()).decode()
    with_picture = [
        {"type": "text", "text": "What is this about?"},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{seen}", "detail": "low"}},
    ]
    said = [{"role": "user", "content": with_picture}]
    got["pictured"] = ask(model="extractive", messages=said).model_dump()

    def part(kind, url):
        return [{"role": "user", "content": [{"type": kind, kind: {"url": url}}]}]

    got["refused"] = {
        "model": refused(lambda: ask(model="gpt-9", messages=messages)),
        "generator": refused(lambda: ask(model="hkrag", messages=messages)),
        "none": refused(lambda: ask(model="extractive", messages=[])),
        "picture": refused(lambda: ask(model="extractive", messages=part("image_url", "data:,"))),
        "address": refused(
            lambda: ask(model="extractive", messages=part("image_url", "http://127.0.0.1:1/a.png"))
        ),
        "file": refused(lambda: ask(model="extractive", messages=part("input_audio", "data:,"))),
        "many": refused(lambda: ask(model="extractive", messages=messages, n=3)),
        "embedding": refused(lambda: client.embeddings.create(model="gpt-9", input="x")),
    }
    if has_nets:
        model = got["models"][-1]
        texts = ["the annual accounts", "a coral reef", "yearly financial statements"]
        packed = client.embeddings.create(model=model, input=texts)
        plain = client.embeddings.create(model=model, input=texts[0], encoding_format="float")
        got["embeddings"] = [one.embedding for one in packed.data]
        got["plain"] = plain.data[0].embedding
    json.dump(got, sys.stdout)


main(sys.argv[1], sys.argv[2] == "nets")
