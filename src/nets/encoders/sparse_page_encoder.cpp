// Weighs every token of the vocabulary for a page image.
#include "nets/encoders/sparse_page_encoder.h"

#include "fineprint/models/load_tokenizer.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/encoders/page_encoder.h"
#include "nets/encoders/prompt_batches.h"
#include "nets/weights/own_thread.h"

namespace fineprint::nets {

PageWeigher::PageWeigher(const models::ModelSpec& spec, const Device& device,
                         std::shared_ptr<const models::Checkpoint> checkpoint)
    : model(spec, device) {
  const Running running(device);
  head.emplace(spec, Weights(std::move(checkpoint), device), model.tokenizer());
}

models::TokenSequence PageWeigher::tokens_of(const preprocess::PixelInput& page) const {
  return model.tokenize(models::page_prompt(model.spec().prompt, ""), {&page, 1});
}

at::Tensor PageWeigher::weights_of(const preprocess::PixelInput& page) const {
  at::Tensor weights;
  const auto make = [&](std::size_t) { return ready_prompt(model, tokens_of(page), {&page, 1}); };
  read_prompts(model, 1, make,
               [&](const at::Tensor& hidden) { weights = head->weights_of(hidden); });
  return weights;
}

SparsePageEncoder::SparsePageEncoder(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      device_(device),
      tokenizer_(models::load_tokenizer(spec.tokenizer_path)),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)) {
  const Running running(device);
  questions_.emplace(spec, Weights(checkpoint_, device), *tokenizer_);
}

const PageWeigher& SparsePageEncoder::pages() const {
  std::call_once(
      loaded_, [&] { pages_ = std::make_unique<const PageWeigher>(spec_, device_, checkpoint_); });
  return *pages_;
}

at::Tensor SparsePageEncoder::question_weights(const std::string& text) const {
  std::vector<std::int64_t> ids;
  for (const tokenizer::Token& token : tokenizer_->encode(text, false)) ids.push_back(token.id);
  return questions_->weights_of(ids);
}

std::vector<Matrix> SparsePageEncoder::embed_images(std::span<const Image> images) const {
  const auto embed = [&] {
    std::vector<Matrix> out;
    for (const Image& page : images) {
      out.push_back(
          entries_of(pages().weights_of(preprocess::process_image(spec_.processor, page))));
    }
    return out;
  };
  return with_our_errors(name(), [&] { return on_own_thread(embed); });
}

// Passages are read by the network, without an image.
std::vector<Matrix> SparsePageEncoder::embed_texts(std::span<const std::string> texts,
                                                   models::TextRole role) const {
  const auto embed = [&] {
    std::vector<Matrix> out;
    if (role == models::TextRole::query) {
      for (const std::string& text : texts) out.push_back(entries_of(question_weights(text)));
      return out;
    }
    const auto make = [&](std::size_t i) { return ready_embedding(pages().model, texts[i], {}); };
    read_prompts(pages().model, texts.size(), make, [&](const at::Tensor& hidden) {
      out.push_back(entries_of(pages().head->weights_of(hidden)));
    });
    return out;
  };
  return with_our_errors(name(), [&] { return on_own_thread(embed); });
}

}  // namespace fineprint::nets
