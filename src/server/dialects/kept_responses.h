// The conversations of recent responses, for clients that continue one by its id.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <string>
#include <vector>

#include "server/dialects/conversation.h"

namespace fineprint::server {

// Kept in memory only: after a restart of the server, clients must send the messages themselves.
// Safe to use from several threads.
class KeptResponses {
 public:
  // `most` conversations with `most_bytes` of texts and files together; the oldest go first. Files
  // that several conversations share are counted in each.
  explicit KeptResponses(std::size_t most = 1000, std::size_t most_bytes = 128'000'000)
      : most_(most), most_bytes_(most_bytes) {}

  // Keeps all messages up to the reply with this id.
  void keep(const std::string& id, const std::vector<Message>& conversation);
  // Throws Refusal(404) if no such response is kept.
  std::vector<Message> find(const std::string& id) const;

 private:
  struct Kept {
    std::string id;
    std::vector<Message> messages;
    std::size_t bytes = 0;
  };

  const std::size_t most_, most_bytes_;
  mutable std::mutex mutex_;  // guards what follows
  std::list<Kept> kept_;      // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace fineprint::server
