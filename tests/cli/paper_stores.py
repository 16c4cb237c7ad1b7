"""A store for the presets of papers: every kind of vectors, maps, elements and a page graph."""

import shutil

from model_files import model_of

RETRIEVERS = ["phi3v_a", "colpali_a", "colbert_a"]
FLAGS = ["--map", "heuristic", *(word for name in RETRIEVERS for word in ("--retriever", model_of(name))),
         "--elements"]  # fmt: skip
# Presets whose page graphs are not those that index makes by itself.
GRAPHS = {
    "molorag-paper": ["--graph-sim", "meanpool_dot", "--graph-knn", "0", "--graph-theta", "0.4"],
    "molorag-code-ldu": ["--graph-sim", "meanpool_cosine", "--graph-knn", "5", "--graph-theta", "0.8"],
}


def store_for(test, store):
    """A copy at `store`, which the test may change, of the store of the documents of native_docs()."""
    shared = test.shared_store("papers", test.native_docs(), ["--ocr", "never", *FLAGS])
    shutil.copytree(shared, store)
    return store
