#!/usr/bin/env python3
"""Writes tests/golden/onnx.safetensors: small ONNX graphs with random inputs and what onnxruntime gives.

    pip install onnx==1.23.2 onnxruntime==1.32.0 numpy safetensors
    python3 scripts/golden/make_onnx.py

Each case NAME has "NAME.model" (the bytes of the file), "NAME.in<i>" and "NAME.out<i>". Its name begins
with the operator.
"""
import pathlib

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
RNG = np.random.default_rng(7)
saved = {}


def reals(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def integers(values):
    return np.array(values, np.int64)


def save(name, model, inputs):
    onnx.checker.check_model(model)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    names = [port.name for port in model.graph.input]
    outputs = session.run(None, dict(zip(names, inputs)))
    assert f"{name}.model" not in saved, name
    saved[f"{name}.model"] = np.frombuffer(model.SerializeToString(), np.uint8)
    for kind, arrays in (("in", inputs), ("out", outputs)):
        for i, array in enumerate(arrays):
            saved[f"{name}.{kind}{i}"] = np.array(array, order="C")


def model_of(graph, opset):
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)


def port(name, array):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


def case(op, inputs, constants=(), opset=17, outputs=1, tag="", **attributes):
    """A graph of one node, whose inputs are `inputs` and then `constants` (None: left out)."""
    names = [f"x{i}" for i in range(len(inputs))]
    fixed = {f"c{i}": value for i, value in enumerate(constants) if value is not None}
    read = names + [f"c{i}" if value is not None else "" for i, value in enumerate(constants)]
    node = helper.make_node(op, read, [f"y{i}" for i in range(outputs)], **attributes)
    graph = helper.make_graph(
        [node], "case", [port(n, x) for n, x in zip(names, inputs)],
        [helper.make_empty_tensor_value_info(f"y{i}") for i in range(outputs)],
        [numpy_helper.from_array(value, name) for name, value in fixed.items()])
    model = onnx.shape_inference.infer_shapes(model_of(graph, opset))
    number = sum(key.startswith(f"{op}{tag}.") and key.endswith(".model") for key in saved)
    save(f"{op}{tag}.{number}", model, inputs)


def arithmetic():
    for op in "Abs Ceil Cos Erf Exp Floor Neg Reciprocal Relu Round Sigmoid Sin Tanh Identity".split():
        case(op, [reals(3, 4) * 2])
    case("Round", [np.array([0.5, 1.5, 2.5, -0.5, -1.5], np.float32)])
    for op in ("Sqrt", "Log"):
        case(op, [np.abs(reals(3, 4)) + 0.1])
    for op in "Add Sub Mul Div Pow Max Min".split():
        case(op, [np.abs(reals(2, 3, 4)) + 0.5, np.abs(reals(3, 1)) + 0.5])
    for op in ("Add", "Div", "Mul", "Sub"):
        case(op, [integers([7, -7, 9, -9]), integers([2, 2, -4, -4])])
    case("Max", [reals(2, 3), reals(3), reals(1)])
    case("Mod", [integers([7, -7, 9, -9]), integers([4, 4, -4, -4])])
    case("Mod", [reals(6) * 5, reals(6)], fmod=1)
    for op in "Equal Greater GreaterOrEqual Less LessOrEqual".split():
        case(op, [integers([1, 2, 3, 4]), integers([1, 3, 2, 4])])
    for op in ("And", "Or"):
        case(op, [np.array([True, True, False, False]), np.array([True, False, True, False])])
    case("Not", [np.array([True, False])])
    case("Where", [np.array([[True], [False]]), reals(2, 3), reals(3)])
    odd = np.array([1, np.nan, np.inf, -np.inf], np.float32)
    case("IsNaN", [odd])
    case("IsInf", [odd])
    case("IsInf", [odd], detect_negative=0)
    case("Clip", [reals(9) * 3], [np.array(-1, np.float32), np.array(2, np.float32)])
    case("Clip", [reals(9) * 3], [None, np.array(1, np.float32)])
    case("Clip", [reals(9) * 3], opset=10, tag="_old", min=-0.5, max=0.5)
    case("LeakyRelu", [reals(9)], alpha=0.2)
    case("PRelu", [reals(2, 3, 2, 2)], [reals(3, 1, 1)])
    case("HardSigmoid", [reals(9) * 4], alpha=0.25, beta=0.4)


def shapes():
    x = reals(2, 3, 4)
    case("Cast", [x * 5], to=TensorProto.INT64)
    case("Cast", [integers([0, 2, -1])], to=TensorProto.BOOL)
    case("Concat", [reals(2, 3), reals(2, 1)], axis=1)
    case("Concat", [reals(2, 3), reals(1, 3)], axis=-2)
    case("ConstantOfShape", [integers([2, 3])], value=numpy_helper.from_array(integers([5])))
    case("ConstantOfShape", [integers([2, 2])])
    case("Expand", [reals(3, 1)], [integers([2, 1, 4])])
    case("Expand", [reals(2, 3)], [integers([3])])
    case("Flatten", [x], axis=2)
    case("Flatten", [x], axis=-1)
    case("Range", [integers(2), integers(11), integers(3)])
    case("Range", [np.array(value, np.float32) for value in (5, 1, -1.5)])
    case("Reshape", [x], [integers([0, -1])])
    case("Shape", [x])
    case("Shape", [x], start=1, end=-1)
    case("Size", [x])
    case("Slice", [x], [integers([1, 0]), integers([9, -1]), integers([2, 1])])
    case("Slice", [x], [integers([-1]), integers([-9]), integers([2]), integers([-2])])
    case("Slice", [x], [integers([0, 1]), integers([1, 2])])
    case("Split", [reals(5, 2)], [integers([2, 3])], outputs=2, axis=0)
    case("Split", [reals(6, 2)], outputs=3, axis=0, opset=13)
    case("Squeeze", [reals(1, 3, 1)], [integers([-1])])
    case("Squeeze", [reals(1, 3, 1)], opset=11, tag="_old", axes=[0])
    case("Squeeze", [reals(1, 3, 1)])
    case("Tile", [reals(2, 3)], [integers([2, 2])])
    case("Transpose", [x], perm=[2, 0, 1])
    case("Transpose", [x])
    case("Unsqueeze", [reals(3)], [integers([0, -1])])
    case("Unsqueeze", [reals(3)], opset=11, tag="_old", axes=[1])
    case("Pad", [reals(2, 3)], [integers([0, 1, 2, 0]), np.array(1.5, np.float32)])
    case("Pad", [reals(1, 1, 4, 3)], [integers([0, 0, 1, 2, 0, 0, 2, 1])], mode="reflect")
    case("Pad", [reals(1, 1, 4, 3)], [integers([0, 0, 1, 2, 0, 0, 2, 1])], mode="edge")


def indices():
    x = reals(3, 4)
    case("Gather", [x], [integers([[2, -1], [0, 1]])], axis=0)
    case("Gather", [x], [integers(-2)], axis=1)
    case("GatherElements", [x], [integers([[0, -1], [2, 1]])], axis=1)
    case("GatherND", [x], [integers([[0, 1], [2, -1]])])
    case("GatherND", [x], [integers([[1]])])
    case("ScatterElements", [x], [integers([[1, 0]]), reals(1, 2)], axis=1)
    case("ScatterElements", [x], [integers([[1, 1]]), reals(1, 2)], axis=1, reduction="add")
    case("ScatterND", [x], [integers([[0, 1], [2, 3]]), reals(2)])
    case("ScatterND", [x], [integers([[1], [1]]), reals(2, 4)], reduction="add")
    case("OneHot", [integers([0, 2, -1])], [integers(4), reals(2)])
    case("OneHot", [integers([0, 2])], [integers(3), reals(2)], axis=0)
    case("TopK", [reals(3, 5)], [integers([2])], outputs=2)
    case("TopK", [reals(3, 5)], [integers([2])], outputs=2, axis=0, largest=0)
    case("ArgMax", [reals(3, 5)], axis=1, keepdims=0)
    case("ArgMin", [reals(3, 5)], axis=0)
    case("NonZero", [np.array([[1, 0], [0, 2]], np.float32)])


def reductions():
    x = reals(2, 3, 4)
    for op in "ReduceMean ReduceMax ReduceMin ReduceL2".split():
        case(op, [x], axes=[1], keepdims=0)
        case(op, [x])
    case("ReduceMean", [x], [integers([-1])], opset=18, tag="_new")
    case("ReduceSum", [x], [integers([0, 2])])
    case("ReduceSum", [integers([[1, 2], [3, 4]])], [integers([1])])
    case("MatMul", [reals(2, 1, 3, 4), reals(5, 4, 2)])
    case("Gemm", [reals(4, 3), reals(2, 4)], [reals(2)], transA=1, transB=1, alpha=0.5, beta=2.0)
    case("Gemm", [reals(3, 4), reals(4, 2)])
    for op in ("Softmax", "LogSoftmax"):
        case(op, [x], axis=1)
        case(op, [x], opset=11, tag="_old", axis=1)
    case("LayerNormalization", [x], [reals(4), reals(4)], axis=-1, epsilon=1e-3)
    case("LayerNormalization", [x], [reals(3, 4)], axis=1)


def images():
    x = reals(1, 4, 9, 7)
    case("Conv", [x], [reals(6, 4, 3, 3), reals(6)], pads=[1, 0, 1, 2], strides=[2, 1])
    case("Conv", [x], [reals(4, 1, 3, 2)], group=4, dilations=[2, 1])
    case("Conv", [x], [reals(3, 4, 3, 4)], auto_pad="SAME_UPPER", strides=[2, 2])
    case("Conv", [x], [reals(3, 4, 3, 4)], auto_pad="SAME_LOWER", strides=[2, 2])
    case("Conv", [reals(2, 3, 8)], [reals(5, 3, 3)], pads=[1, 1])
    case("ConvTranspose", [x], [reals(4, 3, 2, 2), reals(3)], strides=[2, 2])
    case("ConvTranspose", [x], [reals(4, 2, 3, 3)], strides=[2, 1], pads=[1, 0, 0, 1], output_padding=[1, 0],
         group=2)
    case("MaxPool", [x], kernel_shape=[3, 2], strides=[2, 2], pads=[1, 0, 0, 1])
    case("MaxPool", [x], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)
    case("MaxPool", [reals(1, 2, 9)], kernel_shape=[3], strides=[2])
    case("AveragePool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    case("AveragePool", [x], kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)
    case("AveragePool", [x], kernel_shape=[2, 3], pads=[1, 0, 0, 2])
    case("GlobalAveragePool", [x])
    case("GlobalMaxPool", [x])
    case("BatchNormalization", [x], [reals(4), reals(4), reals(4), np.abs(reals(4)) + 0.1], epsilon=1e-3)
    case("BatchNormalization", [reals(5, 4)], [reals(4), reals(4), reals(4), np.abs(reals(4)) + 0.1])
    case("InstanceNormalization", [x], [reals(4), reals(4)])
    grid = (RNG.random((1, 5, 6, 2)).astype(np.float32) - 0.5) * 2.6
    for mode in ("bilinear", "nearest"):
        for padding in ("zeros", "border", "reflection"):
            case("GridSample", [x, grid], mode=mode, padding_mode=padding)
    case("GridSample", [x, grid], align_corners=1)


def resizes():
    x = reals(1, 2, 5, 6)
    no = np.zeros(0, np.float32)
    up, down = np.array([1, 1, 2, 1.5], np.float32), np.array([1, 1, 0.6, 0.5], np.float32)
    for scales in (up, down):
        for places in ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel"):
            for mode in ("nearest", "linear", "cubic"):
                case("Resize", [x], [no, scales], coordinate_transformation_mode=places, mode=mode)
        for rounding in ("round_prefer_ceil", "floor", "ceil"):
            case("Resize", [x], [no, scales], nearest_mode=rounding)
    case("Resize", [x], [no, no, integers([1, 2, 11, 3])], mode="linear")
    case("Resize", [x], [None, None, integers([1, 2, 7, 9])], mode="cubic", cubic_coeff_a=-0.5, opset=18)
    case("Resize", [x], [np.array([1, 1, 2, 2], np.float32)], opset=10, tag="_old")


def branches():
    """If with values of the graph around it, and constants of nodes."""
    def branch(name, op):
        constant = helper.make_node("Constant", [], ["k" + name],
                                    value=numpy_helper.from_array(np.float32([10, 20])))
        node = helper.make_node(op, ["x1", "k" + name], ["r" + name])
        return helper.make_graph([constant, node], name, [], [helper.make_tensor_value_info(
            "r" + name, TensorProto.FLOAT, [2])])
    x0, x1 = np.array(True), reals(2)
    node = helper.make_node("If", ["x0"], ["y"], then_branch=branch("a", "Add"), else_branch=branch("b", "Mul"))
    graph = helper.make_graph([node], "case", [port("x0", x0), port("x1", x1)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])])
    save("If.0", model_of(graph, 17), [x0, x1])
    save("If.1", model_of(graph, 17), [np.array(False), x1])


def main():
    for make in (arithmetic, shapes, indices, reductions, images, resizes, branches):
        make()
    path = ROOT / "tests/golden/onnx.safetensors"
    save_file(saved, path)
    print(f"{path}: {sum(key.endswith('.model') for key in saved)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
