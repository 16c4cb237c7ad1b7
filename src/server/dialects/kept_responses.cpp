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
void KeptResponses::keep(const std::string& id, const std::vector<Message>& conversation,
                         std::string response) {
  std::vector<Message> messages;
  for (std::size_t i = 0; i < conversation.size(); ++i) {
    const bool is_recent = i + 2 * kMostTurns >= conversation.size();
    if (is_recent || !conversation[i].files.empty()) messages.push_back(conversation[i]);
  }
  const std::size_t bytes = bytes_of(messages) + response.size();
  const std::lock_guard guard(mutex_);
  kept_.push_back(
      {.id = id, .messages = std::move(messages), .response = std::move(response), .bytes = bytes});
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

template <class List>
auto KeptResponses::place_of(List& kept, const std::string& id) {
  const auto found = std::ranges::find(kept, id, &Kept::id);
  if (found != kept.end()) return found;
  throw Refusal(404, format("no response with the id \"{}\" is kept; the server keeps recent "
                            "ones until it ends, unless a request has \"store\": false",
                            shortened(id, kMostIdBytes)));
}

std::string KeptResponses::response(const std::string& id) const {
  const std::lock_guard guard(mutex_);
  return place_of(kept_, id)->response;
}

void KeptResponses::remove(const std::string& id) {
  const std::lock_guard guard(mutex_);
  const auto found = place_of(kept_, id);
  bytes_ -= found->bytes;
  kept_.erase(found);
}

}  // namespace fineprint::server
