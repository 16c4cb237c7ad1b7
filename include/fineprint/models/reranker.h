// Models that read a question and a passage together, as the rest of the program sees them: free of
// LibTorch.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"

namespace fineprint::models {

// Safe to call from several threads.
class Reranker {
 public:
  virtual ~Reranker() = default;
  // For people, and for comparison (hash of weights and configuration).
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  // How well each passage answers the question, 0 to 1, in order. A pair over the model's limit
  // loses the end of its longer text.
  virtual std::vector<double> score(const std::string& question,
                                    std::span<const std::string> passages) const = 0;
  // Whether it looks at pages' pictures, which say more than their texts.
  virtual bool sees() const { return false; }
  // The same of pages' pictures. Throws Error(usage) when it sees none.
  virtual std::vector<double> score_pages(const std::string& question,
                                          std::span<const SharedImage> pages) const;
};

}  // namespace fineprint::models
