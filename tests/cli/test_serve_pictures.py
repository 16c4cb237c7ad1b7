"""`serve` and pictures of questions, without anybody's client."""

import base64
import json
import pathlib
import unittest

from served import ServedTest
from test_question_pictures import HARBOR, cut_out


def sent(file):
    return base64.b64encode(pathlib.Path(file).read_bytes()).decode()


class SentPictures(ServedTest):
    def setUp(self):
        super().setUp()
        self.image = sent(cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400)))

    def ask(self, status=200, path="/v1/ask", **fields):
        given, _, body = self.server.post(path, {"question": "Which page shows this?", **fields})
        self.assertEqual(given, status, body)
        return json.loads(body)

    def test_ask_finds_the_page(self):
        for images in (
            [f"data:image/jpeg;base64,{self.image}"],
            [{"name": "../../my photo.jpg", "data": self.image}],
            [{"data": f"data:image/jpeg;base64,{self.image}"}],
        ):
            answer = self.ask(images=images)
            self.assertEqual(answer["answer"], f"{HARBOR}, page 4")
            (record,) = answer["images"]
            self.assertIn(record["name"], ("picture 1", "my photo.jpg"))
            self.assertEqual(record["found"][0]["page"], 4)
            self.assertNotIn("/", json.dumps(record["notes"] if "notes" in record else []))

    def test_search_finds_the_page(self):
        status, _, body = self.server.post("/v1/search", {"query": "this", "images": [{"data": self.image}]})
        self.assertEqual(status, 200, body)
        first = json.loads(body)["hits"][0]
        self.assertEqual((first["doc"], first["page"]), (HARBOR, 4))

    def test_streams_tell_what_is_looked_for(self):
        status, _, body = self.server.post(
            "/v1/ask", {"question": "Which page shows this?", "images": [{"data": self.image}], "stream": True}
        )
        self.assertEqual(status, 200)
        self.assertIn(b'"picture_pages"', body)

    def test_a_chat_takes_those_of_its_last_message(self):
        def message(*parts):
            return {"role": "user", "content": list(parts)}

        picture = {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{self.image}"}}
        asked = {"type": "text", "text": "Which page shows this?"}
        said = {"role": "assistant", "content": "page 4"}
        for messages, count in (([message(asked, picture)], 1), ([message(asked, picture), said, message(asked)], 0)):
            status, _, body = self.server.post("/v1/chat/completions", {"model": "extractive", "messages": messages})
            self.assertEqual(status, 200, body)
            self.assertEqual(len(json.loads(body)["fineprint"].get("images", [])), count)

    def test_what_is_wrong_is_said(self):
        pdf = base64.b64encode(b"%PDF-1.7\n" + b"x" * 100).decode()
        noise = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"x" * 100).decode()
        for images, status, *parts in (
            ("x", 400, "'images' must be a list"),
            ([7], 400, "picture 1 must be a data URL"),
            ([{"data": 7}], 400, "picture 1"),
            ([{"data": "%%%"}], 400, "picture 1 is not base64"),
            ([{"data": ""}], 400, "not base64"),
            ([{"data": self.image, "url": "x"}], 400, "field 'url'"),
            ([{"data": self.image, "name": 3}], 400, "'name'"),
            (["http://127.0.0.1:1/a.png"], 400, "nothing is fetched"),
            (["file:///etc/passwd"], 400, "nothing is fetched"),
            (["data:image/png,abc"], 400, "base64"),
            ([{"data": self.image}] * 9, 400, "9 pictures"),
            ([{"data": self.image}] * 2, 400, "are the same"),
            ([{"data": pdf}], 415, "is a document (PDF)"),
            ([{"data": noise}], 422, "picture 1"),
            ([{"data": base64.b64encode(b"plain text").decode()}], 415, "not a picture"),
        ):
            with self.subTest(images=str(images)[:60]):
                message = self.ask(status=status, images=images)["error"]["message"]
                for part in parts:
                    self.assertIn(part, message)
                self.assertNotIn("/tmp", message)


if __name__ == "__main__":
    unittest.main()
