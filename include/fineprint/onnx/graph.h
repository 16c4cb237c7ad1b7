// Reads ONNX files: a network as a graph of named operators, with its weights, checked before use.
// Source: onnx.proto of the ONNX project, versions 3 to 10 of its format.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/tensorfile/safetensors.h"

namespace fineprint::onnx {

// An array of values with its shape, innermost dimension last. A scalar has an empty shape.
struct Array {
  tensorfile::Dtype dtype = tensorfile::Dtype::f32;
  std::vector<std::int64_t> shape;
  std::vector<std::uint8_t> bytes;

  std::int64_t element_count() const;
};

// Returns the type with this number of TensorProto.DataType, or nullopt if it is not supported.
std::optional<tensorfile::Dtype> dtype_of(std::int64_t number);

struct Graph;

// A constant of a node. The field that the file sets has a value; the others are empty.
struct Attribute {
  std::optional<float> f;
  std::optional<std::int64_t> i;
  std::optional<std::string> s;
  std::vector<float> floats;
  std::vector<std::int64_t> ints;
  std::shared_ptr<const Array> array;
  std::shared_ptr<const Graph> graph;
};

// An operator with the names of the values that it reads and writes. An empty name is an input or
// output that is left out.
struct Node {
  std::string op;    // for example "Conv"
  std::string name;  // for messages; may be empty
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, Attribute, std::less<>> attributes;
};

// An input or output of a graph. A dimension of -1 is free.
struct Port {
  std::string name;
  std::optional<tensorfile::Dtype> dtype;
  std::vector<std::int64_t> shape;
};

// Nodes in an order in which every value is written before it is read. Graphs inside nodes (the
// branches of If) also read values of the graphs around them.
struct Graph {
  std::vector<Node> nodes;
  std::map<std::string, std::shared_ptr<const Array>, std::less<>> constants;
  std::vector<Port> inputs;  // without inputs that have a constant as default
  std::vector<Port> outputs;
};

struct Model {
  std::int64_t opset = 0;  // the version of the standard operators that the nodes follow
  Graph graph;
  // What the file says about itself (metadata_props): texts by name, in the words of its maker.
  std::map<std::string, std::string, std::less<>> facts;
};

// Reads and checks a file. Throws Error(model) naming `path`, the part of the file and the reason:
// if the bytes do not follow the format, if an array's values do not match its shape, if a value is
// read before it is written or written twice, or if the file uses what this reader does not know:
// weights in other files, sparse arrays, functions, operators of other domains, texts as values.
// Throws Error(unreadable) if the file cannot be read.
Model read_model(const std::string& path);
// Does the same with the bytes of a file; `path` is for messages.
Model parse_model(std::span<const std::uint8_t> bytes, const std::string& path);

}  // namespace fineprint::onnx
