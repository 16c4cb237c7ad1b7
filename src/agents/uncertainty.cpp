// Means of token entropies, and their normalisation.
#include "fineprint/agents/uncertainty.h"

#include <algorithm>
#include <cmath>

#include "fineprint/core/error.h"

namespace fineprint::agents {
namespace {

double entropy_of(const models::TokenScore& token, EntropyReading reading) {
  switch (reading) {
    case EntropyReading::vocab:
      return token.entropy;
    case EntropyReading::chosen:
      // The limit at p = 0, where the product would be NaN.
      return std::isinf(token.log_probability)
                 ? 0
                 : -std::exp(token.log_probability) * token.log_probability;
    case EntropyReading::nll:
      return -token.log_probability;
  }
  return 0;
}

}  // namespace

std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   EntropyReading reading) {
  if (tokens.empty()) return std::nullopt;
  double sum = 0;
  for (const models::TokenScore& token : tokens) sum += entropy_of(token, reading);
  const double mean = sum / static_cast<double>(tokens.size());
  // Rounding may leave a certain token a hair below 0.
  return std::isnan(mean) ? std::nullopt : std::optional(std::max(0.0, mean));
}

std::optional<double> uncertainty(std::span<const models::TokenScore> tokens,
                                  const UncertaintyOptions& options) {
  if (options.scale == UncertaintyScale::logv && options.vocabulary < 2) {
    throw Error(ErrorCode::usage, "logv needs the size of the vocabulary; take perplexity");
  }
  const std::optional<double> mean = mean_entropy(tokens, options.entropy);
  if (!mean) return std::nullopt;
  if (options.scale == UncertaintyScale::perplexity) return 1 - std::exp(-*mean);
  return std::min(1.0, *mean / std::log(static_cast<double>(options.vocabulary)));
}

}  // namespace fineprint::agents
