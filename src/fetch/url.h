// Takes URLs apart and resolves links.
#pragma once

#include <optional>
#include <string>

namespace fineprint::fetch {

// The parts of a URL of HTTP that decide where a call goes.
struct UrlParts {
  std::string scheme, host, port;
  std::string path;   // percent-encoded, begins with '/'
  std::string query;  // without '?'

  bool has_same_origin(const UrlParts& other) const {
    return scheme == other.scheme && host == other.host && port == other.port;
  }
};

// Returns nullopt for anything but a URL of http or https, and for one with a user name.
std::optional<UrlParts> parts_of(const std::string& url);

// Returns the complete URL of a link on a page, without its fragment, or "" if it is none of HTTP.
// Source: RFC 3986, section 5.
std::string resolved(const std::string& base, const std::string& link);

// Returns whether the server is this machine: localhost, 127.0.0.0/8 or ::1.
bool is_loopback(const std::string& url);

// Where a link leads from a folder.
struct Below {
  std::string path;        // decoded, without '/' at its ends: "2024/a b.pdf"
  bool is_folder = false;  // the link ends with '/'
  std::string problem;     // why the path cannot be kept here, or ""; see documents::path_problem
};

// Returns nullopt if `url` is not below `folder`, is the folder itself, or has a query. `folder`
// ends with '/'.
std::optional<Below> below(const std::string& folder, const std::string& url);

}  // namespace fineprint::fetch
