// The steps of a training, whatever is trained.
#pragma once

#include <functional>
#include <string>

#include "fineprint/nets/trained.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// What the options have a model opened with.
nets::Trained trained_by(const TrainingOptions& options);

// Takes `steps` steps, or those that are left behind OUT/checkpoint.safetensors. `loss_of_step`
// adds its gradients to the trained tensors; what it draws at random may depend on the seed and the
// step alone. `name` is what the training is known by again. Leaves OUT/steps.jsonl and
// OUT/curve.svg. Throws what saving and stepping throw, and Error(interrupted) after it has
// saved itself.
TrainingResult run_training(const std::string& out, const std::string& name,
                            const TrainingOptions& options, nets::Trained* trained, long steps,
                            const std::function<double(long step)>& loss_of_step);

}  // namespace fineprint::train
