"""The page that `serve` shows people, in headless Chromium: asked, clicked through, typed into.

FINEPRINT_SCREENSHOTS names a folder that pictures of it are kept in, to be looked at.
"""

import os
import pathlib
import time
import unittest

import browser
from devtools import Chromium
from pixels import Picture
from program import DOCS
from served import PLAIN, ProgramTest, Server
from test_question_pictures import cut_out

HARBOR = "harbor-annual-report.pdf"
QUESTION = "Who audited the accounts of the ferry company?"
SHIFT = 8
# The names that a screen reader has of what can be reached by the keyboard.
UNNAMED = """[...document.querySelectorAll('button, input, select, textarea, a, [tabindex="0"]')]
    .filter((one) => one.checkVisibility())
    .filter((one) => !(one.labels && one.labels.length) && !one.getAttribute('aria-label')
            && !one.textContent.trim())
    .map((one) => one.outerHTML.slice(0, 80))"""
# Of text and ground, by WCAG 2.1, the least of all texts that are shown.
CONTRAST = """(() => {
  const luminance = (c) => c.map((v) => v / 255)
      .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
      .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour.slice(0, 3);
    }
    return [255, 255, 255];
  };
  let least = [99, ''];
  for (const one of document.querySelectorAll('body *')) {
    const says = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!says || !one.checkVisibility() || one.closest(':disabled, option, .skip')) continue;
    const a = luminance(rgb(getComputedStyle(one).color).slice(0, 3));
    const b = luminance(ground(one));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, one.outerHTML.slice(0, 80)];
  }
  return least;
})()"""


def is_marked(r, g, b):
    """The yellow of a mark, as a JPEG has it."""
    return r > 220 and 180 < g < 240 and b < 130


@browser.needs_browser
class Page(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.docs = cls.copy_documents(cls.class_folder / "docs")
        cls.store = cls.class_folder / "a.store"
        cls.must("index", cls.docs, "--store", cls.store, "--ocr", "never", "--scorer", "bm25")
        cls.server = Server(cls, cls.store, *PLAIN)
        cls.addClassCleanup(cls.server.stop)
        cls.browser = Chromium(cls.class_folder, "--window-size=1280,900")
        cls.addClassCleanup(cls.browser.close)
        cls.browser.call("Page.enable")
        cls.browser.call("DOM.enable")

    def setUp(self):
        super().setUp()
        self.show("")
        self.value("sessionStorage.clear()")  # the conversation of the test before
        self.show("")

    def show(self, fragment, server=None):
        self.browser.open("about:blank")
        self.wait("location.href === 'about:blank'")
        self.browser.open(f"{(server or self.server).address}/{fragment}")
        # What is told above may move what is below: all of it, or why there is none of it.
        self.wait("document.readyState === 'complete' "
                  "&& document.getElementById('state').textContent !== '' "
                  "&& (document.getElementById('pipeline').options.length > 0 "
                  "|| !document.getElementById('token-form').hidden)")  # fmt: skip

    def wait(self, expression, seconds=60):
        end = time.monotonic() + seconds
        while True:
            value = self.browser.value(f"!!({expression})")
            if value:
                return value
            self.assertLess(time.monotonic(), end, f"never: {expression}")
            time.sleep(0.05)

    def look(self, name):
        """A picture of the page as it is."""
        folder = pathlib.Path(os.environ.get("FINEPRINT_SCREENSHOTS") or self.folder)
        file = folder / f"{name}.png"
        self.browser.screenshot(file)
        return Picture(file)

    def value(self, expression):
        return self.browser.value(expression)

    def text(self, selector):
        return self.value(f"document.querySelector({selector!r}).innerText")

    def click(self, selector):
        """Where the pointer would, so that nothing may lie over it."""
        x, y = self.value(
            f"(() => {{ const one = document.querySelector({selector!r}); one.scrollIntoView("
            "{block: 'center'}); const box = one.getBoundingClientRect(); "
            "return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        self.browser.click(x, y)

    def ask(self, question):
        self.value("document.getElementById('question').focus()")
        self.browser.type(question)
        self.browser.press("Enter", text="\r")

    def wait_for_answer(self):
        self.wait("document.querySelector('.answer') && !document.querySelector('.answer .busy')")

    def wait_for_picture(self, page):
        self.wait(
            "(() => { const one = document.getElementById('viewer-picture'); return !one.hidden "
            f"&& one.complete && one.naturalWidth > 0 && one.alt.includes('Page {page} of'); }})()"
        )

    def test_a_question_is_answered_with_its_proof_marked(self):
        self.look("start")
        self.ask(QUESTION)
        self.wait_for_answer()
        self.assertIn("Tern & Pollock", self.text(".answer .said"))
        self.assertIn("Confidence", self.text(".answer"))
        self.look("answer")
        self.click(".citations a")
        self.wait_for_picture(2)
        self.assertIn(HARBOR, self.text("#viewer-title"))
        self.assertIn("Tern", self.value("document.getElementById('viewer-picture').alt"))
        self.assertEqual(self.value("document.querySelectorAll('[aria-current]').length"), 1)
        picture = self.look("marked")
        self.assertGreater(len(picture.where(is_marked)), 1000)

    def test_the_steps_can_be_followed(self):
        self.ask(QUESTION)
        self.wait_for_answer()
        self.assertFalse(self.value("document.querySelector('.steps').open"))
        self.click(".steps summary")
        self.assertTrue(self.value("document.querySelector('.steps').open"))
        self.assertGreater(self.value("document.querySelectorAll('.steps li').length"), 1)
        self.look("steps")

    def test_pages_are_turned_and_the_address_says_which(self):
        self.show(f"#doc={HARBOR}&page=2")
        self.wait_for_picture(2)
        self.click("#next")
        self.wait_for_picture(3)
        self.assertIn("page=3", self.value("location.hash"))
        self.value("history.back()")
        self.wait_for_picture(2)
        self.click("#previous")
        self.wait_for_picture(1)
        self.assertTrue(self.value("document.getElementById('previous').disabled"))
        self.click("#viewer-words summary")
        self.assertIn("Harbor", self.text("#viewer-text"))
        self.click("#viewer-close")
        self.wait("document.getElementById('viewer').hidden")

    def test_errors_are_told_where_they_happen(self):
        self.show("#doc=nothing.pdf&page=1")
        self.wait("!document.getElementById('viewer-note').hidden")
        self.assertIn("nothing.pdf", self.text("#viewer-note"))
        self.look("no-such-page")
        self.value("document.getElementById('pipeline').append(new Option('none', 'none'))")
        self.value("document.getElementById('pipeline').value = 'none'")
        self.ask(QUESTION)
        self.wait_for_answer()
        self.assertIn("none", self.text(".answer .error"))
        self.look("error")

    def test_documents_are_chosen(self):
        self.click("#documents summary")
        self.wait("document.getElementById('documents').open")
        self.wait("document.querySelectorAll('#document-list li').length >= 3")
        self.value("document.getElementById('document-filter').focus()")
        self.browser.type("reef")
        self.wait("document.querySelectorAll('#document-list li').length === 1")
        self.click("#document-list input")
        self.wait("document.getElementById('scope').textContent === 'of 1 document'")
        self.look("documents")
        self.ask(QUESTION)
        self.wait_for_answer()
        places = self.value("[...document.querySelectorAll('.place')].map((one) => one.innerText)")
        self.assertTrue(all("reef" in place for place in places), places)
        self.click("#untick")
        self.wait("document.getElementById('scope').textContent === 'of all documents'")

    def set_files(self, *files, selector="#files"):
        root = self.browser.call("DOM.getDocument")["root"]["nodeId"]
        node = self.browser.call("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.browser.call("DOM.setFileInputFiles", nodeId=node, files=[str(file) for file in files])

    def test_documents_are_added(self):
        self.click("#documents summary")
        broken = self.write("broken.pdf", "%PDF-1.7 and no more")
        self.set_files(DOCS / "slides-no-text.pdf", broken)
        self.wait("document.querySelectorAll('#uploads .done, #uploads .error').length === 2", 200)
        self.assertIn("slides-no-text.pdf", self.text("#uploads .done"))
        self.assertIn("broken.pdf", self.text("#uploads .error"))
        self.wait("document.getElementById('document-list').innerText.includes('slides-no-text.pdf')")
        self.assertNotIn("broken.pdf", self.text("#document-list"))
        self.look("upload")
        self.show("#doc=slides-no-text.pdf&page=3")
        self.wait_for_picture(3)

    def test_a_picture_is_asked_about(self):
        image = cut_out(self.folder / "cut <b>.jpg", HARBOR, 4, (60, 80, 520, 400))
        self.set_files(image, selector="#picture-files")
        self.wait("document.querySelector('#pictures img')")
        self.browser.type("Which page shows this?")
        self.look("picture-chosen")
        self.browser.press("Enter", text="\r")
        self.wait_for_answer()
        self.assertEqual(self.value("document.querySelectorAll('#pictures img').length"), 0)
        self.assertEqual(self.value("document.querySelectorAll('.sent img').length"), 1)
        self.assertIn(f"cut <b>.jpg is shown on {HARBOR}, page 4", self.text(".shown"))
        self.look("picture-found")
        self.value("document.querySelector('.shown a').click()")
        self.wait_for_picture(4)

    def test_a_picture_is_pasted_and_taken_back(self):
        self.value(
            "(() => { const files = new DataTransfer(); "
            "files.items.add(new File([new Uint8Array([1])], '', {type: 'image/png'})); "
            "document.getElementById('question').dispatchEvent(new ClipboardEvent('paste', "
            "{clipboardData: files, bubbles: true, cancelable: true})); })()"
        )
        self.wait("document.querySelector('#pictures img')")
        self.assertEqual(self.value("document.querySelector('#pictures img').alt"), "pasted.png")
        self.value("document.querySelector('#pictures button').click()")
        self.assertEqual(self.value("document.querySelectorAll('#pictures img').length"), 0)

    def test_files_are_dropped_anywhere(self):
        self.value(
            "(() => { const files = new DataTransfer(); "
            "files.items.add(new File(['name,number\\nlamps,612\\n'], 'lamps.csv')); "
            "const drag = (kind) => document.body.dispatchEvent(new DragEvent(kind, "
            "{dataTransfer: files, bubbles: true, cancelable: true})); "
            "drag('dragenter'); drag('dragover'); window.drop = () => drag('drop'); })()"
        )
        self.assertFalse(self.value("document.getElementById('drop').hidden"))
        self.value("window.drop()")
        self.wait("document.querySelector('#uploads .done, #uploads .error')", 200)
        self.assertIn("lamps.csv: 1 page added", self.text("#uploads"))
        self.assertTrue(self.value("document.getElementById('drop').hidden"))

    def test_the_keyboard_is_enough(self):
        self.assertEqual(self.value("document.activeElement.id"), "question")
        self.browser.type(QUESTION)
        self.browser.press("Enter", text="\r")
        self.wait_for_answer()
        for _ in range(20):  # on to the first citation
            self.browser.press("Tab")
            if self.value("document.activeElement.matches('.citations a')"):
                break
        self.assertTrue(self.value("document.activeElement.matches('.citations a')"))
        self.look("focus")
        self.browser.press("Enter", text="\r")
        self.wait_for_picture(2)
        for _ in range(40):
            self.browser.press("Tab")
            if self.value("document.activeElement.id") == "next":
                break
        self.browser.press("Enter", text="\r")
        self.wait_for_picture(3)
        self.browser.press("ArrowLeft")
        self.wait_for_picture(2)
        self.browser.press("Escape")
        self.wait("document.getElementById('viewer').hidden")
        self.assertEqual(self.value("document.activeElement.id"), "question")
        self.browser.press("Tab", modifiers=SHIFT)
        self.assertNotEqual(self.value("document.activeElement.id"), "question")

    def test_a_question_can_have_several_lines(self):
        self.browser.type("Who audited")
        self.browser.press("Enter", text="\r", modifiers=SHIFT)
        self.browser.type("the accounts?")
        self.assertEqual(
            self.value("document.getElementById('question').value"), "Who audited\nthe accounts?"
        )
        self.assertIsNone(self.value("document.querySelector('.answer')"))

    def scheme(self, name):
        self.browser.call(
            "Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}]
        )

    def test_all_is_named_and_readable_in_light_and_dark(self):
        self.addCleanup(self.scheme, "light")
        for name in ("light", "dark"):
            self.scheme(name)
            self.show("")
            self.ask(QUESTION)
            self.wait_for_answer()
            self.click(".citations a")
            self.wait_for_picture(2)
            self.click("#documents summary")
            self.look(name)
            self.assertEqual(self.value(UNNAMED), [])
            ratio, where = self.value(CONTRAST)
            self.assertGreaterEqual(ratio, 4.5, where)
        before = self.value("getComputedStyle(document.body).backgroundColor")
        self.click("#theme")
        self.assertNotEqual(self.value("getComputedStyle(document.body).backgroundColor"), before)
        self.value("localStorage.clear()")

    def test_narrow_screens_have_one_column(self):
        self.addCleanup(self.browser.call, "Emulation.clearDeviceMetricsOverride")
        self.browser.call(
            "Emulation.setDeviceMetricsOverride",
            **{"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False},
        )
        self.ask(QUESTION)
        self.wait_for_answer()
        self.click(".citations a")
        self.wait_for_picture(2)
        self.look("narrow")
        self.assertLessEqual(self.value("document.documentElement.scrollWidth"), 390)

    def test_a_strangers_text_is_no_markup(self):
        name = "<img src=x onerror=alert(1)>.csv"
        status, _, body = self.server.upload(name, b"<script>alert(1)</script>,lamp\n1,2\n")
        self.assertEqual(status, 201, body)
        self.show("")
        self.click("#documents summary")
        self.wait("document.getElementById('document-list').innerText.includes('onerror')")
        self.assertEqual(self.value("document.querySelectorAll('#document-list img').length"), 0)
        self.ask("<b>lamp</b>")
        self.wait_for_answer()
        self.assertEqual(self.value("document.querySelectorAll('.answer b, .answer script').length"), 0)

    def answers(self):
        return self.value("[...document.querySelectorAll('.answer h3')].map((one) => one.innerText)")

    def test_a_conversation_survives_a_reload(self):
        self.ask("How many passengers can the Gannet carry?")
        self.wait_for_answer()
        self.ask("And the Storm Petrel?")
        self.wait("document.querySelectorAll('.answer').length === 2")
        self.wait_for_answer()
        understood = "Understood: How many passengers can the Storm Petrel carry?"
        self.assertEqual(self.text(".answer .understood"), understood)
        steps = self.value("document.querySelectorAll('.steps li').length")
        self.show("")
        self.assertEqual(self.answers(), ["And the Storm Petrel?", "How many passengers can the Gannet carry?"])
        self.assertEqual(self.text(".answer .understood"), understood)
        self.assertEqual(self.value("document.querySelectorAll('.steps li').length"), steps)
        self.ask("When was it built?")
        self.wait("document.querySelectorAll('.answer').length === 3")
        self.wait_for_answer()
        self.assertIn("When was the Storm Petrel built?", self.text(".answer .understood"))
        self.look("conversation")
        self.value("document.getElementById('forget').focus()")
        self.browser.press("Enter", text="\r")
        self.assertEqual(self.answers(), [])
        self.assertEqual(self.value("document.activeElement.id"), "question")
        self.show("")
        self.assertEqual(self.answers(), [])

    def test_a_conversation_is_saved_as_a_page(self):
        self.ask("<b>Who</b> audited the accounts of the ferry company?")
        self.wait_for_answer()
        self.value(
            "(() => { const make = URL.createObjectURL; URL.createObjectURL = (blob) => { "
            "blob.text().then((text) => { window.saved = text; }); return make(blob); }; })()"
        )
        self.browser.call("Browser.setDownloadBehavior", behavior="deny")
        self.value("document.getElementById('save').focus()")
        self.browser.press("Enter", text="\r")
        self.wait("window.saved")
        saved = browser.Dom(self.value("window.saved"))
        self.assertIn("Tern & Pollock", saved.all("p", "said")[0].text)
        self.assertEqual(saved.all("b"), [])
        self.assertEqual(len([one for one in saved.all("img") if one.attributes["src"].startswith("data:image/")]), 1)
        self.assertEqual(saved.all("script"), [])
        self.wait("document.getElementById('conversation-note').textContent === 'Saved.'")

    def test_the_token_is_asked_for(self):
        token = self.write("token", "0123456789abcdef-token")
        server = Server(self, self.store, *PLAIN, "--token-file", token)
        self.addCleanup(server.stop)
        self.show("", server)
        self.wait("!document.getElementById('token-form').hidden")
        self.look("token")
        self.browser.type("0123456789abcdef-token")
        self.browser.press("Enter", text="\r")
        self.wait("document.getElementById('state').textContent.includes('pages')")
        self.ask(QUESTION)
        self.wait_for_answer()
        self.assertIn("Tern & Pollock", self.text(".answer .said"))
        self.click(".citations a")
        self.wait_for_picture(2)

    def test_a_server_that_is_gone_is_told(self):
        server = Server(self, self.store, *PLAIN)
        self.show("", server)
        server.stop()
        self.ask(QUESTION)
        self.wait_for_answer()
        self.assertIn("does not answer", self.text(".answer .error"))


if __name__ == "__main__":
    unittest.main()
