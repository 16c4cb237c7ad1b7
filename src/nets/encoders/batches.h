// Groups texts of different lengths into batches of about equal work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fineprint::nets {

// Returns batches of indices into `lengths`, longest first. Each batch has at most `max_tokens`
// tokens, or one single longer text. There are at least `threads` batches if there are enough texts
// and tokens to be worth it.
std::vector<std::vector<std::size_t>> make_batches(std::span<const std::size_t> lengths,
                                                   std::size_t max_tokens, int threads);

}  // namespace fineprint::nets
