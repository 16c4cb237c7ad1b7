// Distinguishes amounts from other numbers, and finds the units that a table states.
#include "pipelines/extractive/amounts.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/page_parts.h"
#include "fineprint/text/units.h"

#include "pipelines/extractive/demands.h"

namespace fineprint::pipelines::extractive {
namespace {

bool is_ascii_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_ascii_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Returns the word of ASCII letters that ends before byte `begin`, folded.
std::string word_before(const std::string& snippet, std::uint32_t begin) {
  constexpr std::size_t kFarthest = 40;  // bounds the search on a hostile page
  const std::size_t least = begin - std::min<std::size_t>(begin, kFarthest);
  std::size_t end = begin;
  while (end > least && !is_ascii_letter(snippet[end - 1])) --end;
  std::size_t start = end;
  while (start > least && is_ascii_letter(snippet[start - 1])) --start;
  return fold(std::string_view(snippet).substr(start, end - start));
}

// Returns whether the word before labels a thing ("Figure 1") instead of counting it ("1 figure").
bool numbers_a_thing(const std::string& snippet, std::uint32_t begin) {
  static const std::set<std::string> kLabels = {
      "figure",   "fig",     "table", "chart",    "exhibit",  "note",     "notes", "page",
      "pages",    "section", "item",  "chapter",  "appendix", "step",     "part",  "slide",
      "equation", "no",      "nos",   "number",   "form",     "rule",     "act",   "vol",
      "volume",   "version", "phase", "level",    "class",    "category", "type",  "grade",
      "article",  "clause",  "annex", "schedule", "series",   "question", "line",  "pp",
      "room",     "suite",   "ref",   "release",  "model",    "phone",    "fax",   "box"};
  return kLabels.contains(word_before(snippet, begin));
}

bool is_plain(const text::Value& value) {
  return std::ranges::all_of(value.text, [](char c) { return is_ascii_digit(c) || c == '.'; });
}

// Returns whether the value is the number of a list item: "10.33 Employment agreement", "3.
// Leases", "18 Based on ...".
bool begins_item(const Snippet& snippet, const text::Value& value) {
  if (value.span.begin > 1 || !is_plain(value)) return false;
  std::size_t at = value.span.end;
  const std::string& text = snippet.text;
  if (at < text.size() && (text[at] == '.' || text[at] == ')')) return true;
  while (at < text.size() && text[at] == ' ') ++at;
  const bool letter_follows = at < text.size() && is_ascii_letter(text[at]);
  // In running text a lower-case letter follows a real amount ("18 people"), while an item begins
  // with a capital. In a row any letter makes it an item.
  return letter_follows &&
         (snippet.is_row || std::isupper(static_cast<unsigned char>(text[at])) != 0);
}

// Returns whether the value is a footnote mark: one or two digits in smaller type. All other words
// of a line have one size, so the median is a safe reference.
bool is_set_smaller(const Page& page, const Snippet& snippet, const text::Value& value) {
  constexpr float kSmaller = 0.8F;
  std::vector<float> sizes;
  for (std::uint32_t i = 0; i < snippet.word_count; ++i) {
    sizes.push_back(page.words[snippet.first_word + i].size_pt);
  }
  std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2));
  const float usual = sizes[sizes.size() / 2];
  const Word& word = page.words[snippet.first_word + word_at(page, snippet, value.span.begin)];
  return value.text.size() <= 2 && is_plain(value) && word.size_pt < kSmaller * usual;
}

bool has_leaders(const std::string& text) {
  // Dot leaders mark a line of a table of contents, whose last number is a page number.
  return text.find("....") != std::string::npos || text.find(". . .") != std::string::npos;
}

bool is_part_of_date(const Snippet& snippet, const text::Value& value) {
  // Only a plain number can be part of a date; "$12" next to a month is still an amount.
  for (const text::Value& date : text::find_values(snippet.text, text::AnswerKind::date)) {
    if (value.span.begin < date.span.end && date.span.begin < value.span.end) {
      return is_plain(value);
    }
  }
  return false;
}

bool is_per_something(const Snippet& row) {
  // Amounts per share and ratios do not follow the scale that a table states for its other rows.
  const std::string folded = fold(row.text);
  return folded.find("per share") != std::string::npos ||
         folded.find("per unit") != std::string::npos || folded.find('%') != std::string::npos ||
         folded.find("percent") != std::string::npos || folded.find("ratio") != std::string::npos;
}

// Returns the line of the page that contains the word.
std::uint32_t line_of(const Page& page, std::uint32_t word) {
  std::uint32_t line = 0;
  while (line + 1 < page.lines.size() && page.lines[line + 1].first_word <= word) ++line;
  return line;
}

// Returns whether the value ends a range or is a margin of error: "27-30%", "0.62 ± 0.37".
bool belongs_to_another_number(const Snippet& snippet, const text::Value& value) {
  static constexpr std::string_view kJoints[] = {"-", "\xE2\x80\x93", "\xC2\xB1", "+/-"};
  std::string_view before = std::string_view(snippet.text).substr(0, value.span.begin);
  const auto drop_blanks = [&] {
    while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
  };
  drop_blanks();
  for (const std::string_view joint : kJoints) {
    if (!before.ends_with(joint)) continue;
    before.remove_suffix(joint.size());
    drop_blanks();
    return !before.empty() && (is_ascii_digit(before.back()) || before.back() == '%');
  }
  return false;
}

}  // namespace

bool has_digit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

std::uint32_t word_at(const Page& page, const Snippet& snippet, std::uint32_t offset) {
  std::string text;
  for (std::uint32_t i = 0; i < snippet.word_count; ++i) {
    append_word(page.words[snippet.first_word + i].text, &text);
    if (offset < text.size()) return i;
  }
  return snippet.word_count - 1;
}

bool looks_like_amount(const std::string& snippet, const text::Value& value,
                       text::AnswerKind kind) {
  if (kind != text::AnswerKind::number && kind != text::AnswerKind::money &&
      kind != text::AnswerKind::count) {
    return true;
  }
  const bool percent = value.text.ends_with('%') || value.text.ends_with("cent");
  if (percent && kind != text::AnswerKind::number) return false;
  return !is_bare_year(value.text) && !numbers_a_thing(snippet, value.span.begin);
}

bool is_change(const Snippet& snippet, const text::Value& value) {
  // The words that make a value a change ("a decrease of") directly precede it.
  constexpr std::size_t kBytes = 24;  // about three words
  const std::size_t from = value.span.begin - std::min<std::size_t>(value.span.begin, kBytes);
  return demands(valid_utf8(snippet.text.substr(from, value.span.begin - from))).change;
}

bool is_amount(const Page& page, const Snippet& snippet, const text::Value& value) {
  return !is_bare_year(value.text) && !numbers_a_thing(snippet.text, value.span.begin) &&
         !begins_item(snippet, value) && !is_set_smaller(page, snippet, value) &&
         !has_leaders(snippet.text) && !is_part_of_date(snippet, value) &&
         !belongs_to_another_number(snippet, value);
}

text::Units units_of_row(const Page& page, const Snippet& row) {
  if (is_per_something(row)) return {};
  if (const auto own = text::stated_units(row.text)) return *own;
  if (const auto heading = text::stated_units(row.context)) return *heading;
  const std::uint32_t own = line_of(page, row.first_word);
  for (std::uint32_t line = own; line > 0; --line) {
    // Units are stated once, above the table, so the nearest statement above the row applies,
    // unless it is in another table.
    if (text::is_in_earlier_table(page, line - 1, own)) continue;
    if (const auto above = text::stated_units(line_text(page, page.lines[line - 1]))) return *above;
  }
  return {};
}

}  // namespace fineprint::pipelines::extractive
