// How far the pages speak for an answer that comes with nothing but a model's word.
#pragma once

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::answering {

// From 0 to 0.9: the least of two shares, halved where no quote of the answer is marked on a page
// and the answer itself does not stand on a cited one. The shares are
// - coverage: of the question's terms, those that stand on the cited pages;
// - grounding: of the answer's terms, those that stand there; one half for an answer that has none
//   of its own ("yes");
// both weighed by rarity (retrieve::TermCoverage): a number that stands nowhere counts most.
// Cited pages without words can be held against nothing: they count one half of either share.
// 0 without citations. Writes the trace's line "support".
double support(const session::Context& context, const std::string& question, const Answer& answer);

}  // namespace fineprint::answering
