// Vectors of page images and texts by a vision-language model.
#pragma once

#include <functional>
#include <vector>

#include "fineprint/models/encoder.h"

#include "nets/encoders/prompt_batches.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

// An encoder of pages and texts. Depending on the model, it gives one vector for each input or one
// for each token.
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
  bool trained_mask() const override { return model_.spec().trained_mask; }
  // On a GPU two, so that one call's images are prepared while the other one is computed.
  int calls_at_a_time() const override { return model_.device().device.is_cpu() ? 1 : 2; }
  std::vector<Matrix> embed_images(std::span<const Image> pages) const override;
  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole role) const override;

 private:
  Multimodal model_;
};

// Tokenises a text with image markers, cuts it at the model's limit and appends the suffix.
ReadyPrompt ready_embedding(const Multimodal& model, const std::string& text,
                            std::span<const preprocess::PixelInput> images);
// Returns the prompt for a page, with its image's features.
ReadyPrompt ready_page(const Multimodal& model, const Image& page);

// Returns unit vectors of prompts that `make` prepares one by one: for each, [n, dim] on the
// device, with one row for each token or one row in all.
std::vector<at::Tensor> unit_vectors(const Multimodal& model, std::size_t count,
                                     const std::function<ReadyPrompt(std::size_t)>& make);

}  // namespace fineprint::nets
