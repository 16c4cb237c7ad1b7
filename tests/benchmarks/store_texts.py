"""What `index` shows a text encoder: the chunks of a store, and the model that the set-up installed."""

import json
import pathlib
import sqlite3

ROOT = pathlib.Path(__file__).resolve().parents[2]


def texts_of_store(folder, count=None):
    """`count` chunks from all over the store, context included; all of them where none is given."""
    database = sqlite3.connect(f"file:{folder}/catalog.sqlite?mode=ro", uri=True)
    rows = database.execute("SELECT context, text FROM chunks ORDER BY document, ordinal").fetchall()
    step = len(rows) // count if count and count < len(rows) else 1
    return [f"{context}\n{text}" if context else text for context, text in rows[::step][:count]]


def default_model():
    site_packages = (ROOT / ".venv" / "lib").glob("python*/site-packages")
    return next(next(site_packages).glob("*minilm*/model"))


def vocabulary():
    """English words, the frequent ones first: the whole words that its tokenizer knows."""
    tokenizer = default_model() / "tokenizer.json"
    entries = json.loads(tokenizer.read_text(encoding="utf-8"))["model"]["vocab"]
    return [word for word in sorted(entries, key=entries.get) if word.isascii() and word.isalpha()]
