"""COVID-QA: experts' questions about medical articles, which are cut to windows."""

from paragraphs import Paragraph, located, write_paragraphs
from shared import TEXT_BYTES, Writer, fits, held_back, read_json, sentences

NAME = "covidqa"
FOLDERS = ("covidqa",)
# Earlier releases of the set, because the complete one is larger than the available files.
FILES = ("200423_covidQA.json", "200421_covidQA.json")


def make(data, out, seed):
    articles, seen = {}, {}
    for name in FILES:
        for article in read_json(data / "covidqa" / "data" / "question-answering" / name)["data"]:
            for paragraph in article["paragraphs"]:
                text = paragraph["context"]
                articles.setdefault(text, [])
                for qa in paragraph["qas"]:
                    spans = [located(text, a["answer_start"], a["text"]) for a in qa["answers"]]
                    spans = [span for span in spans if span and len(span[1]) <= 300]
                    key = (text, qa["question"].strip())
                    if spans and key not in seen:
                        seen[key] = True
                        articles[text].append((str(qa["id"]), qa["question"], spans))
    paragraphs = []
    for text, questions in articles.items():
        paragraphs += cut_article(text, questions)
    writer = Writer(out, NAME)
    write_paragraphs(writer, paragraphs, seed, lambda paragraph: held_back(paragraph.document))
    return writer.close()


def cut_article(text, questions):
    """Returns windows of complete sentences, each with the questions whose answers are in it."""
    title = text.split("\n", 1)[0].strip()
    bounds, start, windows = sentences(text), None, []
    for low, high in bounds:
        if start is None:
            start, end = low, high
        elif fits(text[start:high], TEXT_BYTES):
            end = high
        else:
            windows.append((start, end))
            start, end = low, high
    if start is not None:
        windows.append((start, end))
    found = []
    for low, high in windows:
        inside = []
        for identity, question, spans in questions:
            kept = [(at - low, said) for at, said in spans if low <= at and at + len(said) <= high]
            if kept:
                inside.append((identity, question, kept))
        found.append(Paragraph(title, title[:120], text[low:high], inside))
    return found
