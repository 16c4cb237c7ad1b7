// Text of lines and pages, put together from their words.
#include "fineprint/core/document.h"

#include <algorithm>

namespace fineprint {
namespace {

void append_line(const Page& page, const Line& line, std::string& out) {
  const std::size_t first = std::min<std::size_t>(line.first_word, page.words.size());
  const std::size_t end = std::min<std::size_t>(first + line.word_count, page.words.size());
  for (std::size_t i = first; i < end; ++i) {
    if (i > first) out += ' ';
    out += page.words[i].text;
  }
}

}  // namespace

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
