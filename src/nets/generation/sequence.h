// One call's tokens on their way through a network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/core/matrix.h"
#include "fineprint/models/generator.h"
#include "fineprint/serving/engine.h"

#include "nets/generation/page_states.h"

namespace fineprint::nets {

// A prompt as a model reads it. Immutable, shared by the sequences that go on from it; the request
// must outlive them.
struct PromptTokens {
  models::TokenSequence tokens;
  std::int64_t extent = 0;
  std::vector<const Image*> images;           // the request's, in the order of their slots
  std::vector<preprocess::PixelInput> plans;  // of the images; without pixels
  std::vector<std::string> image_hashes;
  std::vector<Border> borders;
};

// Tokenises a request. Throws Error(input) as Multimodal::tokenize, Error(usage) for images that
// the model does not take.
std::shared_ptr<const PromptTokens> prompt_tokens(const Multimodal& model, const PageStates& states,
                                                  const models::Request& request);

// The prompt and what was generated after it.
class Sequence final : public serving::EngineSequence {
 public:
  explicit Sequence(std::shared_ptr<const PromptTokens> prompt) : prompt_(std::move(prompt)) {}
  // Goes on after a sequence that has been read to its end; keeps the logits of every token that
  // is appended.
  std::unique_ptr<Sequence> fork() const;

  std::int64_t total() const override {
    return prompt_length() + static_cast<std::int64_t>(appended_.size());
  }
  std::int64_t read() const override { return read_; }

  void append(std::int64_t id) { appended_.push_back(id); }
  const PromptTokens& prompt() const { return *prompt_; }
  std::int64_t prompt_length() const {
    return static_cast<std::int64_t>(prompt_->tokens.ids.size());
  }
  // Of the token after the last one that was read; of all appended tokens in a fork. [n,
  // vocabulary]
  const Matrix& logits() const { return logits_; }
  std::int64_t cached_tokens() const { return cached_; }

 private:
  friend class SequenceNetwork;

  std::shared_ptr<const PromptTokens> prompt_;
  std::vector<std::int64_t> appended_;
  std::unique_ptr<SequenceState> state_;
  std::int64_t read_ = 0;
  std::int64_t cached_ = 0;
  bool searched_ = false;                // for kept states
  std::size_t passed_ = 0;               // borders
  std::vector<ImageFeatures> features_;  // of each image; undefined until made
  bool every_row_ = false;
  Matrix logits_;
};

}  // namespace fineprint::nets
