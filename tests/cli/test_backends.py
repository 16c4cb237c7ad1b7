"""`--generator openai:...` without a server, and `--generator script:FILE`."""

import unittest

from chat_server import free_port
from program import DATA, ProgramTest

PAGE = DATA / "qwen25vl_a" / "input" / "page_a.png"
SCHEMA = (
    '{"type": "object", "properties": {"page": {"type": "integer"}}, "required": ["page"],'
    ' "additionalProperties": false}'
)


class Usage(ProgramTest):
    def test_specs_that_are_wrong_are_2(self):
        for spec, part in [
            ("openai:", "openai:URL#MODEL"),
            ("openai:http://localhost:1/v1", "MODEL"),
            ("openai:localhost#m", "URL"),
            ("openai:http://me:secret@localhost/v1#m", "password"),
        ]:
            result = self.call("generate", "x", "--generator", spec)
            self.assert_one_error(result, 2, part)
            self.assertNotIn("secret", result.err)

    def test_options_out_of_range_are_2(self):
        spec = ["--generator", "openai:http://localhost:1/v1#m"]
        for flag, value in [("--api-timeout", "0"), ("--api-retries", "-1"), ("--api-image", "gif")]:
            self.assert_one_error(self.call("generate", "x", *spec, flag, value), 2, flag[2:])

    def test_nobody_there_is_4(self):
        spec = f"openai:http://127.0.0.1:{free_port()}/v1#m"
        result = self.call("generate", "x", "--generator", spec, "--api-retries", "1")
        self.assert_one_error(result, 4, "cannot be reached")


class Scripts(ProgramTest):
    """`--generator script:FILE` needs no server and no networks."""

    def test_replies_choices_and_schemas(self):
        script = self.write(
            "replies.jsonl",
            '{"agent": "generate", "match": {"question": "How many?"}, "reply": "Ten."}\n'
            '{"agent": "generate", "match": {"question": "Yes?"}, "reply": "yes", "entropy": 0.5}\n'
            '{"agent": "generate", "match": {"pages": ["%s"]}, "reply": {"page": 4}}\n' % PAGE,
        )
        spec = ["--generator", f"script:{script}"]
        self.assertEqual(self.must("generate", "How many?", *spec).out, "Ten.\n")
        (record,) = self.must(
            *["generate", "Yes?", *spec, "--choose", "yes", "--choose", "no", "--json"]
        ).records()
        self.assertEqual(record["choice"], "yes")
        self.assertAlmostEqual(record["probabilities"]["yes"], 0.8, places=2)
        with_schema = ["generate", "Where?", *spec, "--image", PAGE, "--schema", SCHEMA]
        self.assertEqual(self.must(*with_schema).out, '{"page":4}\n')
        file = self.write("schema.json", SCHEMA.replace("integer", "string"))
        self.assert_one_error(self.call(*with_schema[:-1], file), 4, "schema", "page")
        self.assert_one_error(self.call("generate", "Else?", *spec), 4, "unused lines", "2")
        self.assert_one_error(self.call(*with_schema[:-1], "{"), 2, "schema")
        self.assert_one_error(self.call(*with_schema, "--choose", "a"), 2, "--choose")


if __name__ == "__main__":
    unittest.main()
