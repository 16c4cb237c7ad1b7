#include "nets/graphs/graph_network.h"

#include <optional>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/graphs/arrays.h"

namespace fineprint::nets {
namespace {

const Operators& all_operators() {
  static const Operators all = [] {
    Operators joined;
    for (Operators some : {arithmetic_operators(), shape_operators(), index_operators(),
                           reduction_operators(), image_operators()}) {
      joined.merge(some);
    }
    return joined;
  }();
  return all;
}

// Runs `call`; errors of operators, which do not know their file, are given its name.
template <typename Call>
auto naming(const std::string& path, const Call& call) {
  return with_all_errors(path, [&] {
    try {
      return call();
    } catch (const Error& error) {
      throw Error(error.code(), format("{}: {}", path, error.what()));
    }
  });
}

// Checks the operators and moves the constants of a graph and of the graphs inside to the device.
void prepare(const onnx::Graph& graph, const at::Device& device,
             std::map<const onnx::Array*, at::Tensor>& constants) {
  for (const auto& [name, array] : graph.constants) {
    constants.emplace(array.get(), tensor_of(*array).to(device));
  }
  for (const onnx::Node& node : graph.nodes) {
    if (node.op != "If" && !all_operators().contains(node.op)) {
      throw Error(ErrorCode::model, format("the operator {} is not supported", node.op));
    }
    for (const auto& [name, attribute] : node.attributes) {
      if (attribute.graph) prepare(*attribute.graph, device, constants);
    }
  }
}

// The values of a graph while it runs; those of the graphs around it can be read, too.
struct Values {
  const Values* around = nullptr;
  std::map<std::string, at::Tensor, std::less<>> own = {};

  at::Tensor find(const std::string& name) const {
    const auto found = own.find(name);
    if (found != own.end()) return found->second;
    return around == nullptr ? at::Tensor() : around->find(name);
  }
};

class Run {
 public:
  Run(std::int64_t opset, const std::map<const onnx::Array*, at::Tensor>& constants)
      : opset_(opset), constants_(constants) {}

  // Runs the nodes of a graph; returns its outputs.
  Tensors all(const onnx::Graph& graph, Values values) const {
    for (const auto& [name, array] : graph.constants) values.own[name] = constants_.at(array.get());
    std::map<std::string, std::size_t, std::less<>> last = last_reads(graph);
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const onnx::Node& node = graph.nodes[i];
      const Tensors results = one(node, values);
      for (std::size_t k = 0; k < node.outputs.size(); ++k) {
        if (node.outputs[k].empty()) continue;
        if (k >= results.size()) {
          throw Error(ErrorCode::model,
                      format("the operator {}: its output {} is not supported", node.op, k + 1));
        }
        values.own[node.outputs[k]] = results[k];
      }
      // Memory of values that nobody reads any more is free for the next.
      for (const std::string& name : node.inputs) {
        const auto found = last.find(name);
        if (found != last.end() && found->second == i) values.own.erase(name);
      }
    }
    Tensors outputs;
    for (const onnx::Port& port : graph.outputs) outputs.push_back(values.find(port.name));
    return outputs;
  }

 private:
  // The last node that reads each value, without values that are outputs or that a graph inside
  // may read.
  static std::map<std::string, std::size_t, std::less<>> last_reads(const onnx::Graph& graph) {
    std::map<std::string, std::size_t, std::less<>> last;
    for (const onnx::Node& node : graph.nodes) {
      if (node.op == "If") return {};
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const std::string& name : graph.nodes[i].inputs) last[name] = i;
    }
    for (const onnx::Port& port : graph.outputs) last.erase(port.name);
    return last;
  }

  Tensors one(const onnx::Node& node, const Values& values) const {
    Call call{node, opset_, {}};
    for (const std::string& name : node.inputs) {
      call.inputs.push_back(name.empty() ? at::Tensor() : values.find(name));
    }
    if (node.op == "If") return branch(call, values);
    return all_operators().at(node.op)(call);
  }

  Tensors branch(const Call& call, const Values& values) const {
    const bool is_so = call.at(0).item().toBool();
    const auto found = call.node.attributes.find(is_so ? "then_branch" : "else_branch");
    if (found == call.node.attributes.end() || !found->second.graph)
      call.fail("a branch is missing");
    return all(*found->second.graph, Values{&values});
  }

  std::int64_t opset_;
  const std::map<const onnx::Array*, at::Tensor>& constants_;
};

// Throws unless the array has the type and the shape of the graph's input.
void check_input(const onnx::Port& port, const onnx::Array& array) {
  bool fits = !port.dtype || *port.dtype == array.dtype;
  if (!port.shape.empty()) {
    fits = fits && port.shape.size() == array.shape.size();
    for (std::size_t i = 0; fits && i < port.shape.size(); ++i) {
      fits = port.shape[i] <= 0 || port.shape[i] == array.shape[i];
    }
  }
  if (!fits) {
    throw Error(ErrorCode::internal,
                format("the input '{}' of a graph does not have its type and shape", port.name));
  }
}

}  // namespace

OnnxNetwork::OnnxNetwork(const std::string& path, const Device& device)
    : path_(path), device_(device), model_(onnx::read_model(path)) {
  naming(path, [&] { prepare(model_.graph, device_.device, constants_); });
}

std::vector<onnx::Array> OnnxNetwork::run(const std::vector<onnx::Array>& inputs) const {
  if (inputs.size() != model_.graph.inputs.size()) {
    throw Error(ErrorCode::internal, format("{}: {} inputs were given, and its graph reads {}",
                                            path_, inputs.size(), model_.graph.inputs.size()));
  }
  return naming(path_, [&] {
    const Running running(device_);
    Values values;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      check_input(model_.graph.inputs[i], inputs[i]);
      values.own[model_.graph.inputs[i].name] = tensor_of(inputs[i]).to(device_.device);
    }
    std::vector<onnx::Array> outputs;
    for (const at::Tensor& output :
         Run(model_.opset, constants_).all(model_.graph, std::move(values))) {
      outputs.push_back(array_of(output));
    }
    return outputs;
  });
}

}  // namespace fineprint::nets
