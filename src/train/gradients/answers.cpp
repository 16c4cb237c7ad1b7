// Trains a model to answer questions from pages, from passages, or alone.
#include "train/gradients/answers.h"

#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/nets/trained_generator.h"
#include "fineprint/train/answer_examples.h"

#include "train/gradients/replies.h"
#include "train/gradients/trained_folder.h"
#include "train/gradients/training_run.h"
#include "train/step_order.h"
#include "train/training_name.h"

namespace fineprint::train {

// The prompt is part of the training's name: with another one, a checkpoint must not be continued.
TrainingResult train_answers(const AnswerJob& job) {
  const std::vector<AnswerExample> examples = read_answer_examples(job.training.examples);
  const StepOrder order(examples.size(), job.training);
  const models::ModelSpec spec =
      models::read_model(models::find_model(job.model, job.hub_cache), job.hub_cache);
  nets::Trained trained = trained_by(job.training);
  const auto generator = nets::open_trained_generator(spec, job.device, &trained);

  const std::string name = training_name(models::Checkpoint(spec).hash(), job.training,
                                         job.device.dtype, job.instructions + "\n");
  TrainingResult result =
      run_training(job.out, name, job.training, &trained, order.steps(), [&](long step) {
        std::vector<nets::WantedReply> wanted;
        for (const std::size_t index : order.of_step(step)) {
          wanted.push_back({job.ask(examples[index]), examples[index].answer});
        }
        return add_gradients_of_replies(*generator, wanted, job.training.tokens_at_once,
                                        seed_of_step(job.training.seed, step));
      });
  result.model = job.out + "/model";
  write_trained_model(result.model, spec, trained);
  return result;
}

}  // namespace fineprint::train
