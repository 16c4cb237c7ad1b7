// Makes and parses addresses of pages.
#include "server/links.h"

#include <charconv>

#include "fineprint/core/format.h"
#include "fineprint/core/percent.h"

namespace fineprint::server {
namespace {

constexpr std::string_view kPageScheme = "fineprint://page/";

}  // namespace

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
