// Chooses the examples of each step.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "fineprint/nets/trained_encoder.h"
#include "fineprint/train/examples.h"
#include "fineprint/train/training.h"

#include "train/step_order.h"

namespace fineprint::train {

// Questions, then one passage for each, then hard negatives.
struct Batch {
  std::vector<nets::EncoderInput> inputs;
  std::int64_t questions = 0;
  std::vector<std::int64_t> of;  // the question of each passage
};

nets::EncoderInput question_input(const Example& example);
nets::EncoderInput passage_input(const Passage& passage);

class Batches {
 public:
  // `examples` must outlive the object. Throws Error(usage) if there are fewer than a batch needs.
  Batches(const std::vector<Example>& examples, const TrainingOptions& training,
          int hard_negatives);

  long steps() const { return order_.steps(); }
  // Returns the batch of a step, 1 to steps().
  Batch of_step(long step) const;

 private:
  void add_negatives(const Example& example, std::int64_t question, std::mt19937_64& random,
                     Batch* batch) const;

  const std::vector<Example>& examples_;
  StepOrder order_;
  long seed_;
  std::size_t hard_negatives_;
};

}  // namespace fineprint::train
