// Reads the scale and currency that a line states for the figures below it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// What "(in millions of dollars)" says about a table.
struct Units {
  std::string scale;        // "thousand", "million" or "billion"
  std::string currency;     // "$", "€", "£" or a code such as "CHF"; empty if the line names none
  std::string things = {};  // of a measure that is no money: "cubic metres"
};

// Returns the units that a line states, for example "(In millions, except per share amounts)",
// "Thousands of dollars", "US$'000" or "€m". Returns nullopt if it states none: in "growth in
// millions of homes" the millions count homes, because only money may follow "of".
std::optional<Units> stated_units(std::string_view line);

// Returns whether the question counts something else than what the units measure, so that they are
// not meant for its answer: "How many employees ..." below "in millions of dollars" or "in million
// cubic metres". `counted`: the question's counted_terms(); may be empty.
bool are_of_other_things(const Units& units, const std::vector<std::string>& counted);

// Returns whether the head of a row or column ends with a unit that is no money, in parentheses or
// after "in": "Staff (number)", "Length in km". No scale that a table states is meant for it.
bool states_other_unit(std::string_view head_text);

// Returns whether the head of a column is a name and not only a year or a quarter. What other
// columns state of their figures is then not meant for it.
bool is_named_head(std::string_view head_text);

}  // namespace fineprint::text
