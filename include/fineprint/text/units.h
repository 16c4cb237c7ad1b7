// What a line says of the figures below it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::text {

struct Units {
  std::string scale;     // "thousand", "million" or "billion"
  std::string currency;  // "$", "€", "£" or a code such as "CHF"; empty when the line names none
};

// "(In millions, except per share amounts)", "Thousands of dollars", "US$'000", "€m"; nullopt for a
// line that scales nothing ("growth in millions of homes" is one: what follows "of" must be money).
std::optional<Units> stated_units(std::string_view line);

}  // namespace fineprint::text
