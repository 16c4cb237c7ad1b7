// A network that a file describes completely: its operators and its weights.
#pragma once

#include <vector>

#include "fineprint/onnx/graph.h"

namespace fineprint::onnx {

// The graph of an ONNX file, ready to run. Several threads may run it at once.
class GraphNetwork {
 public:
  virtual ~GraphNetwork() = default;

  virtual const std::vector<Port>& inputs() const = 0;
  virtual const std::vector<Port>& outputs() const = 0;

  // Runs the graph; returns its outputs in order. `inputs` has one array for each of inputs(), of
  // its type and shape, else Error(internal) is thrown. Throws Error(model) if an operator cannot
  // run on these arrays, and Error(out_of_memory).
  virtual std::vector<Array> run(const std::vector<Array>& inputs) const = 0;
};

}  // namespace fineprint::onnx
