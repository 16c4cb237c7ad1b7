// Turns the QA model's outputs for one passage into spans, units and log probabilities.
#pragma once

#include "fineprint/models/reader.h"
#include "fineprint/models/reader_tokens.h"

namespace fineprint::nets {

// `passage` is [kReaderPassageNumbers]; `tokens` is [T, kReaderTokenNumbers], row-major. The result
// holds byte ranges of the passage's text.
models::PassageReading passage_reading(const models::ReaderTokens& sequence, const float* passage,
                                       const float* tokens);

}  // namespace fineprint::nets
