// Two logistic functions of the signs, fitted by scripts/fit-confidence on answers without a
// reader.
#include "pipelines/extractive/signs.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pipelines::extractive {
namespace {

// What a cosine is on average, for searches without an encoder.
constexpr double kUsualCosine = 0.55;

// Not fitted: questions of made-up absence, which the rest was fitted on, are all really absent.
constexpr double kMostSureOfAbsence = 0.8;

double logistic(double z) { return 1 / (1 + std::exp(-z)); }

// The log-odds of a probability, which a reader may be too sure of.
double log_odds(double probability) {
  constexpr double kSure = 0.999;
  const double p = std::clamp(probability, 1 - kSure, kSure);
  return std::log(p / (1 - p));
}

// Words and reader count alike: the mean of their log-odds.
double with_reader(double z, const std::optional<double>& probability) {
  return probability ? (z + log_odds(*probability)) / 2 : z;
}

double known(double cosine) { return cosine > 0 ? cosine : kUsualCosine; }

}  // namespace

double answerability(const Signs& signs) {
  const double z = -7.94 + 2.40 * signs.coverage + 0.39 * signs.numbers + 3.81 * signs.names +
                   4.21 * signs.years + 2.78 * known(signs.page_cosine);
  return logistic(with_reader(z, signs.held));
}

double confidence(const Signs& signs) {
  const auto if_so = [](bool so, double weight) { return so ? weight : 0.0; };
  double z = -7.84 + 1.19 * signs.names + 2.38 * signs.years + 0.81 * signs.quoted +
             2.33 * known(signs.quote_cosine) + 1.63 * signs.margin +
             0.59 * std::log(std::max(1.0, signs.length));
  z += if_so(signs.row, -0.35) + if_so(signs.value, 0.68);
  z += if_so(signs.demands.arithmetic, -1.22) + if_so(signs.demands.comparison, -0.32) +
       if_so(signs.demands.several, -0.89);
  // Not fitted: what is only to be seen cannot be quoted, whatever the sets at hand happen to ask.
  z += if_so(signs.demands.looking, -1.50);
  z += if_so(signs.kind == text::AnswerKind::yes_no, -0.75) +
       if_so(signs.kind == text::AnswerKind::list, -0.83) +
       if_so(signs.kind == text::AnswerKind::percent, -0.98);
  return std::min(logistic(with_reader(z, signs.right)), answerability(signs));
}

double confidence_in_declining(const Signs& signs) {
  return kMostSureOfAbsence * (1 - answerability(signs));
}

}  // namespace fineprint::pipelines::extractive
