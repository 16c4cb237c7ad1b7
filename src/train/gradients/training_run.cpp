// Runs the steps of a training of any kind.
#include "train/gradients/training_run.h"

#include <ATen/core/grad_mode.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"

#include "train/gradients/checkpoint.h"
#include "train/gradients/optimizer.h"
#include "train/training_log.h"

namespace fineprint::train {
namespace {

// Returns the step after which the training continues.
long take_over(const std::string& saved, const std::string& name, nets::Trained* trained,
               Optimizer* optimizer) {
  const auto progressed = read_checkpoint(saved, name);
  if (!progressed) return 0;
  {
    const at::NoGradGuard no_gradients;
    for (auto& [tensor_name, tensor] : trained->tensors) {
      tensor.copy_(progressed->tensors.at(tensor_name));
    }
  }
  optimizer->restore(progressed->moments, progressed->step);
  log::note("{}: continuing after step {}", saved, progressed->step);
  return progressed->step;
}

}  // namespace

nets::Trained trained_by(const TrainingOptions& options) {
  nets::Trained trained;
  trained.seed = static_cast<std::uint64_t>(options.seed);
  if (options.lora_rank > 0) {
    trained.lora = nets::Lora{options.lora_rank, options.lora_alpha, options.lora_dropout,
                              options.lora_targets};
  }
  return trained;
}

TrainingResult run_training(const std::string& out, const std::string& name,
                            const TrainingOptions& options, nets::Trained* trained, long steps,
                            const std::function<double(long step)>& loss_of_step) {
  make_folders(out);
  const std::string saved = out + "/checkpoint.safetensors";
  Optimizer optimizer(trained->tensors, options, steps);
  const long done = take_over(saved, name, trained, &optimizer);
  TrainingLog log(out, done);
  Progress progress("training", "steps", steps - done);
  const auto save = [&](long step) {
    save_checkpoint(saved, {step, trained->tensors, optimizer.moments()}, name);
  };
  long last = done;
  const auto take_step = [&] {
    throw_if_interrupted();
    const double loss = loss_of_step(last + 1);
    const double gradient = optimizer.step(last + 1);
    ++last;
    log.add(last, loss, gradient, optimizer.rate(last));
    // Also after the last step, so that a run that only failed to write the model can be continued.
    if (last % options.save_every == 0 || last == steps) save(last);
    progress.advance();
  };
  try {
    while (last < steps) take_step();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted)
      save(last);  // nothing has changed within a step, so the state is that after the last one
    throw;
  }
  progress.finish();
  log.draw();
  return {steps, log.first_loss(), log.last_loss(), ""};
}

}  // namespace fineprint::train
