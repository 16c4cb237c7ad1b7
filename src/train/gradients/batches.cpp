// Chooses the examples of each step.
#include "train/gradients/batches.h"

#include <algorithm>
#include <random>

namespace fineprint::train {
nets::EncoderInput question_input(const Example& example) {
  return {&example.query, nullptr, models::TextRole::query};
}

nets::EncoderInput passage_input(const Passage& passage) {
  return passage.is_image ? nets::EncoderInput{nullptr, &passage.text}
                          : nets::EncoderInput{&passage.text, nullptr};
}

Batches::Batches(const std::vector<Example>& examples, const TrainingOptions& training,
                 int hard_negatives)
    : examples_(examples),
      order_(examples.size(), training),
      seed_(training.seed),
      hard_negatives_(static_cast<std::size_t>(hard_negatives)) {}

// Each step draws from its own seed, so that a continued training sees the same negatives.
Batch Batches::of_step(long step) const {
  const std::vector<std::size_t> chosen = order_.of_step(step);
  const long epoch = order_.epoch_of(step);
  Batch batch;
  batch.questions = std::ssize(chosen);
  for (const std::size_t i : chosen) batch.inputs.push_back(question_input(examples_[i]));
  for (const std::size_t i : chosen) {
    batch.of.push_back(std::ssize(batch.of));
    batch.inputs.push_back(passage_input(positive_in_epoch(examples_[i], epoch)));
  }
  std::mt19937_64 by_step(seed_of_step(seed_, step));
  for (std::int64_t b = 0; b < batch.questions; ++b) {
    add_negatives(examples_[chosen[static_cast<std::size_t>(b)]], b, by_step, &batch);
  }
  return batch;
}

// A copy of the list is shuffled, because the examples are shared by all steps.
void Batches::add_negatives(const Example& example, std::int64_t question, std::mt19937_64& random,
                            Batch* batch) const {
  std::vector<const Passage*> drawn;
  for (const Passage& negative : example.negatives) drawn.push_back(&negative);
  shuffle_values(&drawn, random);
  drawn.resize(std::min(drawn.size(), hard_negatives_));
  for (const Passage* negative : drawn) {
    batch->inputs.push_back(passage_input(*negative));
    batch->of.push_back(question);
  }
}

}  // namespace fineprint::train
