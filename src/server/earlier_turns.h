// The earlier turns of a conversation, as clients send them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/dialogue/follow_up.h"
#include "fineprint/server/service.h"

#include "server/dialects/conversation.h"
#include "server/fields.h"

namespace fineprint::server {

// Older turns are left out.
inline constexpr std::size_t kMostTurns = 20;

// Returns the turns of the field `earlier`: objects with `question`, as it was understood, and
// `answer`. Throws Refusal(400) for another form.
std::vector<dialogue::Turn> earlier_turns(Fields& fields);

// Returns the turns of messages, oldest first. What an earlier question meant is read from the line
// that understood_line() added to its answer; without that line, the rules decide again.
std::vector<dialogue::Turn> turns_of_messages(std::span<const Message> messages);

// Returns the line by which a chat's reply says how it understood its question.
std::string understood_line(const std::string& question);

}  // namespace fineprint::server
