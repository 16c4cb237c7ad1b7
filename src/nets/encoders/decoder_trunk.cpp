// Uses a decoder as the trunk of a text encoder.
#include "nets/encoders/decoder_trunk.h"

#include <numeric>

#include "fineprint/core/format.h"

namespace fineprint::nets {

at::Tensor DecoderTrunk::forward(const PackedTokens& tokens, const Tap& tap) const {
  std::vector<DecoderPart> parts;
  for (std::size_t s = 0; s < tokens.sequences(); ++s) {
    const std::int64_t length = tokens.offsets[s + 1] - tokens.offsets[s];
    std::vector<std::int64_t> places(static_cast<std::size_t>(length));
    std::iota(places.begin(), places.end(), decoder_.spec().first_position);
    const std::int64_t extent = decoder_.spec().first_position + length;
    parts.push_back({nullptr, {{places, places, places}, extent}});
  }
  const DecoderInput input{decoder_.embed(tokens.ids), {}, {}};
  if (!tap) return decoder_.read(input, parts);
  tap("hidden0", input.embeddings);
  int layer = 0;
  // Golden cases name the layers of all text encoders hidden1, hidden2 and so on.
  return decoder_.read(input, parts, [&](const std::string& name, const at::Tensor& value) {
    if (name.starts_with("hidden.layer")) tap(format("hidden{}", ++layer), value);
  });
}

}  // namespace fineprint::nets
