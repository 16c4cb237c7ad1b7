// A vision-language model: tokenizer, tower, connector, trunk and head.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "nets/decoder/decoder.h"
#include "nets/encoders/rotary_encoder.h"
#include "nets/vision/vision.h"

namespace fineprint::nets {

// Returns the largest position of a prompt plus 1.
std::int64_t extent_of(const models::TokenSequence& sequence);
// Returns the positions of the tokens [begin, begin + count) of a prompt.
Positions positions_of(const models::TokenSequence& sequence, std::int64_t begin,
                       std::int64_t count);
// Returns the spans of the images among the tokens [begin, begin + count), counted from `begin`.
std::vector<TokenSpan> image_spans(const std::vector<std::uint8_t>& is_image, std::int64_t begin,
                                   std::int64_t count);

// A prompt's tokens and the embeddings that the trunk reads.
struct EmbeddedPrompt {
  const models::TokenSequence& tokens;
  DecoderInput input;
  std::int64_t summed_up = 0;  // see DecoderPart
};

// All parts of a model. The trunk is a decoder; or, for models that only give vectors of pages, an
// encoder, and then there is no decoder and no state. Immutable and shared by threads. Every call
// needs a `Running` that is alive.
class Multimodal {
 public:
  // Opens the folder's weights. Throws Error(model) if they are damaged or do not fit `spec`.
  Multimodal(const models::ModelSpec& spec, const Device& device);

  const models::ModelSpec& spec() const { return spec_; }
  const models::Decoder& decoder_spec() const { return decoder_->spec(); }
  int first_position() const { return first_position_; }
  const tokenizer::Tokenizer& tokenizer() const { return *tokenizer_; }
  const Device& device() const { return device_; }
  std::string hash() const { return checkpoint_->hash(); }

  // Returns the tokens of a text with image markers. Throws Error(input) if they are more than the
  // model's positions, and Error(model) if the tokenizer gives an id that the model does not have.
  models::TokenSequence tokenize(const std::string& text,
                                 std::span<const preprocess::PixelInput> images) const;
  // Returns the features of an image. Only for models that take images.
  ImageFeatures image_features(const preprocess::PixelInput& image, const Tap& tap = {}) const {
    return vision_->features(image, tap);
  }
  // Returns how many depths the features of an image have; see ImageFeatures.
  std::int64_t feature_depths() const { return vision_ ? vision_->depths() : 1; }
  // Returns token embeddings with the images' features in their slots.
  DecoderInput embed(const models::TokenSequence& sequence,
                     std::span<const ImageFeatures> images) const;
  // Reads a full prompt into a new state, or without one (nullptr). Returns the last hidden states
  // [T, hidden]; with `last_only`, only those of the last token [1, hidden].
  at::Tensor read_prompt(const models::TokenSequence& sequence, const DecoderInput& input,
                         SequenceState* state, bool last_only, const Tap& tap = {}) const;
  // Reads full prompts in one pass without states; no prompt sees another. Returns
  // [sum of T, hidden].
  at::Tensor read_apart(std::span<const EmbeddedPrompt> prompts) const;
  // Reads T more tokens of text, the first at `position`. Returns [T, hidden].
  at::Tensor read_tokens(const std::vector<std::int64_t>& ids, std::int64_t position,
                         SequenceState* state) const;
  // Throws Error(model) if the tokenizer gives an id that the model does not have.
  void check_token(std::int64_t id) const;
  std::unique_ptr<SequenceState> new_state() const { return decoder_->new_state(); }
  DecoderNet& decoder() { return *decoder_; }
  const DecoderNet& decoder() const { return *decoder_; }

  // Returns [n, vocabulary] in float32 for [n, hidden]. Only for models that generate.
  at::Tensor logits(const at::Tensor& hidden) const;
  // Returns vectors [n, dim] of unit length in float32 for [n, hidden], projected if the model has
  // a projection.
  at::Tensor vectors(const at::Tensor& hidden) const;
  std::int64_t vector_width() const;

 private:
  models::ModelSpec spec_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<Vision> vision_;
  std::unique_ptr<DecoderNet> decoder_;  // or encoder_; one of them is set
  std::unique_ptr<RotaryEncoderNet> encoder_;
  std::int64_t vocab_size_ = 0, max_positions_ = 0;
  int first_position_ = 0;
  Linear language_head_, projection_;
};

}  // namespace fineprint::nets
