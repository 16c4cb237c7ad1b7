// Finds the figure of a table row that a question asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// Returns the element whose stated cells have the first word of the row, or nullptr.
const Element* stated_table_of(const Page& page, const Snippet& row);

// Returns the row of the stated cell that has the first word of the snippet, or nullopt.
std::optional<std::size_t> stated_row(const Snippet& row, const Element& table);

// Returns whether one of several columns of the row is headed by the only year of the question, so
// that row_value() is the value of that year.
bool has_column_of_asked_year(const Page& page, const Snippet& row, const retrieve::Query& query);

// Returns the value of the row that can be meant: the one under the asked year, or the only one.
// Returns nullptr if years head other columns, if several values remain, or if the row's label says
// more or something other than the question ("Cost of sales" for the sales).
const text::Value* row_value(const Page& page, const Snippet& row,
                             const std::vector<text::Value>& values, const retrieve::Query& query);

}  // namespace fineprint::pipelines::extractive
