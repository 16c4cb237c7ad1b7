// The loss of a QA model's numbers: how far they are from pointing at the examples' answers.
#include "train/gradients/qa_loss.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cumsum.h>
#include <ATen/ops/log1p.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/logsumexp.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sigmoid.h>
#include <ATen/ops/softplus.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

namespace fineprint::train {
namespace {

using models::QaOperator;
using models::QaTokenNumber;
using models::QaTokens;

// Weight of wrongly chosen tokens against missed ones, because only few of many are right.
constexpr double kOthersAgainstChosen = 4;
constexpr double kCountWeight = 2;
constexpr double kScaleWeight = 0.5;

// Returns the tokens of a text that touch the bytes, or nullopt if the sequence ends before the
// span does.
std::optional<std::pair<std::int64_t, std::int64_t>> tokens_of_span(
    const QaTokens& sequence, std::pair<std::uint32_t, std::uint32_t> span) {
  std::optional<std::pair<std::int64_t, std::int64_t>> found;
  for (std::size_t i = 0; i < sequence.bytes.size(); ++i) {
    const auto [begin, end] = sequence.bytes[i];
    // A token counts if it touches the span, because a span may begin or end within a word piece.
    if (begin >= span.second || end <= span.first) continue;
    const auto token = static_cast<std::int64_t>(sequence.text_begin + i);
    if (!found) found.emplace(token, token);
    found->second = token;
  }
  const bool is_cut =
      sequence.text_cut && !sequence.bytes.empty() && sequence.bytes.back().second < span.second;
  return is_cut ? std::nullopt : found;
}

std::optional<std::int64_t> unit_of_cell(const QaTokens& sequence, std::pair<int, int> cell) {
  for (std::size_t u = 0; u < sequence.units.size(); ++u) {
    if (sequence.units[u].row == cell.first && sequence.units[u].column == cell.second) {
      return static_cast<std::int64_t>(u);
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> unit_of_span(const QaTokens& sequence,
                                         std::pair<std::uint32_t, std::uint32_t> span) {
  for (std::size_t u = 0; u < sequence.units.size(); ++u) {
    const QaTokens::Unit& unit = sequence.units[u];
    if (unit.row < 0 && unit.begin < span.second && unit.end > span.first) {
      return static_cast<std::int64_t>(u);
    }
  }
  return std::nullopt;
}

bool quotes(QaOperator by) { return by == QaOperator::span || by == QaOperator::spans; }

// Quotes are pointed at by tokens, all other operators choose units.
std::optional<PlacedAnswer> placed(const QaAnswer& answer, const QaTokens& sequence) {
  PlacedAnswer result = {answer.passage, answer.by, {}, {}, answer.count};
  for (const auto& span : answer.spans) {
    if (quotes(answer.by)) {
      const auto tokens = tokens_of_span(sequence, span);
      // An answer of which a part was cut off cannot be pointed at.
      if (!tokens) return std::nullopt;
      result.spans.push_back(*tokens);
    } else {
      const auto unit = unit_of_span(sequence, span);
      if (!unit) return std::nullopt;
      result.units.push_back(*unit);
    }
  }
  for (const auto& cell : answer.cells) {
    const auto unit = unit_of_cell(sequence, cell);
    if (!unit) return std::nullopt;
    result.units.push_back(*unit);
  }
  return result;
}

// The QA model's numbers of one passage.
struct Numbers {
  const QaTokens& sequence;
  at::Tensor passage;  // [kQaPassageNumbers]
  at::Tensor tokens;   // [T, kQaTokenNumbers]
  at::Tensor units;    // [U, kQaTokenNumbers], the mean over the tokens of each unit

  at::Tensor of_units(QaTokenNumber which) const {
    return units.select(1, static_cast<std::int64_t>(which));
  }
  at::Tensor of_text(QaTokenNumber which) const {
    return tokens.select(1, static_cast<std::int64_t>(which))
        .slice(0, static_cast<std::int64_t>(sequence.text_begin),
               static_cast<std::int64_t>(sequence.text_end));
  }
};

// Differences of running sums, so that units of any length need no loop.
at::Tensor means_of_units(const QaTokens& sequence, const at::Tensor& tokens) {
  std::vector<std::int64_t> first, last;
  std::vector<float> length;
  for (const QaTokens::Unit& unit : sequence.units) {
    first.push_back(static_cast<std::int64_t>(unit.first));
    last.push_back(static_cast<std::int64_t>(unit.last));
    length.push_back(static_cast<float>(unit.last - unit.first));
  }
  const auto at = [&](const std::vector<std::int64_t>& places) {
    return at::tensor(places, at::kLong).to(tokens.device());
  };
  const at::Tensor before = at::zeros({1, tokens.size(1)}, tokens.options());
  const at::Tensor sums = at::cat({before, at::cumsum(tokens, 0)});  // [T + 1, numbers]
  const at::Tensor lengths = at::tensor(length).to(tokens.device()).unsqueeze(1);
  return (sums.index_select(0, at(last)) - sums.index_select(0, at(first))) / lengths;
}

// Returns minus the cost of choosing exactly these items. `odds` are the log-odds of all items.
at::Tensor log_choice(const at::Tensor& odds, const std::vector<std::int64_t>& chosen) {
  at::Tensor is_chosen = at::zeros({odds.size(0)}, at::kFloat);
  for (const std::int64_t i : chosen) is_chosen[i] = 1;
  is_chosen = is_chosen.to(odds.device());
  const double count = static_cast<double>(chosen.size());
  const double others = static_cast<double>(odds.size(0)) - count;
  // softplus(-x) is -log(sigmoid(x)), computed without overflow.
  const at::Tensor missed = (at::softplus(-odds) * is_chosen).sum() / count;
  const at::Tensor wrong =
      (at::softplus(odds) * (1 - is_chosen)).sum() / std::max(count, others / kOthersAgainstChosen);
  return -(missed + wrong);
}

// Counted from the beginning of the text, as the numbers of text are.
std::vector<std::int64_t> all_tokens(const PlacedAnswer& answer, const QaTokens& sequence) {
  std::set<std::int64_t> tokens;
  for (const auto& [first, last] : answer.spans) {
    for (std::int64_t token = first; token <= last; ++token) {
      tokens.insert(token - static_cast<std::int64_t>(sequence.text_begin));
    }
  }
  return {tokens.begin(), tokens.end()};
}

// In a table the value is one unit; in a text it is a start and an end, chosen independently.
at::Tensor log_single(const PlacedAnswer& answer, const Numbers& numbers) {
  if (!answer.units.empty()) {
    return at::log_softmax(numbers.of_units(QaTokenNumber::single), 0)[answer.units.front()];
  }
  const auto begin = static_cast<std::int64_t>(numbers.sequence.text_begin);
  const auto [first, last] = answer.spans.front();
  return at::log_softmax(numbers.of_text(QaTokenNumber::start), 0)[first - begin] +
         at::log_softmax(numbers.of_text(QaTokenNumber::end), 0)[last - begin];
}

// For an example that gives only the number of chosen units.
at::Tensor log_count(double count, const Numbers& numbers) {
  const at::Tensor found = at::sigmoid(numbers.of_units(QaTokenNumber::chosen)).sum();
  // Compared as logarithms, so that one too many matters less among many.
  return (at::log1p(found) - std::log1p(count)).abs() * -kCountWeight;
}

at::Tensor log_parts(const PlacedAnswer& answer, const Numbers& numbers) {
  switch (answer.by) {
    case QaOperator::span:
      return log_single(answer, numbers);
    case QaOperator::spans:
      if (answer.units.empty()) {
        return log_choice(numbers.of_text(QaTokenNumber::several),
                          all_tokens(answer, numbers.sequence));
      }
      return log_choice(numbers.of_units(QaTokenNumber::chosen), answer.units);
    case QaOperator::count:
      if (answer.units.empty()) return log_count(*answer.count, numbers);
      return log_choice(numbers.of_units(QaTokenNumber::chosen), answer.units);
    case QaOperator::sum:
    case QaOperator::average:
      return log_choice(numbers.of_units(QaTokenNumber::chosen), answer.units);
    case QaOperator::difference:
    case QaOperator::ratio:
    case QaOperator::change:
      return at::log_softmax(numbers.of_units(QaTokenNumber::first), 0)[answer.units[0]] +
             at::log_softmax(numbers.of_units(QaTokenNumber::second), 0)[answer.units[1]];
    case QaOperator::yes:
    case QaOperator::no:
      break;
  }
  return at::zeros({}, numbers.passage.options());
}

// The operator and its parts are independent choices, so their log-probabilities add.
at::Tensor log_answer(const PlacedAnswer& answer, const Numbers& numbers) {
  const at::Tensor operators = at::log_softmax(
      numbers.passage.slice(0, 1, 1 + static_cast<std::int64_t>(models::kQaOperators)), 0);
  return operators[static_cast<std::int64_t>(answer.by)] + log_parts(answer, numbers);
}

// Weighted less than the answer itself.
at::Tensor scale_loss(models::QaScale scale, const at::Tensor& passage) {
  const at::Tensor scales =
      at::log_softmax(passage.slice(0, 1 + static_cast<std::int64_t>(models::kQaOperators)), 0);
  return scales[static_cast<std::int64_t>(scale)] * -kScaleWeight;
}

// `relevance` is of the example's passages, [P].
at::Tensor passages_loss(const PlacedExample& example, const at::Tensor& relevance) {
  // The log-odds of "no answer" are 0, with which all passages are compared.
  const at::Tensor nothing = at::zeros({1}, relevance.options());
  const at::Tensor all = at::logsumexp(at::cat({nothing, relevance}), 0);
  if (!example.answerable) return all;
  std::set<std::int64_t> right;
  for (const PlacedAnswer& answer : example.answers) {
    right.insert(static_cast<std::int64_t>(answer.passage));
  }
  const at::Tensor places =
      at::tensor(std::vector<std::int64_t>(right.begin(), right.end()), at::kLong);
  return all - at::logsumexp(relevance.index_select(0, places.to(relevance.device())), 0);
}

// Without an answer, only the passages' own loss remains: all of them should score below nothing.
at::Tensor example_loss(const PlacedExample& example, const at::Tensor& passages,
                        std::span<const at::Tensor> tokens) {
  at::Tensor loss = passages_loss(example, passages.select(1, 0));
  if (example.answers.empty()) return loss;
  std::vector<at::Tensor> likely;
  for (const PlacedAnswer& answer : example.answers) {
    const QaTokens& sequence = example.sequences[answer.passage];
    const at::Tensor& of_tokens = tokens[answer.passage];
    const Numbers numbers = {sequence, passages[static_cast<std::int64_t>(answer.passage)],
                             of_tokens, means_of_units(sequence, of_tokens)};
    likely.push_back(log_answer(answer, numbers));
  }
  // The answers are alternatives, so their probabilities add.
  loss = loss - at::logsumexp(at::stack(likely), 0);
  if (!example.scale) return loss;
  const auto passage = static_cast<std::int64_t>(example.answers.front().passage);
  return loss + scale_loss(*example.scale, passages[passage]);
}

}  // namespace

PlacedExample place(const QaExample& example, std::vector<models::QaTokens> sequences) {
  PlacedExample result = {std::move(sequences), {}, example.scale, !example.answers.empty()};
  for (const QaAnswer& answer : example.answers) {
    auto found = placed(answer, result.sequences[answer.passage]);
    if (found) result.answers.push_back(std::move(*found));
  }
  return result;
}

at::Tensor qa_loss(const nets::QaNumbers& numbers, std::span<const PlacedExample* const> examples) {
  std::vector<std::int64_t> passages, lengths;
  for (const PlacedExample* example : examples) {
    passages.push_back(std::ssize(example->sequences));
    for (const QaTokens& sequence : example->sequences) {
      lengths.push_back(std::ssize(sequence.ids));
    }
  }
  const std::vector<at::Tensor> of_passages = numbers.passages.split_with_sizes(passages);
  const std::vector<at::Tensor> of_tokens = numbers.tokens.split_with_sizes(lengths);
  at::Tensor sum = at::zeros({}, numbers.passages.options());
  std::size_t first = 0;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const PlacedExample& example = *examples[i];
    const auto tokens = std::span(of_tokens).subspan(first, example.sequences.size());
    first += example.sequences.size();
    // The answers were cut off, so the example would teach that there is none.
    if (example.answerable && example.answers.empty()) continue;
    sum = sum + example_loss(example, of_passages[i], tokens);
  }
  return sum;
}

}  // namespace fineprint::train
