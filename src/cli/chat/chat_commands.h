// The commands of a conversation, which begin with ':'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/chat/conversation.h"

namespace fineprint::cli {

// Carries out a line that begins with ':'. Returns false if the conversation is to end. Throws
// Error(usage) that lists the commands if there is none of this name, and the errors of
// Conversation.
bool run_chat_command(std::string_view line, Conversation& conversation);

// Returns the names of all commands, with ':'.
std::vector<std::string> chat_command_names();

}  // namespace fineprint::cli
