// Recognises the kind of answer for questions in languages other than English.
#pragma once

#include <string_view>

#include "fineprint/text/answer_kind.h"

namespace fineprint::text {

// Works like answer_kind for a question in `language`. Recognises only kinds of numbers and dates,
// and only in the listed languages; everything else is `text`.
AnswerKind local_answer_kind(std::string_view question, std::string_view language);

}  // namespace fineprint::text
