// Golden cases of formulas: the mask, the mixture, and what ranks and judges pages.
#pragma once

#include <optional>

#include "fineprint/models/verify.h"

namespace fineprint::bench {

// Compares every value of the case with ours, by the name of the case: "method_mask" (hybrid mask),
// "method_gmm" (mixture of two Gaussians), "method_ranking" (MaxSim, reciprocal rank fusion,
// measures), or one that a pipeline gives to one of these (pipelines::GoldenCase). A value that
// nothing compares fails too. nullopt for any other name. Throws Error(input) for a case.json that
// lacks something, Error(model) for such tensors.
std::optional<models::CaseReport> verify_method(const models::CaseFacts& facts,
                                                const models::VerifyOptions& options);

}  // namespace fineprint::bench
