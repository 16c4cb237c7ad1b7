// Which parts of a passage support an answer.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::agents {

// Of the parts of a passage (its sentences and table rows), those that an answer to the question
// could have been taken from, in their order: the one that shares most of the answer's terms, of
// equals most of the question's, and after it, up to three in all, those that add terms of the
// answer which none before has. Where none shares a term of the answer ("yes"), the one that shares
// most of the question's. Empty: no part shares anything with either.
std::vector<std::string> supporting_parts(std::span<const std::string> parts,
                                          std::string_view question, std::string_view answer);

// Whether the part shares a term with the answer.
bool shares_terms(std::string_view part, std::string_view answer);

}  // namespace fineprint::agents
