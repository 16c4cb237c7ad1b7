// Checks whether a number measures what a question asks for.
#pragma once

#include <string_view>

#include "fineprint/text/answer_kind.h"

namespace fineprint::pipelines::extractive {

// Returns false if the question asks for a dimension that `value` lacks. "How long" needs a length
// or a time after the number, "how far" a length, "how old" a time, and so on; "how large" and "how
// much" need any unit, currency or per cent. Questions without a dimension ("what score") accept
// any number, so the result is true.
bool measures_what_is_asked(std::string_view question, std::string_view snippet,
                            const text::Value& value);

}  // namespace fineprint::pipelines::extractive
