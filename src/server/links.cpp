// Makes and parses addresses of pages.
#include "server/links.h"

#include <charconv>

#include "fineprint/core/format.h"

namespace fineprint::server {
namespace {

constexpr std::string_view kPageScheme = "fineprint://page/";

// The unreserved characters of RFC 3986, which mean themselves everywhere in an address.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

}  // namespace

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain(c)) {
      out += c;
    } else {
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return out;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    const char* digits = text.data() + i + 1;
    // A "%" without two digits makes the complete text invalid: a guess could name another
    // document.
    if (i + 2 >= text.size()) return std::nullopt;
    const auto [stop, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc() || stop != digits + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

std::string page_link(const Citation& citation) {
  std::string link =
      format("/#doc={}&page={}", percent_encoded(citation.page.doc), citation.page.page);
  // A quote without boxes is not on the page, so there is nothing to mark.
  if (!citation.boxes.empty()) link += "&mark=" + percent_encoded(citation.quote);
  return link;
}

std::string page_uri(const PageRef& page) {
  return format("{}{}/{}", kPageScheme, percent_encoded(page.doc), page.page);
}

// The document's name is encoded, so its own slashes do not divide the address.
std::optional<PageRef> parse_page_uri(std::string_view uri) {
  if (!uri.starts_with(kPageScheme)) return std::nullopt;
  uri.remove_prefix(kPageScheme.size());
  const std::size_t slash = uri.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const std::optional<std::string> doc = percent_decoded(uri.substr(0, slash));
  const std::string_view digits = uri.substr(slash + 1);
  int page = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), page);
  const bool is_number = error == std::errc() && stop == digits.data() + digits.size();
  if (!doc || doc->empty() || !is_number || page < 1) return std::nullopt;
  return PageRef{*doc, page};
}

}  // namespace fineprint::server
