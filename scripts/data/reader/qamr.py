"""QAMR: questions about the content of a sentence of Wikipedia or Wikinews. Several sentences are
joined into a passage, because they do not come in paragraphs.
"""

from paragraphs import Paragraph, write_paragraphs
from shared import DataError, Writer, chance, content_words, held_back, read_text

NAME = "qamr"
FOLDERS = ("qamr",)
MARKS = {"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}
CLOSING = set(".,;:!?)]}%") | {"'s", "n't", "'re", "'ve", "'ll", "'m", "'d", "'"}
OPENING = set("([{$#")


def joined(tokens):
    """Returns a tokenised sentence as it is printed, and the place of each token in it."""
    text, places, quoted, glue = "", [], False, True
    for token in tokens:
        said = MARKS.get(token, token)
        quote = token in ("``", "''") or said == '"'
        closes = said in CLOSING or quote and quoted
        if text and not glue and not closes:
            text += " "
        places.append((len(text), len(text) + len(said)))
        text += said
        glue = said in OPENING or quote and not quoted
        if quote:
            quoted = not quoted
    return text, places


def answer_of(places, text, indices):
    """Returns the span of consecutive tokens, or None if they are not consecutive."""
    indices = sorted(indices)
    if not indices or indices[-1] - indices[0] + 1 != len(indices) or indices[-1] >= len(places):
        return None
    start, end = places[indices[0]][0], places[indices[-1]][1]
    return start, text[start:end]


def judged(field):
    """Returns a validator's answer as indices; none if the question was called invalid or redundant."""
    said = field.split(":", 1)[1]
    return [int(index) for index in said.split()] if said[:1].isdigit() else []


def make(data, out, seed):
    folder = data / "qamr" / "data"
    sentences = {}
    for line in read_text(folder / "wiki-sentences.tsv").splitlines():
        identity, text = line.split("\t", 1)
        sentences[identity] = joined(text.split(" "))
    questions, seen = {}, set()
    for name in ("dev", "test"):
        for line in read_text(folder / "filtered" / f"{name}.tsv").splitlines():
            fields = line.split("\t")
            if fields[0] not in sentences:
                raise DataError(
                    f"qamr: {name}.tsv names sentence {fields[0]}, which is not in wiki-sentences.tsv; "
                    "check out the repository again"
                )
            text, places = sentences[fields[0]]
            spans = []
            for indices in [[int(index) for index in fields[6].split()]] + [judged(field) for field in fields[7:9]]:
                span = answer_of(places, text, indices)
                if span and span not in spans:
                    spans.append(span)
            question = fields[5].strip()
            shared = set(content_words(question)) & set(content_words(text))
            key = (fields[0], question.lower())
            if spans and shared and len(question.split()) > 3 and key not in seen:
                seen.add(key)
                identity = ":".join([fields[0], fields[1].replace(" ", "-"), fields[2], fields[3]])
                questions.setdefault(fields[0], []).append((identity, question, spans))
    writer = Writer(out, NAME)
    write_paragraphs(
        writer, passages(sentences, questions, seed), seed, lambda paragraph: held_back(paragraph.document)
    )
    return writer.close()


def passages(sentences, questions, seed):
    """Returns each sentence that has questions with zero to three others of the same half of the set."""
    asked = sorted(questions)
    halves = {part: [name for name in asked if held_back(article_of(name)) == part] for part in (True, False)}
    found = []
    for name in asked:
        rng = chance(seed, "qamr passage", name)
        article = article_of(name)
        around = [rng.choice(halves[held_back(article)]) for _ in range(rng.choice((0, 1, 2, 3)))]
        around = [other for other in around if article_of(other) != article]
        before = around[: rng.randint(0, len(around))]
        start = " ".join(sentences[other][0] for other in before)
        start += " " if start else ""
        text = start + " ".join([sentences[name][0]] + [sentences[other][0] for other in around[len(before) :]])
        moved = [(i, q, [(len(start) + at, said) for at, said in spans]) for i, q, spans in questions[name]]
        found.append(Paragraph(article, "", text, moved))
    return found


def article_of(name):
    return ":".join(name.split(":")[:3])
