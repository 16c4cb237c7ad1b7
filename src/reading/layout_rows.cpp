// Groups fragments into rows, and rows into cells.
#include "reading/layout_rows.h"

#include <algorithm>
#include <cmath>

namespace fineprint::reading {
namespace {

// of the smaller height, between middles; admits subscripts and superscripts
constexpr float kSameHeight = 0.6F;
// the same for text of one size, which has no subscripts: half a line apart are two rows, as where
// an address is next to a list of dates
constexpr float kSameRow = 0.45F;
constexpr float kEqualSize = 0.05F;  // of the larger size

// The fragments of a row under construction.
struct RowFragments {
  std::vector<const Fragment*> fragments;
  const Fragment* main = nullptr;  // the longest; its height is the row's
};

// Returns whether a fragment belongs to a row. Compares it with the longest fragment: a subscript
// or a large initial must not decide the height of the row, and a chain of small steps must not
// lead from one row into the next.
bool belongs(const RowFragments& row, const Fragment& fragment) {
  const float least = std::min(row.main->box.height(), fragment.box.height());
  const float larger = std::max(row.main->size_pt, fragment.size_pt);
  const bool same_size = std::abs(row.main->size_pt - fragment.size_pt) <= kEqualSize * larger;
  const float most = (same_size ? kSameRow : kSameHeight) * least;
  return std::abs(row.main->middle_y() - fragment.middle_y()) <= most;
}

void add_words(Cell& cell, const Fragment& fragment) {
  cell.words.insert(cell.words.end(), fragment.words.begin(), fragment.words.end());
  cell.box = united(cell.box, fragment.box);
  cell.characters += fragment.characters;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> signs) {
  return std::find(signs.begin(), signs.end(), text) != signs.end();
}

// Return whether a wide gap after or before a cell only separates a sign from its number or text.
bool belongs_to_next(const std::string& text, bool first) {
  return is_one_of(text, {"$", "€", "£", "¥", "(", "$("}) || (first && is_list_marker(text));
}
bool belongs_to_previous(const std::string& text) {
  return is_one_of(text, {")", "%", ")%", "*"});  // not "(1)", which is a number in a table
}

// Makes the cells of a row. Wide gaps separate cells, but "$" and "1,234" at the two ends of a
// column are one cell, and a bullet is not a column.
Row make_row(const pdf::RawPage& page, RowFragments& gathered) {
  std::stable_sort(gathered.fragments.begin(), gathered.fragments.end(),
                   [](const Fragment* a, const Fragment* b) { return a->box.x0 < b->box.x0; });
  Row row;
  row.size_pt = gathered.main->size_pt;
  row.bold = true;
  bool join = false;
  for (const Fragment* fragment : gathered.fragments) {
    const std::string text =
        fragment->characters <= 4 ? text_of(page, fragment->words) : std::string();
    const bool near = !row.cells.empty() && fragment->box.x0 - row.cells.back().box.x1 <
                                                kCellGap * std::max(row.size_pt, 1.0F);
    const bool joins =
        !row.cells.empty() && (near || join || (!text.empty() && belongs_to_previous(text)));
    if (!joins) row.cells.emplace_back();
    add_words(row.cells.back(), *fragment);
    join = !text.empty() && belongs_to_next(text, row.cells.size() == 1 && !joins);
    row.box = united(row.box, fragment->box);
    row.bold = row.bold && fragment->bold;
  }
  for (Cell& cell : row.cells) {
    const std::string text = text_of(page, cell.words);
    cell.numeric = is_numeric_cell(text);
    cell.bullet = !cell.numeric && is_list_marker(text);
  }
  return row;
}

// Returns a row of one fragment, for figures and turned text.
Row single(const Fragment& fragment) {
  Row row;
  row.box = fragment.box;
  row.size_pt = fragment.size_pt;
  row.figure = fragment.figure;
  if (fragment.figure < 0) {
    row.bold = fragment.bold;
    row.cells.emplace_back();
    add_words(row.cells.back(), fragment);
  }
  return row;
}

}  // namespace

std::vector<std::uint32_t> Row::words() const {
  std::vector<std::uint32_t> all;
  for (const Cell& cell : cells) all.insert(all.end(), cell.words.begin(), cell.words.end());
  return all;
}

std::uint32_t Row::characters() const {
  std::uint32_t sum = 0;
  for (const Cell& cell : cells) sum += cell.characters;
  return sum;
}

std::vector<Row> make_rows(const pdf::RawPage& page, const std::vector<Fragment>& fragments,
                           const std::vector<std::uint32_t>& area) {
  std::vector<const Fragment*> sorted, turned, figures;
  for (const std::uint32_t index : area) {
    const Fragment& fragment = fragments[index];
    (fragment.figure >= 0 ? figures : fragment.vertical ? turned : sorted).push_back(&fragment);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Fragment* a, const Fragment* b) {
    return a->middle_y() < b->middle_y();
  });
  std::vector<RowFragments> gathered;
  for (const Fragment* fragment : sorted) {
    if (gathered.empty() || !belongs(gathered.back(), *fragment)) {
      gathered.push_back({.fragments = {}, .main = fragment});
    }
    RowFragments& row = gathered.back();
    row.fragments.push_back(fragment);
    if (fragment->characters > row.main->characters) row.main = fragment;
  }
  std::vector<Row> rows;
  for (RowFragments& row : gathered) rows.push_back(make_row(page, row));
  // A figure comes before the first row that begins below its upper edge, so that rows next to it
  // follow it.
  for (const Fragment* figure : figures) {
    const auto below = std::find_if(rows.begin(), rows.end(),
                                    [&](const Row& row) { return row.box.y0 >= figure->box.y0; });
    rows.insert(below, single(*figure));
  }
  for (const Fragment* fragment : turned) rows.push_back(single(*fragment));
  return rows;
}

bool is_list_marker(std::string_view word) {
  // The last two are the bullets of Symbol and Wingdings, which are private characters.
  static constexpr std::string_view kBullets[] = {"•",
                                                  "‣",
                                                  "◦",
                                                  "▪",
                                                  "■",
                                                  "□",
                                                  "☐",
                                                  "☒",
                                                  "●",
                                                  "○",
                                                  "·",
                                                  "∙",
                                                  "–",
                                                  "—",
                                                  "-",
                                                  "*",
                                                  "➢",
                                                  "➤",
                                                  "►",
                                                  "▶",
                                                  "✓",
                                                  "✔",
                                                  "❖",
                                                  "◆",
                                                  "♦",
                                                  "o",
                                                  "§",
                                                  "→",
                                                  "»",
                                                  "›",
                                                  "\xEF\x82\xB7",
                                                  "\xEF\x82\xA7"};
  if (std::find(std::begin(kBullets), std::end(kBullets), word) != std::end(kBullets)) return true;
  // "1." "12)" "(a)" "iv." "[3]"
  if (word.size() < 2 || word.size() > 6) return false;
  const bool opened = word.front() == '(' || word.front() == '[';
  const char last = word.back();
  if (last != ')' && last != ']' && (opened || last != '.')) return false;
  const std::string_view inner = word.substr(opened, word.size() - 1 - opened);
  if (inner.empty()) return false;
  const auto all = [&](std::string_view allowed) {
    return inner.find_first_not_of(allowed) == std::string_view::npos;
  };
  if (all("0123456789")) return inner.size() <= 3;
  if (last == '.') return all("ivx") && inner.size() <= 4;  // "A." begins names and sentences, too
  return inner.size() == 1 ? std::isalpha(static_cast<unsigned char>(inner[0])) != 0
                           : all("ivxIVX") && inner.size() <= 4;
}

}  // namespace fineprint::reading
