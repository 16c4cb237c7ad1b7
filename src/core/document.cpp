// Puts the text of lines and pages together from their words.
#include "fineprint/core/document.h"

#include <algorithm>

#include "fineprint/core/unicode.h"
#include "fineprint/core/word_break.h"

namespace fineprint {
namespace {

constexpr std::string_view kSoftHyphen = "\u00AD";

// Han, kana, and punctuation and forms of the same width.
bool is_wide(char32_t c) {
  return is_han_or_kana(c) || (c >= 0x3000 && c <= 0x303F) || (c >= 0xFF00 && c <= 0xFFEF);
}

// Characters that Chinese and Japanese texts write without a blank next to a wide one.
bool joins_wide(char32_t c) { return is_wide(c) || is_digit(c) || c == '%'; }

char32_t last_code_point(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (text[at] & 0xC0) == 0x80) --at;
  return next_code_point(text, &at);
}

void append_line(const Page& page, const Line& line, std::string& out) {
  // Clamped, so that a page with wrong indexes gives less text and not a crash.
  const std::size_t first = std::min<std::size_t>(line.first_word, page.words.size());
  const std::size_t end = std::min<std::size_t>(first + line.word_count, page.words.size());
  for (std::size_t i = first; i < end; ++i) {
    // Within a line, a broken word goes on in the next row of its cell.
    if (i > first && !take_off_break(&out)) out += ' ';
    out += page.words[i].text;
  }
  print_break(&out);
}

}  // namespace

bool take_off_break(std::string* text) {
  bool broken = false;
  while (text->ends_with(kSoftHyphen)) {
    text->resize(text->size() - kSoftHyphen.size());
    broken = true;
  }
  return broken;
}

void print_break(std::string* text) {
  if (take_off_break(text) && !text->ends_with('-')) text->push_back('-');
}

void append_word(std::string_view word, std::string* text) {
  if (!text->empty() && !word.empty() && !take_off_break(text)) {
    std::size_t begin = 0;
    const char32_t left = last_code_point(*text), right = next_code_point(word, &begin);
    const bool touches = (is_wide(left) || is_wide(right)) && joins_wide(left) && joins_wide(right);
    if (!touches) text->push_back(' ');
  }
  text->append(word);
}

std::string line_text(const Page& page, const Line& line) {
  std::string text;
  append_line(page, line, text);
  return text;
}

std::string embedded_text(const Chunk& chunk) {
  return chunk.context.empty() ? chunk.text : chunk.context + "\n" + chunk.text;
}

std::string page_text(const Page& page) {
  std::string text;
  for (const Line& line : page.lines) {
    if (&line != &page.lines.front()) text += '\n';
    append_line(page, line, text);
  }
  return text;
}

}  // namespace fineprint
