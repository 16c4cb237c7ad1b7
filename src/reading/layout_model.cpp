// Makes the networks' input as the package pymupdf.layout of PyMuPDF 2.0 does, and decodes their
// output.
#include "reading/layout_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/text_areas.h"
#include "fineprint/onnx/float_arrays.h"

namespace fineprint::reading {
namespace {

// The least probability of a line, and the least distance of two lines; the package's values.
constexpr float kLeastAcross = 0.2F, kLeastDown = 0.25F;
constexpr float kLinesApart = 0.01F;

[[noreturn]] void refuse_graph(const char* what) {
  throw Error(ErrorCode::model,
              format("layout model: the graph that finds {} gave an array of another shape than "
                     "such graphs give; use the graphs of one package",
                     what));
}

std::vector<onnx::Array> run_on(const onnx::GraphNetwork& graph, onnx::Array input) {
  std::vector<onnx::Array> inputs;
  inputs.push_back(std::move(input));
  return graph.run(inputs);
}

std::size_t index_of(const onnx::GraphNetwork& graph, std::string_view name) {
  const auto found = std::ranges::find(graph.outputs(), name, &onnx::Port::name);
  if (found == graph.outputs().end()) refuse_graph(name == "logits" ? "regions" : "grids");
  return static_cast<std::size_t>(found - graph.outputs().begin());
}

// Returns the grey picture in the size that a graph reads.
Image in_its_size(const onnx::GraphNetwork& graph, const Image& grey) {
  const std::vector<std::int64_t>& shape = graph.inputs().front().shape;
  return image::resize_linear(grey, static_cast<int>(shape[3]), static_cast<int>(shape[2]));
}

// Stretches the values of the picture to 0..1. An even picture is 0.
onnx::Array stretched(const Image& grey) {
  onnx::Array array = onnx::float_array({1, 1, grey.height, grey.width});
  const std::span<const std::uint8_t> pixels(grey.pixels.data(), grey.pixels.size());
  const auto [least, most] = std::ranges::minmax(pixels);
  const auto span = static_cast<float>(std::max(1, most - least));
  std::ranges::transform(pixels, onnx::floats_of(array).begin(), [&](std::uint8_t value) {
    return static_cast<float>(value - least) / span;
  });
  return array;
}

onnx::Array three_channels(const Image& grey) {
  onnx::Array array = onnx::float_array({1, 3, grey.height, grey.width});
  const std::span<float> values = onnx::floats_of(array);
  const std::size_t plane = values.size() / 3;
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(grey.pixels[i % plane]) / 255;
  }
  return array;
}

// A network has evenly spaced places from 0 to 1. It says for each how likely a line is near, and
// how far it is from the place, in distances of two places. Of lines too near to each other, the
// likeliest is kept.
std::vector<float> lines_at(std::span<const float> logits, std::span<const float> offsets,
                            float least) {
  const float step = 1 / static_cast<float>(std::max<std::size_t>(logits.size() - 1, 1));
  std::vector<std::size_t> order(logits.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !(1 / (1 + std::exp(-logits[i])) >= least); });
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return logits[i]; });
  std::vector<float> lines;
  for (const std::size_t i : order) {
    const float at = (static_cast<float>(i) + offsets[i]) * step;
    const bool is_inside = at > 0 && at < 1;
    const bool is_apart = std::ranges::all_of(
        lines, [&](float other) { return std::abs(other - at) >= kLinesApart; });
    if (is_inside && is_apart) lines.push_back(at);
  }
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

LayoutModel::LayoutModel(std::unique_ptr<const onnx::GraphNetwork> regions,
                         std::unique_ptr<const onnx::GraphNetwork> grid)
    : regions_(std::move(regions)), grid_(std::move(grid)) {}

void LayoutModel::try_out() const {
  Image blank{.width = 72, .height = 72, .channels = 1, .pixels = {}};
  blank.pixels.resize(blank.stride() * static_cast<std::size_t>(blank.height));
  regions(blank, 72, 72);
  grid(blank);
}

RegionMap LayoutModel::regions(const Image& grey, float width_pt, float height_pt) const {
  const Image picture = in_its_size(*regions_, grey);
  const std::vector<onnx::Array> outputs = run_on(*regions_, stretched(picture));
  const onnx::Array& logits = outputs[index_of(*regions_, "logits")];
  const auto kinds = static_cast<std::int64_t>(kRegions);
  if (!onnx::has_shape(logits, {1, kinds, picture.height, picture.width})) refuse_graph("regions");
  const std::span<const float> values = onnx::floats_of(logits);
  const std::size_t plane = values.size() / kRegions;
  std::vector<Region> places(plane, Region::background);
  for (std::size_t i = 0; i < plane; ++i) {
    std::size_t best = 0;
    for (std::size_t kind = 1; kind < kRegions; ++kind) {
      if (values[kind * plane + i] > values[best * plane + i]) best = kind;
    }
    places[i] = static_cast<Region>(best);
  }
  return {std::move(places), picture.width, picture.height, width_pt, height_pt};
}

GridShares LayoutModel::grid(const Image& grey) const {
  const std::vector<onnx::Array> outputs =
      run_on(*grid_, three_channels(in_its_size(*grid_, grey)));
  const auto lines = [&](std::string_view logits_name, std::string_view offsets_name, float least) {
    const onnx::Array& logits = outputs[index_of(*grid_, logits_name)];
    const onnx::Array& offsets = outputs[index_of(*grid_, offsets_name)];
    if (!onnx::has_shape(logits, {1, -1}) || !onnx::has_shape(offsets, logits.shape)) {
      refuse_graph("grids");
    }
    return lines_at(onnx::floats_of(logits), onnx::floats_of(offsets), least);
  };
  return {.across = lines("h_on_logit", "h_offset", kLeastAcross),
          .down = lines("v_on_logit", "v_offset", kLeastDown)};
}

}  // namespace fineprint::reading
