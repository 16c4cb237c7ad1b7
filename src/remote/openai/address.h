// Where a server that speaks OpenAI's protocol is, and which of its models is meant.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::remote {

struct ServerAddress {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;
  std::string base_path;  // "/v1"; no slash at its end
  std::string model;      // empty: not said

  std::string host_and_port() const;  // "api.example.com:443", "[::1]:8000"
};

// Whether a SPEC is of one of these forms; "#MODEL" and MODEL may be left out.
//   openai:URL#MODEL
//   http://HOST:PORT/PATH#MODEL, https://...   PATH is /v1 where there is none
//   ollama:MODEL, lmstudio:MODEL               at localhost, at the port that the program has
// Sources of the ports: the documentation of Ollama (11434) and of LM Studio (1234).
bool is_address(std::string_view spec);

// Throws Error(usage) saying what is wrong; a password in the URL is refused without being shown.
ServerAddress parse_address(std::string_view spec);

// The path of a redirect's Location when it stays at `server` (an absolute path, or a URL of the
// same scheme, host and port); empty when it leads elsewhere.
std::string path_within(const ServerAddress& server, std::string_view location);

}  // namespace fineprint::remote
