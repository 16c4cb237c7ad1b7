// How uncertain a model was of an answer, from the scores of the answer's tokens.
// Source: HKRAG, definitions 1 and 2; the paper's formulas leave open what is summed and how it is
// normalised, hence the readings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "fineprint/models/generator.h"

namespace fineprint::agents {

// What a token adds, p being the probability of the token that was written.
enum class EntropyReading {
  vocab,   // the entropy of the distribution over the whole vocabulary
  chosen,  // -p log p: the formula to the letter; not monotone in p, largest at 1/e
  nll,     // -log p
};

// What makes H a value from 0 (certain) to 1. Entropies over the likeliest tokens alone are not
// among these: generators do not tell them.
enum class UncertaintyScale {
  perplexity,  // 1 - exp(-H): 0.8 is about five equally likely continuations a token
  logv,        // H / log(vocabulary)
};

// H, the mean over the tokens, in nats. nullopt without tokens, or when one of them lacks what the
// reading needs (NaN): there is nothing to judge by.
std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   EntropyReading reading);

struct UncertaintyOptions {
  EntropyReading entropy = EntropyReading::vocab;
  UncertaintyScale scale = UncertaintyScale::perplexity;
  std::int64_t vocabulary = 0;  // for logv: its number of tokens, at least 2
};

// H', in [0, 1]; nullopt as in mean_entropy. Throws Error(usage) for logv without a vocabulary.
std::optional<double> uncertainty(std::span<const models::TokenScore> tokens,
                                  const UncertaintyOptions& options = {});

}  // namespace fineprint::agents
