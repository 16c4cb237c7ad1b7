// Models that read a question and a passage together, as the rest of the program sees them: free of
// LibTorch.
#pragma once

#include <span>
#include <string>
#include <vector>

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
};

}  // namespace fineprint::models
