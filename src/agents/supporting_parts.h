// Finds the parts of a passage that support an answer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::agents {

// Returns the parts of a passage (its sentences and table rows) from which an answer to the
// question could have been taken, in their order: the part that shares most of the answer's terms
// (of equal ones, most of the question's), and up to two more that each add further terms of the
// answer. If no part shares a term of the answer ("yes"), returns the one that shares most of the
// question's terms. Returns nothing if no part shares anything with either.
std::vector<std::string> supporting_parts(std::span<const std::string> parts,
                                          std::string_view question, std::string_view answer);

// Returns whether the part shares a term with the answer.
bool shares_terms(std::string_view part, std::string_view answer);

}  // namespace fineprint::agents
