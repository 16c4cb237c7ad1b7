// Finds quotes on pages.
#include "fineprint/text/quote.h"

#include <algorithm>
#include <string>

#include "fineprint/text/unicode.h"

namespace fineprint::text {
namespace {

// Characters without white space, as they are compared.
struct Glyph {
  char32_t c = 0;
  std::uint32_t word = 0;
  bool optional = false;  // a hyphen that may only be there because a line ended
};

void append_glyphs(std::string_view text, std::uint32_t word, std::vector<Glyph>* out) {
  const std::string folded = fold(text);
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (!is_space(c)) out->push_back({c, word});
  }
}

// Marks the last glyph as optional when it is a hyphen after a letter.
void mark_line_end(std::vector<Glyph>* glyphs) {
  const std::size_t n = glyphs->size();
  if (n >= 2 && (*glyphs)[n - 1].c == '-' && is_letter((*glyphs)[n - 2].c)) {
    (*glyphs)[n - 1].optional = true;
  }
}

std::vector<Glyph> page_glyphs(const Page& page) {
  std::vector<Glyph> out;
  std::size_t line = 0;
  for (std::uint32_t i = 0; i < page.words.size(); ++i) {
    append_glyphs(page.words[i].text, i, &out);
    while (line < page.lines.size() &&
           page.lines[line].first_word + page.lines[line].word_count <= i) {
      ++line;
    }
    const bool ends_line = line < page.lines.size() &&
                           page.lines[line].first_word + page.lines[line].word_count == i + 1;
    if (ends_line) mark_line_end(&out);
  }
  return out;
}

std::vector<Glyph> quote_glyphs(std::string_view quote) {
  std::vector<Glyph> out;
  std::size_t at = 0;
  std::uint32_t word = 0;
  while (at < quote.size()) {
    std::size_t end = at;
    std::size_t next = at;
    while (next < quote.size() && !is_space(next_code_point(quote, &next))) end = next;
    append_glyphs(quote.substr(at, end - at), word++, &out);
    if (next > end) mark_line_end(&out);  // a hyphen before a blank
    at = next;
  }
  return out;
}

bool is_word_character(char32_t c) { return is_letter(c) || is_digit(c); }

// Whether a match may begin or end between glyphs `i - 1` and `i`: not inside a word or number.
bool is_border(const std::vector<Glyph>& glyphs, std::size_t i) {
  if (i == 0 || i >= glyphs.size() || glyphs[i - 1].word != glyphs[i].word) return true;
  const char32_t left = glyphs[i - 1].c;
  const char32_t right = glyphs[i].c;
  if (is_word_character(left) && is_word_character(right)) return false;
  const auto in_number = [&](char32_t digit, char32_t mark, bool more) {
    return is_digit(digit) && (mark == '.' || mark == ',') && more;
  };
  const bool digit_after =
      i + 1 < glyphs.size() && is_digit(glyphs[i + 1].c) && glyphs[i + 1].word == glyphs[i].word;
  const bool digit_before =
      i >= 2 && is_digit(glyphs[i - 2].c) && glyphs[i - 2].word == glyphs[i].word;
  return !in_number(left, right, digit_after) && !in_number(right, left, digit_before);
}

// The end of a match that starts at `start`, or 0.
std::size_t match_end(const std::vector<Glyph>& page, std::size_t start,
                      const std::vector<Glyph>& quote) {
  std::size_t at = start;
  std::size_t wanted = 0;
  while (wanted < quote.size()) {
    if (at < page.size() && page[at].c == quote[wanted].c) {
      ++at;
      ++wanted;
    } else if (quote[wanted].optional) {
      ++wanted;
    } else if (at > start && at < page.size() && page[at].optional) {
      ++at;
    } else {
      return 0;
    }
  }
  return at;
}

}  // namespace

std::vector<Box> word_boxes(const Page& page, std::uint32_t first_word, std::uint32_t word_count) {
  std::vector<Box> out;
  const std::size_t end =
      std::min<std::size_t>(std::size_t{first_word} + word_count, page.words.size());
  std::size_t at = first_word;
  for (const Line& line : page.lines) {
    const std::size_t line_end = std::size_t{line.first_word} + line.word_count;
    if (at >= end || line_end <= at || line.first_word > at) continue;
    Box box;
    for (; at < std::min(end, line_end); ++at) box = united(box, page.words[at].box);
    out.push_back(box);
  }
  return out;
}

std::optional<QuotePlace> find_quote(const Page& page, std::string_view quote) {
  const std::vector<Glyph> wanted = quote_glyphs(quote);
  if (wanted.empty()) return std::nullopt;
  const std::vector<Glyph> glyphs = page_glyphs(page);
  for (std::size_t start = 0; start < glyphs.size(); ++start) {
    if (glyphs[start].c != wanted[0].c || !is_border(glyphs, start)) continue;
    const std::size_t end = match_end(glyphs, start, wanted);
    if (end <= start || !is_border(glyphs, end)) continue;
    QuotePlace place;
    place.first_word = glyphs[start].word;
    place.word_count = glyphs[end - 1].word - place.first_word + 1;
    place.boxes = word_boxes(page, place.first_word, place.word_count);
    return place;
  }
  return std::nullopt;
}

}  // namespace fineprint::text
