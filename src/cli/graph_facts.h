// The output of `fineprint models FILE.onnx`.
#pragma once

#include <string>

#include "fineprint/session/load.h"

namespace fineprint::cli {

// Prints the operators, weights, inputs and outputs of an ONNX file, and whether its graph runs
// here. Throws Error(model) if the file is damaged or uses something that is not supported, and
// Error(unreadable).
void show_graph(const std::string& path, const session::ModelOptions& options, bool json);

}  // namespace fineprint::cli
