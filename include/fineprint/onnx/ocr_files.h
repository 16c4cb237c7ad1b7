// The files of an OCR engine of the PP-OCR kind: a graph that finds text in a picture, a graph that
// reads a line of text, and the characters that it knows.
#pragma once

#include <string>
#include <vector>

namespace fineprint::onnx {

struct OcrFiles {
  std::string detection;    // path of the graph that finds text
  std::string recognition;  // path of the graph that reads lines
  // UTF-8, by class of the recognition graph. Class 0 is the blank of CTC and is empty here.
  std::vector<std::string> characters;
  std::string hash;  // of all that the engine's results depend on
};

// Finds the files in a folder by what their graphs read and give, not by their names. Both read
// pictures of three channels. Detection gives a map [n, 1, height, width], recognition gives
// [n, steps, classes]. Other graphs, for example one that finds out which way a line is turned, are
// left alone.
// The characters are one a line, in the fact "character" of the recognition graph or else in a
// file *.txt of the folder that has as many lines as the graph has classes; a last class without a
// line is the space.
// Throws Error(usage) if there is no such folder, or a part is missing or there twice, and
// Error(model) as read_model does. Source: the packages of PaddleOCR and RapidOCR.
OcrFiles find_ocr_files(const std::string& folder);

}  // namespace fineprint::onnx
