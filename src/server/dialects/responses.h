// OpenAI's responses. Source: OpenAI API reference, "Responses" and "Streaming events";
// openai-python 3.57.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "server/dialects/conversation.h"
#include "server/dialects/kept_responses.h"
#include "server/dialects/reply.h"

namespace fineprint::server {

struct ResponsesRequest {
  Asked asked;
  std::vector<Message> messages;  // of the conversation, with those of the previous response
  std::string previous;           // id of the response that it continues; empty: none
  bool keeps = true;              // a later request may continue it
  Json instructions, metadata;    // given back as they came
};

// Reads a request; see read_chat_request().
ResponsesRequest read_responses_request(const std::string& body, const KeptResponses& kept);

// The writer keeps the conversation in `kept`, which must outlive it.
std::unique_ptr<ReplyWriter> responses_writer(const ResponsesRequest& request, KeptResponses& kept);

}  // namespace fineprint::server
