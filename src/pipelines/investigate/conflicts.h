// Finds documents that disagree, so that an answer shows both.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "pipelines/investigate/state.h"

namespace fineprint::pipelines::investigate {

// Returns the facts that disagree with those of the answer: noted for the same part, in another
// document, in mostly the same words but with other numbers. Nothing if the question asks for more
// than one value, because then different numbers are no contradiction.
std::vector<std::size_t> disagreeing(const session::Corpus& corpus, const State& state,
                                     const std::string& question,
                                     std::span<const std::size_t> facts);

// Returns the answer with its place, followed by what the other facts say with theirs:
// `612 (a.pdf, page 3); b.pdf, page 1, says: "..."`. A page's date is added if it has one.
std::string with_both(const session::Corpus& corpus, const State& state, const std::string& answer,
                      std::span<const std::size_t> facts, std::span<const std::size_t> others);

}  // namespace fineprint::pipelines::investigate
