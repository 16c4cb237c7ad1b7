// Recognises rows of boxes by how labels and values are set, and by what follows them.
#include "reading/layout_boxes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace fineprint::reading {
namespace {

constexpr float kOtherLook = 1.08F;  // ratio of sizes that readers notice
constexpr float kLabelReach = 1.3F;  // of the size; white between a label and its value
constexpr float kNextReach = 2.6F;   // of the size; white between two rows of one table
constexpr float kSetApart = 1.8F;    // times the white between label and value
constexpr float kEdge = 1.5F;        // of the size; left edges of a column differ by at most this
constexpr std::size_t kMostBoxWords = 7;
constexpr std::size_t kMostCloseRows = 3;  // text lines of a label in parentheses

using Words = std::vector<std::uint32_t>;

// How words are set.
struct Look {
  float size_pt = 0;
  bool bold = true;
};

bool differ(const Look& a, const Look& b) {
  const float small = std::max(0.1F, std::min(a.size_pt, b.size_pt));
  return a.bold != b.bold || std::max(a.size_pt, b.size_pt) / small >= kOtherLook;
}

bool share_height(const Box& a, const Box& b) {
  return std::min(a.y1, b.y1) - std::max(a.y0, b.y0) > 0.3F * std::min(a.height(), b.height());
}

class BoxFinder {
 public:
  BoxFinder(const pdf::RawPage& page, std::vector<Row> rows)
      : page_(page), rows_(std::move(rows)) {}

  std::vector<Row> join() {
    std::vector<Row> joined;
    for (std::size_t at = 0; at < rows_.size();) {
      std::size_t next = at;
      for (Row& row : boxes_at(at, &next)) joined.push_back(std::move(row));
      if (next == at) joined.push_back(rows_[at++]);
      at = std::max(at, next);
    }
    return joined;
  }

 private:
  // Returns the rows that replace those from `at` to `*next`; none if there are no boxes.
  std::vector<Row> boxes_at(std::size_t at, std::size_t* next) const {
    if (rows_[at].figure >= 0 || rows_[at].cells.size() < 2) return {};
    if (is_row_of_boxes(rows_[at])) {
      *next = at + 1;
      std::vector<Row> boxes;
      for (const Cell& cell : rows_[at].cells) boxes.push_back(boxed({&cell}));
      return boxes;
    }
    if (at + 1 >= rows_.size() || rows_[at + 1].figure >= 0) return {};
    std::vector<Row> boxes = values_below(at);
    if (!boxes.empty()) {
      *next = at + 2;
      return boxes;
    }
    return labels_below(at, next);
  }

  Row boxed(const std::vector<const Cell*>& parts) const {
    Row row;
    row.cells.emplace_back();
    row.boxed = true;
    Cell& whole = row.cells.front();
    for (const Cell* part : parts) {
      whole.words.insert(whole.words.end(), part->words.begin(), part->words.end());
      whole.box = united(whole.box, part->box);
      whole.characters += part->characters;
    }
    row.box = whole.box;
    row.size_pt = look_of(whole.words).size_pt;
    return row;
  }

  const std::string& text(std::uint32_t word) const { return page_.words[word].text; }

  Look look_of(const Words& words) const {
    Look look;
    for (const std::uint32_t index : words) {
      const Word& word = page_.words[index];
      look.size_pt = std::max(look.size_pt, word.size_pt > 0 ? word.size_pt : word.box.height());
      look.bold = look.bold && word.bold;
    }
    return look;
  }

  bool has_digit(const Words& words) const {
    return std::ranges::any_of(words, [&](std::uint32_t word) {
      return text(word).find_first_of("0123456789") != std::string::npos;
    });
  }

  // Letters of any script may begin a label.
  bool can_be_label(const Words& words) const {
    if (words.empty() || words.size() > kMostBoxWords || has_digit(words)) return false;
    const unsigned char first = static_cast<unsigned char>(text(words.front()).front());
    const char last = text(words.back()).back();
    const bool short_form = text(words.back()).size() <= 4 && last == '.';
    return (std::isalpha(first) != 0 || first >= 0x80) &&
           (short_form || std::string_view(".,;?!").find(last) == std::string_view::npos);
  }

  bool ends_with_colon(const Words& words) const { return text(words.back()).ends_with(':'); }

  // Returns the words of a cell's first text line, and the rest.
  std::pair<Words, Words> first_line_of(const Cell& cell) const {
    std::pair<Words, Words> parts;
    for (const std::uint32_t word : cell.words) {
      const bool above = parts.second.empty() &&
                         (parts.first.empty() || share_height(page_.words[parts.first.front()].box,
                                                              page_.words[word].box));
      (above ? parts.first : parts.second).push_back(word);
    }
    return parts;
  }

  // Returns whether each cell of a ruled row has a label at its top and a value, or only a label.
  bool is_row_of_boxes(const Row& row) const {
    std::size_t filled = 0;
    for (const Cell& cell : row.cells) {
      const auto [label, value] = first_line_of(cell);
      if (!can_be_label(label)) return false;
      if (value.empty()) continue;
      if (!differ(look_of(label), look_of(value)) && !ends_with_colon(label)) return false;
      ++filled;
    }
    return filled > 0 && 2 * filled >= row.cells.size();
  }

  static float white(const Row& above, const Row& row) { return row.box.y0 - above.box.y1; }

  // Returns the only cell of `row` above or below which `cell` is, or nullptr.
  static const Cell* column_of_box(const Row& row, const Cell& cell) {
    const Cell* found = nullptr;
    for (const Cell& one : row.cells) {
      const bool meets = one.box.x0 < cell.box.x1 && cell.box.x0 < one.box.x1;
      const bool flush = std::abs(one.box.x0 - cell.box.x0) <= kEdge * row.size_pt;
      if (!meets && !flush) continue;
      if (found != nullptr) return nullptr;
      found = &one;
    }
    return found;
  }

  static std::size_t shared_columns(const Row& a, const Row& b) {
    return static_cast<std::size_t>(std::ranges::count_if(
        b.cells, [&](const Cell& cell) { return column_of_box(a, cell) != nullptr; }));
  }

  // --- Values below labels

  std::vector<Row> values_below(std::size_t at) const {
    const Row &labels = rows_[at], &values = rows_[at + 1];
    const float gap = white(labels, values);
    const float size = std::max(labels.size_pt, values.size_pt);
    if (values.cells.empty() || values.cells.size() > labels.cells.size() ||
        gap > kLabelReach * size || gap < -0.3F * size) {
      return {};
    }
    std::vector<const Cell*> value_of(labels.cells.size(), nullptr);
    for (const Cell& value : values.cells) {
      const Cell* label = column_of_box(labels, value);
      if (label == nullptr) return {};
      const auto column = static_cast<std::size_t>(label - labels.cells.data());
      if (value_of[column] != nullptr) return {};
      value_of[column] = &value;
    }
    if (!is_labelled(at, value_of)) return {};
    std::vector<Row> boxes;
    for (std::size_t i = 0; i < value_of.size(); ++i) {
      std::vector<const Cell*> parts{&labels.cells[i]};
      if (value_of[i] != nullptr) parts.push_back(value_of[i]);
      boxes.push_back(boxed(parts));
    }
    return boxes;
  }

  bool is_labelled(std::size_t at, const std::vector<const Cell*>& value_of) const {
    const Row& labels = rows_[at];
    bool set_apart = true, colons = true;
    std::size_t filled = 0, figures = 0;
    for (std::size_t i = 0; i < value_of.size(); ++i) {
      const Words& label = labels.cells[i].words;
      if (!can_be_label(label)) return false;
      colons = colons && ends_with_colon(label);
      if (value_of[i] == nullptr) continue;
      // What ends with a colon has its value next to it.
      if (ends_with_colon(value_of[i]->words)) return false;
      ++filled;
      set_apart = set_apart && differ(look_of(label), look_of(value_of[i]->words));
      figures += has_digit(value_of[i]->words) ? 1 : 0;
    }
    if (filled == 0) return false;
    if (colons) return true;
    if (filled < 2 || goes_on_as_table(at)) return false;
    // An even number of cells may as well be labels and values next to each other.
    const std::size_t needed = value_of.size() % 2 == 0 ? (filled + 1) / 2 : 1;
    return set_apart || (figures >= needed && are_set_alike(labels));
  }

  bool are_set_alike(const Row& row) const {
    const Look first = look_of(row.cells.front().words);
    return std::ranges::none_of(
        row.cells, [&](const Cell& cell) { return differ(first, look_of(cell.words)); });
  }

  // Returns whether the two rows are the first of a table: more rows with the same columns follow
  // or go before, which are not again labels above values.
  bool goes_on_as_table(std::size_t at) const {
    const Row &labels = rows_[at], &values = rows_[at + 1];
    const float gap = std::max(white(labels, values), 0.2F * values.size_pt);
    const auto is_part = [&](std::size_t other, std::size_t near) {
      const Row &a = rows_[std::min(other, near)], &b = rows_[std::max(other, near)];
      const float apart = white(a, b);
      if (rows_[other].figure >= 0 || apart > kNextReach * values.size_pt) return false;
      return rows_[other].cells.size() >= 2 && shared_columns(values, rows_[other]) >= 2;
    };
    if (at > 0 && is_part(at - 1, at) && !rows_[at - 1].boxed &&
        white(rows_[at - 1], labels) < kSetApart * gap && !is_pair_above(at)) {
      return true;
    }
    if (at + 2 >= rows_.size() || !is_part(at + 2, at + 1)) return false;
    const Row& next = rows_[at + 2];
    const bool could_be_labels =
        std::ranges::all_of(next.cells, [&](const Cell& cell) { return can_be_label(cell.words); });
    const bool like_labels = std::ranges::none_of(next.cells, [&](const Cell& cell) {
      return differ(look_of(cell.words), look_of(labels.cells.front().words));
    });
    const bool looks_other =
        differ(look_of(next.cells.front().words), look_of(values.cells.front().words));
    const bool set_off = white(values, next) >= kSetApart * gap;
    // More labels, or the head of another table, which is set off and looks different from both.
    return !could_be_labels || !(like_labels ? looks_other || set_off : looks_other && set_off);
  }

  // Returns whether the two rows above are labels and values that look like these.
  bool is_pair_above(std::size_t at) const {
    if (at < 2 || rows_[at - 2].cells.empty()) return false;
    return !differ(look_of(rows_[at - 2].cells.front().words),
                   look_of(rows_[at].cells.front().words)) &&
           !differ(look_of(rows_[at - 1].cells.front().words),
                   look_of(rows_[at + 1].cells.front().words));
  }

  // --- Labels in parentheses below values

  std::vector<Row> labels_below(std::size_t at, std::size_t* next) const {
    const Row &values = rows_[at], &first = rows_[at + 1];
    const bool opens =
        first.cells.size() >= 2 && std::ranges::all_of(first.cells, [&](const Cell& cell) {
          return text(cell.words.front()).front() == '(' && !cell.numeric;
        });
    if (!opens || white(values, first) > kLabelReach * values.size_pt) return {};
    std::vector<Cell> labels = first.cells;
    const auto is_open = [&](const Cell& label) {
      return !text(label.words.back()).ends_with(')');
    };
    std::size_t end = at + 2;
    while (std::ranges::any_of(labels, is_open)) {
      if (end >= rows_.size() || end - at > kMostCloseRows || !close(rows_[end], &labels))
        return {};
      ++end;
    }
    std::vector<Row> boxes;
    for (const Cell& value : values.cells) {
      std::vector<const Cell*> parts{&value};
      for (const Cell& label : labels) {
        if (label.box.x0 < value.box.x1 && value.box.x0 < label.box.x1) parts.push_back(&label);
      }
      if (parts.size() > 2) return {};
      boxes.push_back(boxed(parts));
    }
    *next = end;
    return boxes;
  }

  // Adds the cells of a row to the labels above them. Returns false if one has no label above it.
  static bool close(const Row& row, std::vector<Cell>* labels) {
    for (const Cell& cell : row.cells) {
      const auto above = std::ranges::find_if(*labels, [&](const Cell& label) {
        return label.box.x0 < cell.box.x1 && cell.box.x0 < label.box.x1;
      });
      if (above == labels->end()) return false;
      above->words.insert(above->words.end(), cell.words.begin(), cell.words.end());
      above->box = united(above->box, cell.box);
      above->characters += cell.characters;
    }
    return !row.cells.empty();
  }

  const pdf::RawPage& page_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> join_boxes(const pdf::RawPage& page, std::vector<Row> rows) {
  return BoxFinder(page, std::move(rows)).join();
}

}  // namespace fineprint::reading
