// Cuts pages into chunks.
#include "fineprint/text/chunk.h"

#include <algorithm>

#include "fineprint/core/word_break.h"
#include "fineprint/text/continued_table.h"
#include "fineprint/text/page_parts.h"

#include "text/chunk_context.h"

namespace fineprint::text {
namespace {

constexpr std::size_t kNoElement = static_cast<std::size_t>(-1);

// The smallest part that is never cut: a line, or a piece of a line that is too long.
struct Unit {
  std::uint32_t first_word = 0, word_count = 0;
  std::size_t tokens = 0;
  std::size_t element = kNoElement;
  bool starts_element = false;
  std::uint32_t end_word() const { return first_word + word_count; }
};

// Units [begin, end) of a page. Units before `fresh` are repeated from the chunk before.
struct UnitRange {
  std::size_t begin = 0, fresh = 0, end = 0;
};

// Cuts one page. Chunks are runs of units that fit the limits.
class PageCutter {
 public:
  PageCutter(const Page& page, const tokenizer::Tokenizer& tokenizer, const ChunkOptions& options)
      : page_(page),
        tokenizer_(tokenizer),
        max_tokens_(static_cast<std::size_t>(std::max(1, options.max_tokens))),
        overlap_tokens_(static_cast<std::size_t>(std::max(0, options.overlap_tokens))) {}

  std::vector<UnitRange> cut() {
    collect_units();
    std::vector<UnitRange> out;
    for (std::size_t i = 0; i < units_.size();) {
      const UnitRange range = next_range(i);
      out.push_back(range);
      i = range.end;
    }
    return out;
  }

  Chunk chunk_of(const UnitRange& range) const {
    Chunk chunk;
    chunk.page = page_.number;
    chunk.first_word = units_[range.begin].first_word;
    chunk.word_count = units_[range.end - 1].end_word() - chunk.first_word;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      if (i > range.begin && !goes_on(units_[i - 1], &chunk.text)) chunk.text += '\n';
      chunk.text += line_text(page_, {units_[i].first_word, units_[i].word_count, {}});
    }
    // A chunk that ends in a broken word has all of it.
    const Unit& last = units_[range.end - 1];
    if (last.end_word() < page_.words.size() && goes_on(last, &chunk.text)) {
      chunk.text += page_.words[last.end_word()].text;
    }
    for (std::uint32_t i = 0; i < chunk.word_count; ++i) {
      chunk.box = united(chunk.box, page_.words[chunk.first_word + i].box);
    }
    return chunk;
  }

  const Unit& unit(std::size_t i) const { return units_[i]; }

  bool is_table(const Unit& unit) const { return is_kind(unit, ElementKind::table); }

 private:
  void collect_units() {
    // A page without elements is cut by its lines alone.
    if (page_.elements.empty()) {
      for (const Line& line : page_.lines) add_line(line, kNoElement, false);
    }
    for (std::size_t e = 0; e < page_.elements.size(); ++e) {
      const Element& element = page_.elements[e];
      if (element.kind == ElementKind::furniture) continue;
      const std::span<const Line> lines = lines_of(page_, element);
      for (const Line& line : lines) add_line(line, e, &line == lines.data());
    }
    // Elements are in reading order, but a chunk is a range of word indexes, so units must be
    // sorted by them.
    std::stable_sort(units_.begin(), units_.end(),
                     [](const Unit& a, const Unit& b) { return a.first_word < b.first_word; });
  }

  // Adds a line as one unit, or in pieces if it is too long.
  void add_line(const Line& line, std::size_t element, bool starts_element) {
    if (line.word_count == 0) return;
    const std::size_t tokens = tokenizer_.count(line_text(page_, line));
    if (tokens <= max_tokens_) {
      units_.push_back({line.first_word, line.word_count, tokens, element, starts_element});
      return;
    }
    Unit piece{line.first_word, 0, 0, element, starts_element};
    for (std::uint32_t i = 0; i < line.word_count; ++i) {
      // Counts words separately: their sum may exceed the count of the joined text, never the
      // limit.
      const std::size_t word = tokenizer_.count(page_.words[line.first_word + i].text);
      if (piece.word_count > 0 && piece.tokens + word > max_tokens_) {
        units_.push_back(piece);
        piece = {line.first_word + i, 0, 0, element, false};
      }
      ++piece.word_count;
      piece.tokens += word;
    }
    units_.push_back(piece);
  }

  // Returns whether the last word of a unit goes on in the next line. Removes its hyphen from the
  // end of `text` if the whole word has none.
  bool goes_on(const Unit& unit, std::string* text) const {
    std::string word = page_.words[unit.end_word() - 1].text;
    if (!take_off_break(&word)) return false;
    if (!word.ends_with('-')) text->pop_back();
    return true;
  }

  bool is_kind(const Unit& unit, ElementKind kind) const {
    return unit.element != kNoElement && page_.elements[unit.element].kind == kind;
  }

  bool is_heading(const Unit& unit) const { return is_kind(unit, ElementKind::heading); }

  // Returns true if no words are left out between a unit and the one before. A chunk is one run of
  // words, so left-out words (furniture, for example) end it.
  bool touches_previous(std::size_t i) const {
    return i > 0 && units_[i - 1].end_word() == units_[i].first_word;
  }

  // Returns the tokens of the rest of an element, from its unit `first_unit` on.
  std::size_t element_tokens(std::size_t first_unit) const {
    std::size_t tokens = 0;
    for (std::size_t i = first_unit; i < units_.size(); ++i) {
      if (units_[i].element != units_[first_unit].element) break;
      tokens += units_[i].tokens;
    }
    return tokens;
  }

  // Returns true if everything from `begin` to the end of its run fits into one chunk.
  bool rest_fits(std::size_t begin, std::size_t* end) const {
    std::size_t tokens = 0;
    for (*end = begin; *end < units_.size(); ++*end) {
      if (*end > begin && !touches_previous(*end)) break;
      tokens += units_[*end].tokens;
      if (tokens > max_tokens_ && *end > begin) return false;
    }
    return true;
  }

  // Chooses the chunk that starts with unit `start`.
  UnitRange next_range(std::size_t start) const {
    UnitRange range{start, start, start};
    std::size_t tokens = 0;
    std::size_t rest_end = start;
    // An overlap is needed only inside a run: at its start there is no text before.
    const bool is_first = start == 0 || !touches_previous(start);
    if (is_first && rest_fits(start, &rest_end)) return {start, start, rest_end};
    range.begin = overlap_begin(start, &tokens);
    for (; range.end < units_.size(); ++range.end) {
      const Unit& next = units_[range.end];
      if (range.end == start) {
        // The first unit is always taken, so that the loop makes progress.
        tokens += next.tokens;
        continue;
      }
      if (!touches_previous(range.end) || tokens + next.tokens > max_tokens_) break;
      if (breaks_well(range.end, tokens)) break;
      tokens += next.tokens;
    }
    range.end = without_last_headings(range);
    return range;
  }

  // Returns true if the chunk should end before unit `i`. A heading starts a new chunk if the
  // current one is at least a quarter full. An element that would be split starts one if the
  // current chunk is at least half full and the element fits into the next.
  bool breaks_well(std::size_t i, std::size_t tokens) const {
    const Unit& next = units_[i];
    if (!next.starts_element) return false;
    if (is_heading(next)) return !is_heading(units_[i - 1]) && 4 * tokens >= max_tokens_;
    if (is_heading(units_[i - 1])) return false;
    const std::size_t block = element_tokens(i);
    return tokens + block > max_tokens_ && block <= max_tokens_ && 2 * tokens >= max_tokens_;
  }

  // Moves headings at the end of a chunk to the next one, because they belong to the text below
  // them.
  std::size_t without_last_headings(const UnitRange& range) const {
    std::size_t end = range.end;
    if (end == units_.size() || !touches_previous(end)) return end;
    while (end > range.fresh + 1 && is_heading(units_[end - 1])) --end;
    return is_heading(units_[end - 1]) ? range.end : end;
  }

  // Returns the first unit of the overlap: complete lines before `start` that fit, leaving room for
  // the line at `start`. Headings and tables are not repeated, because the context repeats them
  // already.
  std::size_t overlap_begin(std::size_t start, std::size_t* tokens) const {
    std::size_t begin = start;
    if (is_heading(units_[start]) || is_table(units_[start])) return begin;
    while (touches_previous(begin)) {
      const Unit& previous = units_[begin - 1];
      const std::size_t total = *tokens + previous.tokens;
      if (is_heading(previous) || is_table(previous)) break;
      if (total > overlap_tokens_ || total + units_[start].tokens > max_tokens_) break;
      *tokens = total;
      --begin;
    }
    return begin;
  }

  const Page& page_;
  const tokenizer::Tokenizer& tokenizer_;
  std::size_t max_tokens_, overlap_tokens_;
  std::vector<Unit> units_;
};

}  // namespace

std::vector<Chunk> chunk_document(const DocumentInfo& info, const std::string& title,
                                  const std::vector<Page>& pages,
                                  const tokenizer::Tokenizer& tokenizer,
                                  const ChunkOptions& options) {
  const auto context_tokens = static_cast<std::size_t>(std::max(0, options.context_tokens));
  std::vector<Chunk> out;
  HeadingTrail trail(info, title);
  const auto page_numbered = [&](int number) -> const Page* {
    const auto found = std::ranges::find(pages, number, &Page::number);
    return found == pages.end() ? nullptr : &*found;
  };
  for (const Page& page : pages) {
    trail.enter_page(page);
    std::vector<CarriedHeader> carried = repeated_headers(page);
    if (auto header = carried_header(page, page_numbered)) carried.push_back(*std::move(header));
    PageCutter cutter(page, tokenizer, options);
    for (const UnitRange& range : cutter.cut()) {
      // The context describes the new text of a chunk, not the overlap.
      const Unit& first = cutter.unit(range.fresh);
      Chunk chunk = cutter.chunk_of(range);
      chunk.context = context_line(trail.above(first.element), tokenizer, context_tokens);
      const auto header = std::ranges::find(carried, first.element, &CarriedHeader::element);
      const bool continues = header != carried.end();
      if (continues || (cutter.is_table(first) && !first.starts_element)) {
        const std::string head = continues ? cut_to(header_text(*header), tokenizer, context_tokens)
                                           : table_context(page, page.elements[first.element],
                                                           tokenizer, context_tokens);
        chunk.context += (chunk.context.empty() || head.empty() ? "" : " > ") + head;
      }
      out.push_back(std::move(chunk));
    }
  }
  return out;
}

}  // namespace fineprint::text
