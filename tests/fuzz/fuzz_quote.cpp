// Looks for any quote on a page of any words: what is found must be words of the page, with boxes
// inside it, and the page's own words must be found to the letter.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fineprint/text/quote.h"

namespace {

using fineprint::Box;
using fineprint::Line;
using fineprint::Page;
using fineprint::Word;

constexpr float kStep = 12, kSide = 10;

// Lines at '\n', words at ' '; each word a square of a grid.
Page page_of(std::string_view text) {
  Page page;
  Line line;
  const auto end_line = [&] {
    page.lines.push_back(line);
    line = {static_cast<std::uint32_t>(page.words.size()), 0, {}};
  };
  Word word;
  const auto end_word = [&] {
    if (word.text.empty()) return;
    const float x = kStep * static_cast<float>(line.word_count++);
    const float y = kStep * static_cast<float>(page.lines.size());
    word.box = {x, y, x + kSide, y + kSide};
    line.box = united(line.box, word.box);
    page.words.push_back(std::move(word));
    word = {};
  };
  for (const char c : text) {
    if (c != ' ' && c != '\n') {
      word.text += c;
      continue;
    }
    end_word();
    if (c == '\n') end_line();
  }
  end_word();
  end_line();
  return page;
}

void check(const Page& page, const fineprint::text::QuotePlace& place) {
  const std::uint64_t end = std::uint64_t{place.first_word} + place.word_count;
  if (place.word_count == 0 || end > page.words.size() || place.boxes.empty()) std::abort();
  if (place.similarity < 0.9 || place.similarity > 1) std::abort();
  Box whole;
  for (const Word& word : page.words) whole = united(whole, word.box);
  for (const Box& box : place.boxes) {
    if (box.empty() || intersected(box, whole) != box) std::abort();
  }
}

bool is_plain(const Word& word) {
  return word.text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") == std::string::npos;
}

// Words `first` to `last` are plain ones, so that nothing in them may be left out.
void find_own_words(const Page& page, std::size_t first, std::size_t last) {
  std::string quote;
  for (std::size_t i = first; i <= last; ++i) {
    if (!is_plain(page.words[i])) return;
    quote += (quote.empty() ? "" : " ") + page.words[i].text;
  }
  const auto place = fineprint::text::find_quote(page, quote);
  if (!place || place->similarity != 1 || place->first_word > first) std::abort();
}

}  // namespace

// The page, a zero byte, the quote.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t cut = text.find('\0');
  if (cut == std::string_view::npos) return 0;
  const Page page = page_of(text.substr(0, cut));
  if (const auto place = fineprint::text::find_quote(page, text.substr(cut + 1))) {
    check(page, *place);
  }
  if (page.words.empty()) return 0;
  const std::size_t first = size % page.words.size();
  find_own_words(page, first, std::min(first + 3, page.words.size() - 1));
  return 0;
}
