// Tests of the losses of QA models: PyTorch's values and gradients, differences, and what is left
// out.
#include "train/gradients/qa_loss.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros_like.h>
#include <gtest/gtest.h>

#include "unit/train/gradients/golden_training.h"

namespace fineprint::train {
namespace {

using models::QaOperator;
using models::QaTokens;

QaTokens of_length(std::size_t length) {
  QaTokens tokens;
  tokens.ids.resize(length);
  return tokens;
}

// The two passages of scripts/golden/make_qa_loss.py.
std::vector<QaTokens> golden_sequences() {
  QaTokens text = of_length(6), table = of_length(9);
  text.text_begin = 2;
  text.text_end = 5;
  text.bytes = {{0, 3}, {4, 6}, {7, 9}};
  text.units = {{.begin = 4, .end = 6, .first = 3, .last = 4}};
  table.units = {{.row = 0, .column = 0, .first = 1, .last = 2},
                 {.row = 0, .column = 1, .first = 2, .last = 4},
                 {.row = 1, .column = 0, .first = 4, .last = 5},
                 {.row = 1, .column = 1, .first = 5, .last = 8}};
  return {text, table};
}

constexpr std::size_t kText = 0, kTable = 1;

struct Case {
  std::string name;
  std::vector<PlacedAnswer> answers;
  std::optional<models::QaScale> scale = {};
};

std::vector<Case> golden_cases() {
  using O = QaOperator;
  using S = models::QaScale;
  return {{"nothing", {}},
          {"span", {{kText, O::span, {{3, 4}}, {}, {}}}},
          {"cell", {{kTable, O::span, {}, {2}, {}}}, S::million},
          {"either", {{kText, O::span, {{2, 2}}, {}, {}}, {kTable, O::span, {}, {0}, {}}}},
          {"spans", {{kText, O::spans, {{2, 2}, {4, 4}}, {}, {}}}},
          {"cells", {{kTable, O::spans, {}, {1, 3}, {}}}},
          {"sum", {{kTable, O::sum, {}, {0, 1}, {}}}, S::thousand},
          {"average", {{kTable, O::average, {}, {2, 3}, {}}}},
          {"count", {{kTable, O::count, {}, {0, 2, 3}, {}}}},
          {"counted", {{kTable, O::count, {}, {}, 2.0}}},
          {"difference", {{kTable, O::difference, {}, {1, 0}, {}}}},
          {"ratio", {{kTable, O::ratio, {}, {3, 2}, {}}, {kTable, O::ratio, {}, {1, 0}, {}}}},
          {"change", {{kTable, O::change, {}, {0, 3}, {}}}, S::percent},
          {"yes", {{kTable, O::yes, {}, {}, {}}}},
          {"no", {{kText, O::no, {}, {}, {}}}}};
}

PlacedExample example_of(const Case& one) {
  return {golden_sequences(), one.answers, one.scale, !one.answers.empty()};
}

at::Tensor loss_of(const std::vector<PlacedExample>& examples, const at::Tensor& passages,
                   const at::Tensor& tokens) {
  std::vector<const PlacedExample*> pointers;
  for (const PlacedExample& example : examples) pointers.push_back(&example);
  return qa_loss({passages, tokens}, pointers);
}

at::Tensor gradient(const at::Tensor& leaf) {
  return leaf.grad().defined() ? leaf.grad() : at::zeros_like(leaf);
}

TEST(QaLoss, ValuesAndGradientsArePyTorchs) {
  const GoldenTraining golden("qa_loss");
  for (const Case& one : golden_cases()) {
    const at::Tensor passages = golden.numbers("passages").set_requires_grad(true);
    const at::Tensor tokens = golden.numbers("tokens").set_requires_grad(true);
    const at::Tensor loss = loss_of({example_of(one)}, passages, tokens);
    loss.backward();
    EXPECT_NEAR(loss.item<double>(), golden.numbers(one.name).item<double>(), 2e-5) << one.name;
    EXPECT_LT(apart(gradient(passages), golden.numbers(one.name + ".passages")), 1e-4) << one.name;
    const at::Tensor expected = golden.numbers(one.name + ".tokens");
    EXPECT_LT((gradient(tokens) - expected).abs().max().item<double>(), 1e-5) << one.name;
  }
}

TEST(QaLoss, GradientsAreDifferences) {
  const GoldenTraining golden("qa_loss");
  const double step = 1e-6;
  for (const Case& one : golden_cases()) {
    const at::Tensor passages = golden.numbers("passages").to(at::kDouble);
    const at::Tensor tokens = golden.numbers("tokens").to(at::kDouble);
    const at::Tensor leaf = tokens.clone().set_requires_grad(true);
    const at::Tensor leaf_passages = passages.clone().set_requires_grad(true);
    loss_of({example_of(one)}, leaf_passages, leaf).backward();
    for (const auto& [row, column] : {std::pair{3, 0}, {4, 2}, {7, 3}, {8, 4}, {10, 5}, {12, 6}}) {
      at::Tensor more = tokens.clone(), less = tokens.clone();
      more[row][column] += step;
      less[row][column] -= step;
      const double difference =
          (loss_of({example_of(one)}, passages, more) - loss_of({example_of(one)}, passages, less))
              .item<double>() /
          (2 * step);
      EXPECT_NEAR(gradient(leaf)[row][column].item<double>(), difference, 1e-6) << one.name;
    }
  }
}

TEST(QaLoss, OfSeveralExamplesIsTheirSum) {
  const GoldenTraining golden("qa_loss");
  const at::Tensor passages = golden.numbers("passages"), tokens = golden.numbers("tokens");
  std::vector<PlacedExample> examples;
  double sum = 0;
  for (const Case& one : golden_cases()) {
    examples.push_back(example_of(one));
    sum += loss_of({examples.back()}, passages, tokens).item<double>();
  }
  const std::vector<at::Tensor> many_passages(examples.size(), passages);
  const std::vector<at::Tensor> many_tokens(examples.size(), tokens);
  EXPECT_NEAR(loss_of(examples, at::cat(many_passages), at::cat(many_tokens)).item<double>(), sum,
              1e-4);
}

// The text's bytes 4 to 6 are its second token and its one number.
QaExample example_with(const QaAnswer& answer) {
  QaExample example;
  example.passages.resize(2);
  example.answers = {answer};
  return example;
}

TEST(QaLoss, AnswersAreFoundInTokensAndUnits) {
  const auto placed = [](const QaAnswer& answer) {
    return place(example_with(answer), golden_sequences()).answers;
  };
  using O = QaOperator;
  EXPECT_EQ(placed({kText, O::span, {{4, 9}}, {}, {}}).at(0).spans.at(0),
            (std::pair<std::int64_t, std::int64_t>(3, 4)));
  EXPECT_EQ(placed({kText, O::sum, {{4, 6}}, {}, {}}).at(0).units, std::vector<std::int64_t>{0});
  EXPECT_EQ(placed({kTable, O::difference, {}, {{1, 1}, {0, 0}}, {}}).at(0).units,
            (std::vector<std::int64_t>{3, 0}));
}

TEST(QaLoss, AnswersBehindTheLimitAskForNothing) {
  std::vector<QaTokens> cut = golden_sequences();
  cut[kText].text_cut = true;
  const GoldenTraining golden("qa_loss");
  for (const QaAnswer& answer : {QaAnswer{kText, QaOperator::span, {{4, 30}}, {}, {}},
                                 QaAnswer{kTable, QaOperator::span, {}, {{9, 0}}, {}}}) {
    const PlacedExample example = place(example_with(answer), cut);
    EXPECT_TRUE(example.answerable);
    EXPECT_TRUE(example.answers.empty());
    EXPECT_EQ(
        loss_of({example}, golden.numbers("passages"), golden.numbers("tokens")).item<double>(), 0);
  }
}

}  // namespace
}  // namespace fineprint::train
