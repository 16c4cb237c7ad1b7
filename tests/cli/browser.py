"""Opens pages of HTML in headless Chromium: what they become, and what they look like.

FINEPRINT_NEED_BROWSER makes a missing browser an error instead of a skipped test, as in CI.
"""

import html.parser
import os
import shutil
import subprocess
import unittest
import urllib.parse

from pixels import Picture

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")

needs_browser = unittest.skipUnless(
    CHROMIUM or os.environ.get("FINEPRINT_NEED_BROWSER"),
    "SKIPPED: chromium is not installed (scripts/test installs it)",
)


def address_of(file, **choice):
    """The address of a file, with what a report's page is to show."""
    fragment = "#" + urllib.parse.urlencode(choice) if choice else ""
    return f"file://{urllib.parse.quote(str(file))}{fragment}"


def run(folder, address, *flags):
    """Runs Chromium with a profile in `folder`; what it prints."""
    if not CHROMIUM:
        raise AssertionError("chromium is not installed: apt-get install chromium")
    command = [CHROMIUM, "--headless", "--disable-gpu", "--hide-scrollbars", "--no-first-run"]
    command += ["--disable-dev-shm-usage", "--disable-background-networking"]
    command += [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=10000"]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND"]  # nothing is fetched
    if os.geteuid() == 0:
        command.append("--no-sandbox")
    done = subprocess.run(
        [*command, *flags, address], capture_output=True, timeout=120, check=False
    )
    if done.returncode != 0:
        raise AssertionError(f"chromium {address}: {done.returncode}\n{done.stderr.decode()}")
    return done.stdout.decode()


class Element:
    def __init__(self, tag, attributes):
        self.tag, self.attributes, self.text = tag, attributes, ""

    def __repr__(self):
        return f"<{self.tag} {self.attributes}> {self.text!r}"


VOID = {"meta", "img", "input", "br", "link", "hr"}


class Dom(html.parser.HTMLParser):
    """The elements of a page when its scripts have run, in their order, with all text in each."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        element = Element(tag, dict(attributes))
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_endtag(self, tag):
        while any(element.tag == tag for element in self.open) and self.open.pop().tag != tag:
            pass

    def handle_data(self, data):
        for element in self.open:
            element.text += data

    def all(self, tag, kind=None):
        """The elements of a tag, and of a class."""
        return [
            element
            for element in self.elements
            if element.tag == tag
            and (kind is None or kind in (element.attributes.get("class") or "").split())
        ]

    def by_id(self, name):
        (found,) = [one for one in self.elements if one.attributes.get("id") == name]
        return found


def dom_of(folder, file, **choice):
    return Dom(run(folder, address_of(file, **choice), "--dump-dom"))


def screenshot(folder, file, size=(1000, 1200), **choice):
    picture = folder / "screenshot.png"
    run(
        *[folder, address_of(file, **choice), f"--screenshot={picture}"],
        *["--window-size={},{}".format(*size), "--force-device-scale-factor=1"],
    )
    return Picture(picture)
