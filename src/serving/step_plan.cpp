// Shares the tokens of a step among the sequences that have something to read.
#include "serving/step_plan.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace fineprint::serving {
namespace {

// Returns the indices of the sequences that take part, the oldest first. If there are more
// sequences than tokens, those whose last step is longest ago take part, so that none waits for
// ever.
std::vector<std::size_t> whose_turn(std::span<const ReadingSequence> sequences,
                                    std::int64_t tokens) {
  std::vector<std::size_t> turn(sequences.size());
  std::iota(turn.begin(), turn.end(), std::size_t{0});
  const auto places = static_cast<std::size_t>(std::max<std::int64_t>(tokens, 1));
  if (turn.size() <= places) return turn;
  std::stable_sort(turn.begin(), turn.end(), [&](std::size_t a, std::size_t b) {
    return sequences[a].last_step < sequences[b].last_step;
  });
  turn.resize(places);
  std::sort(turn.begin(), turn.end());
  return turn;
}

// Unread tokens up to the next fork point.
std::int64_t readable(const ReadingSequence& sequence) {
  return std::min(sequence.unread, sequence.largest);
}

// The part that a sequence takes of a share; never less than its smallest part.
std::int64_t piece(const ReadingSequence& sequence, std::int64_t share) {
  return std::min(readable(sequence), std::max({share, sequence.smallest, std::int64_t{1}}));
}

}  // namespace

bool reads_few(const ReadingSequence& sequence) {
  return sequence.generates && sequence.unread <= kFewTokens;
}

std::vector<std::int64_t> share_step(std::span<const ReadingSequence> sequences,
                                     std::int64_t tokens) {
  std::vector<std::int64_t> counts(sequences.size(), 0);
  const std::vector<std::size_t> turn = whose_turn(sequences, tokens);
  std::int64_t left = tokens;
  auto sequences_left = static_cast<std::int64_t>(turn.size());  // one token is reserved for each
  // Generating sequences come first: one of their tokens costs little, and people wait for it.
  for (const std::size_t i : turn) {
    if (!reads_few(sequences[i])) continue;
    counts[i] = piece(sequences[i], std::min(kFewTokens, left - --sequences_left));
    left = std::max<std::int64_t>(0, left - counts[i]);
  }
  // Prompts share the rest evenly. A prompt that must be read in one piece waits until the rest is
  // large enough. Only the oldest may exceed the limit, because it might otherwise wait for ever.
  bool oldest = true;
  for (const std::size_t i : turn) {
    if (reads_few(sequences[i])) continue;
    const std::int64_t count = piece(sequences[i], left / sequences_left--);
    if (count > left && !oldest) continue;
    counts[i] = count;
    left = std::max<std::int64_t>(0, left - count);
    oldest = false;
  }
  // The tokens that short prompts left over go to the others, the oldest first, to fill the step.
  for (const std::size_t i : turn) {
    if (counts[i] == 0 || reads_few(sequences[i])) continue;
    const std::int64_t more = std::min(left, readable(sequences[i]) - counts[i]);
    counts[i] += more;
    left -= more;
  }
  return counts;
}

}  // namespace fineprint::serving
