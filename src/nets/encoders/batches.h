// Groups texts of unequal length into batches of about equal work.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fineprint::nets {

// Batches of indices into `lengths`, longest first: each batch holds at most `max_tokens` tokens
// (or a single longer text), and there are at least `threads` batches when there are that many
// texts and tokens enough to be worth it.
std::vector<std::vector<std::size_t>> make_batches(std::span<const std::size_t> lengths,
                                                   std::size_t max_tokens, int threads);

}  // namespace fineprint::nets
