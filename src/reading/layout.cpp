// Combines the steps of layout and writes the page in reading order.
#include "reading/layout.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reading/layout_block.h"
#include "reading/layout_direction.h"
#include "reading/layout_furniture.h"
#include "reading/layout_order.h"

namespace fineprint::reading {
namespace {

// Writes blocks in reading order to a page. Copies words in that order, so that lines and elements
// are ranges of words and users of the page need no order of their own.
class PageWriter {
 public:
  PageWriter(const pdf::RawPage& raw, Page& page) : raw_(raw), page_(page) {
    page_.words.reserve(raw.words.size());
  }

  void write(const Block& block, std::uint8_t level) {
    Element element;
    element.kind = block.kind;
    element.box = block.box;
    element.first_line = static_cast<std::uint32_t>(page_.lines.size());
    element.level = level;
    element.caption = block.caption;
    element.parent = parent_of(element);
    for (const Row& row : block.rows) write(row);
    element.line_count = static_cast<std::uint32_t>(page_.lines.size()) - element.first_line;
    if (element.kind == ElementKind::heading) {
      open_.push_back(static_cast<std::int32_t>(page_.elements.size()));
    }
    page_.elements.push_back(std::move(element));
  }

 private:
  // Writes a tall row of a ruled table cell by cell, because no line may go down half a page.
  void write(const Row& row) {
    if (!is_tall(row)) {
      write(row.words());
      return;
    }
    for (const Cell& cell : row.cells) {
      std::vector<std::uint32_t> line;
      float bottom = 0;
      for (const std::uint32_t index : cell.words) {
        const Box& box = raw_.words[index].box;
        // A word whose middle is below the whole line begins the next line. A subscript or a comma
        // hangs lower than its line, but not so far.
        if (!line.empty() && (box.y0 + box.y1) / 2 > bottom) {
          write(line);
          line.clear();
        }
        bottom = line.empty() ? box.y1 : std::max(bottom, box.y1);
        line.push_back(index);
      }
      write(line);
    }
  }

  void write(const std::vector<std::uint32_t>& words) {
    if (words.empty()) return;
    Line line;
    line.first_word = static_cast<std::uint32_t>(page_.words.size());
    line.word_count = static_cast<std::uint32_t>(words.size());
    for (const std::uint32_t index : words) {
      line.box = united(line.box, raw_.words[index].box);
      page_.words.push_back(raw_.words[index]);
    }
    page_.lines.push_back(line);
  }

  // Returns the heading above an element. A heading closes headings of the same or a lower rank.
  std::int32_t parent_of(const Element& element) {
    if (element.kind == ElementKind::furniture) return -1;
    if (element.kind == ElementKind::heading) {
      while (!open_.empty() &&
             page_.elements[static_cast<std::size_t>(open_.back())].level >= element.level) {
        open_.pop_back();
      }
    }
    return open_.empty() ? -1 : open_.back();
  }

  const pdf::RawPage& raw_;
  Page& page_;
  // Indices of the headings that are still open, the highest first.
  std::vector<std::int32_t> open_;
};

// Returns the rank of a heading among those of its page, 1 to 9. Only size counts; capitals and
// bold do not.
std::uint8_t level_of(const Block& block, const std::set<int, std::greater<>>& sizes) {
  if (block.kind != ElementKind::heading) return 0;
  const int size = static_cast<int>(std::lround(block.size_pt * 2));
  const auto rank = std::distance(sizes.begin(), sizes.find(size));
  return static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(rank + 1, 9));
}

// Arranges one upright page. `mirrored` pages are in a mirror, see layout_direction.h.
class Arranger {
 public:
  Arranger(const pdf::RawPage& raw, bool mirrored)
      : raw_(raw), fragments_(make_fragments(raw, mirrored)), body_pt_(body_size(fragments_)) {}

  // Each step leaves less for the next to misread. Furniture comes first, because a page number
  // would become a paragraph, and below two columns it would be in their gutter. Figures come next,
  // because their labels would look like cells of a table or like short columns. The rest is cut
  // into areas, areas into rows, and rows into blocks. Captions come last, because they join
  // complete blocks.
  void arrange(Page& page) {
    std::vector<bool> taken(fragments_.size(), false);
    const Furniture furniture = find_furniture(raw_, fragments_, body_pt_, taken);
    figures_ = find_figures(raw_, fragments_, taken);
    Area flow;
    for (std::uint32_t i = 0; i < taken.size(); ++i) {
      if (!taken[i]) flow.push_back(i);
    }
    add_furniture(furniture.top);
    const std::size_t body = blocks_.size();
    add_flow(std::move(flow));
    caption_from(body);
    add_furniture(furniture.side);
    add_furniture(furniture.bottom);
    write(page);
  }

 private:
  void add_furniture(const std::vector<std::uint32_t>& area) {
    if (area.empty()) return;
    Block block;
    block.kind = ElementKind::furniture;
    block.rows = make_rows(raw_, fragments_, area);
    for (const Row& row : block.rows) block.box = united(block.box, row.box);
    blocks_.push_back(std::move(block));
  }

  // Each figure takes part in the order of the text as one fragment, because the gutter next to a
  // chart is the gutter next to its column.
  void add_flow(Area flow) {
    for (std::size_t i = 0; i < figures_.size(); ++i) {
      Fragment stand_in;
      stand_in.box = figures_[i].box;
      stand_in.size_pt = body_pt_;
      stand_in.figure = static_cast<std::int32_t>(i);
      stand_in.order = static_cast<std::uint32_t>(fragments_.size());
      flow.push_back(static_cast<std::uint32_t>(fragments_.size()));
      fragments_.push_back(std::move(stand_in));
    }
    // Ruled lines join rows within one area only, because rows of two neighbouring columns may be
    // between the same two lines.
    const std::vector<Grid> grids = find_grids(raw_.rules);
    for (const Area& area : order_areas(fragments_, flow, raw_.rules)) {
      const std::vector<Row> rows = join_ruled_rows(make_rows(raw_, fragments_, area), grids);
      for (Block& block : make_blocks(raw_, rows, body_pt_)) add_block(std::move(block));
    }
  }

  void add_block(Block block) {
    if (block.kind == ElementKind::figure) {
      const Figure& figure = figures_[static_cast<std::size_t>(block.rows.front().figure)];
      block.rows = make_rows(raw_, fragments_, figure.fragments);
    }
    blocks_.push_back(std::move(block));
  }

  // Attaches captions in the body only, because a running head "Figure 3" is not a caption.
  void caption_from(std::size_t first) {
    const auto start = blocks_.begin() + static_cast<std::ptrdiff_t>(first);
    std::vector<Block> body(std::make_move_iterator(start), std::make_move_iterator(blocks_.end()));
    blocks_.resize(first);
    for (Block& block : attach_captions(raw_, std::move(body))) blocks_.push_back(std::move(block));
  }

  // Ranks are those of this page, because the sizes of the document's other headings are not known
  // here.
  void write(Page& page) const {
    std::set<int, std::greater<>> sizes;
    for (const Block& block : blocks_) {
      if (block.kind == ElementKind::heading) {
        sizes.insert(static_cast<int>(std::lround(block.size_pt * 2)));
      }
    }
    PageWriter writer(raw_, page);
    for (const Block& block : blocks_) writer.write(block, level_of(block, sizes));
  }

  const pdf::RawPage& raw_;
  std::vector<Fragment> fragments_;
  float body_pt_;
  std::vector<Figure> figures_;
  std::vector<Block> blocks_;
};

template <class Move>
void move_boxes(Page& page, const Move& moved) {
  for (Word& word : page.words) word.box = moved(word.box);
  for (Line& line : page.lines) line.box = moved(line.box);
  for (Element& element : page.elements) element.box = moved(element.box);
}

// Arranges a page whose lines run across, in either direction.
void arrange_upright(const pdf::RawPage& raw, Page& page) {
  if (!runs_right_to_left(raw)) return Arranger(raw, false).arrange(page);
  // Works on the mirrored page, where every rule about "left" holds as it is. A second set of rules
  // would not be maintained.
  const pdf::RawPage other = mirrored(raw);
  Arranger(other, true).arrange(page);
  move_boxes(page, [&](const Box& box) { return mirrored(box, raw.width_pt); });
}

}  // namespace

Page lay_out(const pdf::RawPage& raw) {
  Page page;
  page.number = raw.number;
  page.label = raw.label;
  page.width_pt = raw.width_pt;
  page.height_pt = raw.height_pt;
  page.rotation = raw.rotation;
  page.source = raw.words.empty() ? TextSource::none : TextSource::native;
  const int direction = text_direction(raw, make_fragments(raw));
  if (direction == 0) {
    arrange_upright(raw, page);
  } else {
    arrange_upright(upright(raw, direction), page);
    move_boxes(page, [&](const Box& box) { return turned_from_upright(box, raw, direction); });
  }
  return page;
}

}  // namespace fineprint::reading
