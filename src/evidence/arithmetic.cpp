// Computes in double precision, and writes down the derivation.
#include "evidence/arithmetic.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace fineprint::evidence {
namespace {

using models::QaOperator;

constexpr int kQuotientDecimals = 2;
// The most decimals that any result is written with.
constexpr int kMostDecimals = 6;

// Returns the value without trailing zeros of a fraction, and without a minus sign before 0.
std::string plain_digits(double value, int decimals) {
  std::array<char, 400> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed,
                    std::min(decimals, kMostDecimals));
  std::string digits(buffer.data(), end);
  if (digits.find('.') != std::string::npos) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.ends_with('.')) digits.pop_back();
  }
  return digits == "-0" ? "0" : digits;
}

// Returns enough decimals for two significant digits, even if the quotient is below 0.1.
int decimals_of_quotient(double value) {
  if (value == 0 || std::abs(value) >= 0.1) return kQuotientDecimals;
  return kQuotientDecimals - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
}

// Returns the figure as it follows another sign: negative numbers are in parentheses.
std::string after_sign(const Figure& figure) {
  return figure.shown.starts_with('-') ? "(" + figure.shown + ")" : figure.shown;
}

std::string added_up(std::span<const Figure> figures) {
  std::string all;
  for (const Figure& figure : figures) {
    all += all.empty() ? figure.shown : " + " + after_sign(figure);
  }
  return all;
}

}  // namespace

Figure scaled(const Figure& figure, double factor) {
  const int more = -static_cast<int>(std::lround(std::log10(factor)));
  Figure out{figure.value * factor, std::max(0, figure.decimals + more), ""};
  out.shown = plain_digits(out.value, out.decimals);
  return out;
}

std::optional<Computed> compute(QaOperator operation, std::span<const Figure> figures,
                                bool in_percent) {
  double sum = 0;
  int decimals = 0;
  for (const Figure& figure : figures) {
    sum += figure.value;
    decimals = std::max(decimals, figure.decimals);
  }
  const double percent = in_percent ? 100 : 1;
  if (operation == QaOperator::sum) return Computed{plain_digits(sum, decimals), added_up(figures)};
  if (operation == QaOperator::average) {
    return Computed{plain_digits(sum / static_cast<double>(figures.size()), decimals + 2),
                    "(" + added_up(figures) + ") / " + std::to_string(figures.size())};
  }
  const Figure &first = figures[0], &second = figures[1];
  const std::string minus = first.shown + " - " + after_sign(second);
  if (operation == QaOperator::difference) {
    return Computed{plain_digits(first.value - second.value, decimals), minus};
  }
  if (second.value == 0) return std::nullopt;
  if (operation == QaOperator::ratio) {
    const double ratio = first.value / second.value * percent;
    return Computed{plain_digits(ratio, decimals_of_quotient(ratio)),
                    first.shown + " / " + after_sign(second)};
  }
  const double change = (first.value - second.value) / second.value * percent;
  return Computed{plain_digits(change, decimals_of_quotient(change)),
                  "(" + minus + ") / " + after_sign(second)};
}

}  // namespace fineprint::evidence
