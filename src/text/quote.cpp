// Finds quotes on pages: first exactly, then by similarity.
#include "fineprint/text/quote.h"

#include <algorithm>
#include <string>

#include "fineprint/core/unicode.h"

#include "text/quote_glyphs.h"
#include "text/similar_run.h"

namespace fineprint::text {
namespace {

// Returns the end of a match that starts at `start`; 0 if there is none. Optional hyphens on either
// side may be skipped.
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

// Glyphs [begin, end) of a page.
struct GlyphRange {
  std::size_t begin = 0, end = 0;
};

// Matches must begin and end at borders, so that "5" is not found inside "15".
std::optional<GlyphRange> find_exact(const std::vector<Glyph>& page,
                                     const std::vector<Glyph>& quote) {
  for (std::size_t start = 0; start < page.size(); ++start) {
    if (page[start].c != quote[0].c || !is_border(page, start)) continue;
    const std::size_t end = match_end(page, start, quote);
    if (end > start && is_border(page, end)) return GlyphRange{start, end};
  }
  return std::nullopt;
}

// Short quotes resemble too much text, and long ones take too long to compare.
bool may_differ(std::string_view quote, const std::vector<Glyph>& glyphs) {
  constexpr std::size_t kLongest = 1000;
  constexpr std::ptrdiff_t kFewest = 8;
  const auto counts = [](const Glyph& glyph) { return is_letter(glyph.c) || is_digit(glyph.c); };
  return quote.size() <= kLongest && std::ranges::count_if(glyphs, counts) >= kFewest;
}

QuotePlace place_of(const Page& page, std::uint32_t first_word, std::uint32_t last_word,
                    double similarity) {
  const std::uint32_t count = last_word - first_word + 1;
  return {first_word, count, word_boxes(page, first_word, count), similarity};
}

}  // namespace

std::vector<Box> word_boxes(const Page& page, std::uint32_t first_word, std::uint32_t word_count) {
  std::vector<Box> out;
  const std::size_t end =
      std::min<std::size_t>(std::size_t{first_word} + word_count, page.words.size());
  // Lines are in reading order, so one pass over them is enough.
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
  if (const auto exact = find_exact(glyphs, wanted)) {
    return place_of(page, glyphs[exact->begin].word, glyphs[exact->end - 1].word, 1);
  }
  // Exact search failed. OCR errors or a model's small changes may be the reason, so similar text
  // counts too.
  if (!may_differ(quote, wanted)) return std::nullopt;
  const QuoteForm form = form_of(glyphs);
  const std::optional<SimilarRun> similar = find_similar(form, form_of(wanted));
  if (!similar) return std::nullopt;
  return place_of(page, form.word[similar->begin], form.word[similar->end - 1],
                  similar->similarity);
}

}  // namespace fineprint::text
