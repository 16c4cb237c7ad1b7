// What is found on turned pages comes back to where it stands on the page.
#include "reading/turning.h"

#include <gtest/gtest.h>

#include "unit/reading/raw_pages.h"

namespace fineprint::reading {
namespace {

using testing::RawPageBuilder;

Page page_with(const Box& box, float width, float height) {
  Page page;
  page.width_pt = width;
  page.height_pt = height;
  page.words.push_back({"word", box, 10, 1, false, false});
  page.lines.push_back({0, 1, box});
  Element element;
  element.box = box;
  element.line_count = 1;
  page.elements.push_back(element);
  return page;
}

void expect_box(const Box& box, const Box& expected) {
  EXPECT_NEAR(box.x0, expected.x0, 0.01);
  EXPECT_NEAR(box.y0, expected.y0, 0.01);
  EXPECT_NEAR(box.x1, expected.x1, 0.01);
  EXPECT_NEAR(box.y1, expected.y1, 0.01);
}

TEST(Turning, FramesTurnCounterClockwise) {
  pdf::RawPage raw = RawPageBuilder(100, 200).page();
  raw.images = {{90, 0, 100, 30}};  // at the upper right corner: comes to the upper left
  turn_frame(raw, 1);
  EXPECT_EQ(raw.width_pt, 200);
  EXPECT_EQ(raw.height_pt, 100);
  expect_box(raw.images[0], {0, 0, 30, 10});
  turn_frame(raw, 3);
  EXPECT_EQ(raw.width_pt, 100);
  expect_box(raw.images[0], {90, 0, 100, 30});
}

TEST(Turning, QuartersComeBackExactly) {
  const Box box{10, 20, 40, 28};
  for (int quarters = 0; quarters < 4; ++quarters) {
    pdf::RawPage raw = RawPageBuilder(100, 200).page();
    raw.images = {box};
    turn_frame(raw, quarters);
    Page page = page_with(raw.images[0], raw.width_pt, raw.height_pt);
    turn_back(page, {quarters, 0});
    EXPECT_EQ(page.width_pt, 100);
    EXPECT_EQ(page.height_pt, 200);
    expect_box(page.words[0].box, box);
    expect_box(page.lines[0].box, box);
    expect_box(page.elements[0].box, box);
  }
}

TEST(Turning, TheMiddleStaysWhereItIs) {
  Page page = page_with({80, 48, 120, 52}, 200, 100);
  turn_back(page, {0, 3});
  expect_box(page.words[0].box, {80, 48, 120, 52});
}

TEST(Turning, DegreesAreTakenBackBeforeQuarters) {
  // A degree on a page of 200 by 100: at the right, a word had come up by 1.57 points.
  Page page = page_with({180, 46.43F, 200, 50.43F}, 200, 100);
  turn_back(page, {1, 1});
  EXPECT_EQ(page.width_pt, 100);
  expect_box(page.words[0].box, {48, 180.02F, 52, 200.02F});
}

}  // namespace
}  // namespace fineprint::reading
