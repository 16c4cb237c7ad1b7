// Which examples a step is made of.
#include "train/gradients/batches.h"

#include <algorithm>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::train {
namespace {

// The standard library's own may differ from one to the next.
template <typename Value>
void shuffle_values(std::vector<Value>* values, std::mt19937_64& random) {
  for (std::size_t left = values->size(); left > 1; --left) {
    std::swap((*values)[left - 1], (*values)[random() % left]);
  }
}

}  // namespace

nets::EncoderInput question_input(const Example& example) {
  return {&example.query, nullptr, models::TextRole::query};
}

nets::EncoderInput passage_input(const Passage& passage) {
  return passage.is_image ? nets::EncoderInput{nullptr, &passage.text}
                          : nets::EncoderInput{&passage.text, nullptr};
}

std::uint64_t seed_of_step(long seed, long step) {
  return static_cast<std::uint64_t>(seed) << 32U ^ static_cast<std::uint64_t>(step);
}

Batches::Batches(const std::vector<Example>& examples, const TrainingOptions& training,
                 int hard_negatives)
    : examples_(examples),
      training_(training),
      hard_negatives_(static_cast<std::size_t>(hard_negatives)) {
  if (steps_an_epoch() > 0) return;
  throw Error(ErrorCode::usage,
              format("{} has {} examples, fewer than a batch of {}: use a smaller one (batch)",
                     training.examples, examples.size(), training.batch));
}

long Batches::steps_an_epoch() const {
  return static_cast<long>(examples_.size()) / training_.batch;
}

long Batches::steps() const {
  const long all = training_.epochs * steps_an_epoch();
  return training_.most_steps > 0 ? std::min(training_.most_steps, all) : all;
}

Batch Batches::of_step(long step) const {
  const long epoch = (step - 1) / steps_an_epoch(), within = (step - 1) % steps_an_epoch();
  std::vector<const Example*> order;
  for (const Example& example : examples_) order.push_back(&example);
  std::mt19937_64 by_epoch(seed_of_step(training_.seed, -1 - epoch));
  shuffle_values(&order, by_epoch);
  const std::span<const Example* const> chosen =
      std::span(order).subspan(static_cast<std::size_t>(within * training_.batch),
                               static_cast<std::size_t>(training_.batch));
  Batch batch;
  batch.questions = training_.batch;
  for (const Example* example : chosen) batch.inputs.push_back(question_input(*example));
  for (const Example* example : chosen) {
    batch.of.push_back(std::ssize(batch.of));
    batch.inputs.push_back(passage_input(example->positive));
  }
  std::mt19937_64 by_step(seed_of_step(training_.seed, step));
  for (std::int64_t b = 0; b < batch.questions; ++b) {
    add_negatives(*chosen[static_cast<std::size_t>(b)], b, by_step, &batch);
  }
  return batch;
}

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
