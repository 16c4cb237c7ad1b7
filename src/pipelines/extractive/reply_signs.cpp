// Turns the signs of a reply into probabilities by logistic functions. scripts/fit/check fitted
// them on replies of real models.
#include "pipelines/extractive/reply_signs.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pipelines::extractive {
namespace {

// The average certainty, for replies without log-probabilities.
constexpr double kUsualCertainty = 0.8;

double if_so(bool so, double weight) { return so ? weight : 0.0; }

double bounded_log_odds(double probability) {
  constexpr double kSure = 0.98;
  const double p = std::clamp(probability, 1 - kSure, kSure);
  return std::log(p / (1 - p));
}

double squashed(double z) { return 1 / (1 + std::exp(-z)); }

}  // namespace

ReplyOdds odds_of(const ReplySigns& signs) {
  const double certainty = signs.certainty.value_or(kUsualCertainty);
  const double quote = bounded_log_odds(signs.quote_confidence);
  const bool agree = signs.same_as_quote || signs.same_as_reading;
  ReplyOdds odds;
  const double z = -1.5 + 1.0 * signs.held + 1.0 * signs.quoted + 0.5 * signs.names +
                   0.5 * signs.years + if_so(signs.kind_fits, 0.5) +
                   if_so(signs.same_as_quote, 1.0) + if_so(signs.same_as_reading, 1.0) +
                   1.0 * (certainty - kUsualCertainty);
  odds.answerable = squashed(bounded_log_odds(signs.answerability) + if_so(!signs.answers, -1.0));
  odds.reply = signs.says ? std::min(squashed(z), odds.answerable) : 0;
  odds.quote = agree ? odds.reply : std::min(squashed(quote - 0.5), odds.answerable);
  return odds;
}

}  // namespace fineprint::pipelines::extractive
