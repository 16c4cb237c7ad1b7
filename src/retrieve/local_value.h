// The value of a passage in another language than English.
#pragma once

#include <optional>
#include <string>

#include "fineprint/core/document.h"
#include "fineprint/retrieve/passages.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/answer_kind.h"

namespace fineprint::retrieve {

// The only value of the kind in a passage that holds most of what is asked. nullopt where there are
// several: which of them is meant only the words between them say, and these are read in English
// alone.
std::optional<std::string> local_value(const Page& page, const Passage& passage,
                                       text::AnswerKind kind, const Query& query);

}  // namespace fineprint::retrieve
