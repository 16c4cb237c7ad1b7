// Who reads how much in one step of the engine.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fineprint::serving {

// A sequence that has something to read.
struct Reader {
  std::int64_t unread = 1;
  std::int64_t smallest = 1;    // tokens that may be read in one piece
  bool generates = false;       // its prompt has been read
  std::uint64_t last_step = 0;  // in which it read something
  // Tokens that may be read in one piece: what lies behind the next border waits for another step.
  std::int64_t largest = std::numeric_limits<std::int64_t>::max();
};

// Unread tokens up to which a generating sequence reads all of them at once; with more it shares
// with the prompts.
inline constexpr std::int64_t kFewTokens = 16;

bool reads_few(const Reader& reader);

// How many tokens each reader, the oldest first, reads in a step of `tokens`; 0: not its turn.
// First the generating ones, then even shares for prompts; what short ones leave over goes to the
// oldest. Nobody reads over a border. With more readers than tokens, those who have waited longest
// read. A part that cannot be split may be over `tokens` when it is that of the oldest prompt.
std::vector<std::int64_t> share_step(std::span<const Reader> readers, std::int64_t tokens);

}  // namespace fineprint::serving
