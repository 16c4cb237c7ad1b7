// Requests and replies of HTTP as the server's routes see them: free of the library that reads them
// off the wire.
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

// Fields of the head, by names in lower case.
using HttpHeaders = std::multimap<std::string, std::string>;

// Of a field, or of a query; empty when it is not there.
const std::string& first_value(const std::multimap<std::string, std::string>& values,
                               const std::string& name);

struct HttpRequest {
  std::string method = {}, path = {};
  std::multimap<std::string, std::string> query = {};
  HttpHeaders headers = {};
  std::string body = {};  // of a route that takes BodyKind::json
  // Of one that takes BodyKind::document: hands all of it on, piece by piece. Throws Refusal(413)
  // where it is larger than the server takes, Refusal(400) where it breaks off.
  std::function<void(const std::function<void(std::string_view)>&)> read_body = {};
  StopToken stop = {};  // the client has hung up, or the server is to end
};

// Writes a piece of a reply; false: the client is gone.
using HttpWrite = std::function<bool(std::string_view)>;

struct HttpReply {
  int status = 200;
  std::string type = "application/json";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  // In place of `body`: what is said bit by bit, on the thread of the connection.
  std::function<void(const HttpWrite&)> stream = {};
};

enum class BodyKind { none, json, document };

struct HttpRoute {
  std::string method = {}, path = {};
  BodyKind body = BodyKind::none;
  bool is_open = false;  // to those without a token, too
  std::function<HttpReply(HttpRequest&)> run = {};
};

}  // namespace fineprint::server
