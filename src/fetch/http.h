// Makes single HTTP calls with curl. No other file of this room sees curl, except url.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::fetch {

// Who a call is signed for.
struct Signature {
  std::string key_id, secret, region;
};

struct HttpRequest {
  std::string method = "GET";
  std::string url;
  std::vector<std::string> headers = {};    // "Name: value"
  std::string body = {};                    // of a PROPFIND
  std::optional<Signature> signature = {};  // signs the call as S3 asks for it
  bool may_log_in = false;                  // with what ~/.netrc has for the host
  // The largest body that `on_body` is given.
  std::uint64_t most_bytes = 0;
};

enum class HttpEnd {
  complete,   // a status and the complete body arrived
  nobody,     // no such host, or nothing listens there
  untrusted,  // the server's certificate is not accepted
  broken,  // the connection was lost, timed out, or the body has not the length that was announced
  too_large,  // the body is longer than `most_bytes`
  stopped,    // interrupted by the user
};

struct HttpReply {
  HttpEnd end = HttpEnd::complete;
  int status = 0;       // 0: none arrived
  std::string problem;  // in words, if `end` is not complete
  std::string etag, last_modified, location, content_range, content_type, retry_after;
  std::optional<std::uint64_t> length;  // Content-Length
};

// Gets the body piece by piece, only if the status is 2xx. The reply has its headers by then.
// Returns false to end the call; its end is then `broken`.
using OnBody = std::function<bool(std::string_view bytes, const HttpReply& reply)>;

// Makes calls one after the other, and keeps connections open between them. Not thread-safe; each
// thread has its own.
class Http {
 public:
  Http();
  ~Http();
  Http(const Http&) = delete;
  Http& operator=(const Http&) = delete;

  // Makes one call. Redirects are not followed. Rethrows what `on_body` throws.
  HttpReply call(const HttpRequest& request, const OnBody& on_body);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::fetch
