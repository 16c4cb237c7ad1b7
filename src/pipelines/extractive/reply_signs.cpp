// Turns the signs of a reply into probabilities by logistic functions. scripts/fit/check fitted
// them on replies of real models to questions of public sets.
#include "pipelines/extractive/reply_signs.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pipelines::extractive {
namespace {

// The average certainty, for replies without log-probabilities.
constexpr double kUsualCertainty = 0.65;
// The average log-odds of `read` and `quote_read`, if no QA model has read.
constexpr double kUsualRead = -2.50, kUsualQuoteRead = -1.59;

// Not fitted, because such replies are rare: none of six that only repeat the question was right,
// and a value that no page shows is made up.
constexpr double kRepeats = -1.5;
constexpr double kUnproved = -1.5;

double if_so(bool so, double weight) { return so ? weight : 0.0; }

// The probabilities of the extractive pipeline may be too sure.
double bounded_log_odds(double probability) {
  constexpr double kSure = 0.98;
  const double p = std::clamp(probability, 1 - kSure, kSure);
  return std::log(p / (1 - p));
}

double chance(double log_odds) { return 1 / (1 + std::exp(-log_odds)); }

// The reply and the extractive pipeline agree on something that the question did not say.
bool is_same(const ReplySigns& signs) {
  return !signs.repeats_question && (signs.same_as_quote || signs.same_as_reading);
}

double read_log_odds(const std::optional<double>& read, double usual) {
  return read ? bounded_log_odds(*read) : usual;
}

double reply_read(const ReplySigns& signs) { return read_log_odds(signs.read, kUsualRead); }
double quote_read(const ReplySigns& signs) {
  return read_log_odds(signs.quote_read, kUsualQuoteRead);
}

double certainty(const ReplySigns& signs) {
  return signs.certainty.value_or(kUsualCertainty) - kUsualCertainty;
}

double reply_log_odds(const ReplySigns& signs) {
  return -0.22 + 0.34 * signs.quoted + 0.40 * reply_read(signs) + if_so(is_same(signs), 0.41) +
         0.49 * certainty(signs) + if_so(signs.repeats_question, kRepeats) +
         if_so(!signs.proved, kUnproved) + 0.19 * bounded_log_odds(signs.quote_confidence);
}

double quote_log_odds(const ReplySigns& signs) {
  return -0.38 + 0.61 * bounded_log_odds(signs.quote_confidence) +
         (is_same(signs) ? 0.75 : 0.87 * quote_read(signs));
}

double answerable_log_odds(const ReplySigns& signs) {
  return -1.04 + 0.67 * bounded_log_odds(signs.answerability) + if_so(!signs.answers, -0.61) +
         0.54 * signs.quoted + 0.27 * std::max(reply_read(signs), quote_read(signs)) +
         0.40 * signs.held + if_so(is_same(signs), 0.41);
}

}  // namespace

ReplyOdds odds_of(const ReplySigns& signs) {
  ReplyOdds odds;
  odds.answerable = chance(answerable_log_odds(signs));
  // No answer can be surer than that the documents hold one.
  odds.reply = signs.says ? std::min(chance(reply_log_odds(signs)), odds.answerable) : 0;
  odds.quote = std::min(chance(quote_log_odds(signs)), odds.answerable);
  return odds;
}

bool prefers_reply(const ReplySigns& signs, const ReplyOdds& odds) {
  // A sentence that holds the reply is right whenever the reply is, but the reply has fewer words.
  constexpr double kConcise = 0.2;
  if (!signs.says) return false;
  if (is_same(signs) && !signs.quotes_sentence) return true;
  return odds.reply + (is_same(signs) ? kConcise : 0) >= odds.quote;
}

}  // namespace fineprint::pipelines::extractive
