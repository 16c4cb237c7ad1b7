// Arranges words into rows and pieces.
#include "pipelines/extractive/printed_pieces.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace fineprint::pipelines::extractive {
namespace {

constexpr float kWidestBlank = 0.62F;  // in font sizes; blanks are about 0.25, stretched ones 0.5
constexpr float kSameHeight = 0.45F;   // of the lower of two words

float middle(const Box& box) { return (box.y0 + box.y1) / 2; }

float size_of(const Word& word) { return word.size_pt > 0 ? word.size_pt : word.box.height(); }

// Returns the indices of the words of each row.
std::vector<std::vector<std::uint32_t>> words_of_rows(const Page& page) {
  std::vector<std::uint32_t> order(page.words.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return middle(page.words[i].box); });
  std::vector<std::vector<std::uint32_t>> rows;
  float at = 0, height = 0;
  for (const std::uint32_t i : order) {
    const Box& box = page.words[i].box;
    const float most = kSameHeight * std::min(height, box.height());
    if (rows.empty() || middle(box) - at > most) {
      rows.emplace_back();
      at = middle(box);
      height = box.height();
    }
    rows.back().push_back(i);
  }
  for (auto& row : rows) {
    std::ranges::stable_sort(row, {}, [&](std::uint32_t i) { return page.words[i].box.x0; });
  }
  return rows;
}

void add_word(const Page& page, std::uint32_t index, PrintedPiece* piece) {
  const Word& word = page.words[index];
  piece->bold = piece->words.empty() ? word.bold : piece->bold && word.bold;
  piece->box = piece->words.empty() ? word.box : united(piece->box, word.box);
  piece->size_pt = std::max(piece->size_pt, size_of(word));
  piece->words.push_back(index);
}

bool separates(const std::string& word) {
  return word == "|" || word == "\u00b7" || word == "\u2022" || word == "\u2219";
}

bool goes_on(const Page& page, const PrintedPiece& piece, const Word& next) {
  const Word& last = page.words[piece.words.back()];
  if (last.text.ends_with(':')) return false;
  return next.box.x0 - last.box.x1 <= kWidestBlank * std::min(size_of(last), size_of(next));
}

}  // namespace

std::vector<PrintedRow> printed_rows(const Page& page) {
  std::vector<PrintedRow> rows;
  for (const auto& words : words_of_rows(page)) {
    PrintedRow row;
    bool is_parted = true;
    for (const std::uint32_t index : words) {
      if (separates(page.words[index].text)) {
        is_parted = true;
        continue;
      }
      is_parted = is_parted || !goes_on(page, row.pieces.back(), page.words[index]);
      if (std::exchange(is_parted, false)) row.pieces.emplace_back();
      add_word(page, index, &row.pieces.back());
      row.box = united(row.box, page.words[index].box);
    }
    if (!row.pieces.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

std::string text_of_words(const Page& page, const std::vector<std::uint32_t>& words) {
  std::string text;
  for (const std::uint32_t index : words) append_word(page.words[index].text, &text);
  return text;
}

}  // namespace fineprint::pipelines::extractive
