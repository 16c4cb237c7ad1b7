"""SQuADShifts: questions in SQuAD's style about reviews, forum posts and new Wikipedia articles."""

from paragraphs import squad_paragraphs, write_paragraphs
from shared import Writer, held_back, read_json

NAME = "squadshifts"
FOLDERS = ("squadshifts",)
# Articles of Wikipedia are held back as complete documents; each review or post is a document.
FILES = ("new_wiki_v1.0.json", "amazon_reviews_v1.0.json", "reddit_v1.0.json")


def make(data, out, seed):
    paragraphs = []
    for name in FILES:
        kind = name.split("_v")[0]
        articles = read_json(data / "squadshifts" / "datasets" / name)["data"]
        if kind == "new_wiki":
            paragraphs += squad_paragraphs(articles, lambda article: article["title"].replace("_", " "), True)
        else:
            paragraphs += squad_paragraphs(articles, lambda article: kind, False)
    writer = Writer(out, NAME)
    write_paragraphs(writer, paragraphs, seed, is_test)
    return writer.close()


def is_test(paragraph):
    return held_back(paragraph.document if paragraph.context else paragraph.text)
