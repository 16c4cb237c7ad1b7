// Computes means of token entropies, and normalises them.
#include "fineprint/agents/uncertainty.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"

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

template <typename EntropyOf>
std::optional<double> mean_of(std::span<const models::TokenScore> tokens,
                              const EntropyOf& entropy_of_token) {
  if (tokens.empty()) return std::nullopt;
  double sum = 0;
  for (const models::TokenScore& token : tokens) sum += entropy_of_token(token);
  const double mean = sum / static_cast<double>(tokens.size());
  // Rounding may leave a certain token a hair below 0.
  return std::isnan(mean) ? std::nullopt : std::optional(std::max(0.0, mean));
}

void check(const UncertaintyOptions& options) {
  if (options.scale == UncertaintyScale::max && options.entropy == EntropyReading::nll) {
    throw Error(ErrorCode::usage,
                "max divides by the largest value, and -log p (nll) has none; use perplexity, or "
                "another reading of the entropy");
  }
  if (needs_vocabulary(options) && options.vocabulary < 2) {
    throw Error(ErrorCode::usage,
                "logv, and max with vocab, need the size of the vocabulary, which this generator "
                "does not report; use perplexity");
  }
  if (options.scale == UncertaintyScale::quantile && options.calibration.empty()) {
    throw Error(ErrorCode::usage,
                "quantile needs the values of a calibration run; give a file with them, or use "
                "perplexity");
  }
}

// Returns the largest H of vocab and chosen. -p log p is largest at p = 1/e, where it is 1/e.
double largest_entropy(const UncertaintyOptions& options) {
  if (options.entropy == EntropyReading::chosen) return std::exp(-1.0);
  return std::log(static_cast<double>(options.vocabulary));
}

// lower_bound, because equal values do not count as below.
double share_below(const std::vector<double>& ascending, double value) {
  const auto first = std::ranges::lower_bound(ascending, value);
  return static_cast<double>(first - ascending.begin()) / static_cast<double>(ascending.size());
}

double calibration_value(std::string_view line, const std::string& where) {
  Json value = parse_json(line, where);
  // Accepts the steps of a trace, so that earlier records can be used without conversion.
  if (value.is_object() && value.contains("entropy")) value = Json(value.at("entropy"));
  const double number = value.is_number() ? value.get<double>() : -1;
  if (!std::isfinite(number) || number < 0) {
    throw Error(
        ErrorCode::input,
        format("{}: expected a number of 0 or more, or an object with one as \"entropy\"", where));
  }
  return number;
}

}  // namespace

std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   EntropyReading reading) {
  return mean_of(tokens,
                 [&](const models::TokenScore& token) { return entropy_of(token, reading); });
}

std::optional<double> mean_entropy(std::span<const models::TokenScore> tokens,
                                   const UncertaintyOptions& options) {
  if (options.scale != UncertaintyScale::topm) return mean_entropy(tokens, options.entropy);
  return mean_of(tokens, [](const models::TokenScore& token) { return token.top_entropy; });
}

std::vector<double> read_calibration(const std::string& path) {
  const std::string bytes = read_file(path);
  std::vector<double> values;
  std::string_view rest = bytes;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    if (!trim(line).empty()) {
      values.push_back(calibration_value(line, format("{}:{}", path, number)));
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (values.empty()) {
    throw Error(ErrorCode::input,
                format("{}: no calibration values; expected one number per line", path));
  }
  std::ranges::sort(values);
  return values;
}

bool needs_vocabulary(const UncertaintyOptions& options) {
  return options.scale == UncertaintyScale::logv ||
         (options.scale == UncertaintyScale::max && options.entropy == EntropyReading::vocab);
}

// The other scales reach 1, or come as close to it as one likes.
double largest_uncertainty(const UncertaintyOptions& options) {
  check(options);
  if (options.entropy != EntropyReading::chosen) return 1;
  if (options.scale == UncertaintyScale::perplexity) return 1 - std::exp(-largest_entropy(options));
  if (options.scale != UncertaintyScale::logv) return 1;
  return std::min(1.0,
                  largest_entropy(options) / std::log(static_cast<double>(options.vocabulary)));
}

std::optional<double> uncertainty(std::span<const models::TokenScore> tokens,
                                  const UncertaintyOptions& options) {
  check(options);
  const std::optional<double> mean = mean_entropy(tokens, options);
  if (!mean) return std::nullopt;
  switch (options.scale) {
    case UncertaintyScale::max:
      return std::min(1.0, *mean / largest_entropy(options));
    case UncertaintyScale::perplexity:
      return 1 - std::exp(-*mean);
    case UncertaintyScale::logv:
      // The entropy of a uniform choice over the vocabulary is its largest value; rounding may
      // exceed it.
      return std::min(1.0, *mean / std::log(static_cast<double>(options.vocabulary)));
    case UncertaintyScale::topm:
      return std::min(1.0, *mean / std::log(static_cast<double>(models::kTopTokens)));
    case UncertaintyScale::quantile:
      return share_below(options.calibration, *mean);
  }
  return std::nullopt;
}

}  // namespace fineprint::agents
