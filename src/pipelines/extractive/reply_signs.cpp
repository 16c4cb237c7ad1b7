// Turns the signs of a reply into probabilities by logistic functions. scripts/fit/check fitted
// them on replies of real models to questions of public sets.
#include "pipelines/extractive/reply_signs.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pipelines::extractive {
namespace {

// The average certainty, for replies without log-probabilities.
constexpr double kUsualCertainty = 0.65;

double if_so(bool so, double weight) { return so ? weight : 0.0; }

// The probabilities of the extractive pipeline may be too sure.
double bounded_log_odds(double probability) {
  constexpr double kSure = 0.98;
  const double p = std::clamp(probability, 1 - kSure, kSure);
  return std::log(p / (1 - p));
}

double chance(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

bool is_same(const ReplySigns& signs) { return signs.same_as_quote || signs.same_as_reading; }

double reply_log_odds(const ReplySigns& signs) {
  const double certainty = signs.certainty.value_or(kUsualCertainty) - kUsualCertainty;
  return -1.31 + if_so(!signs.answers, -0.20) + 0.06 * signs.held + 0.35 * signs.quoted +
         0.29 * signs.names + 0.05 * signs.years + if_so(signs.kind_fits, 0.10) +
         if_so(signs.same_as_quote, 0.80) + if_so(signs.same_as_reading, 0.75) +
         0.37 * bounded_log_odds(signs.quote_confidence) + 0.80 * certainty;
}

double quote_log_odds(const ReplySigns& signs) {
  return -3.05 + 0.65 * bounded_log_odds(signs.quote_confidence) +
         0.62 * bounded_log_odds(signs.answerability) + if_so(!signs.answers, -0.05);
}

double answerable_log_odds(const ReplySigns& signs) {
  return -1.00 + 0.60 * bounded_log_odds(signs.answerability) + if_so(!signs.answers, -0.35) +
         0.70 * signs.held + if_so(is_same(signs), 0.65) +
         0.28 * bounded_log_odds(signs.quote_confidence);
}

}  // namespace

ReplyOdds odds_of(const ReplySigns& signs) {
  ReplyOdds odds;
  odds.answerable = chance(answerable_log_odds(signs));
  // No answer can be surer than that the documents hold one.
  odds.reply = signs.says ? std::min(chance(reply_log_odds(signs)), odds.answerable) : 0;
  odds.quote =
      is_same(signs) ? odds.reply : std::min(chance(quote_log_odds(signs)), odds.answerable);
  return odds;
}

}  // namespace fineprint::pipelines::extractive
