// Answers from a cell that the question names by its row and its column.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns the cell of a table in the row of the snippet, with the scale and currency that the table
// states for it. The question must name the row (all words of its first cell, or of a later one if
// the first is a date or only counts, and more words of the question than any other such row has)
// and the column (more words of its heads than of any other column's; or, for an amount, it is the
// only column of figures). In a chart that is read as a table, these are a category and a series.
// Returns nullopt otherwise, for addresses and yes or no, if the cell does not look like the kind,
// and for questions that need more than one value.
std::optional<std::string> cell_value(const Page& page, const Snippet& snippet,
                                      text::AnswerKind kind, const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
