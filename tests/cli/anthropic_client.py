"""Asks a server by Anthropic's own client, and prints what it got as JSON. Run by clients.py."""

import base64
import json
import sys

import anthropic

QUESTION = "Who audited the accounts of the ferry company?"


def refused(call):
    """The status, the type and the message of a call that fails."""
    try:
        call()
    except anthropic.APIStatusError as error:
        return [error.status_code, error.body["error"]["type"], error.body["error"]["message"]]
    return None


def document(path):
    data = base64.b64encode(open(path, "rb").read()).decode()
    source = {"type": "base64", "media_type": "application/pdf", "data": data}
    return {"type": "document", "title": "The reef", "source": source}


def main(address, paper):
    client = anthropic.Anthropic(base_url=address, api_key="none", max_retries=0)
    messages = [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]
    wanted = {"model": "extractive", "max_tokens": 100, "messages": messages}
    ask = client.messages.create
    got = {"models": [one.id for one in client.models.list()]}
    got["message"] = ask(**wanted, system="Be brief.", extra_body={"top_k": 5}).model_dump()
    with client.messages.stream(**wanted) as stream:
        got["events"] = [event.type for event in stream]
        got["streamed"] = stream.get_final_message().model_dump()
    text = "".join(block["text"] for block in got["message"]["content"])
    got["follow_up"] = ask(
        model="extractive",
        max_tokens=100,
        messages=[
            {"role": "user", "content": "How many passengers can the Gannet carry?"},
            {"role": "assistant", "content": text},
            {"role": "user", "content": "And the Storm Petrel?"},
        ],
    ).model_dump()
    about = [document(paper), {"type": "text", "text": "Which banks were surveyed?"}]
    sent = {**wanted, "messages": [{"role": "user", "content": about}]}
    got["document"] = ask(**sent).model_dump()
    got["tokens"] = client.messages.count_tokens(model="extractive", messages=messages).input_tokens
    fetched = [{"type": "document", "source": {"type": "url", "url": "http://a/b.pdf"}}]
    damaged = [{"type": "document", "source": {"type": "base64", "media_type": "application/pdf",
                                               "data": base64.b64encode(b"%PDF-1.7 x").decode()}}]
    tool = {"name": "weather", "input_schema": {"type": "object"}}
    got["refused"] = {
        "model": refused(lambda: ask(**{**wanted, "model": "claude-9"})),
        "tools": refused(lambda: ask(**wanted, tools=[tool])),
        "url": refused(lambda: ask(**{**wanted, "messages": [{"role": "user", "content": fetched}]})),
        "damaged": refused(
            lambda: ask(**{**wanted, "messages": [{"role": "user", "content": [*damaged, about[1]]}]})
        ),
        "stream": refused(
            lambda: list(ask(**{**wanted, "messages": [{"role": "user", "content": " "}]}, stream=True))
        ),
    }
    json.dump(got, sys.stdout)


main(*sys.argv[1:])
