// The interface of rerankers, which read a question and a passage together. Does not use LibTorch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::models {

class QaModel;

// A reranker. Thread-safe.
class Reranker {
 public:
  virtual ~Reranker() = default;
  // Name for people, and a hash of weights and configuration, for comparison.
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  // Returns how well each passage answers the question, from 0 to 1, in order. If a pair is over
  // the model's limit, the end of its longer text is cut off.
  virtual std::vector<double> score(const std::string& question,
                                    std::span<const std::string> passages) const = 0;
  // Returns true if the model takes page images, which show more than the text of a page.
  virtual bool sees() const { return false; }
  // Returns this model as a QA model, or nullptr if it does not point at answers.
  virtual const QaModel* as_qa_model() const { return nullptr; }
  // Scores page images in the same way. Throws Error(usage) if `sees()` is false.
  virtual std::vector<double> score_pages(const std::string& question,
                                          std::span<const SharedImage> pages) const;
};

}  // namespace fineprint::models
