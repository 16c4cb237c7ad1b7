// Recognises the graphs of a layout model.
#include "fineprint/onnx/layout_files.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fineprint/core/hash.h"
#include "fineprint/onnx/graph.h"

#include "onnx/graph_folder.h"

namespace fineprint::onnx {
namespace {

constexpr std::int64_t kRegionClasses = 12;
constexpr std::array<std::string_view, 4> kGridOutputs = {"h_on_logit", "h_offset", "v_on_logit",
                                                          "v_offset"};

const Port* output_of(const Graph& graph, std::string_view name) {
  const auto found = std::ranges::find(graph.outputs, name, &Port::name);
  return found == graph.outputs.end() ? nullptr : &*found;
}

// Returns whether a graph reads pictures of one size with so many channels.
bool reads_fixed_pictures(const Graph& graph, std::int64_t channels) {
  if (graph.inputs.size() != 1) return false;
  const Port& input = graph.inputs.front();
  return input.dtype == tensorfile::Dtype::f32 && input.shape.size() == 4 &&
         input.shape[1] == channels && input.shape[2] > 0 && input.shape[3] > 0;
}

bool finds_regions(const Graph& graph) {
  const Port* logits = output_of(graph, "logits");
  return reads_fixed_pictures(graph, 1) && logits != nullptr && logits->shape.size() == 4 &&
         logits->shape[1] == kRegionClasses;
}

bool finds_grids(const Graph& graph) {
  return reads_fixed_pictures(graph, 3) && std::ranges::all_of(kGridOutputs, [&](auto name) {
           const Port* output = output_of(graph, name);
           return output != nullptr && output->shape.size() == 2;
         });
}

}  // namespace

LayoutFiles find_layout_files(const std::string& path) {
  const GraphFolder folder("--layout-model", path,
                           "give the folder of a layout model's graphs (*.onnx)");
  LayoutFiles files;
  for (const std::string& file : folder.files(".onnx")) {
    const Model model = read_model(file);
    if (finds_regions(model.graph)) folder.keep(file, files.regions);
    if (finds_grids(model.graph)) folder.keep(file, files.grid);
  }
  folder.need(files.regions,
              "finds regions: reads [n, 1, height, width] and gives logits [n, 12, height, width]");
  folder.need(files.grid,
              "finds rows and columns: reads [n, 3, height, width] and gives h_on_logit, h_offset, "
              "v_on_logit and v_offset");
  files.hash = content_hash(file_hash(files.regions) + file_hash(files.grid));
  return files;
}

}  // namespace fineprint::onnx
