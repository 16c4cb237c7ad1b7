// Language models that judge whether a document (a text or a page's picture) answers a question.
#pragma once

#include "fineprint/models/reranker.h"

#include "nets/encoders/prompt_batches.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

// Puts question and document to the model as models::JudgeFrame describes. The score is the
// probability that the model continues with "yes" if it may only choose between "yes" and "no": the
// logistic function of the difference of their logits. Sources: see models::JudgeFrame.
class Judge final : public models::Reranker {
 public:
  // Throws Error(model) if the model cannot be used as a judge, or if its tokenizer has no single
  // token for "yes" or "no".
  Judge(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return model_.spec().name; }
  std::string hash() const override { return model_.hash(); }
  bool sees() const override { return model_.spec().sees(); }
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override;
  std::vector<double> score_pages(const std::string& question,
                                  std::span<const SharedImage> pages) const override;

  const Multimodal& model() const { return model_; }
  // Return a pair as the model reads it. A text is cut at the model's limit. page_tokens throws
  // Error(input) if the picture's tokens exceed it.
  models::TokenSequence text_tokens(const std::string& question, const std::string& passage) const;
  models::TokenSequence page_tokens(const std::string& question,
                                    const preprocess::PixelInput& page) const;
  // Returns the logit of "yes" minus that of "no" for each of `count` prompts.
  std::vector<double> leanings(std::size_t count,
                               const std::function<ReadyPrompt(std::size_t)>& make) const;

 private:
  // Returns the id of a word that is a single token.
  std::int64_t word_token(const std::string& word) const;

  Multimodal model_;
  // Columns of the logits: the words' tokens, or the verdicts of a model that has only these.
  std::int64_t yes_ = 0, no_ = 1;
  std::size_t most_tokens_ = 0, tokens_behind_ = 0;  // limit of all; tokens after the document
};

}  // namespace fineprint::nets
