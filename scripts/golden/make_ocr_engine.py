#!/usr/bin/env python3
"""Writes tests/data/ocr_engine, two tiny OCR graphs and a page, and tests/golden/ocr_engine.json, the lines
that RapidOCR reads on the page with these graphs.

    pip install rapidocr==3.10.0 onnxruntime==1.32.0 onnx==1.23.2 pillow==13.0.0 \\
        opencv-python-headless==4.11.0.86
    python3 scripts/golden/make_ocr_engine.py

The detection graph looks for dark places; the weights of the recognition graph are random, so that what it
reads makes no sense, but depends on every pixel of a line. So a corner of an area that is nearly at the middle between
two pixels, and is rounded the other way, changes the text: with a tilt of 6 degrees this happens.
"""
import json
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image, ImageDraw, ImageFont
from rapidocr import RapidOCR

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "tests/data/ocr_engine"
RNG = np.random.default_rng(11)
CHARACTERS = [*"abcdefghijklmnopqrstuvwxyz0123456789", "é", "ß", "頁", "文"]
FEATURES, STEP = 24, 8


def save(name, nodes, weights, output, dimensions, height, facts=None):
    graph = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, height, "width"])],
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, dimensions)],
        [numpy_helper.from_array(np.array(value), key) for key, value in weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    if facts:
        helper.set_model_props(model, facts)
    onnx.checker.check_model(model)
    onnx.save(model, FOLDER / name)


def make_detection():
    # Dark is 1 and white is -1; text is where the mean of a neighbourhood is dark by an eighth.
    weights = {"dark": np.full((1, 3, 1, 1), -1 / 3, np.float32), "slope": np.float32(14), "least": np.float32(-0.75)}
    nodes = [helper.make_node("Conv", ["x", "dark"], ["d"]),
             helper.make_node("AveragePool", ["d"], ["m"], kernel_shape=[15, 15], pads=[7] * 4, count_include_pad=0),
             helper.make_node("Sub", ["m", "least"], ["s"]), helper.make_node("Mul", ["s", "slope"], ["t"]),
             helper.make_node("Sigmoid", ["t"], ["map"])]
    save("finds.onnx", nodes, weights, "map", ["n", 1, "height", "width"], "height")


def make_recognition():
    classes = len(CHARACTERS) + 2  # the blank, and the space
    bias = np.zeros(classes, np.float32)
    bias[0], bias[-1] = 3, 3.5
    look = RNG.standard_normal((FEATURES, 3, 48, STEP)).astype(np.float32) / 8
    weights = {"look": look - look.mean(axis=(1, 2, 3), keepdims=True),  # nothing to see on an even ground
               "means": 30 * RNG.standard_normal((FEATURES, classes)).astype(np.float32) / FEATURES,
               "bias": bias, "rows": np.array([2], np.int64)}
    nodes = [helper.make_node("Conv", ["x", "look"], ["f"], strides=[48, STEP]),
             helper.make_node("Relu", ["f"], ["r"]), helper.make_node("Squeeze", ["r", "rows"], ["q"]),
             helper.make_node("Transpose", ["q"], ["steps"], perm=[0, 2, 1]),
             helper.make_node("MatMul", ["steps", "means"], ["l"]), helper.make_node("Add", ["l", "bias"], ["b"]),
             helper.make_node("Softmax", ["b"], ["p"], axis=-1)]
    save("reads.onnx", nodes, weights, "p", ["n", "steps", classes], 48, {"character": "\n".join(CHARACTERS)})


def make_page():
    page = Image.new("L", (800, 640), 255)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=26)
    draw.text((40, 30), "Harbour dues rose to 4,310 in 2023", font=font, fill=0)
    draw.text((40, 90), "Total", font=font, fill=40)
    draw.text((430, 92), "1,204.50", font=font, fill=40)
    draw.text((40, 300), "A line at the foot of the page, which is longer than", font=font, fill=0)
    tilted = Image.new("L", (420, 60), 255)
    ImageDraw.Draw(tilted).text((10, 10), "tilted by some degrees", font=font, fill=0)
    page.paste(tilted.rotate(5, expand=True, fillcolor=255), (60, 160))
    down = Image.new("L", (300, 50), 255)
    ImageDraw.Draw(down).text((10, 8), "down the margin", font=font, fill=0)
    page.paste(down.rotate(-90, expand=True, fillcolor=255), (730, 150))
    page.save(FOLDER / "page.png", optimize=True)


def main():
    FOLDER.mkdir(exist_ok=True)
    make_detection()
    make_recognition()
    make_page()
    engine = RapidOCR(params={"Det.model_path": str(FOLDER / "finds.onnx"),
                              "Rec.model_path": str(FOLDER / "reads.onnx"), "Global.use_cls": False})
    read = engine(str(FOLDER / "page.png"))
    lines = [{"corners": [[float(value) for value in corner] for corner in box], "text": text}
             for box, text in zip(read.boxes, read.txts)]
    (ROOT / "tests/golden/ocr_engine.json").write_text(json.dumps(lines, ensure_ascii=False, indent=1) + "\n")


main()
