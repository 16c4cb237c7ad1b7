// Retrieval vectors of page images and texts by a vision-language model.
#pragma once

#include <functional>
#include <vector>

#include "fineprint/models/encoder.h"

#include "nets/encoders/prompt_batches.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

class PageEncoder final : public models::Encoder {
 public:
  PageEncoder(const models::ModelSpec& spec, const Device& device) : model_(spec, device) {}

  std::string name() const override { return model_.spec().name; }
  std::string hash() const override { return model_.hash(); }
  std::size_t dim() const override { return static_cast<std::size_t>(model_.vector_width()); }
  bool many_vectors() const override {
    return model_.spec().head.pooling == models::Pooling::every_token;
  }
  bool sees() const override { return model_.spec().sees(); }
  int calls_at_a_time() const override { return model_.device().device.is_cpu() ? 1 : 2; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;

 private:
  Multimodal model_;
};

// A text with image markers; it is cut at the model's limit, then the suffix comes.
ReadyPrompt ready_embedding(const Multimodal& model, const std::string& text,
                            std::span<const preprocess::PixelInput> images);
// A page, as the model is shown it.
ReadyPrompt ready_page(const Multimodal& model, const Image& page);

// Of prompts that `make` prepares one by one: a row a token, or one row, [n, dim] on the device.
std::vector<at::Tensor> unit_vectors(const Multimodal& model, std::size_t count,
                                     const std::function<ReadyPrompt(std::size_t)>& make);

// The vectors of one text with image markers, suffix included: a row a token, or one row.
Matrix embed_prompt(const Multimodal& model, const std::string& text,
                    std::span<const preprocess::PixelInput> images);

}  // namespace fineprint::nets
