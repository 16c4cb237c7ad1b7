// Exact and relaxed agreement of short answers.
#include "fineprint/metrics/answers.h"

#include <algorithm>
#include <cmath>

#include "fineprint/core/unicode.h"

#include "metrics/answer_words.h"

namespace fineprint::metrics {
namespace {

constexpr double kTolerance = 0.05;  // the tolerance of ChartQA's relaxed accuracy

bool near(double prediction, double gold) {
  // The tiny addition is for values that are exactly 5% apart in decimal but not in binary.
  return std::abs(prediction - gold) <= kTolerance * std::abs(gold) * (1 + 1e-9);
}

bool same_amount(const Number& prediction, const Number& gold) {
  // For years, 5% would be a century.
  if (prediction.year && gold.year) return prediction.value == gold.value;
  if (near(prediction.value * prediction.scale, gold.value * gold.scale)) return true;
  // "in millions" may be in the question or in the table's header, and so on one side only.
  const bool one_is_bare = prediction.scale == 1 || gold.scale == 1;
  return one_is_bare && near(prediction.value, gold.value);
}

// Returns the number of an answer that contains exactly one; nullptr otherwise.
const Number* only_number(const std::vector<Word>& words) {
  const Number* found = nullptr;
  for (const Word& word : words) {
    if (!word.number) continue;
    if (found != nullptr) return nullptr;
    found = &*word.number;
  }
  return found;
}

bool same_words(const std::vector<Word>& a, const std::vector<Word>& b, std::string_view raw_a,
                std::string_view raw_b) {
  // "The" or "?!" leave no word. Then the texts themselves must agree.
  if (a.empty() && b.empty()) return fold(raw_a) == fold(raw_b);
  return a == b;
}

}  // namespace

bool exact_match(std::string_view prediction, std::string_view gold) {
  return same_words(answer_words(prediction), answer_words(gold), prediction, gold);
}

bool relaxed_match(std::string_view prediction, std::string_view gold) {
  const std::vector<Word> said = answer_words(prediction);
  const std::vector<Word> wanted = answer_words(gold);
  if (same_words(said, wanted, prediction, gold)) return true;
  const Number* said_number = only_number(said);
  const Number* wanted_number = only_number(wanted);
  if (said_number != nullptr && wanted_number != nullptr &&
      same_amount(*said_number, *wanted_number)) {
    return true;
  }
  return !wanted.empty() && !std::ranges::search(said, wanted).empty();
}

}  // namespace fineprint::metrics
