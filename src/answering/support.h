// Measures how well the pages support an answer for which a model gave no token scores.
#pragma once

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::answering {

// Returns a value from 0 to 0.9: the smaller of two shares, halved if no quote of the answer is
// marked on a page and the answer itself is not on a cited page. The shares are
// - coverage: the question's terms that are on the cited pages;
// - grounding: the answer's terms that are on the cited pages; one half for an answer without terms
//   of its own ("yes"); both weighted by rarity (retrieve::TermCoverage), so that a number that is
//   nowhere counts most. Cited pages without words cannot be compared, so each share is one half
//   for them. Returns 0 without citations. Traces the step "support".
double support(const session::Context& context, const std::string& question, const Answer& answer);

}  // namespace fineprint::answering
