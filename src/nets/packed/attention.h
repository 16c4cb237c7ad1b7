// Attention within one sequence, in float32. Free of LibTorch.
#pragma once

#include <cstdint>

#include "nets/packed/kernel.h"
#include "nets/packed/panels.h"

namespace fineprint::nets {

struct AttentionShape {
  std::int64_t heads = 0;
  std::int64_t hidden = 0;  // of all heads together
};

// softmax(Q K^T / sqrt(head's width)) V for each head; keeps its memory from one call to the next.
// Source: Vaswani et al., "Attention Is All You Need" (2017), section 3.2.1.
class PackedAttention {
 public:
  // `input` holds a query, a key and a value of `hidden` values each in every row. The first `seen`
  // rows are attended to; at least 1. `output` gets `hidden` values a row.
  void attend(const ConstRows& input, std::int64_t seen, const AttentionShape& shape,
              const Rows& output);

 private:
  void reserve(std::int64_t seen, std::int64_t width);

  std::int64_t room_ = 0;  // values that keys_ and values_ hold
  std::int64_t scores_room_ = 0;
  Lines<float> keys_, values_, scores_;
};

}  // namespace fineprint::nets
