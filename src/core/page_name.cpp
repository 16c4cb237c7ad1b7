// Parses DOC#PAGE.
#include "fineprint/core/page_name.h"

#include <charconv>

namespace fineprint {

// The last '#' divides, because a document's name may contain one.
std::optional<PageRef> parse_page_name(const std::string& name) {
  const std::size_t hash = name.rfind('#');
  if (hash == std::string::npos) return std::nullopt;
  int page = 0;
  const char* end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + hash + 1, end, page);
  if (error != std::errc() || stop != end || page < 1) return std::nullopt;
  return PageRef{name.substr(0, hash), page};
}

}  // namespace fineprint
