// Choosing the next token from logits.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/models/generator.h"
#include "fineprint/models/model_spec.h"

namespace fineprint::serving {

struct SamplingRule {
  double temperature = 0;  // 0: greedy; then top_k and top_p change nothing
  int top_k = 0;           // 0: all
  double top_p = 1;
  double repetition_penalty = 1;  // 1: none
};

// Flags over the model's own defaults. Throws Error(usage) for values out of range: temperature
// and top_k below 0, top_p outside [0, 1], repetition_penalty not above 0.
SamplingRule sampling_rule(const models::SamplingOptions& options,
                           const models::GenerationDefaults& defaults);

// log-probability of `id` and the entropies of softmax(logits), in double: errors below 1e-12.
// Logits of -infinity have probability 0. Throws Error(model) when a logit is NaN or +infinity, or
// when all are -infinity.
models::TokenScore score_token(std::span<const float> logits, std::int64_t id);

// In nats, the entropy of probabilities proportional to e^log: logits or log-probabilities, the
// largest first, at least one.
double top_entropy(std::span<const double> logs);

// Draws tokens for one reply; the same seed and logits give the same tokens everywhere.
class Sampler {
 public:
  Sampler(const SamplingRule& rule, std::uint64_t seed);
  // Every id that the penalty counts: the prompt's, then each generated one. Ids below 0 (numbered
  // image slots) are no tokens and count nothing.
  void saw(std::int64_t id);
  // `logits` [vocabulary]. Order of filters: penalty (positive logits are divided by it, negative
  // ones multiplied), temperature, top-k (all that tie with the k-th are kept), top-p (the token
  // that crosses p is kept). Elsewhere ties go to the lowest id. Throws Error(model) for logits
  // that give no distribution (see score_token).
  // Source: Keskar et al., "CTRL" (2019), section 4.1 (penalty); Holtzman et al. (2020) (top-p).
  // With `allowed` [vocabulary], ids whose flag is 0 are out before all filters; at least one must
  // be 1.
  std::int64_t next(std::span<const float> logits, std::span<const std::uint8_t> allowed = {});

 private:
  std::int64_t draw();

  SamplingRule rule_;
  std::mt19937_64 random_;
  std::vector<std::uint8_t> seen_;  // by id
  std::vector<float> scores_;       // [vocabulary], after the penalty
  // Ids that may be drawn and their weights, best first if top-p is used.
  std::vector<std::int64_t> candidates_;
  std::vector<double> weights_;
};

// Cuts a stream of text before the stop string that is complete first (of several that end at one
// place: the longest), however the text is cut into pieces; holds back what may be the beginning
// of one. Pieces are whole characters.
class StopCutter {
 public:
  // Throws Error(usage) when a stop string is empty.
  explicit StopCutter(std::vector<std::string> stop);
  // The part of all text so far that is now certain and was not returned before; nothing once
  // stopped.
  std::string push(std::string_view text);
  // What was held back, when the text ends here.
  std::string finish();
  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stop_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace fineprint::serving
