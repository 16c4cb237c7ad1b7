// One attempt at a reply: a POST, the redirects that it meets, and what its end means.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/models/generator.h"
#include "fineprint/remote/openai_generator.h"

#include "remote/openai/address.h"
#include "remote/openai/http_call.h"
#include "remote/openai/incoming_reply.h"

namespace fineprint::remote {

struct Attempt {
  enum class Kind {
    replied,
    cancelled,
    unsuitable,  // the server does not take this body; another one may do
    passing,     // worth another attempt
    final,
  };
  Kind kind = Kind::final;
  ErrorCode code = ErrorCode::model;
  bool reached = true;      // the server has, or may have, what was sent
  bool nobody = false;      // no such host, or nothing there that listens
  bool about_body = false;  // perhaps: some servers say 500 to what they do not take
  std::string problem = {};
  std::string retry_after = {};  // as the server wrote it
  Answered answered = {};
};

// Whether who asked, or the user, wants no more of it.
bool stop_wanted(const models::SamplingOptions& options);

// A server as one caller reaches it: address, key, time limits.
class ChatServer {
 public:
  // ErrorCode::usage: a key that no header can carry.
  ChatServer(ServerAddress address, const OpenAiOptions& options);

  const ServerAddress& address() const { return address_; }

  // The names of the models that the server lists, in its order. Throws Error(model), or
  // Error(timed_out), naming the server and saying why there is no list.
  std::vector<std::string> models() const;

  // Throws what `shown` throws.
  Attempt attempt(const std::string& body, const models::SamplingOptions& options,
                  ShownText* shown) const;

 private:
  HttpCall call_to(const std::string& path, const std::string& body,
                   std::chrono::milliseconds time) const;
  // What the server said, as it may be shown: without the key, on one short line.
  std::string told(std::string_view text) const;
  HttpReply send(const std::string& body, const models::SamplingOptions& options,
                 IncomingReply* incoming) const;
  Attempt judge(const HttpReply& http) const;
  Attempt refused(const HttpReply& http) const;

  ServerAddress address_;
  std::string api_key_;
  std::chrono::milliseconds connect_timeout_, call_timeout_;
};

}  // namespace fineprint::remote
