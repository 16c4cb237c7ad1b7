// Runs the graph of an ONNX file.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fineprint/onnx/graph.h"
#include "fineprint/onnx/graph_network.h"

#include "nets/graphs/operators.h"
#include "nets/weights/device.h"

namespace fineprint::nets {

class OnnxNetwork : public onnx::GraphNetwork {
 public:
  // Reads a file and looks its operators up. Throws Error(model) as onnx::read_model does, and if
  // an operator is not supported.
  OnnxNetwork(const std::string& path, const Device& device);

  const std::vector<onnx::Port>& inputs() const override { return model_.graph.inputs; }
  const std::vector<onnx::Port>& outputs() const override { return model_.graph.outputs; }
  std::vector<onnx::Array> run(const std::vector<onnx::Array>& inputs) const override;

 private:
  std::string path_;
  Device device_;
  onnx::Model model_;
  std::map<const onnx::Array*, at::Tensor> constants_;  // of the graph and of the graphs inside
};

}  // namespace fineprint::nets
