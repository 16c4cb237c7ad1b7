"""The schemas that the program prints, and records held against them."""

import fastjsonschema


class Schemas:
    """By name, as `fineprint help formats all` has them."""

    def __init__(self, texts):
        self.texts = texts
        self.validators = {name: fastjsonschema.compile(schema) for name, schema in texts.items()}

    def check(self, name, record):
        """Raises AssertionError: what the schema does not allow, or does not name."""
        try:
            self.validators[name](record)
        except fastjsonschema.JsonSchemaException as problem:
            raise AssertionError(f"{name}: {problem.message}: {str(record)[:400]}") from problem
        unnamed = list(unnamed_fields(self.texts[name], record, name))
        if unnamed:
            raise AssertionError(f"no schema names {', '.join(unnamed)}: {str(record)[:400]}")


def allows(schema, value):
    try:
        fastjsonschema.validate(schema, value)
    except fastjsonschema.JsonSchemaException:
        return False
    return True


def unnamed_fields(schema, value, where):
    """Those of objects whose schema lists fields and says nothing of others."""
    for choice in ("anyOf", "oneOf"):
        for branch in schema.get(choice, []):
            if allows(branch, value):
                yield from unnamed_fields(branch, value, where)
                return
    if isinstance(value, list):
        for item in value:
            yield from unnamed_fields(schema.get("items", {}), item, f"{where}[]")
    if not isinstance(value, dict) or not {"properties", "additionalProperties"} & set(schema):
        return
    others = schema.get("additionalProperties", False)
    for name, field in value.items():
        part = schema.get("properties", {}).get(name, others)
        if part is False:
            yield f"{where}.{name}"
        elif part is not True:
            yield from unnamed_fields(part, field, f"{where}.{name}")
