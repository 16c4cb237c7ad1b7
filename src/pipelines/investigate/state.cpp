// Notes facts whose quotes are on their pages, and writes the state for prompts.
#include "pipelines/investigate/state.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/units.h"

namespace fineprint::pipelines::investigate {
namespace {

// A prompt shows the last ones only: older ones have led to facts by now.
constexpr std::size_t kMostDone = 6;
constexpr std::size_t kMostOpen = 3;

double factor_of(const std::string& scale) {
  if (scale == "thousand") return 1e3;
  if (scale == "million") return 1e6;
  return scale == "billion" ? 1e9 : 1;
}

// Returns the factor that the nearest line above states for the row with this word; 1 outside of
// tables.
double stated_factor(const Page& page, std::uint32_t word) {
  const auto holds = [&](const Line& line) {
    return line.first_word <= word && word < line.first_word + line.word_count;
  };
  const auto row = std::ranges::find_if(page.lines, holds);
  if (row == page.lines.end()) return 1;
  const auto index = static_cast<std::uint32_t>(row - page.lines.begin());
  const auto has_row = [&](const Element& element) {
    return element.first_line <= index && index < element.first_line + element.line_count;
  };
  const auto element = std::ranges::find_if(page.elements, has_row);
  if (element == page.elements.end() || element->kind != ElementKind::table) return 1;
  for (std::uint32_t line = index + 1; line-- > 0;) {
    if (text::is_in_earlier_table(page, line, index)) return 1;
    const auto units = text::stated_units(line_text(page, page.lines[line]));
    if (units) return factor_of(units->scale);
  }
  return 1;
}

std::string_view first_open(const std::vector<std::string>& open) {
  return open.empty() ? std::string_view() : std::string_view(open.front());
}

}  // namespace

std::optional<std::size_t> State::number_of(const std::optional<PageId>& page,
                                            std::string_view quote) const {
  const std::string folded = fold(quote);
  const auto known = std::ranges::find_if(
      facts_, [&](const Fact& fact) { return fact.page == page && fold(fact.quote) == folded; });
  if (known == facts_.end()) return std::nullopt;
  return static_cast<std::size_t>(known - facts_.begin());
}

std::optional<std::size_t> State::note(PageId page, std::string_view quote, std::string reading) {
  const std::string_view words = trim(quote);
  if (words.empty()) return std::nullopt;
  if (const auto number = number_of(page, words)) return number;
  const Page content = corpus_.page(page);
  const auto place = text::find_quote(content, words);
  if (verify_ && !place) return std::nullopt;
  facts_.push_back({.quote = std::string(words),
                    .page = page,
                    .reading = std::move(reading),
                    .part = std::string(first_open(open_)),
                    .scale = place ? stated_factor(content, place->first_word) : 1});
  return facts_.size() - 1;
}

void State::note_computed(std::string derivation, std::vector<std::size_t> from) {
  if (number_of(std::nullopt, derivation)) return;
  facts_.push_back({.quote = std::move(derivation),
                    .part = std::string(first_open(open_)),
                    .from = std::move(from)});
}

bool State::is_place(std::string_view words) const {
  const std::string_view name = words.substr(0, words.find(", page "));
  if (corpus_.document_named(std::string(trim(name)))) return true;
  static const text::Pattern page(R"(^\s*pages?\s+\d+\s*$)");
  return page.occurs_in(words);
}

void State::open(std::vector<std::string> parts) {
  const bool names_none = parts.empty();
  std::erase_if(parts, [&](const std::string& part) { return is_place(part); });
  if (parts.empty() && !names_none) return;
  open_.clear();
  std::set<std::string> known;
  for (std::string& part : parts) {
    const std::string_view words = trim(part);
    const bool is_new = !words.empty() && known.insert(fold(words)).second;
    if (is_new && open_.size() < kMostOpen) open_.emplace_back(words);
  }
}

void State::close(std::string_view part) { std::erase(open_, part); }

void State::saw(PageId page) {
  if (std::ranges::find(seen_, page) == seen_.end()) seen_.push_back(page);
}

std::string State::place(PageId page) const {
  const PageRef ref = corpus_.ref(page);
  return format("{}, page {}", ref.doc, ref.page);
}

std::string State::seen_text() const {
  std::vector<std::string> pages;
  for (const PageId page : seen_) {
    const auto held = std::ranges::count(facts_, std::optional<PageId>(page), &Fact::page);
    pages.push_back(format("{} ({})", place(page), held > 0 ? "facts" : "nothing"));
  }
  return join_texts(pages, "; ");
}

std::string State::text() const {
  std::string text;
  for (const std::string& part : open_) text += format("Open: {}\n", part);
  for (std::size_t i = 0; i < facts_.size(); ++i) {
    const Fact& fact = facts_[i];
    const std::string where = fact.page ? place(*fact.page) : "computed";
    const std::string reading = fact.reading.empty() ? "" : format(" [{}]", fact.reading);
    text += format("Fact {} ({}): {}{}\n", i, where, fact.quote, reading);
  }
  const std::size_t first = done_.size() - std::min(done_.size(), kMostDone);
  for (std::size_t i = first; i < done_.size(); ++i) text += format("Done: {}\n", done_[i]);
  if (!seen_.empty()) text += format("Seen: {}\n", seen_text());
  return text;
}

std::vector<agents::Claim> State::claims_of(std::span<const std::size_t> facts,
                                            double score) const {
  std::vector<agents::Claim> claims;
  for (const std::size_t index : facts) {
    const Fact& fact = facts_[index];
    if (fact.page) {
      claims.push_back({*fact.page, fact.quote, score});
    } else {
      std::ranges::move(claims_of(fact.from, score), std::back_inserter(claims));
    }
  }
  return claims;
}

std::string State::said_by(std::span<const std::size_t> facts) const {
  std::string said;
  for (const std::size_t index : facts) {
    said += facts_[index].quote + " " + facts_[index].reading + "\n";
  }
  return said;
}

std::vector<std::size_t> State::all() const {
  std::vector<std::size_t> indices(facts_.size());
  std::iota(indices.begin(), indices.end(), std::size_t{0});
  return indices;
}

}  // namespace fineprint::pipelines::investigate
