// Attention of one head in float32. Does not use LibTorch.
#pragma once

#include <cstdint>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {

// The rows of one head; each has `width` values.
struct HeadRows {
  ConstRows query;
  ConstRows key, value;  // equally many; at least 1
  std::int64_t width = 0;
  ByKind bias = {};  // added for each pair of query and key, if it has kinds
};

// Computes softmax(Q K^T / sqrt(width) + bias) V; every query sees all keys. Keeps its memory
// between calls, so use one object for each thread. Source: Vaswani et al., "Attention Is All You
// Need" (2017), section 3.2.1.
class PackedAttention {
 public:
  // Writes `width` values for each query to `output`.
  void attend(const HeadRows& head, const Rows& output);

 private:
  // Enlarges the buffers for `seen` keys if they are too small.
  void reserve(std::int64_t seen, std::int64_t width);

  std::int64_t room_ = 0;  // values that keys_ and values_ hold
  std::int64_t scores_room_ = 0;
  Lines<float> keys_, values_, scores_;
};

}  // namespace fineprint::nets
