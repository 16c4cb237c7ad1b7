// Extracts the value that a question asks for from a snippet (a sentence or a table row).
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns 1 if the snippet holds a value of the kind that the question does not already contain,
// and 0 if it holds none. Returns 0.5 for kinds that have no values (text, yes_no, list), so that
// they neither gain nor lose. For example, "410 people" is a value for "How many people work
// here?", but "2019" is not one for "What was sold in 2019?". `language`: ISO 639 code of the
// snippet's page; empty means English.
double kind_fit(const std::string& snippet, text::AnswerKind kind, const std::string& question,
                const std::string& language = {});

// Returns the value of the kind as it is printed on the page, or nullopt if the snippet has no
// value that is clearly meant; the whole snippet is then the answer.
// - In a table row: the cell that the question names by its row and column, the value in the column
// whose head is a year of the question, otherwise the
//   value nearest to the question's words.
// - For yes_no: "Yes" or "No", because the snippet affirms or denies the question. A value may
//   gain the currency and the scale that its table states, for example "$1,234 million".
std::optional<std::string> answer_value(const Page& page, const Snippet& snippet,
                                        text::AnswerKind kind, const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
