// Compares the numbers of answers by value and their words by stem.
#include "pipelines/extractive/same_answer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "fineprint/text/numbers.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines::extractive {
namespace {

using TermSet = std::set<std::string>;

TermSet term_set(const std::string& text) {
  std::vector<std::string> all = text::terms(text);
  return {all.begin(), all.end()};
}

std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> numbers;
  for (const text::PrintedNumber& number : text::numbers_in(text)) numbers.push_back(number.value);
  std::ranges::sort(numbers);
  return numbers;
}

// A sign in brackets or words ("a loss of 5") is often left out of an answer.
bool is_same_number(double one, double other) {
  return std::abs(std::abs(one) - std::abs(other)) <= 1e-9 * std::abs(one);
}

bool are_same_numbers(const std::vector<double>& some, const std::vector<double>& others) {
  return some.size() == others.size() && std::ranges::equal(some, others, is_same_number);
}

bool is_verdict(const TermSet& terms) {
  return terms.size() == 1 && (terms.contains("yes") || terms.contains("no"));
}

}  // namespace

bool is_same_answer(const std::string& one, const std::string& other) {
  constexpr std::size_t kFewMore = 3;
  const std::vector<double> numbers = numbers_of(one), others = numbers_of(other);
  if (!numbers.empty() && !others.empty()) return are_same_numbers(numbers, others);
  TermSet few = term_set(one), many = term_set(other);
  if (is_verdict(few) || is_verdict(many)) return few == many;
  if (few.size() > many.size()) few.swap(many);
  return !few.empty() && many.size() <= few.size() + kFewMore && std::ranges::includes(many, few);
}

double share_held(const std::string& text, const std::string& answer) {
  TermSet wanted = term_set(answer);
  if (wanted.empty() || is_verdict(wanted)) return 0;
  const TermSet present = term_set(text);
  const auto held = std::ranges::count_if(
      wanted, [&](const std::string& term) { return present.contains(term); });
  const std::vector<double> numbers = numbers_of(text);
  const bool has_numbers = std::ranges::all_of(numbers_of(answer), [&](double wanted_number) {
    return std::ranges::any_of(numbers,
                               [&](double one) { return is_same_number(one, wanted_number); });
  });
  const double share = static_cast<double>(held) / static_cast<double>(wanted.size());
  return has_numbers ? share : share / 2;
}

bool repeats(const std::string& question, const std::string& answer) {
  const TermSet asked = term_set(question), said = term_set(answer);
  if (said.empty() || is_verdict(said) || question.find(" or ") != std::string::npos) return false;
  return std::ranges::includes(asked, said);
}

}  // namespace fineprint::pipelines::extractive
