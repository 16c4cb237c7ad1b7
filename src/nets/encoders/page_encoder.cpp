// Retrieval vectors of page images and texts by a vision-language model.
#include "nets/encoders/page_encoder.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"

#include "nets/weights/matrices.h"
#include "nets/weights/own_thread.h"
#include "nets/weights/torch_errors.h"

namespace fineprint::nets {
namespace {

// The tokens of a text that is embedded: cut at the model's limit, then the suffix.
models::TokenSequence embedding_tokens(const Multimodal& model, const std::string& text,
                                       std::span<const preprocess::PixelInput> images) {
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
  models::set_positions(prompt, images, model.first_position(), &sequence);
  return sequence;
}

}  // namespace

namespace {

// A text, with its images' features, on its way to vectors.
struct Embedding {
  models::TokenSequence tokens;
  std::vector<ImageFeatures> features;

  std::int64_t length() const { return static_cast<std::int64_t>(tokens.ids.size()); }
};

Embedding prepare(const Multimodal& model, const std::string& text,
                  std::span<const preprocess::PixelInput> images) {
  Embedding embedding{embedding_tokens(model, text, images), {}};
  for (const preprocess::PixelInput& image : images) {
    embedding.features.push_back(model.image_features(image));
  }
  return embedding;
}

// All of them in one pass through the trunk, none seeing another.
void read_together(const Multimodal& model, std::span<const Embedding> batch,
                   std::vector<Matrix>* vectors) {
  std::vector<EmbeddedPrompt> prompts;
  for (const Embedding& one : batch) {
    prompts.push_back({one.tokens, model.embed(one.tokens, one.features)});
  }
  const at::Tensor hidden = model.read_apart(prompts);
  const bool last_only = model.spec().head.pooling == models::Pooling::last_token;
  std::int64_t begin = 0;
  for (const Embedding& one : batch) {
    const std::int64_t end = begin + one.length();
    const std::int64_t from = last_only ? end - 1 : begin;
    vectors->push_back(to_matrix(model.vectors(hidden.narrow(0, from, end - from))));
    begin = end;
  }
}

// Vectors of things that `make` prepares one by one, as many at a time as fit `kTokensTogether`.
template <typename Make>
std::vector<Matrix> embed_all(const Multimodal& model, std::size_t count, const Make& make) {
  constexpr std::int64_t kTokensTogether = 4096;
  const Running running(model.device());
  std::vector<Matrix> vectors;
  std::vector<Embedding> batch;
  std::int64_t tokens = 0;
  const auto flush = [&] {
    if (!batch.empty()) read_together(model, batch, &vectors);
    batch.clear();
    tokens = 0;
  };
  for (std::size_t i = 0; i < count; ++i) {
    throw_if_interrupted();
    Embedding one = make(i);
    if (tokens + one.length() > kTokensTogether) flush();
    tokens += one.length();
    batch.push_back(std::move(one));
  }
  flush();
  return vectors;
}

}  // namespace

Matrix embed_prompt(const Multimodal& model, const std::string& text,
                    std::span<const preprocess::PixelInput> images) {
  std::vector<Matrix> vectors;
  const Embedding one = prepare(model, text, images);
  read_together(model, {&one, 1}, &vectors);
  return std::move(vectors[0]);
}

std::vector<Matrix> PageEncoder::embed_images(std::span<const Image> pages) const {
  if (!sees()) {
    throw Error(ErrorCode::usage, format("{} takes no images: give it texts", name()));
  }
  const std::string text = models::page_prompt(model_.spec().prompt, "");
  const auto make = [&](std::size_t i) {
    const preprocess::PixelInput pixels =
        preprocess::process_image(model_.spec().processor, pages[i]);
    return prepare(model_, text, {&pixels, 1});
  };
  return with_our_errors(
      name(), [&] { return on_own_thread([&] { return embed_all(model_, pages.size(), make); }); });
}

std::vector<Matrix> PageEncoder::embed_texts(std::span<const std::string> texts,
                                             models::TextRole role) const {
  const auto make = [&](std::size_t i) {
    const std::string filled = role == models::TextRole::query
                                   ? models::query_prompt(model_.spec().prompt, texts[i])
                                   : models::passage_prompt(model_.spec().prompt, texts[i]);
    return prepare(model_, filled, {});
  };
  return with_our_errors(
      name(), [&] { return on_own_thread([&] { return embed_all(model_, texts.size(), make); }); });
}

}  // namespace fineprint::nets
