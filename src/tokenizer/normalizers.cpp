// Normalizers that need only a few lines each.
#include "tokenizer/normalizers.h"

#include <algorithm>

#include <unicode/uchar.h>

#include "fineprint/core/unicode.h"

#include "tokenizer/unicode_classes.h"

namespace fineprint::tokenizer {
namespace {

// Most texts are ASCII, for which lowercasing and removing accents need no tables.
bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) == 0; });
}

// Returns an empty text with room for the result of most normalizers, which change few lengths.
NormalText empty_like(const NormalText& text) {
  NormalText out;
  out.first = text.first;
  out.text.reserve(text.text.size());
  out.origins.reserve(text.text.size());
  return out;
}

std::size_t leading_blanks(std::string_view text) {
  std::size_t at = 0;
  for (std::size_t next = 0; next < text.size(); at = next) {
    if (!is_space(next_code_point(text, &next))) return at;
  }
  return at;
}

std::size_t without_trailing_blanks(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t at = end - 1;
    // Steps back over continuation bytes to the first byte of the character.
    while (at > 0 && (text[at] & 0xC0) == 0x80) --at;
    std::size_t next = at;
    if (!is_space(next_code_point(text, &next))) break;
    end = at;
  }
  return end;
}

}  // namespace

void NormalizerSequence::apply(NormalText* text) const {
  for (const auto& step : steps_) step->apply(text);
}

void LowercaseNormalizer::apply(NormalText* text) const {
  // ASCII can be changed in place, because lengths and origins stay the same.
  if (is_ascii(text->text)) {
    for (char& c : text->text) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return;
  }
  NormalText out = empty_like(*text);
  for (std::size_t at = 0; at < text->text.size();) {
    const Origin origin = text->origins[at];
    const char32_t c = next_code_point(text->text, &at);
    out.append(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))), origin);
    if (c == 0x130) out.append(U'\u0307', origin);  // the only letter that becomes two
  }
  *text = std::move(out);
}

void StripNormalizer::apply(NormalText* text) const {
  const std::size_t end = right_ ? without_trailing_blanks(text->text) : text->text.size();
  // The left side is searched in the rest only, so that a text of nothing but blanks is not cut
  // twice.
  const std::size_t begin = left_ ? leading_blanks(std::string_view(text->text).substr(0, end)) : 0;
  const auto from = text->origins.begin();
  text->origins = {from + static_cast<std::ptrdiff_t>(begin),
                   from + static_cast<std::ptrdiff_t>(end)};
  text->text = text->text.substr(begin, end - begin);
}

void StripAccentsNormalizer::apply(NormalText* text) const {
  // ASCII has no combining marks.
  if (is_ascii(text->text)) return;
  NormalText out = empty_like(*text);
  for (std::size_t at = 0; at < text->text.size();) {
    const Origin origin = text->origins[at];
    const char32_t c = next_code_point(text->text, &at);
    if (!is_combining_mark(c)) out.append(c, origin);
  }
  *text = std::move(out);
}

void PrependNormalizer::apply(NormalText* text) const { prepend(prefix_, text); }

void ReplaceNormalizer::apply(NormalText* text) const {
  NormalText out = empty_like(*text);
  bool is_changed = false;
  pattern_.scan(text->text, [&](const PatternSpan& span) {
    if (!span.is_match) return out.append(*text, span.range);
    is_changed = true;
    // An empty match at the start has no character before it; its origin is the start of the text.
    const Origin start{text->first, text->first};
    const Origin origin = span.range.end > 0 ? text->origins[span.range.end - 1] : start;
    out.append(content_, origin);
  });
  // Without a match the text stays as it is, with its origins.
  if (is_changed) *text = std::move(out);
}

void prepend(std::string_view prefix, NormalText* text) {
  // An empty text has no character whose origin the prefix could take, and no words to mark.
  if (text->empty()) return;
  text->text.insert(0, prefix);
  text->origins.insert(text->origins.begin(), prefix.size(), Origin(text->origins.front()));
}

}  // namespace fineprint::tokenizer
