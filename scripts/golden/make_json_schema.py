"""Writes tests/golden/json_schema.json: random values and whether they fit a schema, judged by the
Python package jsonschema (4.17.3).

    .venv-peers/bin/python scripts/golden/make_json_schema.py
"""
import copy
import json
import pathlib
import random

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]

EXTRA = [
    {"type": "number", "minimum": -1.5, "maximum": 2.25},
    {"type": "integer"},
    {"type": "array", "items": {"type": "integer", "minimum": -2}, "minItems": 1, "maxItems": 3},
    {"enum": [1, 2.5, "1", None, True]},
    {"type": "string", "maxLength": 4},
    {"oneOf": [{"type": "null"}, {"type": "integer", "maximum": 3},
               {"type": "array", "items": {"type": "boolean"}}]},
    {"type": "object", "additionalProperties": False, "required": ["b"],
     "properties": {"a": {"type": "null"}, "b": {"type": "boolean"}, "c": {"type": "number"}}},
]
LOOSE = [None, True, False, 0, 1, -1, 2, 5, 6, 2.0, 2.5, -1.5, 1e20, "", "a", "é€𝄞", "abcde", "1",
         "salient", "answer", [], [1], [True], {}, {"a": None}, {"b": True}]


def text_of(rng, length):
    return "".join(rng.choice("ab \"\\é€𝄞\n") for _ in range(length))


def fitting(schema, rng):
    """A value that mostly fits."""
    if "oneOf" in schema:
        return fitting(rng.choice(schema["oneOf"]), rng)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema["type"]
    if kind == "object":
        names = list(schema["properties"])
        rng.shuffle(names)
        return {n: fitting(schema["properties"][n], rng) for n in names
                if n in schema.get("required", []) or rng.random() < 0.5}
    if kind == "array":
        low = schema.get("minItems", 0)
        count = rng.randint(low, min(schema.get("maxItems", low + 3), low + 3))
        return [fitting(schema["items"], rng) for _ in range(count)]
    if kind == "string":
        most = min(schema.get("maxLength", 6), 17)
        return text_of(rng, rng.choice([0, 1, most]))
    if kind in ("integer", "number"):
        low = schema.get("minimum", -9)
        high = schema.get("maximum", low + 20)
        if kind == "integer":
            return rng.choice([rng.randint(int(low), int(high)), float(int(low))])
        return rng.choice([low, high, rng.uniform(low, high), int(low)])
    return rng.choice([True, False]) if kind == "boolean" else None


def spoil(value, rng):
    """A copy with one place changed."""
    if isinstance(value, dict) and value and rng.random() < 0.8:
        out = copy.deepcopy(value)
        name = rng.choice(list(out))
        act = rng.random()
        if act < 0.25:
            del out[name]
        elif act < 0.4:
            out[name + "x"] = 1
        else:
            out[name] = spoil(out[name], rng)
        return out
    if isinstance(value, list) and value and rng.random() < 0.7:
        out = copy.deepcopy(value)
        at = rng.randrange(len(out))
        act = rng.random()
        if act < 0.2:
            out += [out[at]] * 40
        elif act < 0.3:
            del out[at]
        else:
            out[at] = spoil(out[at], rng)
        return out
    if isinstance(value, str) and rng.random() < 0.4:
        return value + "€" * rng.choice([1, 16, 400, 2000])
    if isinstance(value, (int, float)) and not isinstance(value, bool) and rng.random() < 0.6:
        return rng.choice([value + 0.5, value - 1, value + 1, -value, value * 1000])
    return rng.choice(LOOSE)


def main():
    rng = random.Random(6)
    schemas = list(json.loads((ROOT / "tests/data/schemas.json").read_text()).values()) + EXTRA
    cases = []
    for schema in schemas:
        validator = jsonschema.Draft202012Validator(schema)
        case = {"schema": schema, "valid": [], "invalid": []}
        values = [fitting(schema, rng) for _ in range(20)]
        values += [spoil(rng.choice(values[:20]), rng) for _ in range(30)] + LOOSE[::3]
        for value in values:
            case["valid" if validator.is_valid(value) else "invalid"].append(value)
        cases.append(case)
    golden = {"made_by": "scripts/golden/make_json_schema.py with jsonschema 4.17.3",
              "cases": cases}
    lines = json.dumps(golden, ensure_ascii=False, separators=(",", ":"))
    (ROOT / "tests/golden/json_schema.json").write_text(lines.replace('{"schema"', '\n{"schema"') + "\n")


main()
