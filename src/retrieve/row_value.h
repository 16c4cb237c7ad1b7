// The figure of a table row that a question asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/passages.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

namespace fineprint::retrieve {

// Of the row's values the one that can be meant: that under the year that is asked for, or the only
// one. nullptr where years head other columns, where several values remain, or where the row's
// label says more, or other, than what is asked ("Cost of sales" for the sales).
const text::Value* row_value(const Page& page, const Passage& row,
                             const std::vector<text::Value>& values, const Query& query);

}  // namespace fineprint::retrieve
