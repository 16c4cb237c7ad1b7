// Builds texts that know their origins.
#include "tokenizer/normal_text.h"

#include "fineprint/core/unicode.h"

namespace fineprint::tokenizer {

void NormalText::append(std::string_view utf8, Origin origin) {
  text.append(utf8);
  origins.resize(text.size(), origin);
}

void NormalText::append(char32_t c, Origin origin) {
  append_utf8(c, &text);
  origins.resize(text.size(), origin);
}

void NormalText::append(const NormalText& other, Range range) {
  text.append(other.view(range));
  const auto from = other.origins.begin();
  origins.insert(origins.end(), from + range.begin, from + range.end);
}

NormalText raw_text(std::string_view utf8, std::uint32_t first) {
  NormalText out;
  out.first = first;
  out.text = utf8;
  out.origins.resize(utf8.size());
  std::uint32_t number = first;
  for (std::size_t at = 0; at < utf8.size(); ++number) {
    // All bytes of a character have the same origin.
    do out.origins[at] = {number, number + 1};
    while (++at < utf8.size() && (static_cast<unsigned char>(utf8[at]) & 0xC0) == 0x80);
  }
  return out;
}

std::uint32_t code_point_count(std::string_view utf8) {
  return static_cast<std::uint32_t>(count_code_points(utf8));
}

}  // namespace fineprint::tokenizer
