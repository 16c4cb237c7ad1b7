// Numbers and dates as other languages than English write them.
#pragma once

#include <string_view>
#include <vector>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {

// As find_values, for a passage in one of these languages. Numbers have the language's decimal mark
// and groups (by CLDR), digits of any script, scale and currency words ("Mio. Euro", "亿元"); dates
// its months, also in figures and as in Chinese ("2024年3月12日"). Kinds that need the words of the
// language (name, list, yes_no) have no values: the passage itself is the answer.
std::vector<Value> find_local_values(std::string_view passage, AnswerKind kind,
                                     std::string_view language);

}  // namespace fineprint::text
