// Checks the head of a request.
#include "server/http/guard.h"

#include <algorithm>
#include <utility>

#include <arpa/inet.h>

#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/server/server_options.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostNamed = 100;  // of a client's text in a message

// A server at all addresses may be called by any address, but not by any name: names can be bound
// to it from outside.
bool is_address(const std::string& host) {
  in6_addr any{};
  return ::inet_pton(AF_INET, host.c_str(), &any) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), &any) == 1;
}

std::string shown_text(const std::string& text) { return shortened(valid_utf8(text), kMostNamed); }

// Takes the same time wherever the first difference is, so that a client cannot guess a token byte
// by byte.
bool equal(std::string_view given, std::string_view token) {
  unsigned char differs = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differs |= static_cast<unsigned char>(given[i] ^ token[token.empty() ? 0 : i % token.size()]);
  }
  return differs == 0;
}

// A link on another site may lead to this page, because the page does nothing until the user acts.
bool is_visit(const HttpRequest& request) {
  return request.method == "GET" && request.path == "/" &&
         first_value(request.headers, "sec-fetch-mode") == "navigate";
}

bool is_json(const std::string& type) {
  return lower_ascii(type.substr(0, type.find(';'))).starts_with("application/json");
}

bool is_bytes(const std::string& type) {
  return lower_ascii(type.substr(0, type.find(';'))).starts_with("application/octet-stream");
}

// Requires types that a form on another site cannot send without the browser asking this server
// first.
std::optional<Refusal> refuses_type(const HttpRequest& request, BodyKind body) {
  const std::string& type = first_value(request.headers, "content-type");
  if ((body == BodyKind::json || body == BodyKind::json_with_files) && !is_json(type)) {
    return Refusal(
        415, format("{} accepts JSON; send it with Content-Type: application/json", request.path));
  }
  if (body == BodyKind::document && !is_bytes(type)) {
    return Refusal(415, format("{} accepts the bytes of a document; send them with Content-Type: "
                               "application/octet-stream",
                               request.path));
  }
  return std::nullopt;
}

}  // namespace

// A bare IPv6 address has several colons and no port.
std::string host_without_port(const std::string& host) {
  if (host.starts_with('[')) return lower_ascii(host.substr(1, host.find(']') - 1));
  const std::size_t colon = host.rfind(':');
  const bool has_port = colon != std::string::npos && host.find(':') == colon;
  return lower_ascii(has_port ? host.substr(0, colon) : host);
}

Guard::Guard(const std::string& host, std::vector<std::string> allowed, std::string token)
    : is_everywhere_(host == "0.0.0.0" || host == "::"), token_(std::move(token)) {
  // These names always mean this machine, so they need no option.
  names_ = {"localhost", "127.0.0.1", "::1", lower_ascii(host)};
  for (const std::string& name : allowed) names_.push_back(host_without_port(name));
}

bool Guard::is_named(const std::string& host) const {
  const std::string name = host_without_port(host);
  if (std::ranges::count(names_, name) > 0) return true;
  return is_everywhere_ && is_address(name);
}

// The scheme's name may be in any case (RFC 9110). Clients of Anthropic's protocol send their key
// in a field of its own.
bool Guard::shows_token(const HttpRequest& request) const {
  if (const std::string& key = first_value(request.headers, "x-api-key");
      !key.empty() && equal(key, token_)) {
    return true;
  }
  constexpr std::string_view kScheme = "bearer ";
  const std::string& given = first_value(request.headers, "authorization");
  if (given.size() < kScheme.size() || lower_ascii(given.substr(0, kScheme.size())) != kScheme) {
    return false;
  }
  return equal(std::string_view(given).substr(kScheme.size()), token_);
}

std::optional<Refusal> Guard::refuses(const HttpRequest& request, const HttpRoute& route) const {
  const std::string& host = first_value(request.headers, "host");
  // Two Host fields are refused, because programs differ in which one they believe.
  if (request.headers.count("host") != 1 || !is_named(host)) {
    return Refusal(403, format("this server does not have the name \"{}\"; start it with "
                               "--allowed-host NAME to allow another name",
                               shown_text(host)));
  }
  const std::string& origin = first_value(request.headers, "origin");
  if (!origin.empty() && lower_ascii(origin) != "http://" + lower_ascii(host) &&
      lower_ascii(origin) != "https://" + lower_ascii(host)) {
    return Refusal(403,
                   format("pages of {} must not send requests to this server", shown_text(origin)));
  }
  const std::string& site = first_value(request.headers, "sec-fetch-site");
  const bool is_own = site.empty() || site == "same-origin" || site == "none";
  if (!is_own && !is_visit(request)) {
    return Refusal(403, "pages of other sites must not send requests to this server");
  }
  if (!token_.empty() && !route.is_open && !shows_token(request)) {
    return Refusal(
        401, "a token is required; send it as Authorization: Bearer TOKEN, or as x-api-key: TOKEN");
  }
  return refuses_type(request, route.body);
}

}  // namespace fineprint::server
