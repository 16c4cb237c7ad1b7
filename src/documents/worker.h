// The worker's side of reading documents in processes of their own.
#pragma once

#include <functional>

namespace fineprint::documents {

// Exit codes by which a worker tells why it ended by itself.
inline constexpr int kOutOfMemoryExit = 77;
inline constexpr int kBadMessageExit = 78;

// Called before a page is read, and before it is drawn for OCR: the tests' own program uses them to
// make a worker crash, hang or swell at a chosen page.
struct WorkerHooks {
  std::function<void(int page)> before_page;
  std::function<void(int page)> before_drawing;
};

// `worker_main` with hooks.
int run_worker(const WorkerHooks& hooks);

}  // namespace fineprint::documents
