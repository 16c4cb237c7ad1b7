// Finds the numbers in the facts, brings them to one scale, and calculates.
#include "pipelines/investigate/compute.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/numbers.h"

namespace fineprint::pipelines::investigate {
namespace {

// A number of a fact.
struct Operand {
  double value = 0;  // as printed
  double scale = 1;  // value * scale is the amount
  bool percent = false;
  std::size_t fact = 0;

  double amount() const { return value * scale; }
};

bool is_alike(double one, double other) {
  return std::abs(std::abs(one) - std::abs(other)) <= 1e-9 * std::max(1.0, std::abs(one));
}

// Returns the factor of a scale word that follows the number: 1e6 in "2 million", else 1.
double own_scale(std::string_view quote, const text::PrintedNumber& number) {
  if (number.value == 0) return 1;
  for (const text::Value& value : text::find_values(quote, text::AnswerKind::number)) {
    const bool holds = value.span.begin <= number.begin && number.end <= value.span.end;
    if (holds && value.number != 0) return std::abs(value.number / number.value);
  }
  return 1;
}

// Returns the number in the facts, in a fact that no earlier operand is from if there is one.
std::optional<Operand> operand_of(std::span<const Fact> facts, double wanted,
                                  const std::vector<Operand>& earlier) {
  std::optional<Operand> found;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    for (const text::PrintedNumber& number : text::numbers_in(facts[i].quote)) {
      if (!is_alike(number.value, wanted)) continue;
      const double own = own_scale(facts[i].quote, number);
      const bool is_bare = own == 1 && !number.percent;
      const Operand operand{number.value, is_bare ? facts[i].scale : own, number.percent, i};
      if (std::ranges::count(earlier, i, &Operand::fact) == 0) return operand;
      if (!found) found = operand;
    }
  }
  return found;
}

std::string result_text(double value) {
  std::string text = format("{:.4f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string scale_word(double scale) {
  if (scale == 1e3) return " thousand";
  if (scale == 1e6) return " million";
  return scale == 1e9 ? " billion" : "";
}

// Operands of one scale are shown as printed, others as amounts.
class Sum {
 public:
  explicit Sum(std::vector<Operand> operands) : operands_(std::move(operands)) {
    const double scale = operands_.front().scale;
    const bool same = std::ranges::all_of(
        operands_, [&](const Operand& operand) { return operand.scale == scale; });
    unit_ = same && (scale == 1 || !scale_word(scale).empty()) ? scale : 1;
    percent_ = std::ranges::all_of(operands_, &Operand::percent);
  }

  double at(std::size_t i) const { return operands_[i].amount() / unit_; }
  std::size_t size() const { return operands_.size(); }
  std::size_t fact(std::size_t i) const { return operands_[i].fact; }
  double total() const {
    double total = 0;
    for (std::size_t i = 0; i < size(); ++i) total += at(i);
    return total;
  }

  // Returns the result in the unit of the operands.
  std::string in_unit(double result) const {
    return result_text(result) + (percent_ ? "%" : scale_word(unit_));
  }
  // Returns the operands, joined.
  std::string joined(std::string_view sign) const {
    std::string text;
    for (std::size_t i = 0; i < size(); ++i) {
      text += (i == 0 ? "" : std::string(sign)) + result_text(at(i));
    }
    return text;
  }

 private:
  std::vector<Operand> operands_;
  double unit_ = 1;
  bool percent_ = false;
};

std::string extreme_text(const State& state, const Sum& sum, bool largest) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < sum.size(); ++i) {
    if (largest ? sum.at(i) > sum.at(best) : sum.at(i) < sum.at(best)) best = i;
  }
  const std::optional<PageId> page = state.facts()[sum.fact(best)].page;
  const std::string where = page ? format(" ({})", state.place(*page)) : "";
  return format("{} of {}: {}{}", largest ? "larger" : "smaller", sum.joined(" and "),
                sum.in_unit(sum.at(best)), where);
}

// Returns the derivation, or sets the problem.
std::string derivation_of(const State& state, std::string_view operation, const Sum& sum,
                          std::string* problem) {
  const auto size = static_cast<double>(sum.size());
  if (operation == "larger") return extreme_text(state, sum, true);
  if (operation == "smaller") return extreme_text(state, sum, false);
  if (operation == "sum") {
    return format("sum: {} = {}", sum.joined(" + "), sum.in_unit(sum.total()));
  }
  if (operation == "mean") {
    return format("mean: ({}) / {} = {}", sum.joined(" + "), sum.size(),
                  sum.in_unit(sum.total() / size));
  }
  const double first = sum.at(0), second = sum.at(1);
  if (sum.size() != 2) {
    *problem = format("{} needs two numbers", operation);
  } else if (operation == "difference") {
    return format("difference: {} = {}", sum.joined(" - "), sum.in_unit(first - second));
  } else if (operation == "ratio" && second != 0) {
    return format("ratio: {} = {}", sum.joined(" / "), result_text(first / second));
  } else if (operation == "change" && first != 0) {
    return format("change from {} to {}: {}%", result_text(first), result_text(second),
                  result_text(100 * (second - first) / std::abs(first)));
  } else {
    *problem = "it would divide by 0";
  }
  return {};
}

}  // namespace

Computed compute(const State& state, std::string_view operation,
                 std::span<const std::string> numbers) {
  Computed computed;
  std::vector<Operand> operands;
  for (const std::string& printed : numbers) {
    const auto values = text::numbers_in(printed);
    const auto operand = values.size() == 1
                             ? operand_of(state.facts(), values.front().value, operands)
                             : std::nullopt;
    if (!operand) {
      computed.problem = format("{} is in no fact", printed);
      return computed;
    }
    operands.push_back(*operand);
  }
  if (operands.size() < 2) {
    computed.problem = "it needs two numbers";
    return computed;
  }
  for (const Operand& operand : operands) {
    if (std::ranges::count(computed.from, operand.fact) == 0) computed.from.push_back(operand.fact);
  }
  computed.derivation =
      derivation_of(state, operation, Sum(std::move(operands)), &computed.problem);
  return computed;
}

}  // namespace fineprint::pipelines::investigate
