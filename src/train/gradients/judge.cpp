// Trains a model to judge pages.
#include "train/gradients/judge.h"

#include <vector>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/argmax.h>

#include "fineprint/core/log.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/nets/trained_generator.h"
#include "fineprint/train/judge_examples.h"

#include "train/gradients/replies.h"
#include "train/gradients/trained_folder.h"
#include "train/gradients/training_run.h"
#include "train/step_order.h"
#include "train/training_name.h"

namespace fineprint::train {
namespace {

// The label selects the mark that the judge must reply.
nets::WantedReply wanted_of(const JudgeExample& example, const JudgeJob& job) {
  return {job.ask(example.query, example.image),
          job.marks.at(static_cast<std::size_t>(example.label - kLeastMark))};
}

// Logs how often the likeliest mark is right, and how far off marks are.
void log_held_back_verdicts(const nets::TrainedGenerator& judge, const JudgeJob& job) {
  const std::vector<JudgeExample> examples = read_judge_examples(job.training.held_back);
  const at::NoGradGuard no_gradients;
  long right = 0, off = 0;
  for (const JudgeExample& example : examples) {
    throw_if_interrupted();
    const at::Tensor odds = judge.log_odds(job.ask(example.query, example.image), job.marks);
    const long mark = kLeastMark + odds.argmax().item<std::int64_t>();
    right += mark == example.label ? 1 : 0;
    off += std::abs(mark - example.label);
  }
  const auto count = static_cast<double>(examples.size());
  log::note(
      "held back: {:.1f}% of {} examples get the right mark; marks are off by {:.2f} on average",
      100 * static_cast<double>(right) / count, examples.size(), static_cast<double>(off) / count);
}

// Prompt and marks are part of the training's name: with other ones, a checkpoint must not be
// continued.
std::string judging_settings(const JudgeJob& job) {
  std::string all = job.instructions + "\n";
  for (const std::string& mark : job.marks) all += mark + "\n";
  return all;
}

}  // namespace

TrainingResult train_judge(const JudgeJob& job) {
  const std::vector<JudgeExample> examples = read_judge_examples(job.training.examples);
  // Read once before the training, so that a mistake in the file is found now and not after hours.
  if (!job.training.held_back.empty()) read_judge_examples(job.training.held_back);
  const StepOrder order(examples.size(), job.training);
  const models::ModelSpec spec =
      models::read_model(models::find_model(job.model, job.hub_cache), job.hub_cache);
  nets::Trained trained = trained_by(job.training);
  const auto judge = nets::open_trained_generator(spec, job.device, &trained);

  const std::string name = training_name(models::Checkpoint(spec).hash(), job.training,
                                         job.device.dtype, judging_settings(job));
  TrainingResult result =
      run_training(job.out, name, job.training, &trained, order.steps(), [&](long step) {
        std::vector<nets::WantedReply> wanted;
        for (const std::size_t index : order.of_step(step)) {
          wanted.push_back(wanted_of(examples[index], job));
        }
        return add_gradients_of_replies(*judge, wanted, job.training.tokens_at_once,
                                        seed_of_step(job.training.seed, step));
      });
  result.model = job.out + "/model";
  write_trained_model(result.model, spec, trained);
  trained.learning = false;
  if (!job.training.held_back.empty()) log_held_back_verdicts(*judge, job);
  return result;
}

}  // namespace fineprint::train
