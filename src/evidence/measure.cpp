// Looks for scales around a figure, the nearest first.
#include "evidence/measure.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "fineprint/core/unicode.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/units.h"

namespace fineprint::evidence {
namespace {

using models::QaPassage;
using models::QaScale;

bool is_word_byte(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

QaScale named_scale(std::string_view name) {
  const auto found = std::ranges::find(models::kQaScaleNames, name);
  return static_cast<QaScale>(found - models::kQaScaleNames.begin());
}

std::optional<Measure> scaled_by(const std::string& line) {
  const auto units = text::stated_units(line);
  return units ? std::optional(Measure{named_scale(units->scale), units->currency, units->things})
               : std::nullopt;
}

// Returns whether the scale of a table does not apply to such figures: "per share", "ratio",
// "number of".
bool has_no_scale(const std::string& head) {
  static constexpr std::array<std::string_view, 6> kNames = {"per share", "per unit", "per diluted",
                                                             "per basic", "ratio",    "number of"};
  const std::string folded = fold(head);
  return text::states_other_unit(head) || std::ranges::any_of(kNames, [&](std::string_view name) {
           return folded.find(name) != std::string::npos;
         });
}

// Returns whether a head says per cent: "Margin (%)", "in per cent", "% of sales"; but not "5%
// notes".
bool says_percent(const std::string& head) {
  const std::string folded = fold(head);
  if (folded.find("percent") != std::string::npos || folded.find("per cent") != std::string::npos) {
    return true;
  }
  const std::size_t sign = folded.find('%');
  if (sign == std::string::npos) return false;
  const std::size_t before = folded.find_last_not_of(' ', sign == 0 ? 0 : sign - 1);
  return sign == 0 || before == std::string::npos || !is_word_byte(folded[before]) ||
         std::isdigit(static_cast<unsigned char>(folded[before])) == 0;
}

std::optional<Measure> said_by(const std::string& head) {
  if (says_percent(head)) return Measure{QaScale::percent, ""};
  if (auto scaled = scaled_by(head)) return scaled;
  return has_no_scale(head) ? std::optional(Measure{}) : std::nullopt;
}

// The cells of a table. Rows may be shorter than others; missing cells are empty.
class Cells {
 public:
  explicit Cells(const QaPassage& passage) : passage_(passage) {}

  const std::string& at(int row, int column) const {
    static const std::string kNone;
    const auto& cells = passage_.rows[static_cast<std::size_t>(row)];
    return static_cast<std::size_t>(column) < cells.size() ? cells[static_cast<std::size_t>(column)]
                                                           : kNone;
  }
  bool is_figure(int row, int column) const {
    return text::number_of_cell(at(row, column)).has_value();
  }
  // Returns what the row's head says: its first cell that is not a figure, left of `column`.
  std::optional<Measure> by_row_head(int row, int column) const {
    for (int c = 0; c < column; ++c) {
      if (!at(row, c).empty() && !is_figure(row, c)) return said_by(at(row, c));
    }
    return std::nullopt;
  }
  std::optional<Measure> by_column(int row, int column) const {
    for (int r = row - 1; r >= 0; --r) {
      if (auto said = said_by(at(r, column))) return said;
    }
    return std::nullopt;
  }
  // Returns what heads of other columns say, and rows without figures ("Dollars in millions"). If
  // both columns hold figures and each is named ("Boats", "Fees ($000)"), their heads say nothing
  // about each other.
  std::optional<Measure> by_heads_above(int row, int column) const {
    const bool is_named = names_something(row, column);
    for (int r = row - 1; r >= 0; --r) {
      if (r >= passage_.header_rows && !is_without_figures(r)) continue;
      const auto width = static_cast<int>(passage_.rows[static_cast<std::size_t>(r)].size());
      for (int c = 0; c < width; ++c) {
        if (is_named && c != column && is_figure(row, c) && r < passage_.header_rows) continue;
        if (auto scaled = scaled_by(at(r, c))) return scaled;
      }
    }
    return std::nullopt;
  }

 private:
  bool names_something(int row, int column) const {
    for (int r = 0; r < std::min(row, passage_.header_rows); ++r) {
      if (text::is_named_head(at(r, column))) return true;
    }
    return false;
  }

  bool is_without_figures(int row) const {
    return std::ranges::none_of(
        passage_.rows[static_cast<std::size_t>(row)],
        [](const std::string& cell) { return text::number_of_cell(cell).has_value(); });
  }

  const QaPassage& passage_;
};

std::optional<Measure> by_context(const std::string& context) {
  if (auto scaled = scaled_by(context)) return scaled;
  const std::string folded = fold(context);
  const bool percent = folded.find("(%)") != std::string::npos ||
                       folded.find("in %") != std::string::npos ||
                       folded.find("in percent") != std::string::npos;
  return percent ? std::optional(Measure{QaScale::percent, ""}) : std::nullopt;
}

// Returns "$" for "$ 450", or an empty text if no sign precedes the number.
std::string currency_before(std::string_view text, std::size_t begin) {
  static constexpr std::array<std::string_view, 4> kSigns = {"$", "€", "£", "¥"};
  std::string_view before = text.substr(0, begin);
  while (before.ends_with(' ') || before.ends_with('(')) before.remove_suffix(1);
  const auto found =
      std::ranges::find_if(kSigns, [&](std::string_view sign) { return before.ends_with(sign); });
  return found == kSigns.end() ? std::string() : std::string(*found);
}

// Returns the number that a place holds; positions are bytes of its cell or text.
std::optional<text::PrintedNumber> number_at(std::string_view text, const Place& place) {
  for (const text::PrintedNumber& number : text::numbers_in(text)) {
    if (place.is_cell() || (number.begin < place.end && place.begin < number.end)) return number;
  }
  return std::nullopt;
}

// Returns the measure that the text next to the number names. An amount of money in running text
// without a scale is complete as it is.
std::optional<Measure> said_at_number(std::string_view text, const Place& place) {
  const auto number = number_at(text, place);
  if (!number) return std::nullopt;
  std::string currency = currency_before(text, number->begin);
  if (const auto scale = scale_behind(text, number->end)) return Measure{*scale, currency};
  if (number->percent) return Measure{QaScale::percent, ""};
  if (!place.is_cell() && !currency.empty()) return Measure{QaScale::none, currency};
  return std::nullopt;
}

}  // namespace

std::optional<QaScale> scale_behind(std::string_view text, std::size_t end) {
  static constexpr std::array<std::pair<std::string_view, QaScale>, 11> kWords = {{
      {"thousand", QaScale::thousand},
      {"thousands", QaScale::thousand},
      {"million", QaScale::million},
      {"millions", QaScale::million},
      {"mn", QaScale::million},
      {"m", QaScale::million},
      {"billion", QaScale::billion},
      {"billions", QaScale::billion},
      {"bn", QaScale::billion},
      {"percent", QaScale::percent},
      {"percentage", QaScale::percent},
  }};
  text.remove_prefix(std::min(end, text.size()));
  const bool at_once = !text.empty() && is_word_byte(text.front());
  while (text.starts_with(' ') || text.starts_with(')')) text.remove_prefix(1);
  if (text.starts_with('%') || text.starts_with("per cent")) return QaScale::percent;
  const std::size_t length =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_word_byte) - text.begin());
  const std::string word = fold(text.substr(0, length));
  if (word == "m" && !at_once) return std::nullopt;  // "5 m" means metres
  const auto found = std::ranges::find(kWords, word, &std::pair<std::string_view, QaScale>::first);
  return found == kWords.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Measure> measure_of(const QaPassage& passage, const Place& place) {
  if (!place.is_cell()) return said_at_number(passage.text, place);
  const Cells cells(passage);
  auto own = said_at_number(cells.at(place.row, place.column), place);
  if (own) return own;
  if (auto said = cells.by_row_head(place.row, place.column)) return said;
  if (auto said = cells.by_column(place.row, place.column)) return said;
  if (auto said = cells.by_heads_above(place.row, place.column)) return said;
  return by_context(passage.context);
}

double factor(QaScale scale) {
  static constexpr std::array<double, models::kQaScales> kFactors = {1, 1e3, 1e6, 1e9, 0.01};
  return kFactors[static_cast<std::size_t>(scale)];
}

}  // namespace fineprint::evidence
