// Assembles a vision-language model: tokenizer, tower, connector, trunk and head.
#include "nets/multimodal.h"

#include <algorithm>
#include <numeric>

#include <ATen/ops/cat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/retriever.h"

#include "nets/generation/vocabulary.h"

namespace fineprint::nets {
namespace {

// A prompt is read in pieces of this many tokens. This bounds the memory of activations and lets an
// interrupt through between pieces.
constexpr std::int64_t kTokensAtOnce = 2048;

}  // namespace

// An image may take more tokens than positions, so the extent is not the number of tokens.
std::int64_t extent_of(const models::TokenSequence& sequence) {
  std::int64_t largest = -1;
  for (const auto& axis : sequence.positions) {
    for (const std::int64_t position : axis) largest = std::max(largest, position);
  }
  return largest + 1;
}

Positions positions_of(const models::TokenSequence& sequence, std::int64_t begin,
                       std::int64_t count) {
  Positions positions{{}, extent_of(sequence)};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto from = sequence.positions[axis].begin() + begin;
    positions.values[axis].assign(from, from + count);
  }
  return positions;
}

// A run of slots counts as one image; prompts have text between two images.
std::vector<TokenSpan> image_spans(const std::vector<std::uint8_t>& is_image, std::int64_t begin,
                                   std::int64_t count) {
  std::vector<TokenSpan> spans;
  const std::int64_t end = std::min(begin + count, std::ssize(is_image));
  for (std::int64_t t = begin; t < end; ++t) {
    if (is_image[static_cast<std::size_t>(t)] == 0) continue;
    const std::int64_t at = t - begin;
    if (spans.empty() || spans.back().end < at) spans.push_back({at, at});
    spans.back().end = at + 1;
  }
  return spans;
}

Multimodal::Multimodal(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      device_(device),
      tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)) {
  const auto* decoder = std::get_if<models::Decoder>(&spec.trunk);
  const auto* encoder = std::get_if<models::RotaryEncoder>(&spec.trunk);
  // Text encoders have classes of their own; here an encoder is only the trunk of a model of pages.
  if (decoder == nullptr && (encoder == nullptr || !spec.sees())) {
    throw Error(ErrorCode::model, format("{}: {} models have no decoder", spec.dir, spec.family));
  }
  const Running running(device);
  // Weights that are not finite would surface only later, as senseless replies.
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  if (spec.sees()) vision_ = std::make_unique<Vision>(spec, weights);
  if (decoder != nullptr) {
    decoder_ = std::make_unique<DecoderNet>(*decoder, weights);
    vocab_size_ = decoder->vocab_size;
    max_positions_ = decoder->max_positions;
    first_position_ = decoder->first_position;
  } else {
    encoder_ = std::make_unique<RotaryEncoderNet>(*encoder, weights);
    vocab_size_ = encoder->vocab_size + encoder->added_tokens;
    max_positions_ = encoder->max_positions;
  }
  if (spec.head.generates) {
    language_head_ = spec.head.tied ? decoder_->token_embeddings().rows
                                    : take_linear(WeightScope(weights, "head"), "lm_head");
  }
  if (spec.head.verdicts > 0) language_head_ = take_linear(WeightScope(weights, "head"), "score");
  if (spec.head.projection > 0) {
    projection_.weight.values = weights.take("projection", "weight");
    projection_.bias = weights.take_if_there("projection", "bias");
  }
}

models::TokenSequence Multimodal::tokenize(const std::string& text,
                                           std::span<const preprocess::PixelInput> images) const {
  models::TokenSequence sequence =
      models::tokenize(spec_.prompt, *tokenizer_, text, images, first_position_);
  if (static_cast<std::int64_t>(sequence.ids.size()) > max_positions_) {
    throw Error(ErrorCode::input,
                format("the prompt has {} tokens, but {} reads at most {}; use fewer or smaller "
                       "images, or a shorter text",
                       sequence.ids.size(), spec_.name, max_positions_));
  }
  for (std::size_t t = 0; t < sequence.ids.size(); ++t) {
    if (sequence.is_image[t] == 0) check_token(sequence.ids[t]);
  }
  return sequence;
}

void Multimodal::check_token(std::int64_t id) const {
  nets::check_token(id, vocab_size_, spec_.tokenizer_path);
}

DecoderInput Multimodal::embed(const models::TokenSequence& sequence,
                               std::span<const ImageFeatures> images) const {
  std::vector<std::int64_t> ids = sequence.ids, slots;
  for (std::size_t t = 0; t < ids.size(); ++t) {
    if (sequence.is_image[t] != 0) {
      // Image features replace this embedding, so any valid id will do.
      ids[t] = 0;
      slots.push_back(static_cast<std::int64_t>(t));
    }
  }
  return with_images(decoder_ ? decoder_->embed(ids) : encoder_->look_up_tokens(ids), slots,
                     images);
}

at::Tensor Multimodal::read_prompt(const models::TokenSequence& sequence, const DecoderInput& input,
                                   SequenceState* state, bool last_only, const Tap& tap) const {
  if (encoder_) {
    const EmbeddedPrompt prompt{sequence, input};
    const at::Tensor hidden = read_apart({&prompt, 1});
    return last_only ? hidden.narrow(0, hidden.size(0) - 1, 1) : hidden;
  }
  const std::int64_t total = input.embeddings.size(0);
  const models::Decoder& spec = decoder_->spec();
  // If tokens see later ones, or a tap compares full results, all must be in one pass. Without a
  // state, a second piece could not see the first.
  const bool in_one_pass =
      state == nullptr || spec.prompt_bidirectional || spec.images_bidirectional || tap;
  const std::int64_t step = in_one_pass ? total : kTokensAtOnce;
  std::vector<at::Tensor> parts;
  for (std::int64_t begin = 0; begin < total; begin += step) {
    throw_if_interrupted();
    const std::int64_t count = std::min(step, total - begin);
    DecoderPart part{state, positions_of(sequence, begin, count)};
    if (spec.images_bidirectional) part.images = image_spans(sequence.is_image, begin, count);
    parts.push_back(decoder_->read(input.narrow(begin, count), {&part, 1}, tap));
    if (state != nullptr) state->advance(count);
  }
  return last_only ? parts.back().narrow(0, parts.back().size(0) - 1, 1) : at::cat(parts);
}

// One pass over several prompts keeps the products large; attention still separates the prompts.
at::Tensor Multimodal::read_apart(std::span<const EmbeddedPrompt> prompts) const {
  std::vector<DecoderInput> inputs;
  for (const EmbeddedPrompt& prompt : prompts) inputs.push_back(prompt.input);
  const DecoderInput all = join(inputs);
  if (encoder_) {
    PackedTokens tokens;
    for (const EmbeddedPrompt& prompt : prompts) {
      const std::vector<std::int64_t>& ids = prompt.tokens.ids;
      tokens.ids.insert(tokens.ids.end(), ids.begin(), ids.end());
      tokens.offsets.push_back(static_cast<std::int64_t>(tokens.ids.size()));
    }
    return encoder_->read(all.embeddings, tokens);
  }
  std::vector<DecoderPart> parts;
  for (const EmbeddedPrompt& prompt : prompts) {
    const auto length = static_cast<std::int64_t>(prompt.tokens.ids.size());
    parts.push_back({nullptr, positions_of(prompt.tokens, 0, length)});
    if (decoder_->spec().images_bidirectional) {
      parts.back().images = image_spans(prompt.tokens.is_image, 0, length);
    }
    parts.back().summed_up = prompt.summed_up;
  }
  return decoder_->read(all, parts);
}

at::Tensor Multimodal::read_tokens(const std::vector<std::int64_t>& ids, std::int64_t position,
                                   SequenceState* state) const {
  std::vector<std::int64_t> places(ids.size());
  std::iota(places.begin(), places.end(), position);
  const auto extent = position + static_cast<std::int64_t>(ids.size());
  const DecoderPart part{state, {{places, places, places}, extent}};
  at::Tensor hidden = decoder_->read({decoder_->embed(ids), {}, {}}, {&part, 1});
  state->advance(part.tokens());
  return hidden;
}

// In float32, because sampling and log probabilities need more digits than half precision has.
at::Tensor Multimodal::logits(const at::Tensor& hidden) const {
  at::Tensor logits = apply(language_head_, hidden).to(at::kFloat);
  const models::Decoder& spec = decoder_->spec();
  if (spec.logit_divisor != 1) logits = logits / spec.logit_divisor;
  if (spec.logit_cap > 0) logits = (logits / spec.logit_cap).tanh() * spec.logit_cap;
  return logits;
}

// Models without a projection give their hidden states as vectors.
at::Tensor Multimodal::vectors(const at::Tensor& hidden) const {
  return unit_rows(projection_.weight.values.defined() ? apply(projection_, hidden) : hidden);
}

std::int64_t Multimodal::vector_width() const {
  return static_cast<std::int64_t>(models::vector_width(spec_));
}

}  // namespace fineprint::nets
