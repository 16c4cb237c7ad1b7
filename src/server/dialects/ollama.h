// Ollama's chat and generate. Source: Ollama API reference; ollama-python 0.6.3.
#pragma once

#include <memory>
#include <string>

#include "server/dialects/conversation.h"
#include "server/dialects/reply.h"

namespace fineprint::server {

struct OllamaRequest {
  Asked asked;
  bool is_chat = false;  // else generate, whose reply is a text and not a message
  bool loads = false;    // asks nothing: clients send this to load a model
};

// Read a request; see read_chat_request(). Streams are the default.
OllamaRequest read_ollama_chat(const std::string& body);
OllamaRequest read_ollama_generate(const std::string& body);

std::unique_ptr<ReplyWriter> ollama_writer(const OllamaRequest& request);
// Returns the reply to a request that asks nothing.
Json ollama_loaded(const OllamaRequest& request);

// Returns the name without the tag that clients add to names that have none.
std::string without_latest(const std::string& model);
// Returns a time as "2026-01-31T12:00:00Z".
std::string utc_time(std::int64_t seconds);

}  // namespace fineprint::server
