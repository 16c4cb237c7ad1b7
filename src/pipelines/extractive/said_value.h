// Values that a text puts next to the word that is asked about, without a label's colon.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns the date after the verb of a question ("Accepted 8 March 2006" for "When was the paper
// accepted?"), or the name before or after the role that a question asks for ("Superintendent Wendy
// Gray" for "Who is the superintendent?"), if the page holds the rest of the question. Returns
// nullopt for other kinds and languages than English, and if there is no such value or several.
std::optional<std::string> said_value(const Page& page, const Snippet& snippet,
                                      text::AnswerKind kind, const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
