// Trains a model to write given texts: appends them to a prompt and computes their loss.
#include "nets/generation/written_text.h"

#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

void append_text(const Multimodal& model, const std::vector<std::int64_t>& ids,
                 models::TokenSequence* tokens) {
  for (const std::int64_t id : ids) {
    for (auto& axis : tokens->positions) axis.push_back(tokens->next_position);
    ++tokens->next_position;
    tokens->ids.push_back(id);
    tokens->is_image.push_back(0);
  }
  // Checked here and not by the caller, because only here the full length is known.
  const int most = model.decoder_spec().max_positions;
  if (std::ssize(tokens->ids) <= most) return;
  throw Error(ErrorCode::input,
              format("prompt and text have {} tokens, but {} reads at most {}; use a smaller "
                     "picture or a shorter text",
                     tokens->ids.size(), model.spec().name, most));
}

at::Tensor surprise_of(const Multimodal& model, const at::Tensor& hidden,
                       const std::vector<std::int64_t>& ids) {
  // The state of the token before each one predicts it, hence the shift by one.
  const std::int64_t count = std::ssize(ids), first = hidden.size(0) - count - 1;
  const at::Tensor wanted = at::tensor(ids, at::kLong).to(hidden.device());
  return at::cross_entropy_loss(model.logits(hidden.narrow(0, first, count)), wanted);
}

}  // namespace fineprint::nets
