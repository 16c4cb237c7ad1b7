// Makes one attempt at a reply: sends a POST, follows redirects, and decides what a failure means.
#pragma once

#include <chrono>
#include <functional>
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
    unsuitable,  // the server does not accept this body; it may accept another one
    passing,     // worth another attempt
    final,
  };
  Kind kind = Kind::final;
  ErrorCode code = ErrorCode::model;
  bool reached = true;      // the server received, or may have received, the pages
  bool nobody = false;      // no such host, or nothing listens there
  bool about_body = false;  // maybe: some servers return 500 for fields that they do not support
  std::string problem = {};
  std::string retry_after = {};  // as the server wrote it
  Answered answered = {};
};

// Returns whether the caller or the user wants to stop.
bool stop_wanted(const models::SamplingOptions& options);

// One server with the key and the time limits that calls to it use.
class ChatServer {
 public:
  // Throws Error(usage) if the key cannot be put into a header.
  ChatServer(ServerAddress address, const OpenAiOptions& options);

  const ServerAddress& address() const { return address_; }

  // Returns the names of the models that the server lists, in its order. Throws Error(model) or
  // Error(timed_out) with the server's name and the reason if there is no list.
  std::vector<std::string> models() const;

  // Returns the body of a GET of `path`. Throws Error(model) or Error(timed_out) with the server's
  // name and the reason if there is none.
  std::string get_body(const std::string& path) const;

  // Throws what `shown` throws. All other failures are described by the returned Attempt.
  Attempt attempt(const std::string& body, const models::SamplingOptions& options,
                  ShownText* shown) const;

  // Sends `body` to `path` and sets `reply` to the complete body of the reply. The Attempt has no
  // Answered. Ctrl-C cancels it.
  Attempt attempt_json(const std::string& path, const std::string& body, std::string* reply) const;

  // Returns what the server said in a form that may be shown: without the key, on one short line.
  std::string told(std::string_view text) const;

 private:
  using OnBody = std::function<bool(std::string_view bytes, const HttpReply&)>;

  HttpCall call_to(const std::string& path, const std::string& body,
                   std::chrono::milliseconds time) const;
  // Sends a POST and follows redirects within the server.
  HttpReply send(std::string path, const std::string& body, const OnBody& on_body,
                 const std::function<bool()>& stop) const;
  Attempt judge(const HttpReply& http) const;
  Attempt refused(const HttpReply& http) const;

  ServerAddress address_;
  std::string api_key_;
  std::chrono::milliseconds connect_timeout_, call_timeout_;
};

}  // namespace fineprint::remote
