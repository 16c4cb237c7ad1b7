// Who may ask: by which name, from which page, with which token.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/http.h"
#include "server/refusal.h"

namespace fineprint::server {

class Guard {
 public:
  // `host`, `allowed`, `token`: see ServerOptions.
  Guard(const std::string& host, std::vector<std::string> allowed, std::string token);

  // Why a request is refused; nullopt: it is not.
  //
  // Any page of the web may have a browser send requests here. One whose name has been bound anew
  // to this machine's address (DNS rebinding) is told by Host, which must be a name of this server;
  // one that asks from elsewhere by Origin, which must be the server's own, and by Sec-Fetch-Site.
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

// "host" of "host:8080", "[::1]:8080" and the like, in lower case and without brackets.
std::string host_without_port(const std::string& host);

}  // namespace fineprint::server
