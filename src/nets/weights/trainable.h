// Checks whether a model can be trained.
#pragma once

#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

#include "nets/weights/device.h"

namespace fineprint::nets {

// Throws Error(model) if the model's weights are not plain numbers in a folder of its own, and
// Error(usage) if the number format cannot be trained in. `device.trained` must be set.
void check_trainable(const models::ModelSpec& spec, const Device& device);

// Throws Error(usage) if the model, opened with `trained`, has none of the modules that its
// low-rank changes target.
void check_targets(const models::ModelSpec& spec, const Trained& trained);

}  // namespace fineprint::nets
