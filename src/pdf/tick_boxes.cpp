// Distinguishes boxes to tick from other squares by their contents and neighbours.
#include "pdf/tick_boxes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace fineprint::pdf {
namespace {

constexpr std::size_t kMostSquares = 500;  // more are a pattern
constexpr float kAdjoin = 1.5F;            // points between squares that adjoin
constexpr float kNear = 12;                // points between a box and its word
constexpr float kFull = 0.9F;  // of the side; a shape from this size on fills the square

float middle_x(const Box& box) { return (box.x0 + box.x1) / 2; }
float middle_y(const Box& box) { return (box.y0 + box.y1) / 2; }

bool is_in(const Box& box, const Box& square) {
  return middle_x(box) > square.x0 && middle_x(box) < square.x1 && middle_y(box) > square.y0 &&
         middle_y(box) < square.y1;
}

// Returns whether a shape is drawn inside the square. A cross may reach a little over its edge.
bool is_drawn_in(const Box& shape, const Box& square) {
  const float over = 0.4F * square.width();
  return is_in(shape, square) && shape.width() <= square.width() + over &&
         shape.height() <= square.height() + over;
}

bool fills(const Box& shape, const Box& square) {
  return shape.width() >= kFull * square.width() && shape.height() >= kFull * square.height();
}

bool is_sign(const std::string& word) {
  static constexpr std::array<std::string_view, 8> kSigns = {
      "x", "X", "\u2713", "\u2714", "\u2717", "\u2718", "\u2022", "\u25a0"};
  return std::ranges::find(kSigns, word) != kSigns.end();
}

// Returns whether the squares have sides in common, or almost.
bool adjoin(const Box& a, const Box& b) {
  const bool over = a.x0 < b.x1 && b.x0 < a.x1, next = a.y0 < b.y1 && b.y0 < a.y1;
  const float across = std::max(a.x0, b.x0) - std::min(a.x1, b.x1);
  const float down = std::max(a.y0, b.y0) - std::min(a.y1, b.y1);
  return (next && std::abs(across) <= kAdjoin) || (over && std::abs(down) <= kAdjoin);
}

bool has_word_next_to(const Box& square, const RawPage& page) {
  return std::ranges::any_of(page.words, [&](const Word& word) {
    if (is_in(word.box, square)) return false;
    const bool same_line = middle_y(word.box) > square.y0 - 0.3F * square.height() &&
                           middle_y(word.box) < square.y1 + 0.3F * square.height();
    const float gap = std::max(word.box.x0 - square.x1, square.x0 - word.box.x1);
    return same_line && gap <= kNear;
  });
}

// The contents of a square.
enum class Inside : std::uint8_t { nothing, sign, other };

Inside inside_of(const Box& square, const RawPage& page) {
  Inside found = Inside::nothing;
  for (const Word& word : page.words) {
    if (!is_in(word.box, square)) continue;
    if (!is_sign(word.text)) return Inside::other;
    found = Inside::sign;
  }
  std::size_t shapes = 0, full = 0;
  for (const Box& shape : page.drawings) {
    if (!is_drawn_in(shape, square)) continue;
    ++shapes;
    full += fills(shape, square) ? 1 : 0;
  }
  // The two strokes of a cross may each be as large as the square.
  if (shapes == 1 && full == 1) return Inside::other;
  return shapes > 0 ? Inside::sign : found;
}

// Removes the words that are drawn in the box: "X", or the tick of ZapfDingbats, which reads "4".
void clear_box(const Box& box, RawPage* page) {
  for (std::size_t i = page->words.size(); i-- > 0;) {
    const Word& word = page->words[i];
    if (word.text.size() > 4 || !is_in(word.box, box)) continue;
    const auto at = static_cast<std::ptrdiff_t>(i);
    page->words.erase(page->words.begin() + at);
    page->line_of_word.erase(page->line_of_word.begin() + at);
    page->block_of_word.erase(page->block_of_word.begin() + at);
    std::erase_if(page->doubts, [i](const DoubtfulWord& doubt) { return doubt.word == i; });
    for (DoubtfulWord& doubt : page->doubts) {
      if (doubt.word > i) --doubt.word;
    }
  }
}

}  // namespace

void put_box(const TickBox& one, RawPage* page) {
  clear_box(one.box, page);
  Word word;
  word.text = one.ticked ? "\u2612" : "\u2610";
  word.box = one.box;
  word.size_pt = one.box.height();
  page->words.push_back(std::move(word));
  const auto next = [](const std::vector<std::uint32_t>& of_word) {
    return of_word.empty() ? 0 : *std::ranges::max_element(of_word) + 1;
  };
  page->line_of_word.push_back(next(page->line_of_word));
  page->block_of_word.push_back(next(page->block_of_word));
}

void add_drawn_boxes(const std::vector<Box>& squares, RawPage* page) {
  if (squares.size() > kMostSquares) return;
  std::vector<TickBox> boxes;
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const Box& square = squares[i];
    const auto is_same = [&](const Box& other) { return is_in(other, square); };
    if (std::any_of(squares.begin(), squares.begin() + static_cast<std::ptrdiff_t>(i), is_same)) {
      continue;  // drawn twice, or with a double edge
    }
    const bool is_place_of_letter = std::ranges::any_of(
        squares, [&](const Box& other) { return !is_same(other) && adjoin(square, other); });
    if (is_place_of_letter || !has_word_next_to(square, *page)) continue;
    const Inside inside = inside_of(square, *page);
    if (inside != Inside::other) boxes.push_back({square, inside == Inside::sign});
  }
  for (const TickBox& one : boxes) put_box(one, page);
}

}  // namespace fineprint::pdf
