// Feeds any bytes to the reader of ONNX files: they must become a graph whose arrays have as many
// values as their shapes say and whose values are written before they are read, or be refused with
// Error(model).
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>

#include "fineprint/core/error.h"
#include "fineprint/onnx/graph.h"

namespace {

using fineprint::onnx::Array;
using fineprint::onnx::Graph;
using Names = std::set<std::string, std::less<>>;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const Array& array) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : array.shape) {
    require(extent >= 0);
    elements *= extent;
  }
  require(elements == array.element_count());
  const std::size_t size = fineprint::tensorfile::dtype_bytes(array.dtype);
  require(static_cast<std::size_t>(elements) * size == array.bytes.size());
}

void check(const Graph& graph, Names written) {
  for (const auto& [name, array] : graph.constants) {
    check(*array);
    written.insert(name);
  }
  for (const auto& port : graph.inputs) {
    for (const std::int64_t extent : port.shape) require(extent >= -1);
    written.insert(port.name);
  }
  for (const auto& node : graph.nodes) {
    for (const std::string& input : node.inputs) require(input.empty() || written.contains(input));
    for (const auto& [name, attribute] : node.attributes) {
      if (attribute.array) check(*attribute.array);
      if (attribute.graph) check(*attribute.graph, written);
    }
    for (const std::string& output : node.outputs) written.insert(output);
  }
  for (const auto& port : graph.outputs) require(written.contains(port.name));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    check(fineprint::onnx::parse_model({data, size}, "a.onnx").graph, {});
  } catch (const fineprint::Error& error) {
    require(error.code() == fineprint::ErrorCode::model);
  }
  return 0;
}
