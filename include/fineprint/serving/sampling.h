// Chooses the next token from logits, scores tokens, and cuts replies at stop strings.
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

// The filters of a Sampler, in the order in which `Sampler::next` describes them.
struct SamplingRule {
  double temperature = 0;  // 0: greedy; top_k and top_p have no effect then
  int top_k = 0;           // 0: no limit
  double top_p = 1;
  double repetition_penalty = 1;  // 1: no penalty
};

// Returns the model's defaults, overridden by the options that are set. Throws Error(usage) if a
// value is out of range: temperature or top_k below 0, top_p outside [0, 1], repetition_penalty not
// above 0.
SamplingRule sampling_rule(const models::SamplingOptions& options,
                           const models::GenerationDefaults& defaults);

// Returns the log-probability of `id` and the entropies of softmax(logits), computed in double with
// errors below 1e-12. A logit of -infinity means probability 0. Throws Error(model) if a logit is
// NaN or +infinity, or if all are -infinity.
models::TokenScore score_token(std::span<const float> logits, std::int64_t id);

// Returns the entropy, in nats, of probabilities proportional to e^log. `logs` are logits or
// log-probabilities, the largest first; at least one.
double top_entropy(std::span<const double> logs);

// Draws tokens for one reply. The same seed and logits give the same tokens on every machine. Not
// thread-safe.
class Sampler {
 public:
  Sampler(const SamplingRule& rule, std::uint64_t seed);
  // Adds an id that the repetition penalty applies to: call it for each token of the prompt, then
  // for each generated one. Ids below 0 (placeholders of images) are ignored.
  void saw(std::int64_t id);
  // Draws the next token from `logits` [vocabulary]. Filters are applied in this order: 1.
  // repetition penalty: positive logits are divided by it, negative ones multiplied 2. temperature
  // 3. top-k: all ids that tie with the k-th are kept
  // 4. top-p: the token that crosses p is kept
  // Other ties are resolved in favour of the lowest id. If `allowed` [vocabulary] is given, ids
  // with flag 0 are excluded before all filters; at least one flag must be 1. Throws Error(model)
  // if the logits give no distribution (see score_token).
  //
  // Sources: Keskar et al., "CTRL" (2019), section 4.1 (penalty); Holtzman et al. (2020) (top-p).
  std::int64_t next(std::span<const float> logits, std::span<const std::uint8_t> allowed = {});

 private:
  std::int64_t draw();

  SamplingRule rule_;
  std::mt19937_64 random_;
  std::vector<std::uint8_t> seen_;  // flag by id
  std::vector<float> scores_;       // [vocabulary], after the penalty
  // Ids that may be drawn, with their weights; best first if top-p is used.
  std::vector<std::int64_t> candidates_;
  std::vector<double> weights_;
};

// Cuts a stream of text before the stop string that is complete first; if several end at the same
// character, before the longest. The result does not depend on how the text is split into pieces,
// because text that may begin a stop string is held back. Each piece must consist of whole
// characters.
class StopCutter {
 public:
  // Throws Error(usage) if a stop string is empty.
  explicit StopCutter(std::vector<std::string> stop);
  // Adds a piece. Returns the text that is now certain and was not returned before; nothing once a
  // stop string was found.
  std::string push(std::string_view text);
  // Returns the text that was held back. Call it when the text ends.
  std::string finish();
  // Returns true if a stop string was found.
  bool stopped() const { return stopped_; }

 private:
  std::vector<std::string> stop_;
  std::string held_;
  bool stopped_ = false;
};

}  // namespace fineprint::serving
