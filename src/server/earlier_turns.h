// The earlier turns of a conversation, as clients send them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/core/records.h"
#include "fineprint/dialogue/follow_up.h"
#include "fineprint/server/service.h"

#include "server/fields.h"

namespace fineprint::server {

// Older turns are left out.
inline constexpr std::size_t kMostTurns = 20;

// Returns the turns of the field `earlier`: objects with `question`, as it was understood, and
// `answer`. Throws Refusal(400) for another form.
std::vector<dialogue::Turn> earlier_turns(Fields& fields);

// Returns the text of a message of OpenAI's form. Its pictures (parts "image_url") are appended to
// `pictures`, or left out if that is nullptr. Throws Refusal(400) if it has parts of other types.
std::string text_of_message(const Json& message, std::vector<SentPicture>* pictures = nullptr);

// Returns the turns of the messages before `last`, the index of the question that is asked now.
// What an earlier question meant is read from the line that understood_line() added to its answer;
// without that line, the rules decide again.
std::vector<dialogue::Turn> turns_of_messages(const Json& messages, std::size_t last);

// Returns the line by which a chat's reply says how it understood its question.
std::string understood_line(const std::string& question);

}  // namespace fineprint::server
