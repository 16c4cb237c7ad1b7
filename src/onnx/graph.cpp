// Reads graphs, and checks that every value is written once, before it is read.
#include "fineprint/onnx/graph.h"

#include <set>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

#include "onnx/array.h"
#include "onnx/wire.h"

namespace fineprint::onnx {
namespace {

constexpr int kDeepest = 8;  // graphs in graphs
constexpr std::int64_t kOldestOpset = 9, kNewestOpset = 21;

// The values of a graph that are written already, and of the graphs around it.
struct Names {
  const Names* around = nullptr;
  int depth = 1;
  std::set<std::string, std::less<>> own = {};

  bool contains(const std::string& name) const {
    return own.contains(name) || (around != nullptr && around->contains(name));
  }
};

Graph read_graph(Bytes bytes, const std::string& where, const Names* around);

[[noreturn]] void refuse(const std::string& where, const std::string& why) {
  throw Error(ErrorCode::model, format("{}: {}", where, why));
}

Attribute read_attribute(Bytes bytes, const std::string& where, const Names& known,
                         std::string& name) {
  Attribute attribute;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    switch (field.id) {
      case 1:
        name = field.text();
        break;
      case 2:
        attribute.f = field.real();
        break;
      case 3:
        attribute.i = field.integer();
        break;
      case 4:
        attribute.s = field.text();
        break;
      case 5:
        attribute.array = std::make_shared<const Array>(read_array(field.bytes, where).array);
        break;
      case 6:
        attribute.graph = std::make_shared<const Graph>(read_graph(field.bytes, where, &known));
        break;
      case 7:
        add_reals(field, where, attribute.floats);
        break;
      case 8:
        add_integers(field, where, attribute.ints);
        break;
      case 9:
      case 10:
      case 11:
      case 22:
      case 23:
      case 14:
      case 15:
        refuse(where, format("a node has an attribute of a kind that is not supported (field {})",
                             field.id));
      default:
        break;
    }
  }
  return attribute;
}

Node read_node(Bytes bytes, const std::string& where, const Names& known) {
  Node node;
  std::string domain;
  std::vector<Bytes> attributes;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    switch (field.id) {
      case 1:
        node.inputs.push_back(field.text());
        break;
      case 2:
        node.outputs.push_back(field.text());
        break;
      case 3:
        node.name = field.text();
        break;
      case 4:
        node.op = field.text();
        break;
      case 5:
        attributes.push_back(field.bytes);
        break;
      case 7:
        domain = field.text();
        break;
      default:
        break;
    }
  }
  if (!domain.empty() && domain != "ai.onnx") {
    refuse(where, format("the operator {} of {} is not supported", node.op, domain));
  }
  for (const Bytes bytes_of_one : attributes) {
    std::string name;
    Attribute read = read_attribute(bytes_of_one, where, known, name);
    if (!node.attributes.emplace(name, std::move(read)).second) {
      refuse(where, format("{} has two attributes '{}'", node.op, name));
    }
  }
  return node;
}

// The dimensions of a TensorShapeProto.
std::vector<std::int64_t> read_shape(Bytes bytes, const std::string& where) {
  std::vector<std::int64_t> shape;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    if (field.id != 1) continue;
    std::int64_t size = -1;
    Message dimension(field.bytes, where);
    for (Field part; dimension.next(part);) {
      if (part.id == 1) size = part.integer();
    }
    shape.push_back(size);
  }
  return shape;
}

Port read_port(Bytes bytes, const std::string& where) {
  Port port;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    if (field.id == 1) port.name = field.text();
    if (field.id != 2) continue;
    Message type(field.bytes, where);
    for (Field kind; type.next(kind);) {
      if (kind.id != 1) refuse(where, format("'{}' is no array", port.name));
      Message array(kind.bytes, where);
      for (Field part; array.next(part);) {
        if (part.id == 1) port.dtype = dtype_of(part.integer());
        if (part.id == 2) port.shape = read_shape(part.bytes, where);
      }
    }
  }
  return port;
}

void write_once(Names& known, const std::string& name, const std::string& where) {
  const bool is_new = !known.contains(name) && known.own.insert(name).second;
  if (!is_new) refuse(where, format("the value '{}' is written twice", name));
}

// Reads the nodes in the order of the file, which must be one in which they can run.
void read_nodes(const std::vector<Bytes>& nodes, const std::string& where, Names& known,
                Graph& graph) {
  for (const Bytes bytes : nodes) {
    Node node = read_node(bytes, where, known);
    for (const std::string& input : node.inputs) {
      if (!input.empty() && !known.contains(input)) {
        refuse(where, format("{} reads '{}' before it is written", node.op, input));
      }
    }
    for (const std::string& output : node.outputs) {
      if (!output.empty()) write_once(known, output, where);
    }
    graph.nodes.push_back(std::move(node));
  }
}

Graph read_graph(Bytes bytes, const std::string& where, const Names* around) {
  Names known{around, around == nullptr ? 1 : around->depth + 1};
  if (known.depth > kDeepest) refuse(where, format("over {} graphs are nested", kDeepest));
  Graph graph;
  std::vector<Bytes> nodes;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    switch (field.id) {
      case 1:
        nodes.push_back(field.bytes);
        break;
      case 5: {
        NamedArray read = read_array(field.bytes, where);
        graph.constants.insert_or_assign(read.name,
                                         std::make_shared<const Array>(std::move(read.array)));
        break;
      }
      case 11:
        graph.inputs.push_back(read_port(field.bytes, where));
        break;
      case 12:
        graph.outputs.push_back(read_port(field.bytes, where));
        break;
      case 15:
        refuse(where, "sparse arrays are not supported");
      default:
        break;
    }
  }
  // Old files list constants as inputs, too.
  std::erase_if(graph.inputs,
                [&](const Port& port) { return graph.constants.contains(port.name); });
  for (const auto& [name, array] : graph.constants) write_once(known, name, where);
  for (const Port& input : graph.inputs) write_once(known, input.name, where);
  read_nodes(nodes, where, known, graph);
  if (graph.outputs.empty()) refuse(where, "a graph has no output");
  for (const Port& output : graph.outputs) {
    if (!known.contains(output.name)) {
      refuse(where, format("the output '{}' is never written", output.name));
    }
  }
  return graph;
}

// The version of the standard operators in an OperatorSetIdProto; nullopt for another domain.
std::optional<std::int64_t> standard_opset(Bytes bytes, const std::string& where) {
  std::string domain;
  std::int64_t version = 0;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    if (field.id == 1) domain = field.text();
    if (field.id == 2) version = field.integer();
  }
  if (domain.empty() || domain == "ai.onnx") return version;
  return std::nullopt;
}

// Adds a StringStringEntryProto, a pair of texts that says something about the model.
void read_fact(Bytes bytes, const std::string& where,
               std::map<std::string, std::string, std::less<>>& facts) {
  std::string name, text;
  Message message(bytes, where);
  for (Field field; message.next(field);) {
    if (field.id == 1) name = field.text();
    if (field.id == 2) text = field.text();
  }
  facts[name] = std::move(text);
}

}  // namespace

Model parse_model(std::span<const std::uint8_t> bytes, const std::string& path) {
  Model model;
  std::optional<Bytes> graph;
  Message message(bytes, path);
  for (Field field; message.next(field);) {
    if (field.id == 7 && field.wire == 2) graph = field.bytes;
    if (field.id == 8 && field.wire == 2) {
      model.opset = standard_opset(field.bytes, path).value_or(model.opset);
    }
    if (field.id == 14 && field.wire == 2) read_fact(field.bytes, path, model.facts);
    if (field.id == 25) refuse(path, "functions of models are not supported");
  }
  if (!graph) refuse(path, "is no ONNX file: it has no graph");
  if (model.opset < kOldestOpset || model.opset > kNewestOpset) {
    refuse(path, format("its operators are of version {}, and {} to {} are supported", model.opset,
                        kOldestOpset, kNewestOpset));
  }
  model.graph = read_graph(*graph, path, nullptr);
  return model;
}

Model read_model(const std::string& path) {
  const MappedFile file(path);
  return parse_model(file.bytes(), path);
}

}  // namespace fineprint::onnx
