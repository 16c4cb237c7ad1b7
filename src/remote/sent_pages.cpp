// Counts the pages that leave the machine.
#include "fineprint/remote/sent_pages.h"

namespace fineprint::remote {

void SentPages::add(const std::string& page, const std::string& host) { add({page, host, 1}); }

void SentPages::add(const SentPage& page) {
  const std::lock_guard lock(mutex_);
  counts_[{page.page, page.host}] += page.count;
}

std::vector<SentPage> SentPages::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<SentPage> all;
  all.reserve(counts_.size());
  for (const auto& [key, count] : counts_) all.push_back({key.first, key.second, count});
  return all;
}

}  // namespace fineprint::remote
