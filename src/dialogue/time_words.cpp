// Counts years from the last one that a conversation named.
#include "dialogue/time_words.h"

#include <array>

#include "fineprint/core/format.h"
#include "fineprint/text/pattern.h"

namespace fineprint::dialogue {
namespace {

// A way to name a year by another one.
struct RelativeYear {
  const char* expression;
  const char* before;  // what the year follows in the result
  int years;
};

constexpr std::array kRelativeYears = {
    RelativeYear{
        R"((?:\b(?:in|for|of)\s+)?\b(?:the|a|one)\s+(?:previous|prior|preceding)\s+year\b|)"
        R"((?:\b(?:in|for|of)\s+)?\b(?:the|a|one)\s+year\s+(?:before|earlier|prior)\b(?!\s+(?!that\b)\w)(?:\s+that\b)?)",
        "in ", -1},
    RelativeYear{
        R"((?:\b(?:in|for|of)\s+)?\b(?:the|a|one)\s+(?:next|following)\s+year\b|)"
        R"((?:\b(?:in|for|of)\s+)?\b(?:the|a|one)\s+year\s+(?:after|later)\b(?!\s+(?!that\b)\w)(?:\s+that\b)?)",
        "in ", 1},
    RelativeYear{R"((?:\b(?:in|for|of)\s+)?\b(?:that|the\s+same)\s+year\b)", "in ", 0},
    RelativeYear{
        R"(\bim\s+(?:jahr\s+(?:davor|zuvor)|vorjahr)\b|\bein\s+jahr\s+(?:davor|zuvor|früher)\b)",
        "im Jahr ", -1},
    RelativeYear{
        R"(\bim\s+(?:jahr\s+danach|folgejahr|nächsten\s+jahr)\b|\bein\s+jahr\s+(?:danach|später)\b)",
        "im Jahr ", 1},
    RelativeYear{R"(\bin\s+(?:jenem|diesem|dem(?:selben)?)\s+jahr\b)", "im Jahr ", 0},
};

std::optional<int> last_year_in(std::string_view text) {
  static const text::Pattern kYear(R"((?<![\d.,])(?:19|20)\d\d(?![\d%]|[.,]\d))");
  const auto found = kYear.matches(text);
  if (found.empty()) return std::nullopt;
  return std::stoi(found.back().front());
}

// The year of the last turn that has one. A year in a question says what it is about; an answer is
// asked only if no question names one.
std::optional<int> year_of(std::span<const Turn> earlier) {
  for (auto turn = earlier.rbegin(); turn != earlier.rend(); ++turn) {
    if (const auto year = last_year_in(turn->question)) return year;
    if (const auto year = last_year_in(turn->answer)) return year;
  }
  return std::nullopt;
}

}  // namespace

std::string with_named_years(std::string_view asked, std::span<const Turn> earlier) {
  std::string named(asked);
  const std::optional<int> year = year_of(earlier);
  if (!year) return named;
  for (const RelativeYear& one : kRelativeYears) {
    const text::Pattern pattern(one.expression);
    if (!pattern.occurs_in(named)) continue;
    return pattern.replaced(named, format("{}{}", one.before, *year + one.years));
  }
  return named;
}

}  // namespace fineprint::dialogue
