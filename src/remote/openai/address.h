// The address of a server that speaks OpenAI's protocol, and the name of a model there.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::remote {

struct ServerAddress {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;
  std::string base_path;  // for example "/v1"; no slash at its end
  std::string model;      // empty: not given
  bool is_openai = true;  // speaks OpenAI's protocol, whose URLs often end in /v1

  std::string host_and_port() const;  // for example "api.example.com:443" or "[::1]:8000"
};

// Returns whether `spec` has one of these forms; "#MODEL" and MODEL may be left out.
//   openai:URL#MODEL
//   http://HOST:PORT/PATH#MODEL, https://...   PATH is /v1 if it is missing
//   ollama:MODEL, lmstudio:MODEL               at localhost, on that program's usual port
//   ollama:URL#MODEL, lmstudio:URL#MODEL       elsewhere; PATH is /v1 if it is missing
// Sources of the ports: the documentation of Ollama (11434) and of LM Studio (1234).
bool is_address(std::string_view spec);

// Throws Error(usage) that names the problem. A password in the URL is refused without being
// shown.
ServerAddress parse_address(std::string_view spec);

// A server's URL and the name of a model there. `spec` is the text that the user gave, for
// messages.
struct NamedUrl {
  std::string_view spec, url, model;
};

// Does the same for a URL, to which nothing is added. `forms` says in messages what is expected.
ServerAddress parse_url(const NamedUrl& named, std::string_view forms);

// Returns the path of a redirect's Location if it stays at `server`: an absolute path, or a URL
// with the same scheme, host and port. Returns an empty string if it leads elsewhere.
std::string path_within(const ServerAddress& server, std::string_view location);

}  // namespace fineprint::remote
