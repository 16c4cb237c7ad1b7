"""Writes the files of golden cases as they are in tests/data: small, and readable where people read
them.
"""
import json

WIDTH = 100
# Only programs read these.
ONE_LINE = ("tokenizer.json",)


def laid_out(value, indent=0, before=0):
    """JSON in which each object and list that fits into a line is one line. `before` is the length
    of what precedes the value in its line."""
    line = json.dumps(value, ensure_ascii=False)
    if indent + before + len(line) < WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    inner, outer = "\n" + " " * (indent + 1), "\n" + " " * indent
    if isinstance(value, list):
        parts = [laid_out(part, indent + 1) for part in value]
        return "[" + inner + ("," + inner).join(parts) + outer + "]"
    parts = []
    for name, part in value.items():
        key = json.dumps(name, ensure_ascii=False) + ": "
        parts.append(key + laid_out(part, indent + 1, len(key)))
    return "{" + inner + ("," + inner).join(parts) + outer + "}"


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.name in ONE_LINE:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    else:
        text = laid_out(value)
    path.write_text(text + "\n", encoding="utf-8")


def write_entries(path, lists):
    """An object of lists, one entry a line."""
    parts = []
    for name, entries in lists.items():
        lines = [json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries]
        parts.append("\n" + json.dumps(name) + ":[\n" + ",\n".join(lines) + "]")
    path.write_text("{" + ",".join(parts) + "}\n", encoding="utf-8")
