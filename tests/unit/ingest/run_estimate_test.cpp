// What a run says of the time that is left.
#include "ingest/run_estimate.h"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

namespace fineprint::ingest {
namespace {

TEST(RunEstimate, CountsEveryPhaseThatComes) {
  RunEstimate estimate(2);
  estimate.expect(Phase::texts, 100);
  EXPECT_EQ(estimate.after(Phase::texts).seconds, 0);
  const double texts = estimate.from(Phase::texts).seconds;
  EXPECT_GT(texts, 0);
  estimate.expect(Phase::ocr, 10);
  const double with_ocr = estimate.from(Phase::texts).seconds;
  EXPECT_GT(with_ocr, texts);
  estimate.expect(Phase::embedding, 1000);
  EXPECT_GT(estimate.after(Phase::ocr).seconds, 0);
  EXPECT_GT(estimate.from(Phase::texts).seconds, with_ocr);
  estimate.advance(Phase::ocr, 10);
  estimate.advance(Phase::embedding, 1000);
  EXPECT_EQ(estimate.after(Phase::texts).seconds, 0);
}

TEST(RunEstimate, TakesAFolderToBeLikeWhatWasReadOfIt) {
  RunEstimate estimate(1);
  estimate.expect(Phase::texts, 1000);
  estimate.saw_document(100, 10, 270);
  const double a_tenth = estimate.after(Phase::texts).seconds;
  estimate.saw_document(100, 10, 270);
  EXPECT_NEAR(estimate.after(Phase::texts).seconds, a_tenth, 1e-9);
  estimate.saw_document(800, 0, 0);
  EXPECT_LT(estimate.after(Phase::texts).seconds, a_tenth);
  RunEstimate two(2);
  two.expect(Phase::texts, 1000);
  two.saw_document(100, 10, 270);
  EXPECT_NEAR(two.after(Phase::texts).seconds, a_tenth / 2, 1e-9);
}

TEST(RunEstimate, SaysWhereItDoesNotKnow) {
  RunEstimate estimate(2);
  estimate.expect(Phase::embedding, 10);
  EXPECT_FALSE(estimate.from(Phase::texts).at_least);
  estimate.expect(Phase::pictures, 5);
  EXPECT_TRUE(estimate.from(Phase::texts).at_least);
  EXPECT_TRUE(estimate.after(Phase::embedding).at_least);
  EXPECT_FALSE(estimate.after(Phase::pictures).at_least);
}

// After a second of a phase that nothing is known of, its pace is known.
TEST(RunEstimate, LearnsThePaceOfPicturesAndMaps) {
  using namespace std::chrono_literals;
  for (const Phase phase : {Phase::pictures, Phase::maps}) {
    RunEstimate estimate(2);
    estimate.expect(phase, 30);
    std::this_thread::sleep_for(1100ms);  // a model is loaded
    estimate.begin(phase);
    EXPECT_TRUE(estimate.from(Phase::texts).at_least);
    std::this_thread::sleep_for(1100ms);
    estimate.advance(phase, 10);
    const TimeAfter left = estimate.from(phase);
    EXPECT_FALSE(left.at_least);
    EXPECT_GE(left.seconds, 2.2);
    // Of the twenty that are left, the loop that is running has five.
    EXPECT_NEAR(estimate.after(phase, 5).seconds, left.seconds * 15 / 20, 1e-9);
    EXPECT_EQ(estimate.after(phase, 20).seconds, 0);
    estimate.expect(phase, 8);  // for another model, whose pace is another
    EXPECT_TRUE(estimate.from(phase).at_least);
    estimate.advance(phase, 8);
    EXPECT_FALSE(estimate.from(phase).at_least);
  }
}

}  // namespace
}  // namespace fineprint::ingest
