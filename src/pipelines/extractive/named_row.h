// Recognises rows of tables that a question names.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns whether the words of a row before its first figure are names of the question, and the
// head of its table has more of what is asked: "Zeal 443" below "Sailing boats" for "How many
// sailing boats are in Zeal?". `names` are terms, see subject.h.
bool is_row_of_name(const Page& page, const Snippet& row, const retrieve::Query& query,
                    const std::vector<std::string>& names);

}  // namespace fineprint::pipelines::extractive
