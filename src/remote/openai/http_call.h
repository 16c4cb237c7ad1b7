// One call over HTTP or HTTPS whose reply comes bit by bit and which can be stopped.
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
  std::chrono::milliseconds timeout{0};  // of all of it
};

enum class HttpEnd {
  complete,       // a status and the whole body came
  nobody,         // no such host, or nothing there that listens
  no_connection,  // none was made in time, or not to its end
  untrusted,      // its certificate is not accepted
  broken,         // the connection was lost on the way
  timed_out,
  stopped,  // `stop` or `on_body` wanted it
};

struct HttpReply {
  HttpEnd end = HttpEnd::complete;
  int status = 0;  // 0: none came
  std::string content_type, retry_after, location;
  std::string body;  // of a status other than 200 at most 64 KiB; of what `get` got, at most 4 MiB
};

// `on_body` is given the body of a 200 reply as it comes and the content type; it may return false
// (no more of it). `stop` is asked every 20 ms, also while the connection is made; only looking up
// the server's name cannot be ended. No redirect is followed. Rethrows what they throw. No signal
// is raised by what the server does.
HttpReply post(const HttpCall& call,
               const std::function<bool(std::string_view bytes, const HttpReply&)>& on_body,
               const std::function<bool()>& stop);

// A GET with the whole reply in `body`.
HttpReply get(const HttpCall& call, const std::function<bool()>& stop);

}  // namespace fineprint::remote
