// Language models that judge whether a document, a text or a page's picture, answers a question.
#pragma once

#include "fineprint/models/reranker.h"

#include "nets/encoders/prompt_batches.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

// The question and the document are put to the model as models::JudgeFrame says; the score is the
// chance that it goes on with "yes" where it can go on with "yes" or "no" alone: the logistic
// function of the difference of their logits. Sources: see models::JudgeFrame.
class Judge final : public models::Reranker {
 public:
  // Throws Error(model) when the model is none that can be asked so, or its tokenizer has no single
  // token for one of the two words.
  Judge(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return model_.spec().name; }
  std::string hash() const override { return model_.hash(); }
  bool sees() const override { return model_.spec().sees(); }
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override;
  std::vector<double> score_pages(const std::string& question,
                                  std::span<const SharedImage> pages) const override;

  const Multimodal& model() const { return model_; }
  // A pair as the model reads it; a text is cut at the model's limit. The second throws
  // Error(input) when the picture's tokens are more than that.
  models::TokenSequence text_tokens(const std::string& question, const std::string& passage) const;
  models::TokenSequence page_tokens(const std::string& question,
                                    const preprocess::PixelInput& page) const;
  // The logit of "yes" less that of "no", of each of `count` prompts.
  std::vector<double> leanings(std::size_t count,
                               const std::function<ReadyPrompt(std::size_t)>& make) const;

 private:
  std::int64_t word_token(const std::string& word) const;

  Multimodal model_;
  std::int64_t yes_ = 0, no_ = 0;
  std::size_t most_tokens_ = 0, tokens_behind_ = 0;  // of all, and of those behind the document
};

}  // namespace fineprint::nets
