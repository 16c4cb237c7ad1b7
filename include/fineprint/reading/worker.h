// Runs a document worker: the process that reads documents for the program.
#pragma once

#include <functional>

#include "fineprint/documents/document_workers.h"

namespace fineprint::reading {

// Functions that tests set to make a worker crash, hang or use too much memory at a chosen page.
// `before_page` is called before a page is read, `before_drawing` before it is drawn for OCR. Empty
// functions are not called.
struct WorkerHooks {
  std::function<void(int page)> before_page;
  std::function<void(int page)> before_drawing;
};

// Answers tasks on standard input (see documents/protocol.h) until it is closed. Loads the OCR
// engine of `start` first. Returns the exit code of the process. Call it once, at the start,
// because it gives up rights that the process cannot get back.
int run_worker(const WorkerHooks& hooks = {}, const documents::WorkerStart& start = {});

}  // namespace fineprint::reading
