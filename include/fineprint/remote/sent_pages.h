// Counts the pages that left the machine, for the manifests of output files.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fineprint::remote {

// A page and the host it was sent to. `count` says how often: a call that is repeated sends its
// pages again.
struct SentPage {
  // "report.pdf:3", "(unnamed)" for an image that has no page's name, or "(text)" for one that an
  // encoder or a reranker was sent.
  std::string page;
  std::string host;  // for example "api.example.com:443"
  std::int64_t count = 0;
};

// Counts pages as they are sent. Safe to use from many threads.
class SentPages {
 public:
  // Counts one more sending of `page` to `host`.
  void add(const std::string& page, const std::string& host);
  // Adds `page.count` sendings, for example the ones that an earlier run recorded.
  void add(const SentPage& page);
  // Returns all counts, ordered by page, then by host.
  std::vector<SentPage> list() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::int64_t> counts_;
};

}  // namespace fineprint::remote
