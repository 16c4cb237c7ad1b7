// Calls a reranker on a server.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/remote/served_models.h"

#include "remote/served/json_calls.h"
#include "remote/served/vector_bodies.h"

namespace fineprint::remote {

class ServedScores : public models::Reranker {
 public:
  // `at` must name a model.
  ServedScores(ServedAddress at, const OpenAiOptions& options, Waiting waiting);

  std::string name() const override { return at_.server.model; }
  // Depends on the name only, because the program cannot see what a server serves under it.
  std::string hash() const override;
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override;

 private:
  // Appends the scores of as many passages from the front as one call takes; none if the server
  // accepts only something smaller, which the next call sends.
  void score_some(const std::string& question, std::span<const std::string> passages,
                  std::vector<double>* out) const;

  const ServedAddress at_;
  const JsonCalls calls_;
  const std::shared_ptr<SentPages> sent_;
  mutable std::atomic<std::size_t> passages_a_call_;
  mutable std::atomic<bool> truncates_ = true;
};

}  // namespace fineprint::remote
