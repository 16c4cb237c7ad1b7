"""Questions over paragraphs, whose answers are spans: what the sets of SQuAD's kind share.

A source hands over its paragraphs and questions; here they get wrong passages beside the right one,
or in its place, and are told apart into training and test by the document that they are from.
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
    """A paragraph with its questions: (id, question, [(start, text), ...]), places in characters."""

    def __init__(self, document, context, text, questions):
        self.document, self.context, self.text, self.questions = document, context, text, questions


def squad_paragraphs(articles, document, headed):
    """Paragraphs of a file of SQuAD's form. `document` names that of an article, which is the
    paragraphs' heading, too, if they are `headed`."""
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
    """Where an answer stands: as told, else at the nearest place that says the same. Without blanks at
    its ends."""
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
    """The part of a paragraph around the first annotator's span, and the spans that lie in it."""
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
    """The paragraphs of training, or of the test, and the search for wrong ones among them."""

    def __init__(self, paragraphs):
        self.paragraphs, self.pool = paragraphs, Pool()
        for paragraph in paragraphs:
            self.pool.add(paragraph.text, paragraph.document)

    def wrong(self, own, question, spans, count, near, rng, limit):
        """Passages that resemble the question and hold none of its answers: of the same document
        (near), or of others."""
        if not count:
            return []
        paragraph = self.paragraphs[own]
        # Paragraphs of an article are about unlike things; any review or post may answer what is asked of one.
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
    """All questions of the paragraphs. Test lines hold the right paragraph alone, as the sets' own
    evaluations have it, with the annotators' texts; NAME.nothing.test has each of these questions
    once more with wrong paragraphs, every other one without its own: who knows that nothing answers?"""
    for testing in (False, True):
        part = Part([paragraph for paragraph in paragraphs if is_test(paragraph) == testing])
        for own, paragraph in enumerate(part.paragraphs):
            for identity, question, spans in paragraph.questions:
                rng = chance(seed, writer.name, identity)
                limit = TEXT_BYTES if testing else rng.choice(TRAINED_BYTES)
                right, answers = right_passage(paragraph, spans, rng, limit)
                if not answers:
                    raise DataError(f"{writer.name}: cutting the paragraph of {identity} lost its answers")
                (write_test if testing else write_training)(
                    writer, part, own, identity, question, spans, right, answers, rng
                )


def write_training(writer, part, own, identity, question, spans, right, answers, rng):
    kind, count = plan(rng)
    if kind != "right":
        near, limit = kind == "near", rng.choice(TRAINED_BYTES)  # as the right ones: size tells nothing
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
