// Makes a call over HTTP or HTTPS that can be stopped and whose reply arrives bit by bit.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "remote/openai/address.h"

namespace fineprint::remote {

struct HttpCall {
  const ServerAddress* server = nullptr;
  std::string path;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;  // JSON, of a POST
  std::chrono::milliseconds connect_timeout{0};
  std::chrono::milliseconds timeout{0};  // of the complete call
};

enum class HttpEnd {
  complete,       // a status and the complete body arrived
  nobody,         // no such host, or nothing listens there
  no_connection,  // no connection in time, or it broke during the handshake
  untrusted,      // the server's certificate is not accepted
  broken,         // the connection was lost during the call
  timed_out,
  stopped,  // `stop` or `on_body` ended the call
};

struct HttpReply {
  HttpEnd end = HttpEnd::complete;
  int status = 0;  // 0: none arrived
  std::string content_type, retry_after, location;
  std::string body;  // at most 64 KiB if the status is not 200; at most 4 MiB from get()
};

// Sends `call.body` by POST. `on_body` gets the body of a 200 reply as it arrives, with the content
// type; it returns false to end the call. `stop` is asked every 20 ms, also during connecting; only
// the look-up of the server's name cannot be ended. Redirects are not followed. Rethrows what
// `on_body` throws. No signal is raised, whatever the server does.
HttpReply post(const HttpCall& call,
               const std::function<bool(std::string_view bytes, const HttpReply&)>& on_body,
               const std::function<bool()>& stop);

// Sends a GET and returns the complete reply in `body`.
HttpReply get(const HttpCall& call, const std::function<bool()>& stop);

}  // namespace fineprint::remote
