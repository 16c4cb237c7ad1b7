// Converts pages and quotes to the form in which quotes are searched.
#include "text/quote_glyphs.h"

#include "fineprint/core/unicode.h"
#include "fineprint/core/word_break.h"

namespace fineprint::text {
namespace {

void append_glyphs(std::string_view text, std::uint32_t word, std::vector<Glyph>* out) {
  std::string printed(text);
  print_break(&printed);
  const std::string folded = fold(printed);
  for (std::size_t at = 0; at < folded.size();) {
    const char32_t c = next_code_point(folded, &at);
    if (!is_space(c)) out->push_back({c, word});
  }
}

// Marks the last glyph as optional if it is a hyphen after a letter, because the hyphen may only
// divide a word at the line's end.
void mark_line_end(std::vector<Glyph>* glyphs) {
  const std::size_t n = glyphs->size();
  if (n >= 2 && (*glyphs)[n - 1].c == '-' && is_letter((*glyphs)[n - 2].c)) {
    (*glyphs)[n - 1].optional = true;
  }
}

}  // namespace

std::vector<Glyph> page_glyphs(const Page& page) {
  std::vector<Glyph> out;
  std::size_t line = 0;
  for (std::uint32_t i = 0; i < page.words.size(); ++i) {
    // Words and lines are both in order, so the line is found without a search.
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
    // A hyphen before white space, which may be a line break in the source.
    if (next > end) mark_line_end(&out);
    at = next;
  }
  return out;
}

bool is_border(const std::vector<Glyph>& glyphs, std::size_t i) {
  if (i == 0 || i >= glyphs.size() || glyphs[i - 1].word != glyphs[i].word) return true;
  const char32_t left = glyphs[i - 1].c;
  const char32_t right = glyphs[i].c;
  if (is_letter_or_digit(left) && is_letter_or_digit(right)) return false;
  // A point or comma between digits is inside a number: "1" must not match in "1,234".
  const auto in_number = [&](char32_t digit, char32_t mark, bool more) {
    return is_digit(digit) && (mark == '.' || mark == ',') && more;
  };
  const bool digit_after =
      i + 1 < glyphs.size() && is_digit(glyphs[i + 1].c) && glyphs[i + 1].word == glyphs[i].word;
  const bool digit_before =
      i >= 2 && is_digit(glyphs[i - 2].c) && glyphs[i - 2].word == glyphs[i].word;
  return !in_number(left, right, digit_after) && !in_number(right, left, digit_before);
}

QuoteForm form_of(const std::vector<Glyph>& glyphs) {
  QuoteForm form;
  bool joined = false;            // the last glyph was a hyphen at a line's end
  bool border_at_hyphen = false;  // a dropped hyphen had a border before it
  for (std::size_t i = 0; i < glyphs.size(); ++i) {
    const Glyph& glyph = glyphs[i];
    if (glyph.c == '-' && i > 0 && is_letter(glyphs[i - 1].c)) {
      joined = glyph.optional;
      border_at_hyphen = is_border(glyphs, i);
      continue;
    }
    const bool other_word = form.word.empty() || form.word.back() != glyph.word;
    form.glyphs.push_back(glyph.c);
    form.word.push_back(glyph.word);
    form.gap.push_back(other_word && !joined ? 1 : 0);
    form.border.push_back(border_at_hyphen || is_border(glyphs, i) ? 1 : 0);
    joined = border_at_hyphen = false;
  }
  form.border.push_back(1);
  return form;
}

}  // namespace fineprint::text
