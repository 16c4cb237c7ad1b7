// Shares the tokens of a step among those who have something to read.
#include "serving/step_plan.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fineprint::serving {
namespace {

// Indices of those who may read at all, the oldest first. Where there are more than tokens, those
// come whose last step is longest ago: nobody waits for ever.
std::vector<std::size_t> whose_turn(std::span<const Reader> readers, std::int64_t tokens) {
  std::vector<std::size_t> turn(readers.size());
  std::iota(turn.begin(), turn.end(), std::size_t{0});
  const auto places = static_cast<std::size_t>(std::max<std::int64_t>(tokens, 1));
  if (turn.size() <= places) return turn;
  std::stable_sort(turn.begin(), turn.end(), [&](std::size_t a, std::size_t b) {
    return readers[a].last_step < readers[b].last_step;
  });
  turn.resize(places);
  std::sort(turn.begin(), turn.end());
  return turn;
}

std::int64_t readable(const Reader& reader) { return std::min(reader.unread, reader.largest); }

std::int64_t piece(const Reader& reader, std::int64_t share) {
  return std::min(readable(reader), std::max({share, reader.smallest, std::int64_t{1}}));
}

}  // namespace

bool reads_few(const Reader& reader) { return reader.generates && reader.unread <= kFewTokens; }

std::vector<std::int64_t> share_step(std::span<const Reader> readers, std::int64_t tokens) {
  std::vector<std::int64_t> counts(readers.size(), 0);
  const std::vector<std::size_t> turn = whose_turn(readers, tokens);
  std::int64_t left = tokens;
  auto behind = static_cast<std::int64_t>(turn.size());  // one token is kept for each of them
  // Those who generate come first: a token of theirs costs little, and people wait for it.
  for (const std::size_t i : turn) {
    if (!reads_few(readers[i])) continue;
    counts[i] = piece(readers[i], std::min(kFewTokens, left - --behind));
    left = std::max<std::int64_t>(0, left - counts[i]);
  }
  // Prompts share the rest evenly. One that must be read in one piece waits until the rest holds
  // it, but for the oldest, which may pass the limit: it could wait for ever else.
  bool oldest = true;
  for (const std::size_t i : turn) {
    if (reads_few(readers[i])) continue;
    const std::int64_t count = piece(readers[i], left / behind--);
    if (count > left && !oldest) continue;
    counts[i] = count;
    left = std::max<std::int64_t>(0, left - count);
    oldest = false;
  }
  // What short prompts left over goes to the others, the oldest first, so that a step is full.
  for (const std::size_t i : turn) {
    if (counts[i] == 0 || reads_few(readers[i])) continue;
    const std::int64_t more = std::min(left, readable(readers[i]) - counts[i]);
    counts[i] += more;
    left -= more;
  }
  return counts;
}

}  // namespace fineprint::serving
