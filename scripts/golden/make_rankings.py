#!/usr/bin/env python3
"""Writes tests/golden/rankings: scores of 200 drawn pages for ten queries by every encoder and
scorer, from vectors of the Python originals and formulas in float64.

    python3 scripts/golden/make_rankings.py --phi3v-python PYTHON --phi3v-code FOLDER

Needs tests/benchmarks/requirements.txt, a built fineprint (which cuts the pages' text into
chunks), and for Phi-3-vision what phi3v_vectors.py describes. The vectors are kept in --work, and
the next run reads them from there: remove this folder after a change of tests/cli/drawn_pages.py.
"""

import argparse
import hashlib
import importlib.metadata
import json
import math
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
OUT = ROOT / "tests" / "golden" / "rankings"
sys.path.insert(0, str(ROOT / "tests" / "cli"))
import drawn_pages  # noqa: E402

DPI = 144
PAGE_MODELS = {"dse_qwen2": "DseQwen2", "colpali_a": "Colpali", "colqwen2_a": "Colqwen2"}
TEXT_MODELS = {"bert_mean_a": "Sentences", "colbert_a": "Colbert"}
SINGLE = ["phi3v_a", "dse_qwen2"]
MASKS = {"alpha": 0.5, "epsilon": 1e-8, "blend_weight": 0.5, "split_weights": [1.0, 0.5]}
BM25 = {"k1": 1.5, "b": 0.75}
# A value this near to a threshold of the mask may fall on either side of it in float32. Pairs of a
# query and a page with such a value are listed and not compared.
UNSURE = 3e-6


# ---- Inputs ------------------------------------------------------------------------------------


def rasters(documents):
    """Returns every page as the program rasterises it: RGB on white."""
    import pymupdf
    from PIL import Image

    for name in [f"{name}.pdf" for name in drawn_pages.NAMES]:
        for page in pymupdf.open(documents / name):
            pixels = page.get_pixmap(dpi=DPI, colorspace=pymupdf.csRGB, alpha=False)
            yield Image.frombytes("RGB", (pixels.width, pixels.height), pixels.samples)


def chunks(program, documents, work):
    """Returns the text of each page that is embedded and searched by words: its headings and its
    text."""
    with tempfile.TemporaryDirectory(dir=work) as folder:
        subprocess.run([program, "index", documents, "--store", folder + "/store", "--quiet",
                        "--ocr", "never", "--scorer", "bm25"], check=True)  # fmt: skip
        with sqlite3.connect(folder + "/store/catalog.sqlite") as catalog:
            rows = catalog.execute(
                "SELECT doc, page, context, text FROM chunks JOIN documents ON id = document "
                "ORDER BY doc, page, ordinal"
            ).fetchall()
    assert [row[:2] for row in rows] == drawn_pages.page_names(), "a page is not one chunk"
    return [f"{context}\n{text}" for _, _, context, text in rows]


def phi3v_vectors(given, documents, work):
    out = work / "phi3v.safetensors"
    pages = work / "pages"
    pages.mkdir(exist_ok=True)
    for number, image in enumerate(rasters(documents)):
        image.save(pages / f"{number:03}.png", compress_level=1)
    queries = work / "queries.json"
    queries.write_text(json.dumps(drawn_pages.QUERIES))
    subprocess.run([given.phi3v_python, ROOT / "scripts/golden/phi3v_vectors.py", given.phi3v_code,
                    DATA / "phi3v_a" / "model", pages, queries, out], check=True)  # fmt: skip
    from safetensors.numpy import load_file

    found = load_file(out)
    return {"pages": list(found["pages"]), "queries": list(found["queries"])}


def vectors_of(model, given, documents, work):
    """Returns {"pages": [...], "queries": [...]} of float32 arrays."""
    if model == "phi3v_a":
        return phi3v_vectors(given, documents, work)
    import reference_encoders
    import torch

    kind = {**PAGE_MODELS, **TEXT_MODELS}[model]
    encoder = getattr(reference_encoders, kind)(DATA / model / "model")
    with torch.no_grad():
        if model in TEXT_MODELS:
            texts = chunks(given.program, documents, work)
            pages = [encoder.passage(text) for text in texts]
        else:
            pages = [encoder.page(image) for image in rasters(documents)]
        return {"pages": pages, "queries": [encoder.query(text) for text in drawn_pages.QUERIES]}


def kept_vectors(model, given, documents, work):
    """Returns the same from a file of an earlier run, if there is one."""
    file = work / f"{model}.npz"
    if not file.exists():
        print(f"embedding by {model}", file=sys.stderr)
        found = vectors_of(model, given, documents, work)
        arrays = {f"{key}.{at:03}": array for key in found for at, array in enumerate(found[key])}
        numpy.savez(file, **arrays)
    with numpy.load(file) as found:
        return {key: [found[name] for name in sorted(found.files) if name.startswith(key)]
                for key in ("pages", "queries")}  # fmt: skip


# ---- Scores, in float64 ------------------------------------------------------------------------


def unit(vectors):
    vectors = numpy.asarray(vectors, dtype=numpy.float64)
    return vectors / numpy.linalg.norm(vectors, axis=-1, keepdims=True)


def masks_of(agreement):
    """Returns both indicators, and the distance of the nearest value to a threshold."""
    spread = agreement.std() + MASKS["epsilon"]
    squashed = 1 / (1 + numpy.exp(-(agreement - agreement.mean()) / spread))
    mean, deviation = squashed.mean(), squashed.std()
    low, high = (mean + sign * MASKS["alpha"] * deviation for sign in (-1, 1))
    nearest = min(abs(squashed - low).min(), abs(squashed - high).min())
    return squashed > low, squashed > high, nearest


def masked_cosine(query, page, mask):
    masked = page * mask
    length = numpy.linalg.norm(masked)
    return query @ masked / length if length > 0 else 0.0


def masked_scores(query, page):
    dense, sparse, nearest = masks_of(abs(query * page))
    mask = (dense.astype(float) + sparse) / 2
    parts = query * page
    masks = {"hybrid": mask, "dense": dense, "sparse": sparse}
    scores = {name: masked_cosine(query, page, which) for name, which in masks.items()}
    weight = MASKS["blend_weight"]
    scores["blend"] = (1 - weight) * (query @ page) + weight * scores["hybrid"]
    salient, fine_print = MASKS["split_weights"]
    scores["split"] = salient * parts[sparse].sum() + fine_print * parts[dense & ~sparse].sum()
    return scores, nearest


def score_single(model, vectors):
    queries, pages = unit(vectors["queries"]), unit(vectors["pages"])
    found = {f"{model}.page": queries @ pages.T}
    unsure = []
    for q, query in enumerate(queries):
        for p, page in enumerate(pages):
            scores, margin = masked_scores(query, page)
            if margin < UNSURE:
                unsure.append([q, p])
            for mode, score in scores.items():
                found.setdefault(f"{model}.{mode}", numpy.zeros((len(queries), len(pages))))
                found[f"{model}.{mode}"][q, p] = score
    return found, unsure


def max_sim(queries, pages):
    scores = numpy.zeros((len(queries), len(pages)))
    for q, query in enumerate(queries):
        for p, page in enumerate(pages):
            scores[q, p] = (query.astype(float) @ page.astype(float).T).max(axis=1).sum()
    return scores


def terms(text):
    """Returns the words of drawn pages, which are plain, in lower case, and not stop words."""
    import Stemmer

    return Stemmer.Stemmer("english").stemWords(re.findall("[a-z]+", text))


def score_words(texts):
    units = [terms(text) for text in texts]
    average = sum(map(len, units)) / len(units)
    scores = numpy.zeros((len(drawn_pages.QUERIES), len(units)))
    for q, query in enumerate(drawn_pages.QUERIES):
        for term in terms(query):
            holding = sum(term in unit for unit in units)
            idf = math.log(1 + (len(units) - holding + 0.5) / (holding + 0.5))
            for p, words in enumerate(units):
                frequency = words.count(term)
                length = 1 - BM25["b"] + BM25["b"] * len(words) / average
                scores[q, p] += idf * frequency / (frequency + BM25["k1"] * length)
    return scores


def all_scores(given, documents, work):
    found, unsure = {}, {}
    for model in SINGLE:
        more, unsure[model] = score_single(model, kept_vectors(model, given, documents, work))
        found.update(more)
    for name in ("colpali_a.late", "colqwen2_a.late", "colbert_a.late-text"):
        model = name.partition(".")[0]
        vectors = kept_vectors(model, given, documents, work)
        found[name] = max_sim(vectors["queries"], vectors["pages"])
    vectors = kept_vectors("bert_mean_a", given, documents, work)
    found["bert_mean_a.text"] = unit(vectors["queries"]) @ unit(vectors["pages"]).T
    found["bm25"] = score_words(chunks(given.program, documents, work))
    return found, unsure


# ---- Output ------------------------------------------------------------------------------------


def smallest_gap(scores):
    """Returns the smallest gap between neighbours in the ranking of any query. Leaves out pages
    with no score."""
    gaps = [numpy.diff(numpy.sort(row[row != 0])).min() for row in scores]
    return float(min(gaps))


def write(found, unsure, documents):
    from safetensors.numpy import save_file

    OUT.mkdir(parents=True, exist_ok=True)
    save_file({name: numpy.ascontiguousarray(scores) for name, scores in found.items()},
              OUT / "scores.safetensors")  # fmt: skip
    packages = ("transformers", "sentence-transformers", "torch", "pillow", "pymupdf", "PyStemmer")
    facts = {
        "command": "python3 scripts/golden/make_rankings.py --phi3v-python P --phi3v-code F",
        "versions": {name: importlib.metadata.version(name) for name in packages}
        | {"phi3v_a": "transformers 4.44.2, pillow 10.4.0, code of TIGER-AI-Lab/VLM2Vec"},
        "documents": {name: hashlib.sha256((documents / name).read_bytes()).hexdigest()
                      for name in sorted(file.name for file in documents.iterdir())},
        "queries": drawn_pages.QUERIES,
        "scores": "[queries, pages], pages by document, then number",
        "masks": MASKS,
        "bm25": BM25,
        "smallest_gap": {name: smallest_gap(scores) for name, scores in found.items()},
        "unsure": unsure,
    }  # fmt: skip
    (OUT / "scores.safetensors").chmod(0o644)
    (OUT / "rankings.json").write_text(json.dumps(facts, indent=1) + "\n")
    for name, gap in facts["smallest_gap"].items():
        print(f"{name:<20} from {found[name].min():.4f} to {found[name].max():.4f}, "
              f"smallest gap {gap:.1e}")  # fmt: skip
    print("pairs near a threshold:", unsure)


def main():
    options = argparse.ArgumentParser(description="Makes tests/golden/rankings.")
    options.add_argument("--program", default=str(ROOT / "build" / "release" / "fineprint"))
    options.add_argument("--phi3v-python", default="python3",
                         help="Python with transformers 4.44.2")
    options.add_argument("--phi3v-code", help="folder with modeling_phi3_v.py")
    options.add_argument("--work", type=pathlib.Path, default=ROOT / "build" / "rankings")
    given = options.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    documents = given.work / "documents"
    drawn_pages.write_documents(documents)
    write(*all_scores(given, documents, given.work), documents)


if __name__ == "__main__":
    main()
