// The tokens of one call on their way through a network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/core/matrix.h"
#include "fineprint/models/generator.h"
#include "fineprint/serving/engine.h"
#include "fineprint/serving/prompt_lookup.h"

#include "nets/generation/prefix_cache.h"

namespace fineprint::nets {

// A tokenised prompt. Immutable and shared by the sequences that continue it. The request must
// outlive them.
struct PromptTokens {
  models::TokenSequence tokens;
  std::int64_t extent = 0;                    // see extent_of
  std::int64_t short_extent = 0;              // beyond it, positions turn by Rope::long_factors
  std::vector<const Image*> images;           // the request's, in the order of their slots
  std::vector<preprocess::PixelInput> plans;  // of the images; without pixels
  std::vector<std::string> image_hashes;
  std::vector<ForkPoint> fork_points;
};

// Tokenises a request. Throws the errors of Multimodal::tokenize, and Error(usage) if the request
// has images that the model does not take.
std::shared_ptr<const PromptTokens> prompt_tokens(const Multimodal& model,
                                                  const PrefixCache& prefixes,
                                                  const models::Request& request);

// A prompt and the tokens generated after it. After these may come proposals, which are read in one
// step with the last certain token; then `settle` says how many of them hold.
class Sequence final : public serving::EngineSequence {
 public:
  explicit Sequence(std::shared_ptr<const PromptTokens> prompt) : prompt_(std::move(prompt)) {}
  // Returns a sequence that continues this one, which must have been read to its end. A fork keeps
  // the logits of every token that is appended.
  std::unique_ptr<Sequence> fork() const;

  std::int64_t total() const override {
    return certain() + static_cast<std::int64_t>(proposed_.size());
  }
  std::int64_t read() const override { return read_; }

  void append(std::int64_t id) { appended_.push_back(id); }
  // Proposes the next tokens, at most `most_proposed` of them. There must be no other proposals.
  void propose(std::vector<std::int64_t> ids) { proposed_ = std::move(ids); }
  std::int64_t most_proposed() const;
  // Returns the proposals that have been read.
  const std::vector<std::int64_t>& proposed() const { return proposed_; }
  // Appends the first `count` proposals and drops the others.
  void settle(std::size_t count);
  const PromptTokens& prompt() const { return *prompt_; }
  std::int64_t prompt_length() const {
    return static_cast<std::int64_t>(prompt_->tokens.ids.size());
  }
  // [n, vocabulary]: the logits after the last certain token and after each proposal; in a fork,
  // after every appended token.
  const Matrix& logits() const { return logits_; }
  std::int64_t cached_tokens() const { return cached_; }

 private:
  friend class SequenceNetwork;

  // Tokens that are no proposals.
  std::int64_t certain() const {
    return prompt_length() + static_cast<std::int64_t>(appended_.size());
  }
  // Returns the id of token `t`, which is not before the end of the prompt.
  std::int64_t id_behind_prompt(std::int64_t t) const;

  std::shared_ptr<const PromptTokens> prompt_;
  std::vector<std::int64_t> appended_, proposed_;
  std::unique_ptr<SequenceState> state_;
  std::int64_t read_ = 0;  // ahead of the state's length until proposals are settled
  std::int64_t cached_ = 0;
  bool searched_ = false;                // whether the prefix cache was searched
  std::size_t passed_ = 0;               // fork points passed
  std::vector<ImageFeatures> features_;  // of each image; undefined until needed
  bool every_row_ = false;
  Matrix logits_;
};

}  // namespace fineprint::nets
