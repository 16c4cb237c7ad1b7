// Reads the norms of a decoder.
#include "nets/decoder/decoder_norm.h"

#include <ATen/TensorOperators.h>

namespace fineprint::nets {

Norm take_decoder_norm(const models::Decoder& spec, const WeightScope& weights,
                       const std::string& name) {
  Norm norm = take_norm(weights, name, models::NormKind::rms, spec.norm_eps);
  // Added once here and not in every call. Gemma stores weight - 1.
  if (spec.norm_plus_one) norm.weight = norm.weight + 1;
  return norm;
}

}  // namespace fineprint::nets
