// The steps of PP-OCR: find areas of text, cut them out, read them in batches.
#include "fineprint/ocr/graph_recognizer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/image/text_areas.h"
#include "fineprint/onnx/float_arrays.h"

#include "ocr/ctc.h"
#include "ocr/doubted.h"

namespace fineprint::ocr {
namespace {

// Of the picture in which areas are found, in pixels.
constexpr int kLeastSide = 736;
constexpr int kMostSide = 2000;
constexpr int kSideStep = 32;  // the network halves its picture five times

// Of the pictures of lines.
constexpr int kLineHeight = 48;
constexpr int kLeastLineWidth = 320;  // shorter lines are padded
// A line that is longer for its height is squeezed into this width. No line of print is so long,
// and the memory for a batch grows with the width.
constexpr int kMostLineWidth = 4800;
constexpr std::size_t kBatch = 6;  // lines

constexpr double kLeastLine = 0.5;  // mean confidence in the characters of a line

// Writes a grey picture as three equal channels of -1 to 1 into the first columns of the planes of
// `array` [n, 3, height, width], at index `n`. Further columns stay 0.
void put(const Image& grey, std::size_t n, onnx::Array& array) {
  const auto width = static_cast<std::size_t>(array.shape[3]);
  const std::size_t plane = width * static_cast<std::size_t>(array.shape[2]);
  float* to = onnx::floats_of(array).data() + n * 3 * plane;
  for (int y = 0; y < grey.height; ++y) {
    float* row = to + static_cast<std::size_t>(y) * width;
    for (int x = 0; x < grey.width; ++x) {
      row[x] = (static_cast<float>(grey.row(y)[x]) / 255 - 0.5F) / 0.5F;
    }
  }
  std::memcpy(to + plane, to, plane * sizeof(float));
  std::memcpy(to + 2 * plane, to, plane * sizeof(float));
}

// Runs a graph of one input and one output, which must have the shape `wanted`; -1 is any length.
onnx::Array run(const onnx::GraphNetwork& graph, onnx::Array input, const char* what,
                const std::vector<std::int64_t>& wanted) {
  std::vector<onnx::Array> inputs;
  inputs.push_back(std::move(input));
  onnx::Array output = std::move(graph.run(inputs).front());
  if (!onnx::has_shape(output, wanted)) {
    throw Error(ErrorCode::model,
                format("OCR engine: the graph that {} gave an array of another shape than such "
                       "graphs give; use the graphs of one PP-OCR package",
                       what));
  }
  return output;
}

int rounded_side(double side) {
  return std::max(kSideStep, static_cast<int>(std::lround(side / kSideStep)) * kSideStep);
}

std::vector<image::Tilted> find_areas(const onnx::GraphNetwork& detection, const Image& grey) {
  const double least = std::min(grey.width, grey.height), most = std::max(grey.width, grey.height);
  const double scale = std::min(kMostSide / most, std::max(1.0, kLeastSide / least));
  const int width = rounded_side(grey.width * scale), height = rounded_side(grey.height * scale);
  onnx::Array input = onnx::float_array({1, 3, height, width});
  put(image::resize_linear(grey, width, height), 0, input);
  const onnx::Array map = run(detection, std::move(input), "finds text", {1, 1, height, width});
  return image::text_areas(onnx::floats_of(map), width, height, grey.width, grey.height);
}

// The picture of a line at the height that the network reads.
Image line_picture(const Image& grey, const image::Tilted& area) {
  const Image cut = image::cut_area(grey, area);
  const double width = std::ceil(static_cast<double>(kLineHeight) * cut.width / cut.height);
  return image::resize_linear(cut, std::clamp(static_cast<int>(width), 1, kMostLineWidth),
                              kLineHeight);
}

// Reads the lines of all areas. Lines of similar width are read together, so that little is padded.
std::vector<std::vector<LineWord>> read_lines(const OcrGraphs& graphs, const Image& grey,
                                              const std::vector<image::Tilted>& areas) {
  std::vector<Image> pictures;
  for (const image::Tilted& area : areas) pictures.push_back(line_picture(grey, area));
  std::vector<std::size_t> order(areas.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return pictures[a].width < pictures[b].width;
  });
  std::vector<std::vector<LineWord>> lines(areas.size());
  const auto classes = static_cast<std::int64_t>(graphs.characters.size());
  for (std::size_t first = 0; first < order.size(); first += kBatch) {
    const std::span<const std::size_t> batch =
        std::span(order).subspan(first, std::min(kBatch, order.size() - first));
    const int width = std::max(kLeastLineWidth, pictures[batch.back()].width);
    const auto count = static_cast<std::int64_t>(batch.size());
    onnx::Array input = onnx::float_array({count, 3, kLineHeight, width});
    for (std::size_t i = 0; i < batch.size(); ++i) put(pictures[batch[i]], i, input);
    const onnx::Array output =
        run(*graphs.recognition, std::move(input), "reads lines", {count, -1, classes});
    const std::size_t line = onnx::floats_of(output).size() / batch.size();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const double share = static_cast<double>(pictures[batch[i]].width) / width;
      lines[batch[i]] =
          decode_line(onnx::floats_of(output).subspan(i * line, line), graphs.characters, share);
    }
  }
  return lines;
}

image::Spot between(const image::Spot& a, const image::Spot& b, double share) {
  const auto part = static_cast<float>(share);
  return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

// Returns the upright box around the part of an area that a word takes. A line that was turned for
// reading runs from the top of its area to the bottom.
Box box_of(const image::Tilted& area, const LineWord& word, double points_a_pixel) {
  const bool turned = image::is_turned(area);
  const auto& [upper_left, upper_right, lower_right, lower_left] = area;
  const std::array<image::Spot, 4> corners =
      turned ? std::array{between(upper_right, lower_right, word.from),
                          between(upper_left, lower_left, word.from),
                          between(upper_right, lower_right, word.to),
                          between(upper_left, lower_left, word.to)}
             : std::array{between(upper_left, upper_right, word.from),
                          between(lower_left, lower_right, word.from),
                          between(upper_left, upper_right, word.to),
                          between(lower_left, lower_right, word.to)};
  const auto by_x = [](const image::Spot& a, const image::Spot& b) { return a.x < b.x; };
  const auto by_y = [](const image::Spot& a, const image::Spot& b) { return a.y < b.y; };
  const auto [left, right] = std::minmax_element(corners.begin(), corners.end(), by_x);
  const auto [top, bottom] = std::minmax_element(corners.begin(), corners.end(), by_y);
  const auto points = [&](float pixels) { return static_cast<float>(pixels * points_a_pixel); };
  return {points(left->x), points(top->y), points(right->x), points(bottom->y)};
}

// The height of the letters' line: the shorter side of its area.
float height_of(const image::Tilted& area, double points_a_pixel) {
  const auto side = [&](std::size_t a, std::size_t b) {
    return std::hypot(area[a].x - area[b].x, area[a].y - area[b].y);
  };
  return static_cast<float>((image::is_turned(area) ? side(0, 1) : side(0, 3)) * points_a_pixel);
}

double mean_of(const std::vector<LineWord>& words) {
  double sum = 0, count = 0;
  for (const LineWord& word : words) {
    sum += word.confidence * static_cast<double>(word.characters);
    count += static_cast<double>(word.characters);
  }
  return count > 0 ? sum / count : 0;
}

}  // namespace

GraphRecognizer::GraphRecognizer(OcrGraphs graphs) : graphs_(std::move(graphs)) {}

void GraphRecognizer::try_out() const {
  Image blank{.width = kLeastSide, .height = kLeastSide, .channels = 1, .pixels = {}};
  blank.pixels.resize(blank.stride() * static_cast<std::size_t>(blank.height));
  find_areas(*graphs_.detection, blank);
  const auto side = static_cast<float>(kLineHeight);
  read_lines(graphs_, blank, {{{{0, 0}, {2 * side, 0}, {2 * side, side}, {0, side}}}});
}

Recognition GraphRecognizer::recognize(const Image& grey, double dpi, double min_confidence) {
  if (!is_readable(grey, dpi)) return {};
  const std::vector<image::Tilted> areas = find_areas(*graphs_.detection, grey);
  const std::vector<std::vector<LineWord>> lines = read_lines(graphs_, grey, areas);
  Recognition found;
  std::vector<RecognizedWord> kept;
  for (std::uint32_t line = 0; line < areas.size(); ++line) {
    const bool is_sure = mean_of(lines[line]) >= kLeastLine;
    for (const LineWord& read : lines[line]) {
      Word word;
      word.text = read.text;
      word.box = box_of(areas[line], read, 72 / dpi);
      word.size_pt = height_of(areas[line], 72 / dpi);
      word.confidence = static_cast<float>(std::clamp(read.confidence, 0.0, 1.0));
      if (word.box.empty()) continue;  // it could not be marked on the page
      found.words.push_back({std::move(word), line, line});
      if (is_sure) kept.push_back(found.words.back());
    }
  }
  // Before doubted lines are dropped, because it says how well the page could be read.
  found.confidence = mean_confidence(found.words);
  found.words = std::move(kept);
  drop_doubted_lines(found.words, min_confidence);
  return found;
}

}  // namespace fineprint::ocr
