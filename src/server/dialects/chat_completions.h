// OpenAI's chat completions. Source: OpenAI API reference, "Chat"; openai-python 3.57.
#pragma once

#include <memory>
#include <string>

#include "server/dialects/conversation.h"
#include "server/dialects/reply.h"

namespace fineprint::server {

struct ChatRequest {
  Asked asked;
  bool tells_usage = false;  // at the end of a stream
};

// Reads a request. Refuses options that would change the reply and are not supported. Sampling
// options are ignored, because they have no meaning here and clients send them by default.
ChatRequest read_chat_request(const std::string& body);

std::unique_ptr<ReplyWriter> chat_writer(const ChatRequest& request);

}  // namespace fineprint::server
