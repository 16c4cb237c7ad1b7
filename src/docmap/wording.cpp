// Shortens texts to the lengths that a map allows.
#include "docmap/wording.h"

#include "fineprint/core/unicode.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/text/sentences.h"

namespace fineprint::docmap {

std::string shortened(const std::string& text, std::size_t most) {
  std::size_t at = 0, count = 0, end = 0;
  while (at < text.size()) {
    if (count + 1 == most) end = at;  // room for "…"
    if (count++ == most) break;
    next_code_point(text, &at);
  }
  if (count <= most) return text;
  const std::size_t blank = text.rfind(' ', end);
  if (blank != std::string::npos && blank > 0) end = blank;
  return text.substr(0, end) + "…";
}

std::string first_sentence(std::string_view text) {
  const std::vector<text::Span> spans = text::sentences(text);
  if (spans.empty()) return "";
  const text::Span first = spans.front();
  return shortened(one_line(text.substr(first.begin, first.end - first.begin)), kMostSummary);
}

}  // namespace fineprint::docmap
