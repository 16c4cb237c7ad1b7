// What a reader's numbers say of one passage.
#pragma once

#include "fineprint/models/reader.h"
#include "fineprint/models/reader_tokens.h"

namespace fineprint::nets {

// `passage`: kReaderPassageNumbers; `tokens`: [T, kReaderTokenNumbers], row-major.
models::PassageReading passage_reading(const models::ReaderTokens& sequence, const float* passage,
                                       const float* tokens);

}  // namespace fineprint::nets
