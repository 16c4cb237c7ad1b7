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


def responses(client, paper):
    """What the newer of OpenAI's two ways to ask gives."""
    create = client.responses.create
    wanted = {"model": "extractive", "input": QUESTION}
    got = {"whole": create(**wanted, instructions="Be brief.", metadata={"a": "b"}).model_dump()}
    with client.responses.stream(**wanted) as stream:
        got["events"] = [event.model_dump() for event in stream]
        got["final"] = stream.get_final_response().model_dump()
    first = create(model="extractive", input="How many passengers can the Gannet carry?")
    follow_up = {"model": "extractive", "input": "And the Storm Petrel?"}
    got["first"] = first.id
    second = create(**follow_up, previous_response_id=first.id)
    got["second"] = second.model_dump()
    third = create(model="extractive", input="When was it built?", previous_response_id=second.id)
    got["third"] = third.model_dump()
    # The client may send the items itself.
    said = [{"role": "user", "content": "How many passengers can the Gannet carry?"}]
    items = [*said, *first.output, {"role": "user", "content": "And the Storm Petrel?"}]
    got["items"] = create(model="extractive", input=items).model_dump()
    data = "data:application/pdf;base64," + base64.b64encode(open(paper, "rb").read()).decode()
    about = [
        {"type": "input_file", "filename": "paper.pdf", "file_data": data},
        {"type": "input_text", "text": "Which banks were surveyed?"},
    ]
    asked = create(model="extractive", input=[{"role": "user", "content": about}])
    got["file"] = asked.model_dump()
    more = {"model": "extractive", "input": "Who surveyed them?", "previous_response_id": asked.id}
    got["file_again"] = create(**more).model_dump()
    unkept = create(**wanted, store=False)
    linked = [{"role": "user", "content": [{"type": "input_file", "file_url": "http://a/b.pdf"}]}]
    tool = {"type": "function", "name": "weather", "parameters": {}}
    got["refused"] = {
        "model": refused(lambda: create(model="gpt-9", input=QUESTION)),
        "tools": refused(lambda: create(**wanted, tools=[tool])),
        "kept": refused(lambda: create(**wanted, previous_response_id=unkept.id)),
        "url": refused(lambda: create(model="extractive", input=linked)),
        "background": refused(lambda: create(**wanted, background=True)),
    }
    got["again"] = client.responses.retrieve(second.id).model_dump()
    got["streamed_again"] = client.responses.retrieve(got["final"]["id"]).model_dump()
    client.responses.delete(second.id)
    got["refused"]["deleted"] = refused(lambda: client.responses.retrieve(second.id))
    got["refused"]["unknown"] = refused(lambda: client.responses.delete("resp_1"))
    failed = list(create(model="extractive", input=" ", stream=True))[-1]
    got["failed"] = failed.model_dump()
    return got


def main(address, has_nets, paper):
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
    data = base64.b64encode(open(paper, "rb").read()).decode()
    file = {"type": "file", "file": {"filename": "paper.pdf", "file_data": data}}
    about = [file, {"type": "text", "text": "Which banks were surveyed?"}]
    got["file"] = ask(model="extractive", messages=[{"role": "user", "content": about}]).model_dump()
    got["responses"] = responses(client, paper)
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
        "audio": refused(lambda: ask(model="extractive", messages=part("input_audio", "data:,"))),
        "address": refused(
            lambda: ask(model="extractive", messages=part("image_url", "http://127.0.0.1:1/a.png"))
        ),
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


main(sys.argv[1], sys.argv[2] == "nets", sys.argv[3])
