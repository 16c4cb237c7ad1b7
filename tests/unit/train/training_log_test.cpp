// Tests of what a training leaves of its steps.
#include "train/training_log.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace fineprint::train {
namespace {

TEST(TrainingLog, LinesBehindTheLastSaveAreWrittenAnew) {
  const testing::TempDir dir;
  {
    TrainingLog log(dir.path(), 0);
    for (long step = 1; step <= 5; ++step) log.add(step, 10.0 - static_cast<double>(step), 1, 0.1);
  }
  TrainingLog log(dir.path(), 3);
  log.add(4, 2, 1, 0.1);
  const std::string text = read_file(dir.path() + "/steps.jsonl");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
  EXPECT_EQ(text.find("\"step\":5"), std::string::npos);
  EXPECT_DOUBLE_EQ(log.first_loss(), 9);
  EXPECT_DOUBLE_EQ(log.last_loss(), 2);
}

TEST(LossCurve, HasAPlaceForEveryStep) {
  EXPECT_NE(loss_curve({}).find("</svg>"), std::string::npos);
  std::vector<CurvePoint> points;
  for (long step = 1; step <= 200; ++step)
    points.push_back({step, 1.0 / static_cast<double>(step)});
  const std::string svg = loss_curve(points);
  // Two lines of 200 places each; the highest loss is at the top of the axes, the last step right.
  EXPECT_EQ(std::count(svg.begin(), svg.end(), ','), 400);
  EXPECT_NE(svg.find("\"48.0,48.0 "), std::string::npos);
  EXPECT_NE(svg.find("672.0,"), std::string::npos);
  EXPECT_NE(svg.find("step 200"), std::string::npos);
}

TEST(LossCurve, DrawsMeansOfNeighboursWhereThereAreTooManySteps) {
  std::vector<CurvePoint> points;
  for (long step = 1; step <= 2600; ++step) points.push_back({step, step % 2 == 0 ? 3.0 : 1.0});
  const std::string svg = loss_curve(points);
  // 1,300 places a line; the mean of each pair is two thirds of the highest loss.
  EXPECT_EQ(std::count(svg.begin(), svg.end(), ','), 2600);
  EXPECT_NE(svg.find("672.0,136.0 "), std::string::npos);
  EXPECT_NE(svg.find("step 2600"), std::string::npos);
}

}  // namespace
}  // namespace fineprint::train
