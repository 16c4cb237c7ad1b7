// Chooses the network of a text encoder's trunk.
#include "nets/encoders/text_trunk.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "nets/encoders/bert.h"
#include "nets/encoders/decoder_trunk.h"
#include "nets/encoders/rotary_encoder.h"

namespace fineprint::nets {

TextTrunkFacts text_trunk_facts(const models::ModelSpec& spec) {
  if (const auto* decoder = std::get_if<models::Decoder>(&spec.trunk)) {
    if (spec.sees() || spec.head.generates || spec.head.verdicts > 0) {
      throw Error(ErrorCode::model,
                  format("{}: {} models do not encode texts", spec.dir, spec.family));
    }
    return {decoder->vocab_size, 0};
  }
  if (const auto* rotary = std::get_if<models::RotaryEncoder>(&spec.trunk)) {
    return {rotary->vocab_size, rotary->type_vocab_size};
  }
  const auto& bert = std::get<models::TextEncoder>(spec.trunk);
  return {bert.vocab_size, bert.type_vocab_size};
}

std::unique_ptr<TextTrunk> make_text_trunk(const models::ModelSpec& spec, const Weights& weights) {
  if (const auto* rotary = std::get_if<models::RotaryEncoder>(&spec.trunk)) {
    return std::make_unique<RotaryEncoderNet>(*rotary, weights);
  }
  if (const auto* decoder = std::get_if<models::Decoder>(&spec.trunk)) {
    return std::make_unique<DecoderTrunk>(*decoder, weights);
  }
  return std::make_unique<Bert>(std::get<models::TextEncoder>(spec.trunk), weights);
}

}  // namespace fineprint::nets
