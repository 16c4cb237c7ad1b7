// A vision-language model put together: tokenizer, tower, connector, trunk and head.
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

// The largest position of a prompt plus 1.
std::int64_t extent_of(const models::TokenSequence& sequence);
// Of the tokens [begin, begin + count) of a prompt.
Positions positions_of(const models::TokenSequence& sequence, std::int64_t begin,
                       std::int64_t count);
// Of the images among the tokens [begin, begin + count), counted from `begin`.
std::vector<TokenSpan> image_spans(const std::vector<std::uint8_t>& is_image, std::int64_t begin,
                                   std::int64_t count);

// A prompt and what the trunk reads of it.
struct EmbeddedPrompt {
  const models::TokenSequence& tokens;
  DecoderInput input;
  std::int64_t summed_up = 0;  // of DecoderPart
};

// The trunk is a decoder, or, of models that only give vectors of pages, an encoder: then there is
// no decoder, and no state. Immutable and shared by threads. Calls are to be made while a `Running`
// is alive.
class Multimodal {
 public:
  // Opens the folder's weights. Throws Error(model).
  Multimodal(const models::ModelSpec& spec, const Device& device);

  const models::ModelSpec& spec() const { return spec_; }
  const models::Decoder& decoder_spec() const { return decoder_->spec(); }
  int first_position() const { return first_position_; }
  const tokenizer::Tokenizer& tokenizer() const { return *tokenizer_; }
  const Device& device() const { return device_; }
  std::string hash() const { return checkpoint_->hash(); }

  // A text with image markers as tokens. Throws Error(input) when it is longer than the model's
  // positions or an id is none of the model's.
  models::TokenSequence tokenize(const std::string& text,
                                 std::span<const preprocess::PixelInput> images) const;
  ImageFeatures image_features(const preprocess::PixelInput& image, const Tap& tap = {}) const {
    return vision_->features(image, tap);
  }
  // Of the features of every image.
  std::int64_t feature_depths() const { return vision_ ? vision_->depths() : 1; }
  // Token embeddings with the images' features in their slots.
  DecoderInput embed(const models::TokenSequence& sequence,
                     std::span<const ImageFeatures> images) const;
  // Reads a whole prompt into a new state, or none (nullptr); the last hidden states [T, hidden],
  // or only those of the last token [1, hidden] with `last_only`.
  at::Tensor read_prompt(const models::TokenSequence& sequence, const DecoderInput& input,
                         SequenceState* state, bool last_only, const Tap& tap = {}) const;
  // Reads whole prompts in one pass, none seeing another, without states; [sum of T, hidden].
  at::Tensor read_apart(std::span<const EmbeddedPrompt> prompts) const;
  // Reads T further tokens of text, the first at `position`; [T, hidden].
  at::Tensor read_tokens(const std::vector<std::int64_t>& ids, std::int64_t position,
                         SequenceState* state) const;
  // Throws Error(model) for an id that the tokenizer gives and the model does not know.
  void check_token(std::int64_t id) const;
  std::unique_ptr<SequenceState> new_state() const { return decoder_->new_state(); }
  DecoderNet& decoder() { return *decoder_; }
  const DecoderNet& decoder() const { return *decoder_; }

  // [n, hidden] -> [n, vocabulary] in float32. Only for models that generate.
  at::Tensor logits(const at::Tensor& hidden) const;
  // [n, hidden] -> [n, dim] of unit length in float32, projected where the model projects.
  at::Tensor vectors(const at::Tensor& hidden) const;
  std::int64_t vector_width() const;

 private:
  models::ModelSpec spec_;
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  std::shared_ptr<const models::Checkpoint> checkpoint_;
  std::unique_ptr<Vision> vision_;
  std::unique_ptr<DecoderNet> decoder_;  // or
  std::unique_ptr<RotaryEncoderNet> encoder_;
  std::int64_t vocab_size_ = 0, max_positions_ = 0;
  int first_position_ = 0;
  Linear language_head_, projection_;
};

}  // namespace fineprint::nets
