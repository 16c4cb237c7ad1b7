"""Asks a server by Ollama's own client, and prints what it got as JSON. Run by clients.py."""

import json
import sys

import ollama

QUESTION = "Who audited the accounts of the ferry company?"


def refused(call):
    """The status and the message of a call that fails."""
    try:
        call()
    except ollama.ResponseError as error:
        return [error.status_code, error.error]
    return None


def main(address, picture, has_nets):
    client = ollama.Client(host=address)
    messages = [{"role": "user", "content": QUESTION}]
    got = {"models": [one.model for one in client.list().models]}
    got["show"] = client.show("extractive").model_dump(mode="json")
    got["chat"] = client.chat("extractive:latest", messages).model_dump()
    got["chunks"] = [
        chunk.model_dump() for chunk in client.chat("extractive", messages, stream=True)
    ]
    got["generate"] = client.generate("extractive", QUESTION).model_dump()
    got["pieces"] = [
        chunk.model_dump() for chunk in client.generate("extractive", QUESTION, stream=True)
    ]
    got["load"] = client.generate("extractive").model_dump()
    seen = [{"role": "user", "content": "What coin do the lockers take?", "images": [picture]}]
    got["picture"] = client.chat("extractive", seen).model_dump()
    tool = {"type": "function", "function": {"name": "weather", "parameters": {}}}
    got["refused"] = {
        "model": refused(lambda: client.chat("llama9", messages)),
        "tools": refused(lambda: client.chat("extractive", messages, tools=[tool])),
        "format": refused(lambda: client.chat("extractive", messages, format="json")),
        "pull": refused(lambda: client.pull("llama9")),
        "stream": refused(
            lambda: list(client.chat("extractive", [{"role": "user", "content": " "}], stream=True))
        ),
    }
    if has_nets == "nets":
        model = got["models"][-1]
        texts = ["the annual accounts", "a coral reef"]
        got["embed"] = client.embed(model, texts).model_dump()["embeddings"]
        got["embeddings"] = client.embeddings(model, texts[0]).model_dump()["embedding"]
    json.dump(got, sys.stdout)


main(*sys.argv[1:])
