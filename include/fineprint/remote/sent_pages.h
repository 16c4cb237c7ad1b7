// Which pages left the machine, for the manifests of output files.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace fineprint::remote {

// A page and where it went. `count`: how often; a call that is repeated sends it again.
struct SentPage {
  std::string page;  // "report.pdf:3", or "(unnamed)" for an image of which only that is known
  std::string host;  // "api.example.com:443"
  std::int64_t count = 0;
};

// Counts pages as they are sent. Safe from many threads.
class SentPages {
 public:
  void add(const std::string& page, const std::string& host);
  void add(const SentPage& page);
  // By page, then host.
  std::vector<SentPage> list() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::int64_t> counts_;
};

}  // namespace fineprint::remote
