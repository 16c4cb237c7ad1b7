// The sentence with which a model says that what it was shown does not answer.
#pragma once

#include <string_view>

namespace fineprint::agents {

// The first sentence of a reply and all of it, folded, words parted by single blanks. Whether the
// sentence says in English that the writer could not find it ("I cannot find that in the
// documents"), that what was shown does not hold it ("the given pages do not mention the auditor"),
// or that there is nothing to answer with ("there is no information about it", "this is not stated
// in the text"), and no "but" or "however" turns to an answer. The subject decides: what a company
// cannot determine, or a contract does not contain, is an answer.
bool begins_by_declining(std::string_view sentence, std::string_view reply);

}  // namespace fineprint::agents
