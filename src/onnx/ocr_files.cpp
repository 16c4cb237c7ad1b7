// Recognises the graphs of an OCR engine.
#include "fineprint/onnx/ocr_files.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/onnx/graph.h"

#include "onnx/graph_folder.h"

namespace fineprint::onnx {
namespace {

// What a class of the recognition graph without a line in the list of characters means.
constexpr const char* kSpace = " ";

// Returns whether a graph reads pictures of three channels, and how many dimensions it gives; 0 if
// it reads or gives anything else.
std::size_t dimensions_of_picture_graph(const Graph& graph) {
  if (graph.inputs.size() != 1 || graph.outputs.size() != 1) return 0;
  const Port& input = graph.inputs.front();
  const bool sees = input.dtype == tensorfile::Dtype::f32 && input.shape.size() == 4 &&
                    (input.shape[1] == 3 || input.shape[1] < 0);
  return sees ? graph.outputs.front().shape.size() : 0;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// Returns the characters by class, or nothing if there are not as many as classes. `classes` is -1
// if the graph does not say.
std::vector<std::string> by_class(std::vector<std::string> lines, std::int64_t classes) {
  lines.insert(lines.begin(), "");
  const auto count = static_cast<std::int64_t>(lines.size());
  if (classes < 0 || classes == count + 1) {
    lines.emplace_back(kSpace);
    return lines;
  }
  return classes == count ? lines : std::vector<std::string>();
}

std::vector<std::string> characters_of(const GraphFolder& folder, const std::string& path,
                                       const Model& model) {
  const std::int64_t classes = model.graph.outputs.front().shape.back();
  const auto inside = model.facts.find("character");
  if (inside != model.facts.end()) {
    std::vector<std::string> characters = by_class(lines_of(inside->second), classes);
    if (!characters.empty()) return characters;
    folder.fail(format("{} has {} classes and lists {} characters", path, classes,
                       lines_of(inside->second).size()));
  }
  std::vector<std::vector<std::string>> fitting;
  for (const std::string& file : folder.files(".txt")) {
    std::vector<std::string> characters = by_class(lines_of(read_file(file)), classes);
    if (!characters.empty()) fitting.push_back(std::move(characters));
  }
  if (fitting.size() == 1) return fitting.front();
  folder.fail(
      format("{} does not list its characters, and {} text files of the folder have a "
             "line for each of its {} classes; put the list of the model there",
             path, fitting.size(), classes));
}

}  // namespace

OcrFiles find_ocr_files(const std::string& path) {
  const GraphFolder folder("--ocr-engine", path,
                           "give tesseract, or the folder of an engine's graphs (*.onnx)");
  OcrFiles files;
  Model reader;
  for (const std::string& file : folder.files(".onnx")) {
    Model model = read_model(file);
    const std::size_t dimensions = dimensions_of_picture_graph(model.graph);
    if (dimensions == 4) folder.keep(file, files.detection);
    if (dimensions == 3) {
      folder.keep(file, files.recognition);
      reader = std::move(model);
    }
  }
  folder.need(files.detection,
              "finds text: reads [n, 3, height, width] and gives [n, 1, height, width]");
  folder.need(files.recognition,
              "reads lines: reads [n, 3, height, width] and gives [n, steps, classes]");
  files.characters = characters_of(folder, files.recognition, reader);
  std::string all = file_hash(files.detection) + file_hash(files.recognition);
  for (const std::string& character : files.characters) all += '\n' + character;
  files.hash = content_hash(all);
  return files;
}

}  // namespace fineprint::onnx
