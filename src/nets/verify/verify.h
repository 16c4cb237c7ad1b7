// Golden verification of models: runs the cases that the reference implementations left behind.
#pragma once

#include <string>

#include "fineprint/models/verify.h"

#include "nets/weights/device.h"

namespace fineprint::nets {

// What a case holds decides how it is run: "runs" of prompts (generation, single vectors), "images"
// with "queries" (late interaction), "sentences" (sentence encoders), "queries" with "docs" (late
// interaction over texts), "pairs" (cross-encoders). Throws Error(input) for a folder that is no
// case, Error(model) for its model.
models::CaseReport verify_case(const std::string& case_dir, const models::VerifyOptions& options,
                               const Device& device);

}  // namespace fineprint::nets
