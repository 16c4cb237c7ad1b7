// Runs the steps of a training of any kind.
#pragma once

#include <functional>
#include <string>

#include "fineprint/nets/trained.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// Returns how the options let a model be opened.
nets::Trained trained_by(const TrainingOptions& options);

// Takes `steps` steps, or the steps that remain after OUT/checkpoint.safetensors. `loss_of_step`
// adds its gradients to the trained tensors. Its random numbers may depend only on the seed and the
// step, so that a continued training gives the same result. `name` identifies the training. Writes
// OUT/steps.jsonl and OUT/curve.svg. Throws what saving and stepping throw, and Error(interrupted)
// after it has saved a checkpoint.
TrainingResult run_training(const std::string& out, const std::string& name,
                            const TrainingOptions& options, nets::Trained* trained, long steps,
                            const std::function<double(long step)>& loss_of_step);

}  // namespace fineprint::train
