"""A script with a reply for every agent of every pipeline, made of the schemas in configs/prompts."""

import json
import re

import program

PROMPTS = program.REPOSITORY / "configs" / "prompts"
TIMES = 40  # how often an agent may be asked within one question


def value_of(schema, text):
    """The plainest value that fits."""
    if "enum" in schema:
        return schema["enum"][0]
    if "const" in schema:
        return schema["const"]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return value_of(schema[choice][-1], text)
    kind = schema.get("type")
    if kind == "object":
        return {name: value_of(part, text) for name, part in schema["properties"].items()}
    if kind == "array":
        return [value_of(schema["items"], text)] * schema.get("minItems", 0)
    if kind in ("integer", "number"):
        return schema.get("minimum", 0)
    return {"boolean": True, "string": text}[kind]


def reply_of(prompt, text):
    schema = re.search(r"^\[schema\]\n(.*?)^\[", prompt, re.DOTALL | re.MULTILINE)
    return value_of(json.loads(schema[1]), text) if schema else text


def script_of(replies):
    """Lines of a script in which each agent has its reply, as often as it is asked."""
    lines = [json.dumps({"agent": agent, "reply": reply, "entropy": 0}) + "\n"
             for agent, reply in replies.items()]
    return "".join(line * TIMES for line in lines)


def every_agent(text, **others):
    """A script whose answers are `text`; `others` are replies of single agents."""
    replies = {}
    for file in sorted(PROMPTS.glob("*/*.txt")):
        if file.stem != "system":
            agent = f"{file.parent.name}.{file.stem}"
            replies[agent] = reply_of(file.read_text(encoding="utf-8"), text)
    return script_of({**replies, **others})
