// Proposes the next tokens of a reply: the tokens that followed the same words earlier in its text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fineprint/core/option.h"

namespace fineprint::serving {

// Whether a generator looks up proposals.
struct LookupOptions {
  bool on = true;
};

// Returns the option --prompt-lookup.
const OptionTable<LookupOptions>& lookup_options();

// The most tokens that are proposed at a time. With the token before them they are few enough for
// one part of a step.
inline constexpr std::int64_t kMostProposed = 15;

// Proposes tokens for one reply. The network reads them together with the last certain token, and
// the ones it would have written itself are accepted: so a step may give several tokens, and
// never others than without proposals. A reply that quotes its prompt thus takes fewer steps. How
// many tokens are proposed follows from how many were accepted before; none are if a step would
// take longer than it gains. Not thread-safe.
// Source: Yang et al., "Inference with Reference: Lossless Acceleration of Large Language Models"
// (2023), section 3.
class PromptLookup {
 public:
  // `prompt`: ids; those below 0 (placeholders of images) are never proposed.
  explicit PromptLookup(std::span<const std::int64_t> prompt);

  // Adds a token of the reply.
  void saw(std::int64_t id) { text_.push_back(id); }
  // Returns tokens that may follow, at most `most` and at most kMostProposed.
  std::vector<std::int64_t> propose(std::int64_t most);
  // Counts a proposal: how many of its tokens were read, and how many of these were accepted.
  void checked(std::int64_t read, std::int64_t accepted);

  std::int64_t proposed_tokens() const { return proposed_tokens_; }
  std::int64_t accepted_tokens() const { return accepted_tokens_; }

 private:
  // Where the last tokens occurred before.
  struct Match {
    std::size_t length = 0;  // tokens that are equal, up to kLongest
    std::size_t end = 0;     // of the earlier occurrence in text_
  };
  // How proposals after matches of similar length fared; recent ones count more.
  struct Record {
    double accepted = 0, rejected = 0;
  };
  Match longest_match() const;

  std::vector<std::int64_t> text_;
  std::array<Record, 3> records_;
  std::size_t kind_ = 0;  // the last proposal's place in records_
  std::int64_t proposed_tokens_ = 0, accepted_tokens_ = 0;
};

}  // namespace fineprint::serving
