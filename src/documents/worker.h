// The worker's side of reading documents in processes of their own.
#pragma once

#include <functional>

namespace fineprint::documents {

// Exit codes by which a worker tells why it ended by itself.
inline constexpr int kOutOfMemoryExit = 77;
inline constexpr int kBadMessageExit = 78;

// `worker_main` with a function that is called before each page is read; the tests' own program
// uses it to make a worker crash, hang or swell at a chosen page.
int run_worker(const std::function<void(int page)>& before_page);

}  // namespace fineprint::documents
