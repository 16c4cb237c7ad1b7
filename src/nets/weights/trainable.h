// What can be trained of models.
#pragma once

#include "fineprint/models/model_spec.h"
#include "fineprint/nets/trained.h"

#include "nets/weights/device.h"

namespace fineprint::nets {

// Throws Error(model) for a model whose weights are no plain numbers of a folder of its own, and
// Error(usage) for a number format that cannot be trained in. `device.trained` is there.
void check_trainable(const models::ModelSpec& spec, const Device& device);

// Throws Error(usage) for targets of low-rank changes that the model, which was opened with them,
// does not have.
void check_targets(const models::ModelSpec& spec, const Trained& trained);

}  // namespace fineprint::nets
