// Whether a figure measures what a question asks for.
#pragma once

#include <string_view>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {

// "How long" wants a length or a time behind the figure, "how far" a length, "how old" years, and
// so on; "how large" and "how much" want any unit, currency or per cent. Questions for a figure
// without a dimension ("what score") want none.
bool measures_what_is_asked(std::string_view question, std::string_view passage,
                            const Value& value);

}  // namespace fineprint::text
