// Distinguishes headings, list items and paragraphs by size, weight, indent and spacing.
#include "reading/layout_block.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fineprint::reading {
namespace {

constexpr float kHeadingSize = 1.15F;  // times the body's size: 11.5 pt with a body of 10 pt
// Limits of one heading. More rows or longer rows of the same look are text that is set large or
// bold.
constexpr std::size_t kMaxHeadingRows = 3;
constexpr std::uint32_t kMaxHeadingCharacters = 130;
constexpr std::size_t kMaxHeadingWords = 14;  // of a heading recognised by weight or capitals alone
constexpr float kSizeChange = 1.15F;          // ratio of sizes between lines of one paragraph
constexpr float kIndent = 0.9F;               // of the size; indent of a paragraph's first line
constexpr float kWideGap = 1.35F;             // times the area's usual white between lines

std::string text_of_row(const pdf::RawPage& page, const Row& row) {
  return text_of(page, row.words());
}

// Requires at least four capitals, because "USA", "Q3 2019" and the like begin ordinary lines, too.
bool is_all_capitals(const std::string& text) {
  std::size_t upper = 0;
  for (const char c : text) {
    if (c >= 'a' && c <= 'z') return false;
    upper += c >= 'A' && c <= 'Z';
  }
  return upper >= 4;
}

// Program text in capitals ("VERIFY_GROUP = 'MGR'") is no heading.
bool has_code_sign(const std::string& text) {
  return text.find_first_of("_={}\\") != std::string::npos;
}

// Letters of any script count, recognised as bytes of UTF-8 beyond ASCII. Large numbers alone
// ("$4.2") are values on a slide and not headings.
bool has_letter(const std::string& text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
  });
}

// Makes blocks of the rows of one area. What a row is depends on the rows around it.
class BlockMaker {
 public:
  BlockMaker(const pdf::RawPage& page, const std::vector<Row>& rows, float body_pt,
             const RegionMap* regions)
      : page_(page), rows_(rows), body_pt_(body_pt), regions_(regions) {
    measure();
  }

  std::vector<Block> make() {
    const std::vector<TableRange> tables = find_tables(page_, rows_);
    std::size_t table = 0;
    for (std::size_t at = 0; at < rows_.size(); ++at) {
      if (table < tables.size() && tables[table].first == at) {
        add_table(tables[table]);
        at = tables[table++].last - 1;
      } else {
        add_row(at);
      }
    }
    return std::move(blocks_);
  }

 private:
  // Measures the usual white between two lines, and where lines begin and end.
  void measure() {
    std::vector<float> gaps;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      right_ = std::max(right_, rows_[i].box.x1);
      left_ = i == 0 ? rows_[i].box.x0 : std::min(left_, rows_[i].box.x0);
      if (i > 0) gaps.push_back(rows_[i].box.y0 - rows_[i - 1].box.y1);
    }
    // Leaves out spaces between blocks, which would raise the median of an area with many short
    // blocks.
    std::erase_if(gaps, [&](float gap) { return gap > body_pt_; });
    if (gaps.empty()) return;
    std::nth_element(gaps.begin(), gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2),
                     gaps.end());
    usual_gap_ = std::max(0.0F, gaps[gaps.size() / 2]);
  }

  void add_table(const TableRange& range) {
    std::vector<Row> rows(rows_.begin() + static_cast<std::ptrdiff_t>(range.first),
                          rows_.begin() + static_cast<std::ptrdiff_t>(range.last));
    Block& block = start(ElementKind::table, rows.front());
    block.rows = join_labels(page_, std::move(rows));
    for (const Row& row : block.rows) block.box = united(block.box, row.box);
  }

  // Adds a row to the last block or starts a new one.
  void add_row(std::size_t at) {
    const Row& row = rows_[at];
    if (row.figure >= 0) {
      start(ElementKind::figure, row);
      return;
    }
    if (row.boxed) {
      const bool joins = !blocks_.empty() && blocks_.back().rows.back().boxed;
      if (joins) {
        extend(blocks_.back(), row);
      } else {
        start(ElementKind::paragraph, row);
      }
      return;
    }
    const std::string text = text_of_row(page_, row);
    const ElementKind kind = kind_of(at, text);
    if (!blocks_.empty() && goes_on(blocks_.back(), row, kind, at)) {
      extend(blocks_.back(), row);
    } else {
      start(kind, row);
    }
  }

  Block& start(ElementKind kind, const Row& row) {
    Block& block = blocks_.emplace_back();
    block.kind = kind;
    block.size_pt = row.size_pt;
    block.bold = row.bold;
    extend(block, row);
    return block;
  }

  static void extend(Block& block, const Row& row) {
    block.rows.push_back(row);
    block.box = united(block.box, row.box);
  }

  // A marker alone is not an item of a list.
  ElementKind kind_of(std::size_t at, const std::string& text) const {
    const Row& row = rows_[at];
    const std::string& first = page_.words[row.cells[0].words.front()].text;
    const bool marked = is_list_marker(first) && row.words().size() > 1;
    if (is_heading(at, text)) return ElementKind::heading;
    return marked ? ElementKind::list_item : ElementKind::paragraph;
  }

  // Returns whether a row is a heading. Size alone is enough. At the size of the text, weight or
  // capitals count, but only for a short line that does not end like a sentence. Bold is common in
  // text, so the rows around must not be bold, too. Capitals begin notes and addresses, so the row
  // must end early and be apart from the text. Two cells are allowed, because a number may precede
  // a heading at a distance ("2.1  Scope"), but not follow it.
  bool is_heading(std::size_t at, const std::string& text) const {
    const Row& row = rows_[at];
    if (text.size() > kMaxHeadingCharacters || !has_letter(text) || is_sum(row)) return false;
    if (const std::optional<bool> pictured = pictured_heading(row)) return *pictured;
    if (row.size_pt >= kHeadingSize * body_pt_) return !is_large_text(at);
    const bool short_line = row.words().size() <= kMaxHeadingWords && text.back() != '.' &&
                            text.back() != ',' && text.back() != ';';
    if (!short_line || row.cells.size() > 2 || row.size_pt < 0.9F * body_pt_) return false;
    if (row.bold) return !bold_around(at);
    return is_all_capitals(text) && !has_code_sign(text) && row.box.x1 < right_ - row.size_pt &&
           stands_apart(at);
  }

  // Returns whether the row is a name and an amount at a distance: "Total   300.00".
  static bool is_sum(const Row& row) {
    return row.cells.size() > 1 && !row.cells.front().numeric && row.cells.back().numeric;
  }

  // Returns whether the picture of the page shows a heading; nullopt where that leaves it open.
  std::optional<bool> pictured_heading(const Row& row) const {
    if (regions_ == nullptr) return std::nullopt;
    switch (regions_->kind_of(row.box)) {
      case Region::title:
      case Region::section_header:
        return true;
      case Region::background:
      case Region::text:
        return std::nullopt;
      default:
        return false;
    }
  }

  // Returns whether more rows than a heading has are of the same size, which means that the text is
  // set large.
  bool is_large_text(std::size_t at) const {
    const auto same = [&](const Row& row) {
      return row.figure < 0 && std::abs(row.size_pt - rows_[at].size_pt) < 0.3F;
    };
    std::size_t first = at, last = at + 1;
    while (first > 0 && same(rows_[first - 1]) && !wide_gap(rows_[first - 1], rows_[first]))
      --first;
    while (last < rows_.size() && same(rows_[last]) && !wide_gap(rows_[last - 1], rows_[last])) {
      ++last;
    }
    return last - first > kMaxHeadingRows;
  }

  // Returns whether the row is part of a bold paragraph.
  bool bold_around(std::size_t at) const {
    std::size_t bold = 1;
    for (std::size_t i = at; i > 0 && at - i < kMaxHeadingRows && rows_[i - 1].bold; --i) ++bold;
    for (std::size_t i = at + 1; i < rows_.size() && i - at <= kMaxHeadingRows && rows_[i].bold;
         ++i) {
      ++bold;
    }
    return bold > kMaxHeadingRows;
  }

  // Returns whether the gap is wider than usual by a third and also by a quarter of the size. The
  // second condition matters where the boxes of lines touch, because a third of almost nothing is
  // nothing. A row above the previous one is turned text, which comes last.
  bool wide_gap(const Row& above, const Row& row) const {
    const float gap = row.box.y0 - above.box.y1;
    return gap > std::max(kWideGap * usual_gap_, usual_gap_ + 0.25F * row.size_pt) ||
           row.box.y1 < above.box.y0;
  }

  bool stands_apart(std::size_t at) const {
    const bool above = at == 0 || wide_gap(rows_[at - 1], rows_[at]);
    const bool below = at + 1 == rows_.size() || wide_gap(rows_[at], rows_[at + 1]);
    return above || below;
  }

  // Returns whether a row belongs to the block before it: it must have about the same size, be
  // near, and be below it and not next to it. Lines of a list item keep its indent; a line that
  // starts to the left of the marker is text again.
  bool goes_on(const Block& block, const Row& row, ElementKind kind, std::size_t at) const {
    const Row& above = block.rows.back();
    if (above.figure >= 0 || above.boxed || block.kind == ElementKind::table) return false;
    const float ratio = row.size_pt / std::max(above.size_pt, 0.1F);
    if (ratio > kSizeChange || ratio < 1 / kSizeChange) return false;
    if (wide_gap(above, row) && row.box.y0 - above.box.y1 > 0.3F * row.size_pt) return false;
    const bool overlaps = row.box.x0 < above.box.x1 && above.box.x0 < row.box.x1;
    if (!overlaps) return false;
    if (block.kind == ElementKind::heading || kind == ElementKind::heading) {
      return block.kind == kind && block.rows.size() < kMaxHeadingRows && row.bold == above.bold;
    }
    if (kind == ElementKind::list_item) return false;
    if (block.kind == ElementKind::list_item) {
      return row.box.x0 >= block.rows.front().box.x0 - 0.3F * row.size_pt;
    }
    return !starts_paragraph(block, row, at);
  }

  // Returns whether a row starts a paragraph: it is indented, and the row before ends a sentence or
  // ends early. If the next line is indented, too, the text is a quotation or a list without
  // markers. A line indented by more than eight sizes is centred or set to the right.
  bool starts_paragraph(const Block& block, const Row& row, std::size_t at) const {
    const Row& above = block.rows.back();
    const float indent = row.box.x0 - (block.rows.size() > 1 ? above.box.x0 : left_);
    const bool indented = indent > kIndent * row.size_pt && indent < 8 * row.size_pt &&
                          (block.rows.size() > 1 || above.box.x0 > left_ + kIndent * row.size_pt);
    const bool next_back =
        at + 1 >= rows_.size() || rows_[at + 1].box.x0 < row.box.x0 - kIndent * row.size_pt / 2;
    return indented && next_back && ends_sentence(above);
  }

  bool ends_sentence(const Row& row) const {
    // Lines of ragged text end up to a fifth before the edge without ending a paragraph.
    if (row.box.x1 < right_ - 0.2F * (right_ - left_)) return true;
    const char last = page_.words[row.cells.back().words.back()].text.back();
    return last == '.' || last == '!' || last == '?' || last == ':' || last == ')' || last == '"';
  }

  const pdf::RawPage& page_;
  const std::vector<Row>& rows_;
  float body_pt_;
  const RegionMap* regions_;
  float left_ = 0, right_ = 0, usual_gap_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace

std::vector<Block> make_blocks(const pdf::RawPage& page, const std::vector<Row>& rows,
                               float body_pt, const RegionMap* regions) {
  return BlockMaker(page, rows, body_pt, regions).make();
}

}  // namespace fineprint::reading
