// Finds numbers and dates as languages other than English write them.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {

// Works like find_values for a passage in `language`. Numbers have the language's decimal and group
// marks (from CLDR), digits of any script, and scale and currency words ("Mio. Euro", "亿元").
// Dates use the language's months, digits alone, or the Chinese form ("2024年3月12日"). Kinds that
// need words of the language (name, list, yes_no) have no values: there, the passage itself is the
// answer.
std::vector<Value> find_local_values(std::string_view passage, AnswerKind kind,
                                     std::string_view language);

}  // namespace fineprint::text
