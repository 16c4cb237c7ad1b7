// Similarity, shapes of references, and equality of floats.
#include "metrics/scorers/answer_rules.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fineprint/core/letter_case.h"

#include "metrics/edit_distance.h"
#include "metrics/python/numbers.h"
#include "metrics/python/text.h"

namespace fineprint::metrics {
namespace {

// A text in which each run of digits is its length, and all blanks are the same: "2016-05" is {4,
// '-', 2}.
struct DigitRun {
  std::size_t digits = 0;  // 0 for any other character
  char32_t other = 0;
};

std::vector<DigitRun> digit_runs(std::string_view text) {
  std::vector<DigitRun> runs;
  for (const char32_t c : python::code_points(text)) {
    if (digit_value(c) >= 0) {
      if (runs.empty() || runs.back().digits == 0) runs.push_back({});
      ++runs.back().digits;
    } else {
      runs.push_back({0, python::is_blank(c) ? U' ' : c});
    }
  }
  return runs;
}

bool is_separator(const DigitRun& run) {
  return run.digits == 0 && (run.other == U'-' || run.other == U' ');
}

// Returns true for "12", "12-7", "2016-05" or "2016-05-31": groups of digits separated by one
// hyphen or blank.
bool is_digits_or_date(std::string_view text) {
  const std::vector<DigitRun> runs = digit_runs(text);
  if (runs.size() % 2 == 0 || runs.size() > 5) return false;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (i % 2 == 0 ? runs[i].digits == 0 : !is_separator(runs[i])) return false;
  }
  return runs.size() < 5 || (runs[0].digits == 4 && runs[2].digits == 2 && runs[4].digits == 2);
}

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool consists_of(std::string_view text, std::string_view more) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_ascii_letter(c) || (c >= '0' && c <= '9') || more.find(c) != std::string_view::npos;
  });
}

bool is_mail_address(std::string_view text) {
  const std::size_t at = text.find('@');
  if (at == std::string_view::npos || !consists_of(text.substr(0, at), "._%+-")) return false;
  const std::string_view host = text.substr(at + 1);
  const std::size_t point = host.rfind('.');
  if (point == std::string_view::npos || !consists_of(host.substr(0, point), ".-")) return false;
  const std::string_view end = host.substr(point + 1);
  return end.size() >= 2 && std::ranges::all_of(end, is_ascii_letter);
}

bool has_part(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns true if the numbers differ by at most 1% of the larger one. Infinity is close only to
// itself.
bool is_close(double a, double b) {
  if (a == b) return true;
  if (std::isinf(a) || std::isinf(b)) return false;
  return std::abs(a - b) <= 0.01 * std::max(std::abs(a), std::abs(b));
}

int decimals_of(double value) {
  const std::string text = python::float_repr(value);
  const std::size_t point = text.rfind('.');
  // Without a point the published code counts three decimals.
  return point == std::string::npos ? 3 : static_cast<int>(text.size() - point - 1);
}

}  // namespace

double similarity(std::string_view a, std::string_view b) {
  const std::size_t length = std::max(python::length(upper_case(a)), python::length(upper_case(b)));
  if (length == 0) return 1;
  return 1.0 - static_cast<double>(edit_distance(a, b)) / static_cast<double>(length);
}

double similarity_above(double threshold, std::string_view a, std::string_view b) {
  // "At most": a similarity equal to the threshold does not count.
  const double value = similarity(a, b);
  return value <= threshold ? 0 : value;
}

bool has_exact_shape(std::string_view reference) {
  return has_part(reference, "https://") || reference.ends_with(".py") ||
         reference.ends_with("ipynb") || reference.starts_with("page") ||
         is_digits_or_date(reference) || has_part(reference, "a.m.") ||
         has_part(reference, "p.m.") || is_mail_address(reference);
}

bool equal_floats(double reference, double prediction) {
  // At least two decimals, as in the published code.
  const int decimals = std::max(2, std::min(decimals_of(reference), decimals_of(prediction)));
  for (const double candidate : {reference / 100, reference, reference * 100}) {
    if (is_close(candidate, prediction)) return true;
    if (python::round_to(candidate, decimals) == python::round_to(prediction, decimals)) {
      return true;
    }
  }
  return false;
}

std::string without_brackets(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find('(', at);
    const std::size_t close = open == std::string_view::npos ? open : text.find(')', open);
    if (close == std::string_view::npos) break;
    out += python::strip_right(text.substr(at, open - at));
    at = close + 1;
  }
  return out.append(text.substr(at));
}

std::string_view without_unit(std::string_view text, std::string_view unit) {
  const std::string_view rest = text.substr(0, text.size() - unit.size());
  // Part of a word is not a unit: "team" does not end with "m".
  const bool in_word = !rest.empty() && (is_ascii_letter(rest.back()) || (rest.back() & 0x80) != 0);
  return in_word ? text : rest;
}

std::string joined_by_hyphens(const std::vector<std::string>& elements) {
  std::string out;
  for (const std::string& element : elements) {
    if (&element != &elements.front()) out += '-';
    out += element;
  }
  return out;
}

std::string_view without_quotes(std::string_view text) {
  constexpr std::string_view kQuotes = "'\"";
  if (!text.empty() && kQuotes.find(text.front()) != std::string_view::npos) text.remove_prefix(1);
  if (!text.empty() && kQuotes.find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return text;
}

}  // namespace fineprint::metrics
