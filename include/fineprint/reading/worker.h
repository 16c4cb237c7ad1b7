// The worker's side of reading documents in processes of their own.
#pragma once

#include <functional>

namespace fineprint::reading {

// Called before a page is read, and before it is drawn for OCR: the tests' own program uses them to
// make a worker crash, hang or swell at a chosen page.
struct WorkerHooks {
  std::function<void(int page)> before_page;
  std::function<void(int page)> before_drawing;
};

// A worker's life: answers tasks on its standard input (documents/protocol.h) until it closes.
// Returns the exit code.
int run_worker(const WorkerHooks& hooks = {});

}  // namespace fineprint::reading
