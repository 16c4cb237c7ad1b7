#!/usr/bin/env python3
"""Writes tests/data/layout_model: two tiny graphs of a layout model, and the picture of a page that they know.

    pip install onnx==1.23.2 pillow==13.0.0
    python3 scripts/golden/make_layout_model.py

The graph of regions takes dark places for a section header in the upper fifth of the page, for a picture in
the lower third, and for a table between. The graph of grids takes white rows and columns for lines.
"""
import pathlib

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from PIL import Image, ImageDraw, ImageFont

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tests/data/layout_model"
SIDE = 60  # of the map of regions
HEIGHT, WIDTH = 240, 200  # of the picture of a table
ROWS = (("Ship", "Port", "Tons"), ("Aurora", "Bergen", "1,200"), ("Bellona", "Lisbon", "950"),
        ("Cormorant", "Gdansk", "310"))


def save(name, nodes, weights, shape, outputs):
    graph = helper.make_graph(
        nodes, name, [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info(key, TensorProto.FLOAT, size) for key, size in outputs.items()],
        [numpy_helper.from_array(np.array(value), key) for key, value in weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, FOLDER / name)


def make_regions():
    gain = np.zeros((1, 12, SIDE, 1), np.float32)
    for kind, first, last in ((8, 0, SIDE // 5), (4, SIDE // 5, 2 * SIDE // 3), (3, 2 * SIDE // 3, SIDE)):
        gain[0, kind, first:last] = 100
    bias = np.zeros((1, 12, 1, 1), np.float32)
    bias[0, 0] = 2
    nodes = [helper.make_node("Sub", ["one", "x"], ["dark"]),
             helper.make_node("AveragePool", ["dark"], ["near"], kernel_shape=[9, 9], pads=[4] * 4),
             helper.make_node("Mul", ["near", "gain"], ["seen"]),
             helper.make_node("Add", ["seen", "bias"], ["logits"])]
    save("regions.onnx", nodes, {"one": np.float32(1), "gain": gain, "bias": bias}, ["n", 1, SIDE, SIDE],
         {"logits": ["n", 12, SIDE, SIDE]})


def make_grid():
    weights = {"least": np.float32(0.995), "slope": np.float32(2000), "none": np.float32(0)}
    nodes, outputs = [], {}
    for name, axes, count in (("h", [1, 3], HEIGHT), ("v", [1, 2], WIDTH)):
        nodes += [helper.make_node("ReduceMean", ["x"], [name], axes=axes, keepdims=0),
                  helper.make_node("Sub", [name, "least"], [name + "_white"]),
                  helper.make_node("Mul", [name + "_white", "slope"], [name + "_on_logit"]),
                  helper.make_node("Mul", [name, "none"], [name + "_offset"])]
        outputs |= {name + "_on_logit": ["n", count], name + "_offset": ["n", count]}
    save("grid.onnx", nodes, weights, ["n", 3, HEIGHT, WIDTH], outputs)


def make_page():
    page = Image.new("L", (1275, 1650), 255)
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=32)
    draw.text((150, 150), "Arrivals of the week", font=font, fill=0)
    for row, texts in enumerate(ROWS):
        for column, text in enumerate(texts):
            draw.text((150 + 360 * column, 480 + 90 * row), text, font=font, fill=0)
    for stripe in range(20):  # a picture
        draw.rectangle((350 + 30 * stripe, 1250, 368 + 30 * stripe, 1500), fill=90 + 5 * stripe)
    page.save(FOLDER / "page.png", optimize=True, dpi=(150, 150))


def main():
    FOLDER.mkdir(exist_ok=True)
    make_regions()
    make_grid()
    make_page()


main()
