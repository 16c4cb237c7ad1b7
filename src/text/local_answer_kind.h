// Question words of other languages than English.
#pragma once

#include <string_view>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {

// As answer_kind, for a question in `language`. Only kinds whose values are numbers or dates are
// told, in the languages that are listed; all else is text.
AnswerKind local_answer_kind(std::string_view question, std::string_view language);

}  // namespace fineprint::text
