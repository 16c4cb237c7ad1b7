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


def levels_of(values):
    """Bytes that name a picture's values, and these values [channels, 256]; None if a channel has
    more. The channels are an axis of pictures [n, channels, height, width], and follow each other
    in the last axis of patches. One row of values is for all channels."""
    import torch

    for channels in (1, 3):
        plane = values.shape[2:].numel() if values.dim() == 4 else values.shape[-1] // channels
        rows = values.reshape(-1, channels, plane)
        found = [torch.unique(rows[:, c]) for c in range(channels)]
        if max(len(row) for row in found) > 256:
            continue
        table = torch.zeros(channels, 256)
        levels = torch.zeros(rows.shape, dtype=torch.uint8)
        for c, row in enumerate(found):
            table[c, : len(row)] = row
            levels[:, c] = torch.searchsorted(row, rows[:, c].contiguous()).to(torch.uint8)
            assert torch.equal(table[c][levels[:, c].long()], rows[:, c])
        return levels.reshape(values.shape), table
    return None


def as_stored(tensors):
    """The tensors as expected.safetensors holds them: of pictures, their levels. These are the
    values exactly, in a quarter of the space."""
    out = {}
    for name, values in tensors.items():
        is_picture = name.endswith(("pixel_values", "pixel_values_pil")) and values.numel() > 4096
        parts = levels_of(values) if is_picture else None
        if parts is None:
            out[name] = values.contiguous()
        else:
            out[name + ".levels"], out[name + ".level_values"] = parts
    return out
