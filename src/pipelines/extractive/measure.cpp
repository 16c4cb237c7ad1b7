// The dimensions that questions ask for, and the units of each.
#include "pipelines/extractive/measure.h"

#include <string>
#include <vector>

#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::Pattern;
using text::Value;

constexpr const char* kLengths =
    R"((?: [cmk]? m | metres? | meters? | kilomet(?:er|re)s? | centimet(?:er|re)s? | millimet(?:er|re)s? |
        miles? | ft | foot | feet | inch(?:es)? | in | yards? | light \s+ years? | microns? | nm ))";
constexpr const char* kTimes =
    R"((?: seconds? | minutes? | hours? | days? | weeks? | months? | quarters? | years? | decades? |
        centur(?:y|ies) | hrs? | min | s | ms ))";

// A question pattern, and the units that a matching number must have.
struct Dimension {
  Pattern asked;
  Pattern unit;  // after the number
  Dimension(const std::string& question, const std::string& units)
      // "square" and "cubic" are accepted before any unit.
      : asked("(?x)\\b how \\s+ (?:" + question + ") \\b", Pattern::Case::sensitive),
        unit("(?x) ^ [\\s-]* (?: square | sq\\.? | cubic )? [\\s-]* (?:" + units + ") (?! \\p{L} )",
             Pattern::Case::sensitive) {}
};

const std::vector<Dimension>& dimensions() {
  static const std::vector<Dimension> kDimensions = {
      {"long", std::string(kLengths) + "|" + kTimes + "| pages? | words?"},
      {"far | tall | high | wide | deep | thick | broad", kLengths},
      {"old", kTimes},
      {"fast | quickly", R"(mph | knots? | km/h | kph | [km]?m/s | (?: \w+ \s+ )? per \s+ \w+ )" +
                             std::string("|") + kTimes},
      {"hot | cold | warm", R"(° \s* [cfk]? | degrees? | [cfk] )"},
      {"heavy",
       R"(kg | g | mg | kilo(?:gram)?s? | grams? | pounds? | lbs? | ounces? | oz | tons? | tonnes? )"},
      {"much | large | big | often | frequently | accurate", R"([\p{L}%°]+ )"},
  };
  return kDimensions;
}

}  // namespace

bool measures_what_is_asked(std::string_view question, std::string_view snippet,
                            const Value& value) {
  const std::string folded = fold(question);
  // The unit may be part of the value ("5 kg", "$3") or follow it.
  std::size_t digits_end = value.span.end;
  while (digits_end > value.span.begin &&
         !(snippet[digits_end - 1] >= '0' && snippet[digits_end - 1] <= '9')) {
    --digits_end;
  }
  const std::string after_digits = fold(snippet.substr(digits_end, 40));
  // A value that begins with a currency sign needs no unit after it.
  const bool has_sign = value.span.begin < value.span.end &&
                        !(snippet[value.span.begin] >= '0' && snippet[value.span.begin] <= '9') &&
                        snippet[value.span.begin] != '(';
  for (const Dimension& dimension : dimensions()) {
    if (!dimension.asked.occurs_in(folded)) continue;
    return has_sign || dimension.unit.occurs_in(after_digits);
  }
  // The question names no dimension.
  return true;
}

}  // namespace fineprint::pipelines::extractive
