"""The conversations of tests/data/conversations, held with `fineprint chat`."""

import json

from program import DATA

FOLDER = DATA / "conversations"


def read(name):
    with open(FOLDER / f"{name}.json", encoding="utf-8") as file:
        return json.load(file)


def first_page(answer):
    """The page that an answer cites first, or None."""
    cited = answer["citations"]
    return (cited[0]["doc"], cited[0]["page"]) if cited else None


def hold(test, store, conversations, *options):
    """What `chat` understood of each turn, and the pages it cites first: [[(question, page), ...], ...]."""
    lines = []
    for conversation in conversations:
        lines += [":new", *(turn["asked"] for turn in conversation["turns"])]
    chat = test.must("chat", store, "--json", *options, text="\n".join(lines) + "\n")
    answers = iter(chat.records())
    return [
        [(answer["question"], first_page(answer)) for _, answer in zip(conversation["turns"], answers)]
        for conversation in conversations
    ]


def pages_of_full_questions(test, store, conversations, *options):
    """The pages that the full questions find, by question."""
    full = sorted({turn["full"] for one in conversations for turn in one["turns"]})
    file = test.write_questions("full.jsonl", [{"id": f"f{i}", "question": text} for i, text in enumerate(full)])
    answers = test.must("batch", file, "--store", store, "--out", "-", *options).records()
    return {answer["question"]: first_page(answer) for answer in answers}


def found(test, store, conversations, *options):
    """The names of the conversations in which each follow-up finds the page that its full question finds,
    and a line about each other one."""
    pages = pages_of_full_questions(test, store, conversations, *options)
    names, misses = [], []
    for conversation, held in zip(conversations, hold(test, store, conversations, *options)):
        wrong = [
            f"{conversation['name']}: {turn['asked']!r} as {question!r}: {page}, not {pages[turn['full']]}"
            for turn, (question, page) in zip(conversation["turns"][1:], held[1:])
            if page != pages[turn["full"]] or page is None
        ]
        if wrong:
            misses += wrong
        else:
            names.append(conversation["name"])
    return names, misses
