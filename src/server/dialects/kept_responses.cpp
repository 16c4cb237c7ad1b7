// Keeps conversations within bounds.
#include "server/dialects/kept_responses.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"

#include "server/earlier_turns.h"
#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostIdBytes = 80;

std::size_t bytes_of(const std::vector<Message>& messages) {
  std::size_t bytes = 0;
  for (const Message& message : messages) {
    bytes += sizeof message + message.text.size();
    for (const auto* sent : {&message.files, &message.pictures}) {
      for (const SentFile& file : *sent) bytes += file.bytes->size();
    }
  }
  return bytes;
}

}  // namespace

// Older turns are not read again, but their files still belong to the conversation.
void KeptResponses::keep(const std::string& id, const std::vector<Message>& conversation) {
  std::vector<Message> messages;
  for (std::size_t i = 0; i < conversation.size(); ++i) {
    const bool is_recent = i + 2 * kMostTurns >= conversation.size();
    if (is_recent || !conversation[i].files.empty()) messages.push_back(conversation[i]);
  }
  const std::size_t bytes = bytes_of(messages);
  const std::lock_guard guard(mutex_);
  kept_.push_back({.id = id, .messages = std::move(messages), .bytes = bytes});
  bytes_ += bytes;
  while (kept_.size() > most_ || (bytes_ > most_bytes_ && kept_.size() > 1)) {
    bytes_ -= kept_.front().bytes;
    kept_.pop_front();
  }
}

std::vector<Message> KeptResponses::find(const std::string& id) const {
  const std::lock_guard guard(mutex_);
  const auto found = std::ranges::find(kept_, id, &Kept::id);
  if (found != kept_.end()) return found->messages;
  throw refused_field("previous_response_id",
                      format("names no response that is kept: \"{}\"; send the messages of the "
                             "conversation as input",
                             shortened(id, kMostIdBytes)),
                      404);
}

}  // namespace fineprint::server
