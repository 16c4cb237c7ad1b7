// Parses the addresses of servers.
#include "remote/openai/address.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/remote/openai_generator.h"

namespace fineprint::remote {
namespace {

// The forms of a SPEC, for messages.
constexpr std::string_view kAddressForms =
    "ollama:NAME, lmstudio:NAME, http://HOST:PORT#NAME, or openai:URL#NAME as "
    "openai:http://localhost:8000/v1#name";

// The forms of a SPEC by their prefix, and the URL of the forms that need not give one.
struct Form {
  std::string_view prefix;
  std::string_view url = {};  // if set, a model's name may follow the prefix instead of a URL
};
constexpr Form kForms[] = {{kOpenAiPrefix},
                           {"http://"},
                           {"https://"},
                           {"ollama:", "http://localhost:11434/v1"},
                           {"lmstudio:", "http://localhost:1234/v1"}};

// Returns nullptr if the SPEC begins with none of the prefixes.
const Form* form_of(std::string_view spec) {
  for (const Form& form : kForms) {
    if (spec.starts_with(form.prefix)) return &form;
  }
  return nullptr;
}

// The parts of a SPEC, before the URL is parsed.
struct SpecParts {
  std::string_view url, model;
  bool whole_url = false;  // nothing is appended to it
};

// In an openai: SPEC the URL is complete; in the others a missing path becomes /v1.
SpecParts split_spec(std::string_view spec) {
  const Form* form = form_of(spec);
  if (form != nullptr && !form->url.empty()) {
    const std::string_view rest = spec.substr(form->prefix.size());
    if (!rest.starts_with("http://") && !rest.starts_with("https://")) {
      return {form->url, rest, true};
    }
    spec = rest;
  }
  const bool is_openai = spec.starts_with(kOpenAiPrefix);
  if (is_openai) spec.remove_prefix(kOpenAiPrefix.size());
  const std::size_t hash = std::min(spec.find('#'), spec.size());
  return {spec.substr(0, hash), spec.substr(std::min(hash + 1, spec.size())), is_openai};
}

struct Origin {
  bool tls = false;
  std::string host;
  int port = 0;
  std::string_view path;  // everything after host and port
};

// Splits "host", "host:80" or "[::1]:80" into host and port. Returns false for anything else.
bool read_authority(std::string_view text, Origin* origin) {
  std::string_view port;
  if (text.starts_with('[')) {
    const std::size_t close = text.find(']');
    if (close == std::string_view::npos) return false;
    origin->host = text.substr(1, close - 1);
    port = text.substr(close + 1);
    if (!port.empty() && port.front() != ':') return false;
  } else {
    const std::size_t colon = std::min(text.find(':'), text.size());
    origin->host = text.substr(0, colon);
    port = text.substr(colon);
  }
  if (origin->host.empty()) return false;
  if (port.empty()) {
    origin->port = origin->tls ? 443 : 80;
    return true;
  }
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), origin->port);
  return error == std::errc() && end == port.data() + port.size() && origin->port > 0 &&
         origin->port < 65536;
}

// Returns nullopt if `url` is not an http or https URL.
std::optional<Origin> read_url(std::string_view url) {
  constexpr std::string_view kPlain = "http://", kTls = "https://";
  Origin origin;
  origin.tls = url.starts_with(kTls);
  if (!origin.tls && !url.starts_with(kPlain)) return std::nullopt;
  url.remove_prefix(origin.tls ? kTls.size() : kPlain.size());
  const std::size_t slash = std::min(url.find('/'), url.size());
  origin.path = url.substr(slash);
  if (!read_authority(url.substr(0, slash), &origin)) return std::nullopt;
  return origin;
}

// Control characters in a URL could end a header line, so only printable ASCII is accepted.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

}  // namespace

std::string ServerAddress::host_and_port() const {
  // Only an IPv6 address has a colon; without brackets it would run into the port.
  const bool numeric = host.find(':') != std::string::npos;
  return format(numeric ? "[{}]:{}" : "{}:{}", host, port);
}

bool is_address(std::string_view spec) { return form_of(spec) != nullptr; }

ServerAddress parse_address(std::string_view spec) {
  const auto [url, model, whole_url] = split_spec(spec);
  ServerAddress address = parse_url({spec, url, model}, kAddressForms);
  if (address.base_path.empty() && !whole_url) address.base_path = "/v1";
  return address;
}

// Slashes at the end of the path are removed, so that "/chat/completions" can be appended.
ServerAddress parse_url(const NamedUrl& named, std::string_view forms) {
  // Checked before anything else because the refusals below quote the SPEC. The whole SPEC is
  // searched, and not only its URL, because a password may contain a '#'.
  const std::string_view shown =
      named.spec.find('@') == std::string_view::npos ? named.spec : "the server's address";
  const auto refusal = [&](std::string_view why) {
    return Error(ErrorCode::usage, format("{}: {}; expected {}", shown, why, forms));
  };
  if (named.url.find('@') != std::string_view::npos) {
    throw refusal("a URL must not contain a user name or password; give a key with --api-key-file");
  }
  const std::optional<Origin> origin = is_plain(named.url) ? read_url(named.url) : std::nullopt;
  if (!origin) throw refusal("not an http:// or https:// URL");
  if (origin->path.find('?') != std::string_view::npos)
    throw refusal("the URL must not contain '?'");
  std::string path(origin->path);
  while (path.ends_with('/')) path.pop_back();
  return {origin->tls, origin->host, origin->port, path, std::string(named.model)};
}

std::string path_within(const ServerAddress& server, std::string_view location) {
  if (!is_plain(location)) return {};
  // "//HOST/PATH" is a URL of another host that keeps only the scheme, so it is not a path.
  if (location.starts_with('/') && !location.starts_with("//")) return std::string(location);
  const std::optional<Origin> origin = read_url(location);
  const bool same = origin && origin->tls == server.tls && origin->host == server.host &&
                    origin->port == server.port && origin->path.starts_with('/');
  return same ? std::string(origin->path) : std::string();
}

}  // namespace fineprint::remote
