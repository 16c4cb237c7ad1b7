#include "reading/load_graphs.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/ocr/graph_recognizer.h"
#include "fineprint/onnx/layout_files.h"
#include "fineprint/onnx/ocr_files.h"

namespace fineprint::reading {
namespace {

void check_opens_graphs(documents::OpenGraph open_graph) {
  if (open_graph == nullptr) throw Error(ErrorCode::internal, "this worker cannot open graphs");
}

}  // namespace

std::unique_ptr<ocr::Engine> load_engine(const std::string& folder,
                                         documents::OpenGraph open_graph) {
  check_opens_graphs(open_graph);
  onnx::OcrFiles files = onnx::find_ocr_files(folder);
  ocr::OcrGraphs graphs;
  graphs.detection = open_graph(files.detection);
  graphs.recognition = open_graph(files.recognition);
  graphs.characters = std::move(files.characters);
  auto engine = std::make_unique<ocr::GraphRecognizer>(std::move(graphs));
  engine->try_out();
  return engine;
}

std::unique_ptr<const LayoutModel> load_layout_model(const std::string& folder,
                                                     documents::OpenGraph open_graph) {
  check_opens_graphs(open_graph);
  const onnx::LayoutFiles files = onnx::find_layout_files(folder);
  auto model = std::make_unique<LayoutModel>(open_graph(files.regions), open_graph(files.grid));
  model->try_out();
  return model;
}

}  // namespace fineprint::reading
