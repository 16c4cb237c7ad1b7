// Attention of one head, in float32. Free of LibTorch.
#pragma once

#include <cstdint>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {

// The rows of one head, `width` values each.
struct HeadRows {
  ConstRows query;
  ConstRows key, value;  // as many of both; at least 1
  std::int64_t width = 0;
  ByKind bias = {};  // of each query to each key; without kinds: none
};

// softmax(Q K^T / sqrt(width) + bias) V, where every query sees all keys; keeps its memory from one
// call to the next. Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1.
class PackedAttention {
 public:
  // `output` gets `width` values for each query.
  void attend(const HeadRows& head, const Rows& output);

 private:
  void reserve(std::int64_t seen, std::int64_t width);

  std::int64_t room_ = 0;  // values that keys_ and values_ hold
  std::int64_t scores_room_ = 0;
  Lines<float> keys_, values_, scores_;
};

}  // namespace fineprint::nets
