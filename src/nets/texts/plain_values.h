// Values of stored weights as float32, without LibTorch.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/models/checkpoint.h"

namespace fineprint::nets {

// Returns the values in float32, row-major: of F32, F16, or 8-bit codes with scales. Returns
// nullopt for others, and for weights with an adapter, which only the networks' library reads.
std::optional<std::vector<float>> widened_values(const models::Weight& weight);

}  // namespace fineprint::nets
