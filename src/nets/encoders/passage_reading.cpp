// Turns the QA model's outputs for one passage into spans, units and log probabilities.
#include "nets/encoders/passage_reading.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace fineprint::nets {
namespace {

using models::PassageReading;
using models::QaSpan;
using models::QaTokenNumber;
using models::QaTokens;
using models::QaUnit;

constexpr std::size_t kMostSpans = 10;
constexpr std::size_t kLongestSpan = 40;  // tokens
constexpr std::size_t kEndsTried = 20;    // best tokens for a span to begin at, and to end at

// Returns log(sum of e^value).
double log_sum(const std::vector<double>& values) {
  // The largest is subtracted, so that exp cannot overflow.
  const double most = *std::ranges::max_element(values);
  double sum = 0;
  for (const double value : values) sum += std::exp(value - most);
  return most + std::log(sum);
}

// Log softmax in place. Computed in double, because spans add up two of these.
void to_log_probabilities(std::vector<double>* values) {
  if (values->empty()) return;
  const double all = log_sum(*values);
  for (double& value : *values) value -= all;
}

template <std::size_t N>
std::array<double, N> log_probabilities(const float* numbers) {
  std::vector<double> values(numbers, numbers + N);
  to_log_probabilities(&values);
  std::array<double, N> result{};
  std::ranges::copy(values, result.begin());
  return result;
}

// Gives access to the outputs of tokens by name.
class TokenNumbers {
 public:
  explicit TokenNumbers(const float* numbers) : numbers_(numbers) {}

  double at(std::size_t token, QaTokenNumber which) const {
    return numbers_[token * models::kQaTokenNumbers + static_cast<std::size_t>(which)];
  }
  // A unit, such as a cell, may have several tokens; its score is their mean.
  double mean(const QaTokens::Unit& unit, QaTokenNumber which) const {
    double sum = 0;
    for (std::size_t i = unit.first; i < unit.last; ++i) sum += at(i, which);
    return sum / static_cast<double>(unit.last - unit.first);
  }

 private:
  const float* numbers_;
};

std::vector<double> text_log_probabilities(const QaTokens& sequence, const TokenNumbers& numbers,
                                           QaTokenNumber which) {
  std::vector<double> values;
  for (std::size_t i = sequence.text_begin; i < sequence.text_end; ++i) {
    values.push_back(numbers.at(i, which));
  }
  to_log_probabilities(&values);
  return values;
}

// Returns the indices of the largest values, best first.
std::vector<std::size_t> best_places(const std::vector<double>& values, std::size_t most) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), 0);
  most = std::min(most, places.size());
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(most),
                    places.end(),
                    [&](std::size_t a, std::size_t b) { return values[a] > values[b]; });
  places.resize(most);
  return places;
}

// The probability of a span is that of its begin times that of its end, as in BERT's model for
// SQuAD.
std::vector<QaSpan> best_spans(const QaTokens& sequence, const TokenNumbers& numbers) {
  const std::vector<double> starts =
      text_log_probabilities(sequence, numbers, QaTokenNumber::start);
  const std::vector<double> ends = text_log_probabilities(sequence, numbers, QaTokenNumber::end);
  std::vector<QaSpan> spans;
  // Only the best 20 of both are tried, because all pairs would be far more work.
  for (const std::size_t start : best_places(starts, kEndsTried)) {
    for (const std::size_t end : best_places(ends, kEndsTried)) {
      if (end < start || end - start >= kLongestSpan) continue;
      spans.push_back(
          {sequence.bytes[start].first, sequence.bytes[end].second, starts[start] + ends[end]});
    }
  }
  std::ranges::stable_sort(spans, std::greater<>(), &QaSpan::log_probability);
  spans.resize(std::min(spans.size(), kMostSpans));
  return spans;
}

// Returns runs of tokens that are more likely than not part of an answer of several spans.
std::vector<QaSpan> marked_spans(const QaTokens& sequence, const TokenNumbers& numbers) {
  std::vector<QaSpan> spans;
  double count = 0;  // tokens of the last span
  bool inside = false;
  for (std::size_t i = 0; i < sequence.bytes.size(); ++i) {
    const double odds = numbers.at(sequence.text_begin + i, QaTokenNumber::several);
    const auto [begin, end] = sequence.bytes[i];
    if (odds <= 0) {
      inside = false;
    } else if (inside) {
      QaSpan& last = spans.back();
      last.end = end;
      last.log_probability += (odds - last.log_probability) / ++count;
    } else {
      spans.push_back({begin, end, odds});
      inside = true;
      count = 1;
    }
  }
  return spans;
}

// Each unit gets its own score for "chosen", because an answer may need several; the other scores
// are distributions over all units.
std::vector<QaUnit> read_units(const QaTokens& sequence, const TokenNumbers& numbers) {
  const auto means = [&](QaTokenNumber which) {
    std::vector<double> values;
    for (const QaTokens::Unit& unit : sequence.units) {
      values.push_back(numbers.mean(unit, which));
    }
    return values;
  };
  const std::vector<double> chosen = means(QaTokenNumber::chosen);
  std::vector<double> single = means(QaTokenNumber::single);
  std::vector<double> first = means(QaTokenNumber::first);
  std::vector<double> second = means(QaTokenNumber::second);
  for (auto* values : {&single, &first, &second}) to_log_probabilities(values);
  std::vector<QaUnit> units;
  for (std::size_t i = 0; i < sequence.units.size(); ++i) {
    const QaTokens::Unit& unit = sequence.units[i];
    units.push_back(
        {unit.row, unit.column, unit.begin, unit.end, chosen[i], single[i], first[i], second[i]});
  }
  return units;
}

}  // namespace

PassageReading passage_reading(const QaTokens& sequence, const float* passage,
                               const float* tokens) {
  const TokenNumbers numbers(tokens);
  PassageReading reading;
  reading.relevance = passage[0];
  reading.operators = log_probabilities<models::kQaOperators>(passage + 1);
  reading.scales = log_probabilities<models::kQaScales>(passage + 1 + models::kQaOperators);
  reading.spans = best_spans(sequence, numbers);
  reading.several = marked_spans(sequence, numbers);
  reading.units = read_units(sequence, numbers);
  reading.rows_read = sequence.rows_read;
  reading.text_cut = sequence.text_cut;
  return reading;
}

}  // namespace fineprint::nets
