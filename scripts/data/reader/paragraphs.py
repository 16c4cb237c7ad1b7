"""Questions about paragraphs whose answers are spans: what sets in SQuAD's format share.

A source hands over its paragraphs and questions. Here they get wrong passages in addition to the
right one, or instead of it, and are divided into training and test by their document.
"""

from shared import (
    TEXT_BYTES,
    TRAINED_BYTES,
    DataError,
    Pool,
    byte_span,
    chance,
    example,
    plan,
    span_answer,
    text_passage,
    window,
)

WRONG_TEST_BYTES = 900


class Paragraph:
    """A paragraph with its questions: (id, question, [(start, text), ...]); places are in characters."""

    def __init__(self, document, context, text, questions):
        self.document, self.context, self.text, self.questions = document, context, text, questions


def squad_paragraphs(articles, document, headed):
    """Returns the paragraphs of a file in SQuAD's format. `document` returns the name of an article's
    document, which is also the paragraphs' heading if they are `headed`."""
    found = []
    for article in articles:
        name = document(article)
        for paragraph in article["paragraphs"]:
            text, questions = paragraph["context"], []
            for qa in paragraph["qas"]:
                spans = []
                for answer in qa["answers"]:
                    span = located(text, answer["answer_start"], answer["text"])
                    if span and span not in spans:
                        spans.append(span)
                if spans:
                    questions.append((str(qa["id"]), qa["question"].strip(), spans))
            if text.strip():
                found.append(Paragraph(name, name if headed else "", text, questions))
    return found


def located(text, start, answer):
    """Returns where an answer is: at `start`, or otherwise at the nearest place with the same text.
    Leaves out blanks at its ends."""
    if not answer.strip():
        return None
    if text[start : start + len(answer)] != answer:
        places, at = [], text.find(answer)
        while at >= 0:
            places.append(at)
            at = text.find(answer, at + 1)
        if not places:
            return None
        start = min(places, key=lambda place: abs(place - start))
    stripped = answer.lstrip()
    start += len(answer) - len(stripped)
    return (start, stripped.rstrip())


def right_passage(paragraph, spans, rng, limit):
    """Returns the part of a paragraph around the first annotator's span, and the spans in this part."""
    start, text = spans[0]
    part, cut = window(paragraph.text, start, start + len(text), limit, rng)
    answers = []
    for begin, said in spans:
        begin -= cut
        if begin >= 0 and begin + len(said) <= len(part) and part[begin : begin + len(said)] == said:
            answer = span_answer([byte_span(part, begin, begin + len(said))])
            if answer not in answers:
                answers.append(answer)
    return text_passage(part, paragraph.context), answers


class Part:
    """The paragraphs of the training or test part, and the search for wrong ones among them."""

    def __init__(self, paragraphs):
        self.paragraphs, self.pool = paragraphs, Pool()
        for paragraph in paragraphs:
            self.pool.add(paragraph.text, paragraph.document)

    def wrong(self, own, question, spans, count, near, rng, limit):
        """Returns passages that resemble the question and contain none of its answers, from the same
        document (near) or from others."""
        if not count:
            return []
        paragraph = self.paragraphs[own]
        # Paragraphs of an article are about different things, but any review or post may answer a
        # question about another.
        most = 0.9 if paragraph.context else 0.5
        texts = [text for _, text in spans]
        found = self.pool.resembling(question, count + 1, paragraph.document, texts, not near, rng, most)
        made = []
        for number in found:
            if number == own or len(made) == count:
                continue
            other = self.paragraphs[number]
            begin = rng.choice((0, len(other.text) // 2))
            cut, _ = window(other.text, begin, begin, limit, rng)
            if cut.strip():
                made.append(text_passage(cut, other.context))
        return made


def write_paragraphs(writer, paragraphs, seed, is_test):
    """Writes all questions of the paragraphs. Test lines have only the right paragraph, as in the sets'
    own evaluations, with the annotators' texts. NAME.nothing.test has each question again with wrong
    paragraphs, every second one without the right paragraph, to test whether a model recognises that
    nothing answers."""
    for testing in (False, True):
        part = Part([paragraph for paragraph in paragraphs if is_test(paragraph) == testing])
        for own, paragraph in enumerate(part.paragraphs):
            for identity, question, spans in paragraph.questions:
                rng = chance(seed, writer.name, identity)
                limit = TEXT_BYTES if testing else rng.choice(TRAINED_BYTES)
                right, answers = right_passage(paragraph, spans, rng, limit)
                if not answers:
                    raise DataError(f"{writer.name}: the cut paragraph of {identity} has none of its answers")
                (write_test if testing else write_training)(
                    writer, part, own, identity, question, spans, right, answers, rng
                )


def write_training(writer, part, own, identity, question, spans, right, answers, rng):
    kind, count = plan(rng)
    if kind != "right":
        near, limit = kind == "near", rng.choice(TRAINED_BYTES)  # as the right ones, so that size gives no hint
        wrong = part.wrong(own, question, spans, count, near, rng, limit)
        wrong = wrong or part.wrong(own, question, spans, count, not near, rng, limit)
        if wrong:
            writer.train(example(rng, question, None, [], wrong))
            return
        count = 0
    wrong = part.wrong(own, question, spans, count, rng.random() < 0.6, rng, rng.choice(TRAINED_BYTES))
    writer.train(example(rng, question, right, answers, wrong))


def write_test(writer, part, own, identity, question, spans, right, answers, rng):
    paragraph = part.paragraphs[own]
    gold = [text for _, text in spans]
    whole = [span_answer([byte_span(paragraph.text, start, start + len(text))]) for start, text in spans]
    passage = text_passage(paragraph.text, paragraph.context)
    writer.test(example(rng, question, passage, whole, [], gold=gold, id=identity))
    nothing = rng.random() < 0.5
    wrong = part.wrong(own, question, spans, 3 if nothing else 2, rng.random() < 0.7, rng, WRONG_TEST_BYTES)
    if nothing and wrong:
        writer.write("nothing.test", example(rng, question, None, [], wrong, gold=[], id=identity))
    elif not nothing:
        writer.write("nothing.test", example(rng, question, right, answers, wrong, gold=gold, id=identity))
