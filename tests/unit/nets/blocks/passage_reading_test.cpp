// Tests of what a QA model's numbers say of a passage.
#include "nets/encoders/passage_reading.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace fineprint::nets {
namespace {

using models::QaTokenNumber;
using models::QaTokens;

class Numbers {
 public:
  explicit Numbers(std::size_t tokens) : values_(tokens * models::kQaTokenNumbers, 0.F) {}
  float& at(std::size_t token, QaTokenNumber which) {
    return values_[token * models::kQaTokenNumbers + static_cast<std::size_t>(which)];
  }
  const float* data() const { return values_.data(); }

 private:
  std::vector<float> values_;
};

std::vector<float> passage_numbers() {
  std::vector<float> numbers(models::kQaPassageNumbers, 0.F);
  numbers[0] = 1.5F;
  numbers[1 + 3] = std::log(9.F);  // sum, among ten
  return numbers;
}

QaTokens text_of(std::size_t tokens) {
  QaTokens text;
  text.ids.resize(tokens + 2);
  text.text_begin = 1;
  text.text_end = 1 + tokens;
  for (std::uint32_t i = 0; i < tokens; ++i) text.bytes.emplace_back(i * 4, i * 4 + 3);
  return text;
}

TEST(PassageReading, OperatorsAreProbabilities) {
  const QaTokens text = text_of(3);
  const auto reading = passage_reading(text, passage_numbers().data(), Numbers(5).data());
  EXPECT_FLOAT_EQ(reading.relevance, 1.5);
  EXPECT_NEAR(std::exp(reading.operators[3]), 0.5, 1e-6);
  EXPECT_NEAR(std::exp(reading.scales[2]), 0.2, 1e-6);
}

TEST(PassageReading, TheBestSpanBeginsBeforeItEnds) {
  const QaTokens text = text_of(4);
  Numbers numbers(6);
  numbers.at(3, QaTokenNumber::start) = 9;
  numbers.at(2, QaTokenNumber::end) = 9;  // before it
  numbers.at(4, QaTokenNumber::end) = 5;
  const auto reading = passage_reading(text, passage_numbers().data(), numbers.data());
  ASSERT_FALSE(reading.spans.empty());
  EXPECT_LE(reading.spans.size(), 10U);
  EXPECT_EQ(reading.spans[0].begin, 8U);
  EXPECT_EQ(reading.spans[0].end, 15U);
  for (std::size_t i = 0; i < reading.spans.size(); ++i) {
    EXPECT_LT(reading.spans[i].begin, reading.spans[i].end);
    if (i > 0) {
      EXPECT_GE(reading.spans[i - 1].log_probability, reading.spans[i].log_probability);
    }
  }
}

TEST(PassageReading, RunsOfMarkedTokensAreSpans) {
  const QaTokens text = text_of(5);
  Numbers numbers(7);
  for (std::size_t token = 1; token <= 5; ++token) {
    numbers.at(token, QaTokenNumber::several) = token == 3 ? -1 : 2;
  }
  const auto reading = passage_reading(text, passage_numbers().data(), numbers.data());
  ASSERT_EQ(reading.several.size(), 2U);
  EXPECT_EQ(reading.several[0].begin, 0U);
  EXPECT_EQ(reading.several[0].end, 7U);
  EXPECT_EQ(reading.several[1].begin, 12U);
  EXPECT_NEAR(reading.several[1].log_probability, 2, 1e-6);
}

TEST(PassageReading, UnitsHaveTheMeanOfTheirTokens) {
  QaTokens table;
  table.ids.resize(6);
  table.units = {{.row = 0, .column = 0, .first = 1, .last = 2},
                 {.row = 0, .column = 1, .first = 2, .last = 5}};
  table.rows_read = 1;
  Numbers numbers(6);
  numbers.at(3, QaTokenNumber::chosen) = 6;
  numbers.at(2, QaTokenNumber::single) = std::log(27.F);  // its unit's mean is log 3
  const auto reading = passage_reading(table, passage_numbers().data(), numbers.data());
  ASSERT_EQ(reading.units.size(), 2U);
  EXPECT_NEAR(reading.units[1].chosen, 2, 1e-6);
  EXPECT_NEAR(std::exp(reading.units[1].single), 0.75, 1e-6);
  EXPECT_NEAR(std::exp(reading.units[0].first), 0.5, 1e-6);
  EXPECT_TRUE(reading.spans.empty());
  EXPECT_EQ(reading.rows_read, 1U);
}

}  // namespace
}  // namespace fineprint::nets
