// Reads text documents (WordprocessingML). Source: ECMA-376, part 1, 17.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "markup/office/drawings.h"
#include "markup/office/numbering.h"
#include "markup/office/readers.h"
#include "markup/office/run_text.h"

namespace fineprint::markup {
namespace {

// Properties and revisions that are not part of the document.
constexpr std::array<std::string_view, 5> kNoBlocks = {"del", "moveFrom", "pPr", "rPr", "sdtPr"};

// Returns whether the end of a paragraph was deleted or moved away, so that it joins the next one.
bool is_end_deleted(const Node& look) {
  return child(look, "del") != nullptr || child(look, "moveFrom") != nullptr;
}

// Returns whether a review has deleted a row.
bool is_deleted_row(const Node& row) {
  const Node* properties = child(row, "trPr");
  return properties != nullptr && child(*properties, "del") != nullptr;
}

// Adds the blocks of one document.
class TextDocument {
 public:
  TextDocument(const Package& package, const std::string& main, Html* html)
      : package_(package),
        part_(main),
        styles_(package, main),
        numbering_(package, main),
        runs_(styles_),
        html_(html) {}

  // Reads how the marks of notes are written, from properties of sections or the settings.
  void read_note_formats(const Node& root) {
    for (const auto& [element, kind, usual] : {std::array{"footnotePr", "footnote", "decimal"},
                                               std::array{"endnotePr", "endnote", "lowerRoman"}}) {
      for (const Node* one : descendants(root, element)) {
        const Node* format = child(*one, "numFmt");
        const Node* start = child(*one, "numStart");
        if (format == nullptr && start == nullptr) continue;
        runs_.set_notes(kind, format == nullptr ? usual : attribute(*format, "val"),
                        start == nullptr ? 1 : number_of(*start, "val", 1));
      }
    }
  }

  // Notes whether the pages have a colour, or pictures or shapes that text may be drawn on.
  void read_page_colour(const Node& root) {
    const auto anchors = descendants(root, "anchor");
    const bool has_behind = std::ranges::any_of(anchors, [](const Node* one) {
      const std::string behind = attribute(*one, "behindDoc");
      return behind == "1" || behind == "true";
    });
    page_is_white_ =
        child(root, "background") == nullptr && !has_behind && descendants(root, "pict").empty();
  }

  // Adds the paragraphs and tables below a node, including those in content controls and similar
  // wrappers.
  void add_blocks(const Node& parent) {
    for (const Node* block : children(parent)) {
      if (is_named(*block, "p")) {
        add_paragraph(*block);
      } else if (is_named(*block, "tbl")) {
        add_table(*block);
      } else if (std::ranges::find(kNoBlocks, name_of(*block)) == kNoBlocks.end() &&
                 !is_repeated(*block)) {
        add_blocks(*block);
      }
    }
  }

  // Adds the notes of a kind whose marks were read, in their order, under the given heading.
  void add_notes(const char* kind, const char* element, const char* heading) {
    const auto part = package_.target(part_, kind);
    const std::optional<Tree> tree = part ? package_.xml(*part) : std::nullopt;
    if (!tree || tree->root() == nullptr) return;
    const std::vector<const Node*> all = children(*tree->root(), element);
    bool any = false;
    for (const auto& [id, mark] : runs_.notes(element)) {
      const auto note =
          std::ranges::find(all, id, [](const Node* one) { return attribute(*one, "id"); });
      const std::string text = note == all.end() ? "" : block_text(**note);
      if (is_blank(text)) continue;
      if (!std::exchange(any, true)) html_->heading(3, heading);
      html_->paragraph(mark.empty() ? text : mark + " " + text);
    }
  }

  void add_comments() {
    const auto part = package_.target(part_, "comments");
    const std::optional<Tree> tree = part ? package_.xml(*part) : std::nullopt;
    if (!tree || tree->root() == nullptr) return;
    bool any = false;
    for (const Node* comment : children(*tree->root(), "comment")) {
      const std::string text = block_text(*comment);
      if (is_blank(text)) continue;
      if (!std::exchange(any, true)) html_->heading(3, "Comments");
      html_->paragraph("[" + attribute(*comment, "id") + "] " + text);
    }
  }

  // Adds a header or footer of pages.
  void add_part(const std::string& part) {
    const std::optional<Tree> tree = package_.xml(part);
    if (!tree || tree->root() == nullptr) return;
    const std::string main = std::exchange(part_, part);
    add_blocks(*tree->root());
    part_ = main;
  }

 private:
  void add_paragraph(const Node& paragraph) {
    std::vector<const Node*> boxes;
    const std::string text = paragraph_text(paragraph, &boxes, page_is_white_ && boxes_open_ == 0);
    const int level = styles_.heading_level(styles_.of_paragraph(paragraph));
    if (level > 0) {
      html_->heading(level, text);
    } else {
      html_->paragraph(text);
    }
    // Text boxes follow the paragraph that they are anchored in.
    ++boxes_open_;
    for (const Node* box : boxes) add_blocks(*box);
    --boxes_open_;
    add_pictures(package_, part_, paragraph, html_);
    add_graphics(package_, part_, paragraph, html_);
  }

  // Returns the text of a paragraph with its number. Text is kept for the next paragraph if the end
  // of this one was deleted.
  std::string paragraph_text(const Node& paragraph, std::vector<const Node*>* boxes,
                             bool on_white = false) {
    const RunText read = runs_.read(paragraph, on_white);
    html_->hide(read.hidden);
    boxes->insert(boxes->end(), read.boxes.begin(), read.boxes.end());
    std::string text = std::exchange(joined_, "") + read.text;
    const Node* properties = child(paragraph, "pPr");
    const Node* look = properties == nullptr ? nullptr : child(*properties, "rPr");
    if (look != nullptr && is_end_deleted(*look)) {
      joined_ = std::move(text);
      return {};
    }
    const bool is_hidden =
        look != nullptr && on_or_off(child(*look, "vanish")).value_or(false) && is_blank(text);
    const std::string number = is_hidden ? "" : number_of_paragraph(paragraph);
    return is_blank(text) || number.empty() ? text : number + " " + text;
  }

  // Counts the paragraph and returns its number or bullet, or "".
  std::string number_of_paragraph(const Node& paragraph) {
    const std::string style = styles_.of_paragraph(paragraph);
    const Node* properties = child(paragraph, "pPr");
    const ListPlace own = properties == nullptr ? ListPlace() : list_place(*properties);
    const ListPlace of_style = styles_.list(style);
    const std::optional<int> list = own.list ? own.list : of_style.list;
    if (!list) {
      const bool is_item = properties != nullptr && child(*properties, "numPr") != nullptr;
      return is_item ? "•" : "";
    }
    std::optional<int> level = own.level;
    if (!level) level = numbering_.level_of_style(*list, style);
    if (!level) level = of_style.level;
    return numbering_.next(*list, level.value_or(0));
  }

  // Returns the text of all paragraphs below, joined by line breaks.
  std::string block_text(const Node& parent) {
    std::string out;
    for (const Node* paragraph : descendants(parent, "p")) {
      std::vector<const Node*> boxes;
      std::string text = paragraph_text(*paragraph, &boxes);
      for (const Node* box : boxes) text += "\n" + block_text(*box);
      if (!is_blank(text)) out += (out.empty() ? "" : "\n") + text;
    }
    return out;
  }

  // Returns the number that a property of a row or cell gives, or `otherwise`.
  static int property(const Node& node, const char* properties, const char* name, int otherwise) {
    constexpr int kMostColumns = 63;  // that Word has
    const Node* all = child(node, properties);
    const Node* one = all == nullptr ? nullptr : child(*all, name);
    if (one == nullptr) return otherwise;
    const std::string text = attribute(*one, "val");
    int value = otherwise;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return std::clamp(value, 0, kMostColumns);
  }

  static bool is_head_row(const Node& row) {
    const Node* properties = child(row, "trPr");
    const Node* head = properties == nullptr ? nullptr : child(*properties, "tblHeader");
    const std::string value = head == nullptr ? "0" : attribute(*head, "val");
    return value != "0" && value != "false" && value != "off";
  }

  // Returns "restart" or "continue" if the cell is merged with those below or above, or "".
  static std::string merge_of(const Node& cell) {
    const Node* properties = child(cell, "tcPr");
    const Node* merge = properties == nullptr ? nullptr : child(*properties, "vMerge");
    if (merge == nullptr) return "";
    return attribute(*merge, "val") == "restart" ? "restart" : "continue";
  }

  void add_row(const Node& row, int number, std::map<int, std::size_t>* merged,
               std::vector<TableCell>* cells) {
    int column = property(row, "trPr", "gridBefore", 0);
    for (const Node* node : descendants(row, "tc")) {
      const std::string merge = merge_of(*node);
      const int columns = std::max(1, property(*node, "tcPr", "gridSpan", 1));
      if (merge == "continue" && merged->contains(column)) {
        TableCell& above = (*cells)[merged->at(column)];
        above.rows = number + 1 - above.row;
      } else {
        merged->erase(column);
        if (merge == "restart") (*merged)[column] = cells->size();
        cells->push_back({.text = block_text(*node),
                          .row = number,
                          .column = column,
                          .columns = columns,
                          .is_head = is_head_row(row)});
      }
      column += columns;
    }
  }

  void add_table(const Node& table) {
    std::vector<TableCell> cells;
    std::map<int, std::size_t> merged;  // by column, the cell that goes on below
    int number = 0;
    for (const Node* row : descendants(table, "tr")) {
      if (!is_deleted_row(*row)) add_row(*row, number++, &merged, &cells);
    }
    mark_heads(&cells);
    html_->table(std::move(cells));
    add_pictures(package_, part_, table, html_);
    add_graphics(package_, part_, table, html_);
  }

  const Package& package_;
  std::string part_;  // the part being read
  Styles styles_;
  Numbering numbering_;
  RunReader runs_;
  std::string joined_;  // text of a paragraph that the next one continues
  bool page_is_white_ = true;
  int boxes_open_ = 0;  // text boxes that the current place is in
  Html* html_;
};

}  // namespace

void add_text_document(const Package& package, const std::string& main, Html* html) {
  const Tree tree = package.need_xml(main);
  TextDocument document(package, main, html);
  const auto settings = package.target(main, "settings");
  const std::optional<Tree> set = settings ? package.xml(*settings) : std::nullopt;
  if (set && set->root() != nullptr) document.read_note_formats(*set->root());
  document.read_note_formats(*tree.root());
  document.read_page_colour(*tree.root());
  const std::vector<Relation>& relations = package.relations(main);
  const auto add_all = [&](std::string_view kind) {
    for (const Relation& one : relations) {
      if (one.kind == kind && !one.target.empty()) document.add_part(one.target);
    }
  };
  add_all("header");
  document.add_blocks(*tree.root());
  document.add_notes("footnotes", "footnote", "Footnotes");
  document.add_notes("endnotes", "endnote", "Endnotes");
  document.add_comments();
  add_all("footer");
}

}  // namespace fineprint::markup
