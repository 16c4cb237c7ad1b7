// Retrieval vectors of page images and texts by a vision-language model.
#include "nets/page_encoder.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

#include "nets/matrices.h"
#include "nets/torch_errors.h"

namespace fineprint::nets {
namespace {

// The tokens of a text that is embedded: cut at the model's limit, then the suffix.
models::TokenSequence embedding_tokens(const Multimodal& model, const std::string& text,
                                       std::span<const models::PixelInput> images) {
  const models::Prompt& prompt = model.spec().prompt;
  models::TokenSequence sequence = model.tokenize(text, images);
  const std::size_t suffix = prompt.embedding_suffix.size();
  const auto limit = static_cast<std::size_t>(prompt.max_tokens);
  if (images.empty() && limit > suffix && sequence.ids.size() + suffix > limit) {
    sequence.ids.resize(limit - suffix);
    sequence.is_image.resize(limit - suffix);
  }
  for (const std::int64_t id : prompt.embedding_suffix) {
    sequence.ids.push_back(id);
    sequence.is_image.push_back(0);
  }
  models::set_positions(prompt, images, model.decoder_spec().first_position, &sequence);
  return sequence;
}

}  // namespace

Matrix embed_prompt(const Multimodal& model, const std::string& text,
                    std::span<const models::PixelInput> images) {
  const models::TokenSequence sequence = embedding_tokens(model, text, images);
  std::vector<at::Tensor> features;
  for (const models::PixelInput& image : images) features.push_back(model.image_features(image));
  const bool last_only = model.spec().head.pooling == models::Pooling::last_token;
  const at::Tensor hidden =
      model.read_prompt(sequence, model.embed(sequence, features), model.new_state().get(),
                        last_only);  // [T, hidden] or [1, hidden]
  return to_matrix(model.vectors(hidden));
}

std::vector<Matrix> PageEncoder::embed_images(std::span<const Image> pages) const {
  if (!sees()) {
    throw Error(ErrorCode::usage, format("{} takes no images: give it texts", name()));
  }
  const Running running(model_.device());
  const std::string text = models::page_prompt(model_.spec().prompt, "");
  std::vector<Matrix> vectors;
  for (const Image& page : pages) {
    throw_if_interrupted();
    const models::PixelInput pixels = models::process_image(model_.spec().processor, page);
    vectors.push_back(
        with_our_errors(name(), [&] { return embed_prompt(model_, text, {&pixels, 1}); }));
  }
  return vectors;
}

std::vector<Matrix> PageEncoder::embed_texts(std::span<const std::string> texts,
                                             models::TextRole role) const {
  const Running running(model_.device());
  std::vector<Matrix> vectors;
  for (const std::string& text : texts) {
    throw_if_interrupted();
    const std::string filled =
        role == models::TextRole::query ? models::query_prompt(model_.spec().prompt, text) : text;
    vectors.push_back(with_our_errors(name(), [&] { return embed_prompt(model_, filled, {}); }));
  }
  return vectors;
}

}  // namespace fineprint::nets
