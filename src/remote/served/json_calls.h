// Sends JSON to a server and repeats calls that failed for a passing reason.
#pragma once

#include <atomic>
#include <string>

#include "fineprint/core/json.h"
#include "fineprint/core/retry.h"
#include "fineprint/remote/openai_generator.h"

#include "remote/openai/attempt.h"

namespace fineprint::remote {

class JsonCalls {
 public:
  JsonCalls(const ServerAddress& address, const OpenAiOptions& options, Waiting waiting);

  // What a server made of a body.
  struct Outcome {
    Json reply;           // null if it was refused
    std::string refusal;  // what the server says against this body; empty: it replied
  };

  // Calls until the server has replied, has refused the body, or fails for good. Throws as
  // make_openai_generator() describes, and Error(interrupted).
  Outcome post(const std::string& path, const std::string& body) const;

  const ServerAddress& address() const { return server_.address(); }
  std::string host() const { return address().host_and_port(); }
  // Returns what the server said without the key, on one short line.
  std::string told(std::string_view text) const { return server_.told(text); }

 private:
  ChatServer server_;
  int retries_;
  Waiting waiting_;
  mutable std::atomic<bool> met_ = false;  // the server has replied or been reached at least once
};

}  // namespace fineprint::remote
