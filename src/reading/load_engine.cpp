#include "reading/load_engine.h"

#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/ocr/graph_recognizer.h"
#include "fineprint/onnx/ocr_files.h"

namespace fineprint::reading {

std::unique_ptr<ocr::Engine> load_engine(const std::string& folder,
                                         documents::OpenGraph open_graph) {
  if (open_graph == nullptr) {
    throw Error(ErrorCode::internal, "this worker cannot open the graphs of an OCR engine");
  }
  onnx::OcrFiles files = onnx::find_ocr_files(folder);
  ocr::OcrGraphs graphs;
  graphs.detection = open_graph(files.detection);
  graphs.recognition = open_graph(files.recognition);
  graphs.characters = std::move(files.characters);
  auto engine = std::make_unique<ocr::GraphRecognizer>(std::move(graphs));
  engine->try_out();
  return engine;
}

}  // namespace fineprint::reading
