// Arrays in ONNX files.
#pragma once

#include <string>

#include "fineprint/onnx/graph.h"

#include "onnx/wire.h"

namespace fineprint::onnx {

struct NamedArray {
  std::string name;
  Array array;
};

// Reads a TensorProto. Throws Error(model) as read_model does.
NamedArray read_array(Bytes bytes, const std::string& where);

}  // namespace fineprint::onnx
