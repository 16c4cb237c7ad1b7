// Pulls the value that a question asks for out of a passage.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/passages.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

namespace fineprint::retrieve {

// Whether the passage holds a value of the kind that the question does not say itself. Kinds
// without values (text, yes_no) are neither met nor missed: 0.5. `language`: the passage's.
double kind_fit(const std::string& passage, text::AnswerKind kind, const std::string& question,
                const std::string& language = {});

// The value of the kind, as it stands on the page: in a table row that of the column whose head is
// a year of the question, else the one nearest to the question's words; for yes_no "Yes" or "No",
// by whether the passage denies something. nullopt when there is none; then the passage itself is
// the answer.
std::optional<std::string> answer_value(const Page& page, const Passage& passage,
                                        text::AnswerKind kind, const Query& query);

}  // namespace fineprint::retrieve
