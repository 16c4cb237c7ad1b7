// Finds the lines, texts, headings and sentences of a page.
#include "fineprint/text/page_parts.h"

#include <algorithm>

#include "fineprint/core/word_break.h"
#include "fineprint/text/sentences.h"

namespace fineprint::text {

std::span<const Line> lines_of(const Page& page, const Element& element) {
  // Clamped, so that a page with wrong indexes gives less text and not a crash.
  const std::size_t first = std::min<std::size_t>(element.first_line, page.lines.size());
  const std::size_t count = std::min<std::size_t>(element.line_count, page.lines.size() - first);
  return std::span(page.lines).subspan(first, count);
}

WordRun run_of(std::span<const Line> lines) {
  if (lines.empty()) return {};
  return {lines.front().first_word, lines.back().first_word + lines.back().word_count};
}

std::string joined_words(const Page& page, const WordRun& run) {
  std::string text;
  for (std::uint32_t word = run.first; word < run.end; ++word) {
    append_word(page.words[word].text, &text);
  }
  print_break(&text);
  return text;
}

std::string element_text(const Page& page, const Element& element) {
  std::string text;
  for (const Line& line : lines_of(page, element)) {
    for (const Word& word : std::span(page.words).subspan(line.first_word, line.word_count)) {
      if (!text.empty() && !take_off_break(&text)) text += ' ';
      text += word.text;
    }
  }
  print_break(&text);
  return text;
}

float largest_size_pt(const Page& page, const Element& element) {
  float size = 0;
  for (const Line& line : lines_of(page, element)) {
    for (const Word& word : std::span(page.words).subspan(line.first_word, line.word_count)) {
      size = std::max(size, word.size_pt);
    }
  }
  return size;
}

std::string headings_above(const Page& page, const Element& element) {
  std::string path;
  for (std::int32_t at = element.parent; at >= 0;) {
    const Element& heading = page.elements[static_cast<std::size_t>(at)];
    path = element_text(page, heading) + (path.empty() ? "" : " ") + path;
    at = heading.parent;
  }
  return path;
}

bool is_in_earlier_table(const Page& page, std::uint32_t line, std::uint32_t lower) {
  const auto holds = [&](const Element& element, std::uint32_t one) {
    return element.first_line <= one && one - element.first_line < element.line_count;
  };
  bool in_table = false, heading = false;
  for (const Element& element : page.elements) {
    if (holds(element, line)) {
      in_table = element.kind == ElementKind::table;
    } else if (element.kind == ElementKind::heading && element.first_line > line &&
               element.first_line < lower) {
      heading = true;
    }
  }
  return in_table && heading;
}

std::vector<WordRun> sentences_in(const Page& page, const WordRun& run) {
  std::string text;
  std::vector<std::size_t> begins;  // of each word, in bytes
  for (std::uint32_t word = run.first; word < run.end; ++word) {
    append_word(page.words[word].text, &text);
    begins.push_back(text.size() - page.words[word].text.size());
  }
  std::vector<WordRun> out;
  std::uint32_t word = run.first;
  for (const Span& sentence : sentences(text, page.language)) {
    const std::uint32_t first = word;
    while (word < run.end && begins[word - run.first] < sentence.end) ++word;
    if (word > first) out.push_back({first, word});
  }
  return out;
}

}  // namespace fineprint::text
