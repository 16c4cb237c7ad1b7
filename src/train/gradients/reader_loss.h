// What a reader's numbers cost where they point elsewhere than the examples.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/reader_tokens.h"
#include "fineprint/nets/trained_reader.h"

#include "train/reader_examples.h"

namespace fineprint::train {

// An answer in tokens and units of its passage's sequence.
struct PlacedAnswer {
  std::size_t passage = 0;  // of the example
  models::ReaderOperator by = models::ReaderOperator::span;
  std::vector<std::pair<std::int64_t, std::int64_t>> spans;  // tokens [first, last] of a text
  std::vector<std::int64_t> units;
  std::optional<double> count;
};

// An example as its sequences show it.
struct PlacedExample {
  std::vector<models::ReaderTokens> sequences;  // of each passage
  std::vector<PlacedAnswer> answers;
  std::optional<models::ReaderScale> scale;
  bool answerable = false;  // by the passages as a whole
};

// Answers that stand behind a sequence's end are left out; when all do, `answerable` says that the
// passages hold one all the same, and nothing is asked of the example.
PlacedExample place(const ReaderExample& example, std::vector<models::ReaderTokens> sequences);

// The sum over the examples, whose sequences' numbers follow each other:
//   -log of what the passages that answer have of all passages' and nothing's probability,
//   -log of the sum over the answers of their operator's and their parts' probabilities,
// and -log of the scale's. Where any of several answers may be the right one, the sum over them is
// raised. Sources: Clark and Gardner, "Simple and Effective Multi-Paragraph Reading Comprehension"
// (2018), section 3.2, for the norm over passages; Herzig et al., "TaPas" (2020), section 4, for
// chosen cells and counts.
at::Tensor reader_loss(const nets::ReaderNumbers& numbers,
                       std::span<const PlacedExample* const> examples);

}  // namespace fineprint::train
