// A mixture of experts in place of a feed-forward network.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/model_spec.h"

#include "nets/layers/layers.h"

namespace fineprint::nets {

// Sources: Shazeer et al., "Outrageously Large Neural Networks" (2017), section 2.1; for the
// softmax before the choice, Yang et al., "Qwen3 Technical Report" (2025), section 2.
class ExpertMixture {
 public:
  // `weights`: the part "mlp".
  ExpertMixture(const models::Decoder& spec, const WeightScope& weights);

  // Returns the weighted sum of what the chosen experts make of each token, [T, hidden] for x of
  // the same shape. Reads only the matrices of experts that some token chose. A token's experts are
  // added in the order of their numbers, so that its sum does not depend on other tokens.
  at::Tensor feed(const at::Tensor& x) const;

 private:
  at::Tensor feed_chosen(const at::Tensor& x) const;

  models::Experts sizes_;
  Linear router_;  // [count, hidden]
  std::vector<FeedForward> experts_;
  std::optional<FeedForward> shared_;  // reads every token
  Linear shared_gate_;                 // [1, hidden], if there is one
};

}  // namespace fineprint::nets
