// Compares golden cases of formulas with this program: the hybrid mask, the mixture, and what ranks
// and scores pages.
#pragma once

#include <optional>

#include "fineprint/models/verify.h"

namespace fineprint::verify {

// Compares every value of the case with the value that this program computes. The case's name
// selects the formula: "method_mask" (hybrid mask), "method_gmm" (mixture of two Gaussians),
// "method_ranking" (MaxSim, reciprocal rank fusion, measures), or a name that a pipeline maps to
// one of these (pipelines::GoldenCase). A value of the case that nothing is compared with fails,
// too. Returns nullopt for any other name. Throws Error(input) if case.json is incomplete, and
// Error(model) if its tensors cannot be used.
std::optional<models::CaseReport> verify_method(const models::CaseFacts& facts,
                                                const models::VerifyOptions& options);

}  // namespace fineprint::verify
