// Puts each piece below the heads that it meets, or adds it to the one that it continues.
#include "evidence/table_heads.h"

#include <algorithm>
#include <utility>

namespace fineprint::evidence {
namespace {

bool meets(const HeadCell& head, std::size_t first, std::size_t end) {
  return head.column < end && first < head.column + head.columns;
}

// Returns the heads directly above columns: of each column the lowest.
std::vector<std::size_t> lowest_heads(const std::vector<HeadCell>& heads, std::size_t first,
                                      std::size_t end) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (!meets(heads[i], first, end)) continue;
    const bool has_lower = std::ranges::any_of(heads, [&](const HeadCell& other) {
      return other.row > heads[i].row && meets(other, std::max(first, heads[i].column),
                                               std::min(end, heads[i].column + heads[i].columns));
    });
    if (!has_lower) found.push_back(i);
  }
  return found;
}

}  // namespace

std::vector<HeadCell> arranged_heads(const std::vector<HeadPiece>& pieces) {
  std::vector<HeadCell> heads;
  std::vector<std::size_t>
      above_line;  // the lines from which heads are, so that none divides itself
  for (const HeadPiece& piece : pieces) {
    std::vector<std::size_t> above = lowest_heads(heads, piece.first, piece.end);
    std::erase_if(above, [&](std::size_t i) { return above_line[i] == piece.line; });
    const auto pieces_below = [&](const HeadCell& head) {
      return std::ranges::count_if(pieces, [&](const HeadPiece& other) {
        return other.line == piece.line && meets(head, other.first, other.end);
      });
    };
    if (above.size() == 1 && pieces_below(heads[above.front()]) == 1) {
      HeadCell& head = heads[above.front()];
      head.words.insert(head.words.end(), piece.words.begin(), piece.words.end());
      above_line[above.front()] = piece.line;
      continue;
    }
    HeadCell head{.words = piece.words, .column = piece.first, .columns = piece.end - piece.first};
    for (const std::size_t i : above) head.row = std::max(head.row, heads[i].row + 1);
    heads.push_back(std::move(head));
    above_line.push_back(piece.line);
  }
  std::size_t rows = 0;
  for (const HeadCell& head : heads) rows = std::max(rows, head.row + 1);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    HeadCell& head = heads[i];
    std::size_t end = rows;
    for (const HeadCell& other : heads) {
      const bool is_below =
          other.row > head.row && meets(other, head.column, head.column + head.columns);
      if (is_below) end = std::min(end, other.row);
    }
    head.rows = end - head.row;
  }
  std::ranges::stable_sort(heads, {},
                           [](const HeadCell& head) { return std::pair(head.row, head.column); });
  return heads;
}

}  // namespace fineprint::evidence
