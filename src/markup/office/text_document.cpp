// Reads text documents (WordprocessingML). Source: ECMA-376, part 1, 17.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

// Elements whose text is not part of the document (deleted text, field codes, properties) or
// repeats it.
constexpr std::array<std::string_view, 7> kLeftOut = {
    "del", "moveFrom", "Fallback", "instrText", "delText", "pPr", "rPr"};

// Returns the outline level of each paragraph style; 1 is the highest.
std::map<std::string, int> heading_levels(const Package& package, const std::string& main) {
  std::map<std::string, int> levels;
  const auto part = package.target(main, "styles");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  if (!tree || tree->root() == nullptr) return levels;
  for (const Node* style : children(*tree->root(), "style")) {
    const std::string id = attribute(*style, "styleId");
    const Node* name = child(*style, "name");
    const std::string called = name == nullptr ? "" : attribute(*name, "val");
    if (called == "Title" || called == "title") levels[id] = 1;
    const auto outline = descendants(*style, "outlineLvl");
    if (outline.empty()) continue;
    const std::string level = attribute(*outline.front(), "val");
    if (level.size() == 1 && level[0] >= '0' && level[0] <= '8') levels[id] = level[0] - '0' + 1;
  }
  return levels;
}

// Adds the blocks of one document.
class TextDocument {
 public:
  TextDocument(const Package& package, const std::string& main, Html* html)
      : package_(package), part_(main), levels_(heading_levels(package, main)), html_(html) {}

  // Adds the paragraphs and tables below a node, including those in content controls and similar
  // wrappers.
  void add_blocks(const Node& parent) {
    for (const Node* block : children(parent)) {
      if (is_named(*block, "p")) {
        add_paragraph(*block);
      } else if (is_named(*block, "tbl")) {
        add_table(*block);
      } else if (!is_left_out(*block)) {
        add_blocks(*block);
      }
    }
  }

  // Adds a part with footnotes, endnotes or comments under the given heading.
  void add_notes(const char* kind, const char* element, const char* heading) {
    const auto part = package_.target(part_, kind);
    const std::optional<Tree> tree = part ? package_.xml(*part) : std::nullopt;
    if (!tree || tree->root() == nullptr) return;
    bool any = false;
    for (const Node* note : children(*tree->root(), element)) {
      // The line between text and footnotes is stored as a note, too, but with another type.
      if (const std::string type = attribute(*note, "type"); !type.empty() && type != "normal") {
        continue;
      }
      const std::string text = block_text(*note);
      if (is_blank(text)) continue;
      if (!std::exchange(any, true)) html_->heading(3, heading);
      html_->paragraph("[" + attribute(*note, "id") + "] " + text);
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
  static bool is_left_out(const Node& node) {
    return std::ranges::find(kLeftOut, name_of(node)) != kLeftOut.end();
  }

  void add_paragraph(const Node& paragraph) {
    std::vector<const Node*> boxes;
    std::string text;
    add_runs(paragraph, &text, &boxes);
    const int level = heading_level(paragraph);
    if (level > 0) {
      html_->heading(level, text);
    } else {
      html_->paragraph(is_list_item(paragraph) && !is_blank(text) ? "• " + text : text);
    }
    // Text boxes follow the paragraph that they are anchored in.
    for (const Node* box : boxes) add_blocks(*box);
    add_pictures(package_, part_, paragraph, html_);
  }

  int heading_level(const Node& paragraph) const {
    const Node* properties = child(paragraph, "pPr");
    const Node* style = properties == nullptr ? nullptr : child(*properties, "pStyle");
    const auto level = style == nullptr ? levels_.end() : levels_.find(attribute(*style, "val"));
    return level == levels_.end() ? 0 : level->second;
  }

  static bool is_list_item(const Node& paragraph) {
    const Node* properties = child(paragraph, "pPr");
    return properties != nullptr && child(*properties, "numPr") != nullptr;
  }

  // Appends the text of runs. Text boxes are anchored in runs and are returned in `boxes`.
  void add_runs(const Node& parent, std::string* text, std::vector<const Node*>* boxes) const {
    for (const Node* one : children(parent)) {
      if (is_named(*one, "t")) {
        *text += text_of(*one);
      } else if (is_named(*one, "tab")) {
        *text += ' ';
      } else if (is_named(*one, "br") || is_named(*one, "cr")) {
        *text += '\n';
      } else if (is_named(*one, "noBreakHyphen")) {
        *text += '-';
      } else if (is_named(*one, "footnoteReference") || is_named(*one, "endnoteReference")) {
        *text += " [" + attribute(*one, "id") + "]";
      } else if (is_named(*one, "txbxContent")) {
        boxes->push_back(one);
      } else if (!is_left_out(*one)) {
        add_runs(*one, text, boxes);
      }
    }
  }

  // Returns the text of all paragraphs below, joined by line breaks.
  std::string block_text(const Node& parent) const {
    std::string out;
    for (const Node* paragraph : descendants(parent, "p")) {
      std::string text;
      std::vector<const Node*> boxes;
      add_runs(*paragraph, &text, &boxes);
      for (const Node* box : boxes) text += "\n" + block_text(*box);
      if (!is_blank(text)) out += (out.empty() ? "" : "\n") + text;
    }
    return out;
  }

  void add_table(const Node& table) {
    std::vector<Row> rows;
    for (const Node* row : descendants(table, "tr")) {
      Row cells;
      for (const Node* cell : descendants(*row, "tc")) cells.push_back(block_text(*cell));
      rows.push_back(std::move(cells));
    }
    html_->table(rows, rows.size() > 1);
  }

  const Package& package_;
  std::string part_;  // the part being read
  std::map<std::string, int> levels_;
  Html* html_;
};

}  // namespace

void add_text_document(const Package& package, const std::string& main, Html* html) {
  const Tree tree = package.need_xml(main);
  TextDocument document(package, main, html);
  const std::vector<Relation>& relations = package.relations(main);
  const auto add_all = [&](std::string_view kind) {
    for (const Relation& one : relations) {
      if (one.kind == kind && !one.target.empty()) document.add_part(one.target);
    }
  };
  add_all("header");
  document.add_blocks(*tree.root());
  add_drawn_text(package, main, html);
  document.add_notes("footnotes", "footnote", "Footnotes");
  document.add_notes("endnotes", "endnote", "Endnotes");
  document.add_notes("comments", "comment", "Comments");
  add_all("footer");
}

}  // namespace fineprint::markup
