// Turns the signs into probabilities by logistic functions. scripts/fit/confidence fitted them: on
// quotes without a QA model, and on what the model of configs/qa-model says of documents that its
// data sets hold back.
#include "pipelines/extractive/signs.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pipelines::extractive {
namespace {

// The average cosine, for searches without an encoder.
constexpr double kUsualCosine = 0.55;

// Not fitted: the questions without an answer in the fitted data are made up and really have none,
// so the fit alone would be too sure.
constexpr double kMostSureOfAbsence = 0.8;

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

// Returns the log-odds of a probability, clamped because a QA model may be too sure.
double log_odds(double probability) {
  constexpr double kSure = 0.999;
  const double p = std::clamp(probability, 1 - kSure, kSure);
  return std::log(p / (1 - p));
}

// Adds what a QA model contributes to what the words say, its log-odds by their worth and less what
// they usually are. The words' own weights are kept: fitted again on made-up absence, they declined
// a third of what real reports answer.
double with_qa_model(double z, double worth, double usual, double probability) {
  return z + worth * (log_odds(probability) - usual);
}

double known(double cosine) { return cosine > 0 ? cosine : kUsualCosine; }

// Weights of the signs of a right answer.
struct Weights {
  double constant = 0;
  double names = 0;
  double years = 0;
  double quoted = 0;
  double quote_cosine = 0;
  double margin = 0;
  double row = 0;
  double value = 0;
  double log_length = 0;
  double arithmetic = 0;
  double comparison = 0;
  double several = 0;
  double yes_no = 0;
  double list = 0;
  double percent = 0;
};

// Weights for a quote, and for an answer that the QA model points at.
constexpr Weights kQuoted = {.constant = -7.84,
                             .names = 1.19,
                             .years = 2.38,
                             .quoted = 0.81,
                             .quote_cosine = 2.33,
                             .margin = 1.63,
                             .row = -0.35,
                             .value = 0.68,
                             .log_length = 0.59,
                             .arithmetic = -1.22,
                             .comparison = -0.32,
                             .several = -0.89,
                             .yes_no = -0.75,
                             .list = -0.83,
                             .percent = -0.98};
constexpr Weights kPointedAt = {.constant = -2.77,
                                .names = 0.60,
                                .years = 1.18,
                                .quoted = 1.05,
                                .quote_cosine = 1.00,
                                .margin = 0.46,
                                .row = 0.15,
                                .value = 0,
                                .log_length = -0.03,
                                .arithmetic = 0.10,
                                .comparison = -0.64,
                                .several = 0.03,
                                .yes_no = -0.59,
                                .list = -0.54,
                                .percent = -0.19};
constexpr double kRight = 0.80;  // weight of the QA model's own log-odds

// Not fitted: what can only be seen in a picture cannot be quoted, whatever the data sets at hand
// happen to ask.
constexpr double kLooking = -1.50;

// Not fitted, because the data sets have no forms: a label says what its value is.
constexpr double kLabelled = 2.0;

// Not fitted, because quotes of the fitted data rarely lack it: what has no date does not say when.
constexpr double kLacksKind = -1.5;

// Not fitted: a label without a value says that the form does not hold one.
constexpr double kEmptyField = -6.0;

// Returns the log-odds of what the words say.
double by_words(const Signs& signs) {
  return -7.94 + 2.40 * signs.coverage + 0.39 * signs.numbers + 3.81 * signs.names +
         4.21 * signs.years + 2.78 * known(signs.page_cosine) +
         (signs.empty_field ? kEmptyField : 0.0);
}

// Returns whether one value is asked for that the QA model can point at, and that does not give
// itself away as addresses do. Only there is its silence a sign that there is none: it declines
// what it cannot compute or see, too.
bool is_look_up(const Signs& signs) {
  using enum text::AnswerKind;
  const Demands& demands = signs.demands;
  return !signs.labelled && !demands.arithmetic && !demands.comparison && !demands.several &&
         !demands.looking && signs.kind != yes_no && signs.kind != list &&
         !text::is_address(signs.kind);
}

double weighed(const Signs& signs, const Weights& weights) {
  const auto if_so = [](bool so, double weight) { return so ? weight : 0.0; };
  double z = weights.constant + weights.names * signs.names + weights.years * signs.years +
             weights.quoted * signs.quoted + weights.quote_cosine * known(signs.quote_cosine) +
             weights.margin * signs.margin +
             weights.log_length * std::log(std::max(1.0, signs.length));
  z += if_so(signs.row, weights.row) + if_so(signs.value, weights.value) +
       if_so(signs.labelled, kLabelled) + if_so(signs.lacks_kind, kLacksKind);
  z += if_so(signs.demands.arithmetic, weights.arithmetic) +
       if_so(signs.demands.comparison, weights.comparison) +
       if_so(signs.demands.several, weights.several) + if_so(signs.demands.looking, kLooking);
  z += if_so(signs.kind == text::AnswerKind::yes_no, weights.yes_no) +
       if_so(signs.kind == text::AnswerKind::list, weights.list) +
       if_so(signs.kind == text::AnswerKind::percent, weights.percent);
  return z;
}

}  // namespace

double lenient_answerability(const Signs& signs) {
  const double z = by_words(signs);
  return logistic(signs.held ? with_qa_model(z, 0.56, 1.6, *signs.held) : z);
}

double answerability(const Signs& signs) {
  constexpr double kNoun = 1.05;
  if (!signs.held || !is_look_up(signs)) return lenient_answerability(signs);
  // Counted things are often not named where they can be counted.
  const double noun = signs.kind == text::AnswerKind::count ? 1 : signs.noun;
  return logistic(with_qa_model(by_words(signs), 0.68, 4.74, *signs.held) + kNoun * (noun - 1));
}

bool is_absence_likelier(const Signs& signs) {
  return signs.held && is_look_up(signs) && 1 - answerability(signs) > confidence(signs);
}

double confidence(const Signs& signs) {
  const double z = signs.right ? weighed(signs, kPointedAt) + kRight * log_odds(*signs.right)
                               : weighed(signs, kQuoted);
  // An answer cannot be surer than that the documents hold one.
  return std::min(logistic(z), answerability(signs));
}

double confidence_in_declining(const Signs& signs) {
  return kMostSureOfAbsence * (1 - answerability(signs));
}

}  // namespace fineprint::pipelines::extractive
