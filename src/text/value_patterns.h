// Finds numbers and dates, with everything that belongs to them, in English text and table rows.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// A number with its sign, currency, scale and unit.
struct Quantity {
  Span span;
  double number = 0;  // scale words multiplied out; a number in brackets is negative
  bool has_currency = false;
  bool is_percent = false;
  bool looks_like_amount = false;  // a scale word, separated thousands, or brackets
};

// Finds numbers in digits.
std::vector<Quantity> find_quantities(std::string_view passage);

// Finds dates, quarters, fiscal years, bare years and times of day.
std::vector<Span> find_dates(std::string_view passage);

// Finds numbers written as words, from "zero" to "ninety-nine".
std::vector<Quantity> find_number_words(std::string_view passage);

}  // namespace fineprint::text
