// Compares the gaps between words with the usual blank.
#include "evidence/line_pieces.h"

#include <algorithm>
#include <initializer_list>

#include "fineprint/text/language.h"
#include "fineprint/text/numbers.h"

namespace fineprint::evidence {
namespace {

bool is_among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// Returns the value that the given share of the values do not exceed.
float quantile(std::vector<float> values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

// Returns whether `word` goes on with the number before it: "12 700 tonnes".
bool continues_number(const Page& page, const Line& line, std::uint32_t word) {
  std::string text;
  std::uint32_t start = 0, last_group = 0;  // bytes
  bool groups = true;                       // only figures have followed `word`
  for (std::uint32_t i = line.first_word; i < line.first_word + line.word_count; ++i) {
    if (!text.empty()) text += ' ';
    const auto at = static_cast<std::uint32_t>(text.size());
    if (i == word) start = at;
    groups = groups && (i <= word || text::number_of_cell(page.words[i].text));
    if (i >= word && groups) last_group = at;
    text += page.words[i].text;
  }
  return text::start_of_number(text, last_group) < start;
}

// Returns whether a word of a line, which is not the first, begins a new piece.
bool begins_piece(const Page& page, const Line& line, std::uint32_t word, const Setting& setting) {
  const Word &left = page.words[word - 1], &right = page.words[word];
  if (opens_amount(left.text) || closes_amount(right.text)) return false;
  // Larger words have larger blanks.
  const float height = std::min(left.box.height(), right.box.height());
  const float larger = setting.height > 0 ? std::max(1.0F, height / setting.height) : 1.0F;
  if (right.box.x0 - left.box.x1 > larger * setting.wide_gap) return true;
  // English rarely groups digits by spaces, so two numbers next to each other are two cells.
  return text::is_english(page.language) && text::number_of_cell(left.text) &&
         text::number_of_cell(right.text) && !left.text.ends_with(',') &&
         !continues_number(page, line, word);
}

bool has_only_dots(std::string_view word) {
  return word.find_first_not_of('.') == std::string_view::npos;
}

// Returns whether a word of a line is a part of the dots that lead from a label to its figures: at
// least three words of dots close to each other, or a word of many dots. Two or three dots alone
// are a value that is missing.
bool is_leader(const Page& page, const Line& line, std::uint32_t word) {
  constexpr std::size_t kMostDots = 3, kLeastWords = 3;
  const std::string& text = page.words[word].text;
  if (!has_only_dots(text)) return false;
  if (text.size() > kMostDots) return true;
  const auto go_on = [&](std::uint32_t left) {
    const Word &a = page.words[left], &b = page.words[left + 1];
    return has_only_dots(a.text) && has_only_dots(b.text) && b.box.x0 - a.box.x1 < a.box.height();
  };
  std::uint32_t first = word, last = word;
  while (first > line.first_word && go_on(first - 1)) --first;
  while (last + 1 < line.first_word + line.word_count && go_on(last)) ++last;
  return last - first + 1 >= kLeastWords;
}

}  // namespace

Setting::Setting(const Page& page, std::span<const Line> lines) {
  std::vector<float> heights, gaps;
  for (const Line& line : lines) {
    for (std::uint32_t i = 0; i < line.word_count; ++i) {
      const Box& box = page.words[line.first_word + i].box;
      heights.push_back(box.height());
      if (i > 0) gaps.push_back(box.x0 - page.words[line.first_word + i - 1].box.x1);
    }
  }
  height = std::max(0.0F, quantile(heights, 0.5));
  // The narrowest gaps are word spaces, unless every cell is a single word; the clamp handles
  // that case.
  wide_gap = std::clamp(1.9F * quantile(gaps, 0.05), 0.35F * height, 0.75F * height);
}

RowOfPieces pieces_of(const Page& page, const Line& line, const Setting& setting) {
  RowOfPieces pieces;
  for (std::uint32_t i = 0; i < line.word_count; ++i) {
    const std::uint32_t word = line.first_word + i;
    if (is_leader(page, line, word)) continue;
    const bool begins = pieces.empty() || pieces.back().words.back() + 1 != word ||
                        begins_piece(page, line, word, setting);
    if (begins) pieces.emplace_back();
    add_word(page, word, &pieces.back());
  }
  return pieces;
}

void add_word(const Page& page, std::uint32_t word, Piece* piece) {
  const Box& box = page.words[word].box;
  piece->x0 = piece->words.empty() ? box.x0 : std::min(piece->x0, box.x0);
  piece->x1 = piece->words.empty() ? box.x1 : std::max(piece->x1, box.x1);
  piece->words.push_back(word);
}

bool opens_amount(std::string_view word) {
  return is_among(word, {"$", "€", "£", "¥", "US$", "(", "$("});
}

bool closes_amount(std::string_view word) { return is_among(word, {")", "%", ")%", "%)"}); }

bool is_figure(std::string_view word) {
  return text::number_of_cell(word).has_value() ||
         is_among(word, {"-", "\u2013", "\u2014", "\u2212", "n/a", "N/A"});
}

std::string_view without_leader(std::string_view word) {
  constexpr std::size_t kMostEnding = 3;
  const std::size_t end = word.find_last_not_of('.') + 1;
  return end > 0 && word.size() - end > kMostEnding ? word.substr(0, end) : word;
}

}  // namespace fineprint::evidence
