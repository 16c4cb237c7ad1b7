// Recognises the sentence with which a model says that the pages do not answer.
#pragma once

#include <string_view>

namespace fineprint::agents {

// Returns whether `sentence`, the first sentence of `reply`, says in English that
// - the writer could not find the answer ("I cannot find that in the documents"),
// - the pages do not contain it ("the given pages do not mention the auditor"), or
// - there is nothing to answer with ("there is no information about it", "this is not stated in the
//   text"), and no later "but" or "however" in `reply` turns to an answer. Both texts are folded,
//   with words separated by single spaces. The subject decides: what a company cannot determine, or
//   a contract does not contain, is an answer.
bool begins_by_declining(std::string_view sentence, std::string_view reply);

}  // namespace fineprint::agents
