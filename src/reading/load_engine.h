// Loads the OCR engine of a folder into a document worker.
#pragma once

#include <memory>
#include <string>

#include "fineprint/documents/document_workers.h"
#include "fineprint/ocr/engine.h"

namespace fineprint::reading {

// Loads the networks and runs them once, because what they need from files when they first run
// cannot be read later. Call it before the worker gives up its rights. Throws Error as
// onnx::find_ocr_files and `open_graph` do.
std::unique_ptr<ocr::Engine> load_engine(const std::string& folder,
                                         documents::OpenGraph open_graph);

}  // namespace fineprint::reading
