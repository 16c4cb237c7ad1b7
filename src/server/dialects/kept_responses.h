// Recent responses and their conversations, for clients that continue one by its id, read it again
// or delete it.
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

  // Keeps all messages up to the reply with this id, and the response as the client got it.
  void keep(const std::string& id, const std::vector<Message>& conversation, std::string response);
  // Returns the messages. Throws Refusal(404) if no such response is kept.
  std::vector<Message> find(const std::string& id) const;
  // Returns the response. Throws Refusal(404) likewise.
  std::string response(const std::string& id) const;
  // Forgets a response and its messages; conversations that went on from it keep theirs. Throws
  // Refusal(404) likewise.
  void remove(const std::string& id);

 private:
  struct Kept {
    std::string id;
    std::vector<Message> messages;
    std::string response;  // JSON
    std::size_t bytes = 0;
  };

  // Returns the place in `kept`. Throws Refusal(404).
  template <class List>
  static auto place_of(List& kept, const std::string& id);

  const std::size_t most_, most_bytes_;
  mutable std::mutex mutex_;  // guards what follows
  std::list<Kept> kept_;      // oldest first
  std::size_t bytes_ = 0;
};

}  // namespace fineprint::server
