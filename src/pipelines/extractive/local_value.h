// Extracts the value of a snippet in a language other than English.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns the only value of the kind in a snippet that holds most of the question's words. Returns
// nullopt if there are several, because only the words between them say which one is meant, and
// these rules read such words only in English.
std::optional<std::string> local_value(const Page& page, const Snippet& snippet,
                                       text::AnswerKind kind, const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
