// Reading ONNX files: what is read, and that damaged and hostile files are refused by name.
#include "fineprint/onnx/graph.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "support/expect_mentions.h"
#include "support/golden_tensors.h"

namespace fineprint::onnx {
namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(unsigned id, std::uint64_t value) { return varint(id << 3) + varint(value); }
std::string part(unsigned id, const std::string& bytes) {
  return varint(id << 3 | 2) + varint(bytes.size()) + bytes;
}

std::string node(const std::string& op, const std::string& input, const std::string& output,
                 const std::string& more = "") {
  return part(1, part(1, input) + part(2, output) + part(4, op) + more);
}
std::string input(const std::string& name) { return part(11, part(1, name)); }
std::string output(const std::string& name) { return part(12, part(1, name)); }
std::string model(const std::string& graph, std::uint64_t opset = 17) {
  return number(1, 8) + part(8, part(1, "") + number(2, opset)) + part(7, graph);
}
std::string constant(const std::string& more) { return part(5, part(8, "w") + more); }

Model parsed(const std::string& bytes) {
  return parse_model({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "a.onnx");
}

std::string message_of(const std::string& bytes) {
  try {
    parsed(bytes);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    return error.what();
  }
  return "no error";
}

const std::string kRelu = input("x") + node("Relu", "x", "y") + output("y");

TEST(OnnxGraph, IsRead) {
  const std::string axis = part(5, part(1, "axis") + number(3, -1));
  const Model read =
      parsed(model(input("x") + constant(number(1, 2) + number(2, 7) + part(7, "\x05\x06")) +
                   node("Relu", "x", "y") + node("Softmax", "y", "z", axis) + output("z")));
  EXPECT_EQ(read.opset, 17);
  ASSERT_EQ(read.graph.nodes.size(), 2U);
  EXPECT_EQ(read.graph.nodes[1].op, "Softmax");
  EXPECT_EQ(read.graph.nodes[1].attributes.at("axis").i, -1);
  const Array& array = *read.graph.constants.at("w");
  EXPECT_EQ(array.shape, std::vector<std::int64_t>{2});
  EXPECT_EQ(array.bytes[0], 5);
  EXPECT_EQ(array.bytes[8], 6);
}

// The sanitizers look at these.
TEST(OnnxGraph, ListsOfRealsMayBeEmpty) {
  const std::string scales = part(5, part(1, "scales") + part(7, "") + number(20, 6));
  const std::string none = constant(number(1, 0) + number(2, 11) + part(10, ""));
  const Model read =
      parsed(model(input("x") + none + node("Relu", "x", "y", scales) + output("y")));
  EXPECT_TRUE(read.graph.nodes[0].attributes.at("scales").floats.empty());
  EXPECT_TRUE(read.graph.constants.at("w")->bytes.empty());
}

TEST(OnnxGraph, AConstantListedAsInputIsNoInput) {
  const std::string one = constant(number(1, 1) + number(2, 7) + part(7, "\x05"));
  EXPECT_EQ(parsed(model(input("x") + input("w") + one + node("Relu", "x", "y") + output("y")))
                .graph.inputs.size(),
            1U);
}

TEST(OnnxGraph, WhatCannotRunIsRefused) {
  testing::expect_mentions(message_of(""), {"a.onnx", "no graph"});
  testing::expect_mentions(message_of(model(kRelu, 3)), {"version 3"});
  testing::expect_mentions(message_of(model(kRelu) + part(25, "")), {"functions"});
  testing::expect_mentions(message_of(model(input("x") + node("Relu", "z", "y") + output("y"))),
                           {"reads 'z' before"});
  testing::expect_mentions(message_of(model(input("x") + node("Relu", "x", "x") + output("x"))),
                           {"'x' is written twice"});
  testing::expect_mentions(message_of(model(input("x") + output("y"))), {"'y' is never written"});
  testing::expect_mentions(message_of(model(input("x") + node("Relu", "x", "y"))), {"no output"});
  testing::expect_mentions(
      message_of(model(input("x") + node("Fuse", "x", "y", part(7, "com.example")) + output("y"))),
      {"Fuse", "com.example"});
}

TEST(OnnxGraph, ArraysThatDoNotMatchTheirShapeAreRefused) {
  const auto with = [](const std::string& array) {
    return message_of(model(constant(array) + kRelu));
  };
  testing::expect_mentions(with(number(1, 3) + number(2, 7) + part(7, "\x05\x06")),
                           {"'w'", "shape"});
  testing::expect_mentions(with(number(1, std::uint64_t{1} << 62) + number(1, 8) + number(2, 1)),
                           {"shape"});
  testing::expect_mentions(with(number(1, static_cast<std::uint64_t>(-1)) + number(2, 1)),
                           {"shape"});
  testing::expect_mentions(with(number(1, 1) + number(2, 8) + part(6, "text")), {"type 8"});
  testing::expect_mentions(with(number(1, 1) + number(2, 1) + number(14, 1)), {"another file"});
}

TEST(OnnxGraph, GraphsInGraphsEnd) {
  std::string graph = kRelu;
  for (int depth = 0; depth < 20; ++depth) {
    const std::string name = std::to_string(depth);
    graph = input("x" + name) +
            node("If", "x" + name, "y" + name, part(5, part(1, "then_branch") + part(6, graph))) +
            output("y" + name);
  }
  testing::expect_mentions(message_of(model(graph)), {"nested"});
}

TEST(OnnxGraph, WhatAFileSaysAboutItselfIsKept) {
  const std::string fact = part(14, part(1, "character") + part(2, "a\nb"));
  const Model read = parsed(model(kRelu) + fact + part(14, part(1, "empty")));
  EXPECT_EQ(read.facts.size(), 2U);
  EXPECT_EQ(read.facts.at("character"), "a\nb");
  EXPECT_EQ(read.facts.at("empty"), "");
}

// No file that is cut short or changed crashes; the sanitizers watch.
TEST(OnnxGraph, DamagedFilesAreRefusedOrRead) {
  const testing::GoldenTensors golden(FINEPRINT_TEST_GOLDEN "/onnx.safetensors");
  std::mt19937 random(3);
  int refused = 0;
  for (const char* name : {"If.0.model", "Conv.0.model", "Slice.0.model"}) {
    const std::vector<std::uint8_t> bytes = golden.bytes(name);
    const std::string whole(bytes.begin(), bytes.end());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      std::string changed = whole;
      changed[random() % whole.size()] = static_cast<char>(random());
      for (const std::string& damaged : {whole.substr(0, i), changed}) {
        try {
          parsed(damaged);
        } catch (const Error& error) {
          EXPECT_EQ(error.code(), ErrorCode::model);
          ++refused;
        }
      }
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace fineprint::onnx
