// Makes vectors of page images and texts by a vision-language model.
#include "nets/encoders/page_encoder.h"

#include <functional>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/encoders/prompt_batches.h"
#include "nets/weights/matrices.h"
#include "nets/weights/own_thread.h"

namespace fineprint::nets {
namespace {

// Returns the tokens of a text to embed: cut at the model's limit, followed by the suffix.
models::TokenSequence embedding_tokens(const Multimodal& model, const std::string& text,
                                       std::span<const preprocess::PixelInput> images) {
  const models::Prompt& prompt = model.spec().prompt;
  models::TokenSequence sequence = model.tokenize(text, images);
  const std::size_t suffix = prompt.embedding_suffix.size();
  const auto limit = static_cast<std::size_t>(prompt.max_tokens);
  // Images cannot be cut, so only texts are.
  if (images.empty() && limit > suffix && sequence.ids.size() + suffix > limit) {
    sequence.ids.resize(limit - suffix);
    sequence.is_image.resize(limit - suffix);
  }
  for (const std::int64_t id : prompt.embedding_suffix) {
    sequence.ids.push_back(id);
    sequence.is_image.push_back(0);
  }
  models::set_positions(prompt, images, model.first_position(), &sequence);
  return sequence;
}

// Copies vectors to the CPU, where stores and scorers need them.
std::vector<Matrix> embed_all(const Multimodal& model, std::size_t count,
                              const std::function<ReadyPrompt(std::size_t)>& make) {
  std::vector<Matrix> vectors;
  for (const at::Tensor& rows : unit_vectors(model, count, make)) {
    vectors.push_back(to_matrix(rows));
  }
  return vectors;
}

}  // namespace

ReadyPrompt ready_embedding(const Multimodal& model, const std::string& text,
                            std::span<const preprocess::PixelInput> images) {
  return ready_prompt(model, embedding_tokens(model, text, images), images);
}

ReadyPrompt ready_page(const Multimodal& model, const Image& page) {
  const preprocess::PixelInput pixels = preprocess::process_image(model.spec().processor, page);
  return ready_embedding(model, models::page_prompt(model.spec().prompt, ""), {&pixels, 1});
}

// Models of one vector take it from the last token, which has seen the full prompt.
std::vector<at::Tensor> unit_vectors(const Multimodal& model, std::size_t count,
                                     const std::function<ReadyPrompt(std::size_t)>& make) {
  const bool last_only = model.spec().head.pooling == models::Pooling::last_token;
  std::vector<at::Tensor> vectors;
  read_prompts(model, count, make, [&](const at::Tensor& hidden) {
    const std::int64_t rows = hidden.size(0), from = last_only ? rows - 1 : 0;
    vectors.push_back(model.vectors(hidden.narrow(0, from, rows - from)));
  });
  return vectors;
}

std::vector<Matrix> PageEncoder::embed_images(std::span<const Image> pages) const {
  if (!sees()) {
    throw Error(ErrorCode::usage, format("{} takes no images; use it with texts", name()));
  }
  const auto make = [&](std::size_t i) { return ready_page(model_, pages[i]); };
  return with_our_errors(
      name(), [&] { return on_own_thread([&] { return embed_all(model_, pages.size(), make); }); });
}

std::vector<Matrix> PageEncoder::embed_texts(std::span<const std::string> texts,
                                             models::TextRole role) const {
  const auto make = [&](std::size_t i) {
    const std::string filled = role == models::TextRole::query
                                   ? models::query_prompt(model_.spec().prompt, texts[i])
                                   : models::passage_prompt(model_.spec().prompt, texts[i]);
    return ready_embedding(model_, filled, {});
  };
  return with_our_errors(
      name(), [&] { return on_own_thread([&] { return embed_all(model_, texts.size(), make); }); });
}

}  // namespace fineprint::nets
