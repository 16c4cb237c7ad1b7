// Figures that can be worked out by hand.
#include "report/summary.h"

#include <cmath>

#include <gtest/gtest.h>

#include "unit/report/records_of.h"

namespace fineprint::report {
namespace {

Answer costly(const std::string& id, const std::string& text, double confidence, double seconds,
              std::int64_t read) {
  Answer answer = answer_of(id, text, confidence);
  answer.usage.ms = 1000 * seconds;
  answer.usage.prompt_tokens = read;
  answer.usage.output_tokens = 10;
  answer.usage.vlm_calls = 2;
  return answer;
}

// Two right, one wrong, one declined where there is an answer, one missing.
Material four_and_one() {
  const std::string table = R"({"question_type": "table", "evidence_sources": ["Table"]})";
  const std::string both = R"({"question_type": "span", "evidence_sources": ["Table", "Chart"]})";
  Material material;
  material.questions = {question_of("a", "red", table), question_of("b", "blue", table),
                        question_of("c", "green", both), question_of("d", "black", both),
                        question_of("e", "white", both)};
  material.answers = {costly("a", "red", 0.95, 1, 100), costly("b", "blue", 0.85, 2, 300),
                      costly("c", "yellow", 0.85, 3, 500),
                      costly("d", std::string(kNotAnswerable), 0.25, 10, 0)};
  return material;
}

TEST(Summary, CountsVerdicts) {
  const Material material = four_and_one();
  const Summary summary = summarise(entries_of(material));
  EXPECT_EQ(summary.questions, 5u);
  EXPECT_EQ(summary.answered, 4u);
  EXPECT_EQ(summary.judged, 5u);
  EXPECT_EQ(summary.declined, 1u);
  EXPECT_EQ(summary.verdicts.at(Verdict::right), 2u);
  EXPECT_EQ(summary.verdicts.at(Verdict::wrong), 2u);
  EXPECT_EQ(summary.verdicts.at(Verdict::missing), 1u);
  EXPECT_DOUBLE_EQ(summary.value, 0.4);
}

TEST(Summary, SlicesByTypeAndSource) {
  const Material material = four_and_one();
  const Summary summary = summarise(entries_of(material));
  ASSERT_EQ(summary.slices.size(), 2u);
  const std::vector<Group>& types = summary.slices[0].groups;
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types[0].name, "span");
  EXPECT_EQ(types[0].questions, 3u);
  EXPECT_DOUBLE_EQ(types[0].value, 0);
  EXPECT_DOUBLE_EQ(types[1].value, 1);
  const std::vector<Group>& sources = summary.slices[1].groups;
  EXPECT_EQ(sources[0].name, "Table");
  EXPECT_EQ(sources[0].judged, 5u);
  EXPECT_DOUBLE_EQ(sources[0].value, 0.4);
  EXPECT_EQ(sources[1].name, "Chart");
  EXPECT_DOUBLE_EQ(sources[1].value, 0);
}

// Bins: 0.2..0.3 said 0.25 came 0, 0.8..0.9 said 0.85 came 1/2, 0.9..1 said 0.95 came 1:
// (0.25 + 2 * 0.35 + 0.05) / 4. What is missing said nothing.
TEST(Summary, ComparesConfidenceWithTruth) {
  const Material material = four_and_one();
  const Summary summary = summarise(entries_of(material));
  EXPECT_EQ(summary.reliability.at(8).count, 2u);
  EXPECT_DOUBLE_EQ(summary.reliability.at(8).came, 0.5);
  EXPECT_NEAR(summary.calibration_error, 0.25, 1e-12);
}

TEST(Summary, TellsWhatAnswersCost) {
  const Material material = four_and_one();
  const Summary summary = summarise(entries_of(material));
  EXPECT_DOUBLE_EQ(summary.seconds.mean, 4);
  EXPECT_DOUBLE_EQ(summary.seconds.median, 2.5);
  EXPECT_DOUBLE_EQ(summary.seconds.most, 10);
  EXPECT_DOUBLE_EQ(summary.tokens_read.total, 900);
  EXPECT_DOUBLE_EQ(summary.tokens_written.total, 40);
  EXPECT_DOUBLE_EQ(summary.calls.mean, 2);
}

TEST(Summary, OfNothingJudgedHasNoMean) {
  Material material;
  material.answers = {answer_of("a", "red")};
  const Summary summary = summarise(entries_of(material));
  EXPECT_EQ(summary.judged, 0u);
  EXPECT_TRUE(std::isnan(summary.value));
  EXPECT_TRUE(std::isnan(summary.calibration_error));
  EXPECT_TRUE(summary.slices.empty());
}

std::vector<std::size_t> counts(const std::vector<HistogramBin>& bins) {
  std::vector<std::size_t> all;
  for (const HistogramBin& bin : bins) all.push_back(bin.count);
  return all;
}

TEST(Histogram, HasRoundBinsThatHoldEverything) {
  // 30 / 6 = 5.
  const std::vector<HistogramBin> bins = histogram({0, 4.9, 5, 12, 30}, 6);
  EXPECT_EQ(counts(bins), (std::vector<std::size_t>{2, 1, 1, 0, 0, 0, 1}));
  EXPECT_DOUBLE_EQ(bins[1].from, 5);
  EXPECT_DOUBLE_EQ(bins[1].to, 10);
  // 0.31 / 12 = 0.026 becomes 0.05.
  EXPECT_DOUBLE_EQ(histogram({0.31}).front().to, 0.05);
}

TEST(Histogram, OfNothingOrNaughts) {
  EXPECT_TRUE(histogram({}).empty());
  EXPECT_EQ(counts(histogram({0, 0})), std::vector<std::size_t>{2});
}

}  // namespace
}  // namespace fineprint::report
