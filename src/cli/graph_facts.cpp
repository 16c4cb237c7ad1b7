#include "cli/graph_facts.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/onnx/graph.h"

#include "cli/output.h"

namespace fineprint::cli {
namespace {

struct GraphCounts {
  std::map<std::string, std::int64_t> operators;
  std::int64_t nodes = 0, arrays = 0, bytes = 0;
};

// Adds the counts of a graph and of the graphs inside.
void count_nodes(const onnx::Graph& graph, GraphCounts& counts) {
  for (const auto& [name, array] : graph.constants) {
    ++counts.arrays;
    counts.bytes += static_cast<std::int64_t>(array->bytes.size());
  }
  for (const onnx::Node& node : graph.nodes) {
    ++counts.nodes;
    ++counts.operators[node.op];
    for (const auto& [name, attribute] : node.attributes) {
      if (attribute.graph) count_nodes(*attribute.graph, counts);
    }
  }
}

std::string port_text(const onnx::Port& port) {
  const std::string sizes = join_texts(port.shape, ", ", [](std::int64_t size) {
    return size < 1 ? std::string("?") : format("{}", size);
  });
  const std::string_view type = port.dtype ? tensorfile::dtype_name(*port.dtype) : "unknown";
  return format("{} {} [{}]", port.name, type, sizes);
}

Json port_record(const onnx::Port& port) {
  Json record = {{"name", port.name}, {"shape", Json::array()}};
  if (port.dtype) record["type"] = tensorfile::dtype_name(*port.dtype);
  for (const std::int64_t size : port.shape) {
    record["shape"].push_back(size < 1 ? Json(nullptr) : Json(size));
  }
  return record;
}

// Returns "", or why the graph does not run here.
std::string reason_against(const std::string& path, const session::ModelOptions& options) {
  if (!session::has_nets()) {
    return "this build cannot run networks; build with -DFINEPRINT_NETS=ON";
  }
  try {
    session::load_graph(path, options);
    return "";
  } catch (const Error& error) {
    if (error.code() != ErrorCode::model) throw;
    return error.what();
  }
}

Json graph_record(const std::string& path, const onnx::Model& model, const GraphCounts& counts,
                  const std::string& against) {
  Json record = {{"path", path},
                 {"opset", model.opset},
                 {"nodes", counts.nodes},
                 {"operators", counts.operators},
                 {"weight_bytes", counts.bytes},
                 {"inputs", Json::array()},
                 {"outputs", Json::array()},
                 {"runs_here", against.empty()},
                 {"reason", against}};
  for (const onnx::Port& port : model.graph.inputs) record["inputs"].push_back(port_record(port));
  for (const onnx::Port& port : model.graph.outputs) record["outputs"].push_back(port_record(port));
  return record;
}

void print_graph(const std::string& path, const onnx::Model& model, const GraphCounts& counts,
                 const std::string& against) {
  std::vector<std::pair<std::string, std::int64_t>> order(counts.operators.begin(),
                                                          counts.operators.end());
  std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& op) { return op.second; });
  const std::string kinds =
      join_texts(order, ", ", [](const auto& op) { return format("{} {}", op.first, op.second); });
  print_line(format("{}: an ONNX graph", path));
  print_line(format("  operators   {} of version {}: {}", counts.nodes, model.opset, kinds));
  print_line(format("  weights     {} arrays, {:.1f} MB", counts.arrays,
                    static_cast<double>(counts.bytes) / 1e6));
  for (const onnx::Port& port : model.graph.inputs) {
    print_line(format("  reads       {}", port_text(port)));
  }
  for (const onnx::Port& port : model.graph.outputs) {
    print_line(format("  gives       {}", port_text(port)));
  }
  print_line(format("  runs here   {}", against.empty() ? "yes" : format("no: {}", against)));
}

}  // namespace

void show_graph(const std::string& path, const session::ModelOptions& options, bool json) {
  const onnx::Model model = onnx::read_model(path);
  GraphCounts counts;
  count_nodes(model.graph, counts);
  const std::string against = reason_against(path, options);
  if (json) {
    print_line(dump_json(graph_record(path, model, counts, against)));
  } else {
    print_graph(path, model, counts, against);
  }
}

}  // namespace fineprint::cli
