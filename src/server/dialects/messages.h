// Anthropic's messages. Source: Claude API reference, "Messages", "Streaming" and "Citations";
// anthropic-sdk-python 2.14.
#pragma once

#include <memory>
#include <string>

#include "server/dialects/conversation.h"
#include "server/dialects/reply.h"

namespace fineprint::server {

// Reads a request; see read_chat_request(). `counts`: the request is one to count tokens, which
// needs no limit of them.
Asked read_messages_request(const std::string& body, bool counts = false);

std::unique_ptr<ReplyWriter> messages_writer(const Asked& request);

}  // namespace fineprint::server
