// Recognises the words in a picture with two networks of the PP-OCR kind: one finds the lines of
// text, the other reads them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/ocr/engine.h"
#include "fineprint/onnx/graph_network.h"

namespace fineprint::ocr {

// The networks, and what the classes of the second mean; see onnx::OcrFiles.
struct OcrGraphs {
  std::shared_ptr<const onnx::GraphNetwork> detection;
  std::shared_ptr<const onnx::GraphNetwork> recognition;
  std::vector<std::string> characters;
};

// Reads all languages whose characters the networks know. Each area of text that they find is a
// line and a block of its own. A word ends at a space that they read.
// Source of the steps and their constants: RapidOCR 3.10 and PaddleOCR ("PP-OCR: A Practical Ultra
// Lightweight OCR System", arXiv 2009.09941).
class GraphRecognizer : public Engine {
 public:
  explicit GraphRecognizer(OcrGraphs graphs);

  // Runs both networks on a blank picture. Throws Error(model) as recognize() does.
  void try_out() const;

  // Lines in whose characters the network's mean confidence is below a half are dropped, too. A
  // picture is made smaller to find its text if a side has more than 2000 pixels, and larger if
  // both have less than 736. Throws Error(model) if the networks give arrays of another shape than
  // the files said.
  Recognition recognize(const Image& grey, double dpi, double min_confidence = 0.3) override;

 private:
  OcrGraphs graphs_;
};

}  // namespace fineprint::ocr
