// Requests and replies of HTTP as the routes see them, independent of the library that parses them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/stop.h"

namespace fineprint::server {

// The fields of the head, by their names in lower case.
using HttpHeaders = std::multimap<std::string, std::string>;

// Returns the first value of a header field or query parameter, or an empty string if it is
// missing.
const std::string& first_value(const std::multimap<std::string, std::string>& values,
                               const std::string& name);

struct HttpRequest {
  std::string method = {}, path = {};
  std::string id = {};  // the end of the path, if the route's path ends with "{id}"
  std::multimap<std::string, std::string> query = {};
  HttpHeaders headers = {};
  std::string body = {};  // of a route with BodyKind::json or json_with_files
  // Of a route with BodyKind::document: passes on the complete body, piece by piece. Throws
  // Refusal(413) if it is larger than the limit, and Refusal(400) if it breaks off.
  std::function<void(const std::function<void(std::string_view)>&)> read_body = {};
  StopToken stop = {};  // the client has hung up, or the server is about to end
};

// Returns whether the client asks for a reply that is not kept from earlier: `Cache-Control:
// no-cache` (RFC 9111, 5.2.1.4).
bool wants_fresh(const HttpRequest& request);

// Writes a piece of a reply. Returns false if the client is gone.
using HttpWrite = std::function<bool(std::string_view)>;

struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // If set, replaces `body`: writes the reply bit by bit, on the connection's thread.
  std::function<void(const HttpWrite&)> stream = {};
};

enum class BodyKind {
  none,
  json,
  json_with_files,  // JSON that may be larger, because files are in it
  document,
};

struct HttpRoute {
  std::string method = {};
  std::string path = {};  // "{id}" at its end is any text without a slash
  BodyKind body = BodyKind::none;
  bool is_open = false;  // needs no token
  std::function<HttpReply(HttpRequest&)> run = {};
};

}  // namespace fineprint::server
