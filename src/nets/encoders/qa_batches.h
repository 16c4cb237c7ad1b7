// What all ways to run the QA model have in common: passages become sequences, sequences batches,
// and the network's outputs readings. Does not use LibTorch.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/models/qa_model.h"
#include "fineprint/models/qa_tokens.h"

namespace fineprint::nets {

// The outputs for a batch of S sequences with T tokens in all, row-major.
struct QaOutputs {
  std::vector<float> passages;  // [S, kQaPassageNumbers]
  std::vector<float> tokens;    // [T, kQaTokenNumbers]
};

struct QaBatching {
  std::size_t tokens = 0;  // of a batch
  int layout_threads = 1;
  int side_by_side = 1;  // batches at a time
};

// Returns the readings of the passages, in order. `forward` may be called from several threads.
std::vector<models::PassageReading> read_in_batches(
    const models::QaLayout& layout, const std::string& question,
    std::span<const models::QaPassage> passages, const QaBatching& batching,
    const std::function<QaOutputs(std::span<const models::QaTokens>)>& forward);

// Returns the probability that each passage is relevant: the QA model as a reranker.
std::vector<double> relevances(const models::QaModel& model, const std::string& question,
                               std::span<const std::string> passages);

}  // namespace fineprint::nets
