"""Uses a store's tools by the official MCP SDK, and prints what it got as JSON. Run by clients.py.

    mcp_client.py http MODE ADDRESS
    mcp_client.py stdio MODE PROGRAM ARGUMENT...

MODE is that of the SDK: "legacy" opens with a handshake, "auto" takes the newest revision.
"""

import asyncio
import base64
import json
import pathlib
import sys

from mcp import Client, StdioServerParameters

BOARD = pathlib.Path(__file__).resolve().parents[1] / "data" / "docs" / "notice-board.png"
QUESTION = "Who audited the accounts of the ferry company?"
HARBOR = "harbor-annual-report.pdf"
# Arguments of those who mean harm, or are lost.
HOSTILE = [
    ("read_page", {"doc": "/etc/passwd", "page": 1}),
    ("read_page", {"doc": "../../../../etc/passwd", "page": 1}),
    ("read_page", {"doc": f"../docs/{HARBOR}", "page": 1}),
    ("read_page", {"doc": "*", "page": 1}),
    ("read_page", {"doc": "harbor*", "page": 1}),
    ("read_page", {"doc": "", "page": 1}),
    ("read_page", {"doc": f"{HARBOR}\u0000.pdf", "page": 1}),
    ("read_page", {"doc": HARBOR, "page": 0}),
    ("read_page", {"doc": HARBOR, "page": -1}),
    ("read_page", {"doc": HARBOR, "page": 2**31}),
    ("read_page", {"doc": HARBOR, "page": 10**40}),
    ("read_page", {"doc": HARBOR, "page": 1.5}),
    ("read_page", {"doc": HARBOR, "page": "2"}),
    ("read_page", {"doc": [HARBOR], "page": 2}),
    ("read_page", {"doc": HARBOR}),
    ("show_page", {"doc": HARBOR, "page": 2, "dpi": 1e9}),
    ("show_page", {"doc": HARBOR, "page": 2, "dpi": -5}),
    ("show_page", {"doc": HARBOR, "page": 2, "marks": ["x"] * 5000}),
    ("show_page", {"doc": HARBOR, "page": 2, "marks": ["not on this page at all"]}),
    ("show_page", {"doc": "/dev/zero", "page": 1}),
    ("search", {"query": ""}),
    ("search", {"query": "x" * 1_000_00}),
    ("search", {"query": "ferry", "k": 10**18}),
    ("search", {"query": "ferry", "docs": ["/etc/*"]}),
    ("search", {"query": "ferry", "docs": ["/"]}),
    ("search", {"query": "ferry", "docs": ["*" * 900 + "a"]}),
    ("search", {"query": "ferry", "docs": ["*"] * 1000}),
    ("search", {"query": "ferry", "file": "/etc/passwd"}),
    ("list_documents", {"match": "/etc/*"}),
    ("list_documents", {"limit": 10**12}),
    ("ask", {"question": QUESTION, "pipeline": "/etc/passwd"}),
    ("ask", {"question": QUESTION, "pipeline": "../../configs/hkrag"}),
    ("ask", {"question": QUESTION, "max_seconds": -1}),
    ("ask", {"question": QUESTION, "images": "x"}),
    ("ask", {"question": QUESTION, "images": [{"data": "?"}]}),
    ("ask", {"question": QUESTION, "images": [{"data": "AAAA"}]}),
    ("ask", {"question": QUESTION, "images": ["http://127.0.0.1:1/a.png"]}),
    ("ask", {"question": QUESTION, "images": [{"data": "/etc/passwd"}]}),
    ("ask", {"question": QUESTION, "images": [{}] * 9}),
]
NO_RESOURCES = [
    "file:///etc/passwd",
    "fineprint://page/%2Fetc%2Fpasswd/1",
    "fineprint://page/..%2F..%2Fetc%2Fpasswd/1",
    f"fineprint://page/{HARBOR}/0",
    f"fineprint://page/{HARBOR}/99999999999999999999",
    f"fineprint://page/{HARBOR}",
    "fineprint://page/%zz/1",
]


async def refusal(call):
    """What is said of a call that must not succeed; None where it does."""
    try:
        result = await call
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return result.content[0].text if getattr(result, "is_error", False) else None


async def use(client):
    got = {"server": client.server_info.model_dump(), "revision": client.protocol_version}
    got["tools"] = [tool.model_dump() for tool in (await client.list_tools()).tools]
    for name, arguments in [
        ("list_documents", {}),
        ("search", {"query": "ferry passengers", "k": 2}),
        ("read_page", {"doc": HARBOR, "page": 2}),
        ("ask", {"question": QUESTION}),
    ]:
        result = await client.call_tool(name, arguments)
        got[name] = {
            "error": result.is_error,
            "text": result.content[0].text,
            "structured": result.structured_content,
        }
    shown = await client.call_tool(
        "show_page", {"doc": HARBOR, "page": 2, "marks": ["audited by Tern & Pollock LLP"]}
    )
    plain = await client.call_tool("show_page", {"doc": HARBOR, "page": 2})
    seen = {"data": base64.b64encode(BOARD.read_bytes()).decode(), "mimeType": "image/png", "name": "b.png"}
    pictured = await client.call_tool("ask", {"question": "What is this about?", "images": [seen]})
    got["pictured"] = [pictured.content[0].text, pictured.structured_content]
    found = await client.call_tool("search", {"query": "this", "images": [seen]})
    got["found_by_picture"] = found.is_error
    got["picture"] = [shown.content[0].mime_type, len(base64.b64decode(shown.content[0].data))]
    got["is_marked"] = shown.content[0].data != plain.content[0].data

    steps = []

    async def on_progress(progress, total, message):
        steps.append([progress, message])

    await client.call_tool("ask", {"question": QUESTION}, progress_callback=on_progress)
    got["steps"] = steps

    pages, cursor = [], None
    while True:
        listed = await client.list_resources(cursor=cursor)
        pages += [str(one.uri) for one in listed.resources]
        cursor = listed.next_cursor
        if cursor is None:
            break
    got["resources"] = pages
    got["templates"] = [
        one.uri_template for one in (await client.list_resource_templates()).resource_templates
    ]
    got["page"] = (await client.read_resource(f"fineprint://page/{HARBOR}/2")).contents[0].text
    got["hostile"] = [
        [name, arguments, await refusal(client.call_tool(name, arguments))]
        for name, arguments in HOSTILE
    ]
    got["no_resources"] = [[uri, await refusal(client.read_resource(uri))] for uri in NO_RESOURCES]
    got["no_tool"] = await refusal(client.call_tool("run_shell", {"command": "id"}))
    if client.protocol_version < "2026":
        await client.send_ping()
    else:
        wanted = f"fineprint://page/{HARBOR}/2"
        async with client.listen(resources_list_changed=True, resource_subscriptions=[wanted]) as _:
            got["listened"] = True
    return got


async def main():
    kind, mode, *rest = sys.argv[1:]
    server = (
        f"{rest[0]}/mcp"
        if kind == "http"
        else StdioServerParameters(command=rest[0], args=rest[1:])
    )
    async with Client(server, mode=mode) as client:
        got = await use(client)
    for _, arguments, _ in got["hostile"]:
        arguments.clear()  # too long to be printed
    json.dump(got, sys.stdout)


asyncio.run(main())
