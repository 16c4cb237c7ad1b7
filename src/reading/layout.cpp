// Combines the steps of layout and writes the page in reading order.
#include "reading/layout.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

#include "fineprint/core/unicode.h"

#include "reading/layout_block.h"
#include "reading/layout_boxes.h"
#include "reading/layout_direction.h"
#include "reading/layout_furniture.h"
#include "reading/layout_lattice.h"
#include "reading/layout_order.h"

namespace fineprint::reading {
namespace {

constexpr float kNoteSize = 10;  // points; notes state no size

// Writes blocks in reading order to a page. Copies words in that order, so that lines and elements
// are ranges of words and users of the page need no order of their own.
class PageWriter {
 public:
  PageWriter(const pdf::RawPage& raw, Page& page) : raw_(raw), page_(page) {
    page_.words.reserve(raw.words.size());
    places_.resize(raw.words.size());
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
    if (block.stated != nullptr) element.cells = cells_of(*block.stated);
    element.line_count = static_cast<std::uint32_t>(page_.lines.size()) - element.first_line;
    if (element.kind == ElementKind::heading) {
      open_.push_back(static_cast<std::int32_t>(page_.elements.size()));
    }
    page_.elements.push_back(std::move(element));
  }

 private:
  // The words of a cell follow each other, because rows are written cell by cell.
  std::vector<StatedCell> cells_of(const PlacedTable& table) const {
    std::vector<StatedCell> cells;
    for (const PlacedCell& placed : table.cells) {
      StatedCell& cell = cells.emplace_back(placed.cell);
      if (placed.words.empty()) continue;
      cell.first_word = places_[placed.words.front()];
      cell.word_count = static_cast<std::uint32_t>(placed.words.size());
    }
    return cells;
  }

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
      places_[index] = static_cast<std::uint32_t>(page_.words.size());
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
  std::vector<std::uint32_t> places_;  // of the words of `raw_` on the page
};

// Returns the rank of a heading among those of its page, 1 to 9. Only size counts; capitals and
// bold do not.
std::uint8_t level_of(const Block& block, const std::set<int, std::greater<>>& sizes) {
  if (block.kind != ElementKind::heading) return 0;
  const int size = static_cast<int>(std::lround(block.size_pt * 2));
  const auto rank = std::distance(sizes.begin(), sizes.find(size));
  return static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(rank + 1, 9));
}

Box box_of(const std::vector<Row>& rows) {
  Box box;
  for (const Row& row : rows) box = united(box, row.box);
  return box;
}

// Returns the rows of a stated table that have words on the page.
std::vector<Row> stated_rows(const pdf::RawPage& raw, const PlacedTable& table) {
  std::vector<Row> rows;
  std::uint16_t number = 0;
  for (const PlacedCell& placed : table.cells) {
    if (placed.words.empty()) continue;
    if (rows.empty() || placed.cell.row != number) {
      number = placed.cell.row;
      rows.emplace_back();
      rows.back().bold = rows.back().ruled = true;
    }
    Row& row = rows.back();
    Cell& cell = row.cells.emplace_back();
    cell.words = placed.words;
    for (const std::uint32_t index : placed.words) {
      const Word& word = raw.words[index];
      cell.box = united(cell.box, word.box);
      cell.characters += static_cast<std::uint32_t>(word.text.size());
      row.size_pt = std::max(row.size_pt, word.size_pt);
      row.bold = row.bold && word.bold;
    }
    row.box = united(row.box, cell.box);
  }
  return rows;
}

// Arranges one upright page. `mirrored` pages are in a mirror, see layout_direction.h. `regions`
// may be null.
class Arranger {
 public:
  Arranger(const pdf::RawPage& raw, std::span<const PlacedTable> tables, bool mirrored,
           const RegionMap* regions = nullptr)
      : raw_(raw),
        tables_(tables),
        regions_(regions),
        fragments_(make_fragments(raw, mirrored)),
        body_pt_(body_size(fragments_)) {}

  // Each step leaves less for the next to misread. Furniture comes first, because a page number
  // would become a paragraph, and below two columns it would be in their gutter. Figures come next,
  // because their labels would look like cells of a table or like short columns. The rest is cut
  // into areas, areas into rows, and rows into blocks. Captions come last, because they join
  // complete blocks.
  void arrange(Page& page) {
    std::vector<bool> taken = take_stated();
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
  // Takes the words of stated tables out of the fragments, and returns the fragments that this left
  // without words.
  std::vector<bool> take_stated() {
    std::vector<bool> stated(raw_.words.size(), false);
    for (const PlacedTable& table : tables_) {
      for (const PlacedCell& cell : table.cells) {
        for (const std::uint32_t word : cell.words) stated[word] = true;
      }
    }
    std::vector<bool> taken(fragments_.size(), false);
    for (std::size_t i = 0; !tables_.empty() && i < fragments_.size(); ++i) {
      std::erase_if(fragments_[i].words, [&](std::uint32_t word) { return stated[word]; });
      taken[i] = fragments_[i].words.empty();
    }
    return taken;
  }

  void add_furniture(const std::vector<std::uint32_t>& area) {
    if (area.empty()) return;
    Block block;
    block.kind = ElementKind::furniture;
    block.rows = make_rows(raw_, fragments_, area);
    for (const Row& row : block.rows) block.box = united(block.box, row.box);
    blocks_.push_back(std::move(block));
  }

  // Adds a fragment for something that is arranged as a whole.
  void add_stand_in(const Box& box, std::size_t number, Area* flow) {
    Fragment stand_in;
    stand_in.box = box;
    stand_in.size_pt = body_pt_;
    stand_in.figure = static_cast<std::int32_t>(number);
    stand_in.order = static_cast<std::uint32_t>(fragments_.size());
    flow->push_back(static_cast<std::uint32_t>(fragments_.size()));
    fragments_.push_back(std::move(stand_in));
  }

  // Each figure takes part in the order of the text as one fragment, because the gutter next to a
  // chart is the gutter next to its column. So does each stated table; their numbers follow those
  // of the figures.
  void add_flow(Area flow) {
    for (std::size_t i = 0; i < figures_.size(); ++i) add_stand_in(figures_[i].box, i, &flow);
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      add_stand_in(box_of(stated_rows(raw_, tables_[i])), figures_.size() + i, &flow);
    }
    // Ruled lines join rows within one area only, because rows of two neighbouring columns may be
    // between the same two lines.
    const std::vector<Grid> grids = find_grids(raw_.rules);
    for (const Area& area : order_areas(fragments_, flow, raw_.rules)) {
      std::vector<Row> rows = join_ruled_rows(raw_, make_rows(raw_, fragments_, area), grids);
      rows = join_boxes(raw_, join_centred(std::move(rows)));
      for (Block& block : make_blocks(raw_, rows, body_pt_, regions_)) {
        add_block(std::move(block));
      }
    }
  }

  void add_block(Block block) {
    if (block.kind == ElementKind::figure) {
      const auto number = static_cast<std::size_t>(block.rows.front().figure);
      if (number < figures_.size()) {
        block.rows = make_rows(raw_, fragments_, figures_[number].fragments);
      } else {
        block.kind = ElementKind::table;
        block.stated = &tables_[number - figures_.size()];
        block.caption = block.stated->caption;
        block.rows = stated_rows(raw_, *block.stated);
      }
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
  std::span<const PlacedTable> tables_;
  const RegionMap* regions_;
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

// Adds the tables of a picture that share no word with one whose cells are drawn.
void add_pictured(const PicturedLayout& pictured, std::vector<PlacedTable>& tables) {
  std::set<std::uint32_t> taken;
  for (const PlacedTable& table : tables) {
    for (const PlacedCell& cell : table.cells) taken.insert(cell.words.begin(), cell.words.end());
  }
  for (const PlacedTable& table : pictured.tables) {
    const bool is_new = std::ranges::none_of(table.cells, [&](const PlacedCell& cell) {
      return std::ranges::any_of(cell.words,
                                 [&](std::uint32_t word) { return taken.contains(word); });
    });
    if (is_new) tables.push_back(table);
  }
}

// Arranges a page whose lines run across, in either direction. On mirrored pages, tables whose
// cells are drawn are left to the rows, because words of numbers keep their direction there.
void arrange_upright(const pdf::RawPage& raw, std::span<const PlacedTable> tables,
                     const PicturedLayout* pictured, Page& page) {
  const bool mirrors = runs_right_to_left(raw);
  // A file that states its tables draws them, too.
  std::vector<PlacedTable> drawn;
  if (tables.empty() && !mirrors) drawn = lattice_tables(raw);
  if (tables.empty() && !mirrors && pictured != nullptr) add_pictured(*pictured, drawn);
  if (!drawn.empty()) tables = drawn;
  const RegionMap* regions = pictured == nullptr ? nullptr : &pictured->regions;
  if (!mirrors) return Arranger(raw, tables, false, regions).arrange(page);
  // Works on the mirrored page, where every rule about "left" holds as it is. A second set of rules
  // would not be maintained.
  const pdf::RawPage other = mirrored(raw);
  Arranger(other, tables, true).arrange(page);
  move_boxes(page, [&](const Box& box) { return mirrored(box, raw.width_pt); });
}

// Adds each note as a paragraph at the end, because it is not a part of the page's text. All its
// words have the box of the note.
void add_note_elements(const pdf::RawPage& raw, Page& page) {
  for (const pdf::Note& note : raw.notes) {
    Line line;
    line.first_word = static_cast<std::uint32_t>(page.words.size());
    line.box = note.box;
    std::istringstream text(valid_utf8(note.text));
    Word word;
    word.box = note.box;
    word.size_pt = kNoteSize;
    while (text >> word.text) page.words.push_back(word);
    line.word_count = static_cast<std::uint32_t>(page.words.size()) - line.first_word;
    if (line.word_count == 0) continue;
    Element element;
    element.box = note.box;
    element.first_line = static_cast<std::uint32_t>(page.lines.size());
    element.line_count = 1;
    page.lines.push_back(line);
    page.elements.push_back(std::move(element));
  }
}

}  // namespace

Page lay_out(const pdf::RawPage& raw, std::span<const PlacedTable> tables,
             const PicturedLayout* pictured) {
  Page page;
  page.number = raw.number;
  page.label = raw.label;
  page.width_pt = raw.width_pt;
  page.height_pt = raw.height_pt;
  page.rotation = raw.rotation;
  page.source = raw.words.empty() ? TextSource::none : TextSource::native;
  const int direction = text_direction(raw, make_fragments(raw));
  if (direction == 0) {
    arrange_upright(raw, tables, pictured, page);
  } else {
    arrange_upright(upright(raw, direction), tables, nullptr, page);
    move_boxes(page, [&](const Box& box) { return turned_from_upright(box, raw, direction); });
  }
  add_note_elements(raw, page);
  return page;
}

}  // namespace fineprint::reading
