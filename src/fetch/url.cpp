// Has curl parse URLs.
#include "fetch/url.h"

#include <algorithm>
#include <memory>

#include <curl/curl.h>

#include "fineprint/core/percent.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/address.h"

namespace fineprint::fetch {
namespace {

using Handle = std::unique_ptr<CURLU, void (*)(CURLU*)>;

Handle new_url() { return {curl_url(), curl_url_cleanup}; }

// Links on pages may have blanks and letters that should have been encoded.
bool set_url(CURLU* handle, const std::string& text) {
  constexpr unsigned kFlags = CURLU_URLENCODE | CURLU_ALLOW_SPACE;
  return text.find('\0') == std::string::npos &&
         curl_url_set(handle, CURLUPART_URL, text.c_str(), kFlags) == CURLUE_OK;
}

std::string part(CURLU* handle, CURLUPart which, unsigned flags = 0) {
  char* text = nullptr;
  if (curl_url_get(handle, which, &text, flags) != CURLUE_OK) return "";
  std::string out(text);
  curl_free(text);
  return out;
}

}  // namespace

std::optional<UrlParts> parts_of(const std::string& url) {
  const Handle handle = new_url();
  if (handle == nullptr || !set_url(handle.get(), url)) return std::nullopt;
  CURLU* one = handle.get();
  UrlParts parts{.scheme = part(one, CURLUPART_SCHEME),
                 .host = lower_ascii(part(one, CURLUPART_HOST)),
                 .port = part(one, CURLUPART_PORT, CURLU_DEFAULT_PORT),
                 .path = part(one, CURLUPART_PATH),
                 .query = part(one, CURLUPART_QUERY)};
  const bool is_http = parts.scheme == "http" || parts.scheme == "https";
  if (!is_http || parts.host.empty() || !part(one, CURLUPART_USER).empty()) return std::nullopt;
  return parts;
}

std::string resolved(const std::string& base, const std::string& link) {
  const Handle handle = new_url();
  if (handle == nullptr || !set_url(handle.get(), base)) return "";
  if (!set_url(handle.get(), link)) return "";
  curl_url_set(handle.get(), CURLUPART_FRAGMENT, nullptr, 0);
  const std::string scheme = part(handle.get(), CURLUPART_SCHEME);
  return scheme == "http" || scheme == "https" ? part(handle.get(), CURLUPART_URL) : "";
}

bool is_loopback(const std::string& url) {
  const auto parts = parts_of(url);
  return parts && documents::is_loopback_host(parts->host);
}

// Decoded paths are compared, because servers differ in what they encode.
std::optional<Below> below(const std::string& folder, const std::string& url) {
  const auto above = parts_of(folder), here = parts_of(url);
  if (!above || !here || !above->has_same_origin(*here) || !here->query.empty()) {
    return std::nullopt;
  }
  const auto start = percent_decoded(above->path);
  const auto path = percent_decoded(here->path);
  if (!start || !path || !path->starts_with(*start) || path->size() == start->size()) {
    return std::nullopt;
  }
  Below out{.path = path->substr(start->size()), .is_folder = path->ends_with('/'), .problem = {}};
  if (out.is_folder) out.path.pop_back();
  // A slash that is encoded would become another folder.
  const bool has_slash = std::ranges::count(*path, '/') != std::ranges::count(here->path, '/');
  out.problem = has_slash ? "a name contains a slash" : documents::path_problem(out.path);
  return out;
}

}  // namespace fineprint::fetch
