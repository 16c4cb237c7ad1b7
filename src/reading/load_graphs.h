// Loads networks from folders of graphs into a document worker.
#pragma once

#include <memory>
#include <string>

#include "fineprint/documents/document_workers.h"
#include "fineprint/ocr/engine.h"

#include "reading/layout_model.h"

namespace fineprint::reading {

// These load the networks and run them once, because what they need from files when they first run
// cannot be read later. Call them before the worker gives up its rights. They throw Error as
// onnx::find_ocr_files, onnx::find_layout_files and `open_graph` do.
std::unique_ptr<ocr::Engine> load_engine(const std::string& folder,
                                         documents::OpenGraph open_graph);
std::unique_ptr<const LayoutModel> load_layout_model(const std::string& folder,
                                                     documents::OpenGraph open_graph);

}  // namespace fineprint::reading
