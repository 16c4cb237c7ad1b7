// Where an OpenAI-compatible server is, and which of its models is meant.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::remote {

struct ServerAddress {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;
  std::string base_path;  // "/v1"; no slash at its end
  std::string model;

  std::string host_and_port() const;  // "api.example.com:443", "[::1]:8000"
};

// "openai:URL#MODEL". Throws Error(usage) saying what is wrong; a password in the URL is refused
// without being shown.
ServerAddress parse_address(std::string_view spec);

// The path of a redirect's Location when it stays at `server` (an absolute path, or a URL of the
// same scheme, host and port); empty when it leads elsewhere.
std::string path_within(const ServerAddress& server, std::string_view location);

}  // namespace fineprint::remote
