// The loss of a QA model's numbers: how far they are from pointing at the examples' answers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/qa_tokens.h"
#include "fineprint/nets/trained_qa_model.h"

#include "train/qa_examples.h"

namespace fineprint::train {

// An answer as tokens and units of its passage's sequence.
struct PlacedAnswer {
  std::size_t passage = 0;  // index in the example
  models::QaOperator by = models::QaOperator::span;
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;  // tokens [first, last] of a text
  std::vector<std::int64_t> units;
  std::optional<double> count;
};

// An example, located in its sequences.
struct PlacedExample {
  std::vector<models::QaTokens> sequences;  // one for each passage
  std::vector<PlacedAnswer> answers;
  std::optional<models::QaScale> scale;
  bool answerable = false;  // some passage of the example answers it
};

// Locates the answers in the sequences. Answers after the end of a sequence are left out. If all
// are left out, `answerable` is still true, and the example adds no loss.
PlacedExample place(const QaExample& example, std::vector<models::QaTokens> sequences);

// Returns the sum over the examples, whose sequences' numbers follow each other, of
//   -log of the share of the passages that answer, in the probability of all passages and of
//     nothing,
//   -log of the sum over the answers of the probabilities of their operator and parts,
//   -log of the probability of the scale.
// If several answers may be right, their sum is maximized. Sources: Clark and Gardner, "Simple and
// Effective Multi-Paragraph Reading Comprehension" (2018), section 3.2, for the norm over passages;
// Herzig et al., "TaPas" (2020), section 4, for chosen cells and counts.
at::Tensor qa_loss(const nets::QaNumbers& numbers, std::span<const PlacedExample* const> examples);

}  // namespace fineprint::train
