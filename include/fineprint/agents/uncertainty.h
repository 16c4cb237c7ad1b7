// Computes how uncertain a model was of an answer, from the scores of the answer's tokens.
// Source: HKRAG, definitions 1 and 2. The paper's formulas leave open which terms are summed and
// how the sum is normalised, so both are options.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/models/generator.h"

namespace fineprint::agents {

// What a token contributes; p is the probability of the token that was written.
enum class EntropyReading {
  vocab,   // the entropy of the distribution over the vocabulary
  chosen,  // -p log p: the formula literally; not monotone in p, largest at 1/e
  nll,     // -log p
};

// How H becomes a value from 0 (certain) to 1.
enum class UncertaintyScale {
  // H over the largest value of the reading: log(vocabulary) for vocab, 1/e for chosen. Not for
  // nll, which has no largest value.
  max,
  perplexity,  // 1 - exp(-H): 0.8 means about five equally likely tokens each time
  logv,        // H / log(vocabulary)
  // H / log(models::kTopTokens), where H is the mean of TokenScore::top_entropy. This scale has an
  // entropy of its own, so the EntropyReading is ignored.
  topm,
  // The share of the calibration's values that are below H (equal values are not). For example,
  // with a threshold of 0.8 the most uncertain fifth of the calibration's questions is at or above
  // it.
  quantile,
};

// Returns H, the mean over the tokens, in nats. Returns nullopt if there are no tokens, or if a
// token lacks what the reading needs (NaN), because then there is nothing to judge by.
std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   EntropyReading reading);

// How uncertainty() reads tokens and scales their mean.
struct UncertaintyOptions {
  EntropyReading entropy = EntropyReading::vocab;
  UncertaintyScale scale = UncertaintyScale::perplexity;
  // For logv, and for max with vocab: number of tokens in it, at least 2.
  std::int64_t vocabulary = 0;
  // For quantile: H of earlier, similar questions by the same model, prompt and EntropyReading,
  // ascending (see read_calibration).
  std::vector<double> calibration = {};
};

// Returns the H that uncertainty() scales: that of the reading, or of topm.
std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   const UncertaintyOptions& options);

// Returns the values of a calibration file, ascending. Each line is a number, or a JSON object
// whose "entropy" is one, like the steps of a trace; blank lines are ignored. Throws Error(input)
// naming file and line for anything else, for numbers below 0, and for a file without values;
// Error(unreadable) if the file does not exist.
std::vector<double> read_calibration(const std::string& path);

// Returns whether the scale needs the size of the vocabulary.
bool needs_vocabulary(const UncertaintyOptions& options);

// Returns the largest H' that any answer can have. It is below 1 for chosen with perplexity
// (1 - exp(-1/e) = 0.308) and with logv.
double largest_uncertainty(const UncertaintyOptions& options);

// Returns H', in [0, 1], or nullopt in the cases of mean_entropy (for topm: if a token lacks its
// top_entropy). Throws Error(usage) for logv, or max with vocab, without a vocabulary, for max with
// nll, and for quantile without a calibration. largest_uncertainty() throws the same errors.
std::optional<double> uncertainty(std::span<const models::TokenScore> tokens,
                                  const UncertaintyOptions& options = {});

}  // namespace fineprint::agents
