// Computes boxes of turned pages.
#include "reading/turning.h"

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace fineprint::reading {
namespace {

// Moves boxes of a page that was turned by `degrees` (counter-clockwise) back to the page before.
// Turns the middle of a box and keeps its extent, because hulls of turned corners would overlap
// their neighbours.
class TurnBack {
 public:
  TurnBack(double degrees, const Page& page)
      : sine_(std::sin(degrees * std::numbers::pi / 180)),
        cosine_(std::cos(degrees * std::numbers::pi / 180)),
        x_(page.width_pt / 2.0),
        y_(page.height_pt / 2.0) {}

  Box operator()(const Box& box) const {
    const double x = (box.x0 + box.x1) / 2.0 - x_, y = (box.y0 + box.y1) / 2.0 - y_;
    // With y pointing down, undoing a counter-clockwise turn has the formula of making one.
    const auto to_x = static_cast<float>(x_ + x * cosine_ - y * sine_);
    const auto to_y = static_cast<float>(y_ + x * sine_ + y * cosine_);
    const float half_w = box.width() / 2, half_h = box.height() / 2;
    return {to_x - half_w, to_y - half_h, to_x + half_w, to_y + half_h};
  }

 private:
  double sine_, cosine_, x_, y_;
};

// Lines and elements get the hulls of their words again. A figure keeps its own box, turned.
void turn_back_degrees(Page& page, double degrees) {
  const TurnBack turn(degrees, page);
  for (Word& word : page.words) word.box = turn(word.box);
  for (Line& line : page.lines) {
    line.box = {};
    for (std::uint32_t i = 0; i < line.word_count; ++i) {
      line.box = united(line.box, page.words[line.first_word + i].box);
    }
  }
  for (Element& element : page.elements) {
    element.box = element.kind == ElementKind::figure ? turn(element.box) : Box{};
    for (std::uint32_t i = 0; i < element.line_count; ++i) {
      element.box = united(element.box, page.lines[element.first_line + i].box);
    }
  }
}

// Turns boxes by so many quarters counter-clockwise, on a page of this size.
class QuarterTurn {
 public:
  QuarterTurn(int quarters, float width, float height)
      : quarters_(quarters), width_(width), height_(height) {}

  void operator()(Box& box) const {
    float width = width_, height = height_;
    for (int i = 0; i < quarters_; ++i) {
      box = {box.y0, width - box.x1, box.y1, width - box.x0};
      std::swap(width, height);
    }
  }

 private:
  int quarters_;
  float width_, height_;
};

}  // namespace

void turn_frame(pdf::RawPage& page, int quarters) {
  const QuarterTurn turn(quarters, page.width_pt, page.height_pt);
  for (std::vector<Box>* boxes : {&page.rules, &page.images, &page.drawings}) {
    for (Box& box : *boxes) turn(box);
  }
  if (quarters % 2 == 1) std::swap(page.width_pt, page.height_pt);
}

void turn_back(Page& page, const Turn& turn) {
  if (turn.degrees != 0) turn_back_degrees(page, turn.degrees);
  if (turn.quarters == 0) return;
  const QuarterTurn back(4 - turn.quarters, page.width_pt, page.height_pt);
  for (Word& word : page.words) back(word.box);
  for (Line& line : page.lines) back(line.box);
  for (Element& element : page.elements) back(element.box);
  if (turn.quarters % 2 == 1) std::swap(page.width_pt, page.height_pt);
}

}  // namespace fineprint::reading
