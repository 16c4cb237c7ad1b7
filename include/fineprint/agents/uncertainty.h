// How uncertain a model was of an answer, from the scores of the answer's tokens.
// Source: HKRAG, definitions 1 and 2; the paper's formulas leave open what is summed and how it is
// normalised, hence the readings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/models/generator.h"

namespace fineprint::agents {

// What a token adds, p being the probability of the token that was written.
enum class EntropyReading {
  vocab,   // the entropy of the distribution over the whole vocabulary
  chosen,  // -p log p: the formula to the letter; not monotone in p, largest at 1/e
  nll,     // -log p
};

// What makes H a value from 0 (certain) to 1.
enum class UncertaintyScale {
  perplexity,  // 1 - exp(-H): 0.8 is about five equally likely continuations a token
  logv,        // H / log(vocabulary)
  // H / log(models::kTopTokens), where H is the mean of TokenScore::top_entropy: this scale has an
  // entropy of its own, and the EntropyReading is not looked at.
  topm,
  // The share of the calibration's values that lie below H (those equal to it do not): with a
  // threshold of 0.8, the most uncertain fifth of the calibration's questions is at or above it.
  quantile,
};

// H, the mean over the tokens, in nats. nullopt without tokens, or when one of them lacks what the
// reading needs (NaN): there is nothing to judge by.
std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   EntropyReading reading);

struct UncertaintyOptions {
  EntropyReading entropy = EntropyReading::vocab;
  UncertaintyScale scale = UncertaintyScale::perplexity;
  std::int64_t vocabulary = 0;  // for logv: its number of tokens, at least 2
  // For quantile: H of questions like those to come, by the same model, prompt and EntropyReading,
  // ascending (see read_calibration).
  std::vector<double> calibration = {};
};

// The values of a calibration, ascending. Each line of the file is a number, or a JSON object whose
// "entropy" is one, as in the steps of a trace; blank lines count nothing. Throws Error(input)
// naming file and line for anything else, for numbers below 0, and for a file without values;
// Error(unreadable) when there is no such file.
std::vector<double> read_calibration(const std::string& path);

// H', in [0, 1]; nullopt as in mean_entropy (for topm: when a token lacks its top_entropy). Throws
// Error(usage) for logv without a vocabulary and for quantile without a calibration.
std::optional<double> uncertainty(std::span<const models::TokenScore> tokens,
                                  const UncertaintyOptions& options = {});

}  // namespace fineprint::agents
