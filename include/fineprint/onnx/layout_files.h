// The files of a layout model: a graph that finds the regions of a page, and a graph that finds the
// rows and columns of a table.
#pragma once

#include <string>

namespace fineprint::onnx {

struct LayoutFiles {
  std::string regions;  // path of the graph that finds regions
  std::string grid;     // path of the graph that finds rows and columns
  std::string hash;     // of all that their results depend on
};

// Finds the files in a folder by what their graphs read and give, not by their names. The graph of
// regions reads a grey picture [n, 1, height, width] and gives "logits" [n, 12, height, width]: for
// each pixel the background and the eleven classes of DocLayNet ("DocLayNet: A Large
// Human-Annotated Dataset for Document-Layout Segmentation", arXiv 2206.01062). The graph of grids
// reads a picture [n, 3, height, width] and gives "h_on_logit", "h_offset", "v_on_logit" and
// "v_offset", each [n, places]. Heights and widths of both pictures are fixed. Other graphs are
// left alone. Throws Error(usage) if there is no such folder, or a part is missing or there twice,
// and Error(model) as read_model does. Source: the package pymupdf.layout of PyMuPDF 2.0.
LayoutFiles find_layout_files(const std::string& folder);

}  // namespace fineprint::onnx
