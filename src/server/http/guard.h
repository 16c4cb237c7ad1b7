// Decides who may send requests: by the server's name, the site of the page, and the token.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/http/http.h"
#include "server/refusal.h"

namespace fineprint::server {

class Guard {
 public:
  // `host`, `allowed`, `token`: see ServerOptions.
  Guard(const std::string& host, std::vector<std::string> allowed, std::string token);

  // Returns why a request is refused, or nullopt if it is not.
  //
  // Any web page can let a browser send requests to this machine. A page whose host name was bound
  // to this machine's address afterwards (DNS rebinding) is recognized by Host, which must be a
  // name of this server. A page of another site is recognized by Origin, which must be the server's
  // own, and by Sec-Fetch-Site.
  // Source: Fetch Metadata Request Headers (W3C), and the security considerations of MCP's
  // streamable HTTP.
  std::optional<Refusal> refuses(const HttpRequest& request, const HttpRoute& route) const;

 private:
  bool is_named(const std::string& host) const;
  bool shows_token(const HttpRequest& request) const;

  const bool is_everywhere_;  // listens at all addresses of the machine
  std::vector<std::string> names_;
  const std::string token_;
};

// Returns "host" of "host:8080", "[::1]:8080" and others, in lower case and without brackets.
std::string host_without_port(const std::string& host);

}  // namespace fineprint::server
