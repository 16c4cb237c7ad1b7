"""Questions that carry pictures: `ask --image`, `search --image`, `chat`, `batch`."""

import base64
import contextlib
import hashlib
import json
import pathlib
import re
import unittest
import zlib

import program
import pymupdf
from model_files import model_of
from program import DOCS, NATIVE_TEXT, QUICK, ProgramTest, read_records
from scripted_replies import every_agent

HARBOR = "harbor-annual-report.pdf"
PLAIN = [*QUICK, "--qa", "none"]


def cut_out(file, document, page, clip, dpi=86, quality=70):
    """A part of a page as a JPEG at a low resolution. `clip` in points."""
    picture = pymupdf.open(DOCS / document)[page - 1].get_pixmap(dpi=dpi, clip=pymupdf.Rect(clip))
    pathlib.Path(file).write_bytes(picture.tobytes("jpg", jpg_quality=quality))
    return file


def drawn(file, text="", size=(400, 200), rotate=0):
    """A white picture with large letters."""
    document = pymupdf.open()
    page = document.new_page(width=size[0], height=size[1])
    page.insert_text((20, size[1] / 2), text, fontsize=28)
    page.set_rotation(rotate)
    page.get_pixmap(dpi=144).save(str(file))
    return file


def exif_turned(jpeg, orientation):
    """The JPEG with an EXIF segment that says how it lies."""
    tiff = b"MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01" + bytes([0, orientation, 0, 0])
    segment = b"Exif\x00\x00" + tiff + b"\x00\x00\x00\x00"
    return jpeg[:2] + b"\xff\xe1" + (len(segment) + 2).to_bytes(2, "big") + segment + jpeg[2:]


class PictureTest(ProgramTest):
    def ask(self, question, *images, more=(), store=None):
        named = [word for image in images for word in ("--image", image)]
        arguments = ["--store", store or self.native_store(QUICK), "--json", *PLAIN, *more]
        (answer,) = self.must("ask", question, *named, *arguments).records()
        return answer

    def refused(self, image, code, *words):
        result = self.call("ask", "What is this?", "--image", image, "--store", self.native_store(QUICK), *PLAIN)
        self.assert_one_error(result, code, *words)


class Pages(PictureTest):
    def test_a_cut_out_finds_its_page(self):
        for page, clip in ((1, (60, 60, 400, 300)), (4, (60, 80, 520, 400)), (7, (60, 60, 520, 380))):
            image = cut_out(self.folder / f"cut-{page}.jpg", HARBOR, page, clip)
            answer = self.ask("Which page shows this?", image)
            (record,) = answer["images"]
            first = record["found"][0]
            self.assertEqual((first["doc"], first["page"]), (HARBOR, page), record)
            for side, wanted in zip(first["box"], clip, strict=True):
                self.assertAlmostEqual(side, wanted, delta=8)
            self.assertEqual(answer["answer"], f"{HARBOR}, page {page}")
            self.assertEqual(answer["citations"][0]["page"], page)
            self.assertEqual(answer["citations"][0]["boxes"], [first["box"]])
            self.assertEqual(answer["retrieved"][0]["page"], page)
            self.assertIn("pages", record["used"])

    def test_the_text_says_where_it_is_from(self):
        image = cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400))
        arguments = ["--image", image, "--store", self.native_store(QUICK), *PLAIN]
        out = self.must("ask", "Where is this from?", *arguments).out
        self.assertIn(f"[1] {HARBOR}, page 4", out)
        self.assertIn(f"cut.jpg is shown on {HARBOR}, page 4", out)

    def test_a_question_about_something_else_is_answered_from_the_page(self):
        image = cut_out(self.folder / "cut.jpg", HARBOR, 3, (60, 60, 400, 300))
        answer = self.ask("On what date will the annual general meeting be held?", image)
        self.assertIn("16 May 2024", answer["answer"])

    def test_a_picture_of_no_page(self):
        image = drawn(self.folder / "other.png", "zyzzyva")
        (record,) = self.ask("Which page shows this?", image)["images"]
        self.assertEqual(record["found"], [])
        self.assertGreater(record["compared_pages"], 0)

    def test_pages_beyond_the_limit_are_named(self):
        image = drawn(self.folder / "other.png", "zyzzyva")
        (record,) = self.ask("Which page shows this?", image, more=["--image-pages", "2"])["images"]
        self.assertEqual(record["compared_pages"], 2)
        self.assertIn("--image-pages", " ".join(record["notes"]))

    def test_search_finds_it_too(self):
        image = cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400))
        arguments = ["--image", image, "--store", self.native_store(QUICK), "--json", *QUICK]
        hits = self.must("search", "this picture", *arguments).records()
        self.assertEqual((hits[0]["doc"], hits[0]["page"]), (HARBOR, 4))
        self.assertIn("shown picture", hits[0]["scores"])


class Words(PictureTest):
    def test_text_in_a_picture_is_part_of_the_question(self):
        image = drawn(self.folder / "sign.png", "Skerry Point")
        without = self.ask("What is said about this?")
        answer = self.ask("What is said about this?", image, more=["--image-pages", "0"])
        (record,) = answer["images"]
        self.assertEqual(record["text"], "Skerry Point")
        self.assertEqual(sorted(record["used"]), ["text", "words"])
        self.assertIn("Skerry Point", json.dumps(answer["citations"]))
        self.assertNotIn("Skerry Point", json.dumps(without["citations"]))

    def test_a_picture_without_text_says_so(self):
        image = drawn(self.folder / "white.png")
        (record,) = self.ask("Who audited the accounts?", image)["images"]
        self.assertEqual(record["text"], "")
        self.assertIn("no text was found in it", record["notes"])

    def test_the_record_names_the_file(self):
        image = drawn(self.folder / "sign.png", "Skerry Point", size=(300, 150))
        (record,) = self.ask("What is this?", image)["images"]
        self.assertEqual(record["name"], "sign.png")
        self.assertEqual((record["width"], record["height"]), (600, 300))
        self.assertEqual(record["bytes"], image.stat().st_size)
        self.assertEqual(record["sha256"], self.sha256(image))

    @staticmethod
    def sha256(file):
        return hashlib.sha256(file.read_bytes()).hexdigest()

    def test_a_photo_on_its_side_is_turned(self):
        upright = drawn(self.folder / "up.png", "Skerry Point", size=(400, 200))
        turned = pymupdf.open()
        page = turned.new_page(width=200, height=400)
        page.insert_image(page.rect, filename=str(upright), rotate=90)
        jpeg = page.get_pixmap(dpi=144).tobytes("jpg")
        for orientation in (6, 8):
            file = self.folder / f"side-{orientation}.jpg"
            file.write_bytes(exif_turned(jpeg, orientation))
            (record,) = self.ask("What is this?", file)["images"]
            self.assertEqual((record["width"], record["height"]), (800, 400), orientation)
            if orientation == 6:
                self.assertEqual(record["text"].casefold(), "skerry point")


class Refused(PictureTest):
    def test_what_is_no_picture(self):
        text = self.folder / "a.png"
        text.write_text("not a picture")
        self.refused(text, 3, "a.png", "not a picture")
        self.refused(self.folder / "gone.png", 3, "gone.png", "does not exist")
        self.refused(self.folder, 3, "not a file")
        self.refused(DOCS / HARBOR, 3, HARBOR, "is a document (PDF)", "fineprint show")
        self.refused(DOCS / "handbook.html", 3, "handbook.html")

    def test_a_damaged_picture(self):
        whole = drawn(self.folder / "whole.png", "Skerry Point").read_bytes()
        damaged = self.folder / "damaged.png"
        damaged.write_bytes(whole[:20])
        self.refused(damaged, 3, "damaged.png")

    def test_too_many_pixels_or_bytes(self):
        wide = self.folder / "wide.pbm"
        wide.write_bytes(b"P4\n30000 30000\n" + bytes(30000 // 8 * 30000))
        self.refused(wide, 3, "wide.pbm")
        large = self.folder / "large.png"
        large.write_bytes(drawn(self.folder / "w.png").read_bytes())
        with open(large, "r+b") as file:
            file.truncate(60_000_000)
        self.refused(large, 3, "large.png", "60000000 bytes")

    def test_several_pictures_in_one_file(self):
        """One PNM file after the other is a file of two pictures."""
        pages = self.folder / "pages.ppm"
        pages.write_bytes(2 * (b"P6\n4 4\n255\n" + bytes(48)))
        self.refused(pages, 3, "pages.ppm", "2 pictures in one file")

    def test_an_animation(self):
        frame = b"\x2c\0\0\0\0\1\0\1\0\x80\0\0\0\xff\xff\xff\2\2\x44\1\0"
        moving = self.folder / "moving.gif"
        moving.write_bytes(b"GIF89a\1\0\1\0\0\0\0" + 2 * frame + b";")
        self.refused(moving, 3, "moving.gif", "is an animation")

    def test_the_same_picture_twice(self):
        one = drawn(self.folder / "one.png", "Skerry Point")
        other = self.folder / "other.png"
        other.write_bytes(one.read_bytes())
        result = self.call("ask", "What?", "--image", one, "--image", other, "--store", self.native_store(QUICK))
        self.assert_one_error(result, 2, "one.png and other.png are the same")

    def test_two_pictures_of_one_name(self):
        for folder, text in (("a", "Skerry Point"), ("b", "Calla Linkspan")):
            (self.folder / folder).mkdir()
            drawn(self.folder / folder / "photo.png", text)
        answer = self.ask("What?", self.folder / "a" / "photo.png", self.folder / "b" / "photo.png")
        self.assertEqual([one["text"] for one in answer["images"]], ["Skerry Point", "Calla Linkspan"])

    def test_a_file_of_questions_names_its_own(self):
        questions = self.folder / "q.txt"
        questions.write_text("Who?\n")
        result = self.call("search", "--questions", questions, "--json", "--image", "x.png",
                           "--store", self.native_store(QUICK))
        self.assert_one_error(result, 2, "--image", "images")

    def test_commands_that_take_none(self):
        result = self.call("batch", "q.jsonl", "--image", "x.png", "--out", "-", "--store", self.native_store(QUICK))
        self.assert_one_error(result, 2, "--image")


class Generators(PictureTest):
    def test_a_scripted_generator_is_shown_it(self):
        script = self.folder / "script.jsonl"
        script.write_text(every_agent("It is the chart."))
        image = cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400))
        answer = self.ask("What is this?", image, more=["--pipeline", "visualrag", "-g", f"script:{script}",
                                                       "--trace", "--check", "off"])
        calls = [step for step in answer["trace"] if step["step"] == "call"]
        sha = answer["images"][0]["sha256"][:8]
        self.assertEqual(calls[0]["pages"][0], f"{HARBOR}:4")
        self.assertEqual(calls[0]["pages"][-1], f"picture cut.jpg {sha}")
        self.assertIn("generator", answer["images"][0]["used"])
        located = [step for step in answer["trace"] if step["step"] == "picture_pages"]
        self.assertEqual(located[0]["found"][0]["page"], 4)

    @program.needs_nets
    def test_a_network_reads_another_prompt_with_another_picture(self):
        """What one process keeps of a picture's prompt is not used for another picture."""
        names = ["one.png", "two.png", "one.png"]
        drawn(self.folder / "one.png", "Skerry Point")
        drawn(self.folder / "two.png", "Calla Linkspan")
        more = ["--pipeline", "visualrag", "-g", model_of("qwen25vl_a"), "-k", "1",
                "--check", "off", "--answer-tokens", "300", "--image-pages", "0"]
        questions = self.folder / "q.jsonl"
        lines = [{"id": str(i), "question": "What is the annual general meeting?", "images": [name]}
                 for i, name in enumerate(names)]
        questions.write_text("".join(json.dumps(line) + "\n" for line in lines))
        out = self.folder / "answers.jsonl"
        self.must("batch", questions, "--out", out, "--workers", "1", "--store", self.native_store(QUICK), *QUICK, *more)
        together = read_records(out)
        plain = self.ask("What is the annual general meeting?", more=more)
        for name, answer in zip(names, together, strict=True):
            alone = self.ask("What is the annual general meeting?", self.folder / name, more=more)
            self.assertEqual(alone["answer"], answer["answer"], name)
            self.assertGreater(alone["usage"]["image_tokens"], plain["usage"]["image_tokens"])


class Files(PictureTest):
    def test_a_batch_reads_the_pictures_of_its_questions(self):
        cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400))
        lines = [{"id": "a", "question": "Which page shows this?", "images": ["cut.jpg"]},
                 {"id": "b", "question": "Who audited the accounts?"},
                 {"id": "c", "question": "What is this?", "images": ["gone.jpg"]}]
        questions = self.folder / "q.jsonl"
        questions.write_text("".join(json.dumps(line) + "\n" for line in lines))
        out = self.folder / "answers.jsonl"
        self.must("batch", questions, "--out", out, "--store", self.native_store(QUICK), *PLAIN, code=1)
        answers = {answer["id"]: answer for answer in read_records(out)}
        self.assertEqual(answers["a"]["answer"], f"{HARBOR}, page 4")
        self.assertNotIn("images", answers["b"])
        self.assertIn("gone.jpg", answers["c"]["error"]["message"])

    def test_a_folder_is_asked_with_a_picture(self):
        docs = self.copy_documents(self.folder / "docs", NATIVE_TEXT)
        image = cut_out(self.folder / "cut.jpg", HARBOR, 7, (60, 60, 520, 380))
        (answer,) = self.must("ask", "Which page shows this?", docs, "--image", image, "--json", *PLAIN).records()
        self.assertEqual(answer["answer"], f"{HARBOR}, page 7")

    def test_a_report_shows_it(self):
        image = cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400))
        html = self.folder / "a.html"
        self.ask("Which page shows this?", image, more=["--html", html])
        packed = re.findall(r"[A-Za-z0-9+/=]{300,}", html.read_text())
        data = []
        for one in packed:
            with contextlib.suppress(ValueError, zlib.error):
                data.append(zlib.decompress(base64.b64decode(one)).decode())
        self.assertIn(f"shown on {HARBOR}, page 4", "".join(data))

    def test_a_conversation_takes_pictures(self):
        image = cut_out(self.folder / "cut.jpg", HARBOR, 4, (60, 80, 520, 400))
        lines = f":image {image}\nWhich page shows this?\nWho audited the accounts of the ferry company?\n"
        result = self.must("chat", "--store", self.native_store(QUICK), "--json", *PLAIN, text=lines)
        first, second = result.records()
        self.assertEqual(first["images"][0]["found"][0]["page"], 4)
        self.assertNotIn("images", second)


if __name__ == "__main__":
    unittest.main()
