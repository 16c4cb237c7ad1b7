// Finds numbers and dates, with all that belongs to them, in running text and table rows.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/text/sentences.h"

namespace fineprint::text {

// A number with its sign, currency, scale and unit.
struct Quantity {
  Span span;
  double number = 0;  // scale words multiplied out; brackets mean negative
  bool has_currency = false;
  bool is_percent = false;
  bool looks_like_amount = false;  // a scale word, separated thousands, or brackets
};

std::vector<Quantity> find_quantities(std::string_view passage);

// Dates, quarters, fiscal years, bare years, times of day.
std::vector<Span> find_dates(std::string_view passage);

// Numbers written as words, "three" to "ninety-nine"; each with its value.
std::vector<Quantity> find_number_words(std::string_view passage);

}  // namespace fineprint::text
