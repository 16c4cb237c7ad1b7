// Decides how many tokens each sequence reads in one step of the engine.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fineprint::serving {

// A sequence that has tokens to read.
struct ReadingSequence {
  std::int64_t unread = 1;
  std::int64_t smallest = 1;    // fewest tokens that may be read in one piece
  bool generates = false;       // its prompt has been read
  std::uint64_t last_step = 0;  // the last step in which it read something
  // Most tokens that may be read in one piece: those after the next fork point wait for another
  // step.
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();
};

// A generating sequence with at most this many unread tokens reads all of them at once. With more,
// it shares with the prompts.
inline constexpr std::int64_t kFewTokens = 16;

// Returns true if the sequence generates and has at most kFewTokens unread tokens.
bool reads_few(const ReadingSequence& sequence);

// Returns how many tokens each sequence, the oldest first, reads in a step of `tokens`; 0 means
// that it waits. Generating sequences come first. Prompts get even shares of the rest, and what
// short ones leave over goes to the oldest. No sequence crosses a fork point. If there are more
// sequences than tokens, the ones that have waited longest read. The step may be larger than
// `tokens` only if the part of the oldest prompt cannot be split.
std::vector<std::int64_t> share_step(std::span<const ReadingSequence> sequences,
                                     std::int64_t tokens);

}  // namespace fineprint::serving
