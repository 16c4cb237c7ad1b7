// Runs the networks of a layout model on pictures of pages and tables.
#pragma once

#include <memory>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/onnx/graph_network.h"

#include "reading/region_map.h"

namespace fineprint::reading {

// Where a table is divided, as shares of its height (across) and width (down): 0 to 1, ascending.
struct GridShares {
  std::vector<float> across, down;
};

class LayoutModel {
 public:
  // The graphs of onnx::LayoutFiles.
  LayoutModel(std::unique_ptr<const onnx::GraphNetwork> regions,
              std::unique_ptr<const onnx::GraphNetwork> grid);

  // Runs both networks on a blank picture. Throws Error(model) if they give other arrays than the
  // files said.
  void try_out() const;

  // Returns the regions of a page, from its grey picture; best at 72 dpi.
  RegionMap regions(const Image& grey, float width_pt, float height_pt) const;
  // Returns the rows and columns of a table, from the grey picture of the table alone.
  GridShares grid(const Image& grey) const;

 private:
  std::unique_ptr<const onnx::GraphNetwork> regions_, grid_;
};

}  // namespace fineprint::reading
