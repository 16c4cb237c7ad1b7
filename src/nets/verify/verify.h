// Verifies models with golden cases, which other implementations made.
#pragma once

#include <string>

#include "fineprint/models/verify.h"

#include "nets/weights/device.h"

namespace fineprint::nets {

// Runs a case. Its keys decide how: "runs" of prompts (generation, single vectors), "images" with
// "queries" (late interaction), "sentences" (sentence encoders), "queries" with "docs" (late
// interaction over texts), "judged" (judges), "pairs" (cross-encoders). Throws Error(input) if the
// folder is not a case, and Error(model) if its model cannot be read.
models::CaseReport verify_case(const std::string& case_dir, const models::VerifyOptions& options,
                               const Device& device);

}  // namespace fineprint::nets
