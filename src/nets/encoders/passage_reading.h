// Turns the QA model's outputs for one passage into spans, units and log probabilities.
#pragma once

#include "fineprint/models/qa_model.h"
#include "fineprint/models/qa_tokens.h"

namespace fineprint::nets {

// `passage` is [kQaPassageNumbers]; `tokens` is [T, kQaTokenNumbers], row-major. The result
// holds byte ranges of the passage's text.
models::PassageReading passage_reading(const models::QaTokens& sequence, const float* passage,
                                       const float* tokens);

}  // namespace fineprint::nets
