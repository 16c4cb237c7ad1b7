// Reads presentations (PresentationML), one page per slide. Source: ECMA-376, part 1, 19.
#include <algorithm>

#include "fineprint/core/format.h"

#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

// Returns whether the shape is the title of its slide.
bool is_title(const Node& shape) {
  for (const Node* placeholder : descendants(shape, "ph")) {
    const std::string type = attribute(*placeholder, "type");
    if (type == "title" || type == "ctrTitle") return true;
  }
  return false;
}

void add_slide_table(const Node& table, Html* html) {
  std::vector<Row> rows;
  for (const Node* row : children(table, "tr")) {
    Row cells;
    for (const Node* cell : children(*row, "tc")) cells.push_back(drawing_text(*cell));
    rows.push_back(std::move(cells));
  }
  html->table(rows, true);
}

// Adds shapes in drawing order, including those in groups.
void add_shapes(const Package& package, const std::string& slide, const Node& tree, Html* html) {
  for (const Node* shape : children(tree)) {
    if (is_named(*shape, "grpSp")) {
      add_shapes(package, slide, *shape, html);
    } else if (is_named(*shape, "AlternateContent")) {
      // The alternatives are the same shape for older programs.
      if (const Node* choice = child(*shape, "Choice")) add_shapes(package, slide, *choice, html);
    } else if (is_named(*shape, "pic")) {
      add_pictures(package, slide, *shape, html);
    } else if (is_named(*shape, "graphicFrame")) {
      for (const Node* table : descendants(*shape, "tbl")) add_slide_table(*table, html);
    } else if (const Node* body = child(*shape, "txBody")) {
      const std::string text = drawing_text(*body);
      if (is_title(*shape)) {
        html->heading(2, text);
      } else {
        html->paragraph(text);
      }
    }
  }
}

void add_notes(const Package& package, const std::string& slide, Html* html) {
  const auto notes = package.target(slide, "notesSlide");
  const std::optional<Tree> tree = notes ? package.xml(*notes) : std::nullopt;
  if (!tree || tree->root() == nullptr) return;
  for (const Node* shape : descendants(*tree->root(), "sp")) {
    const auto placeholders = descendants(*shape, "ph");
    const bool is_body = std::ranges::any_of(
        placeholders, [](const Node* one) { return attribute(*one, "type") == "body"; });
    const Node* body = child(*shape, "txBody");
    if (!is_body || body == nullptr) continue;
    const std::string text = drawing_text(*body);
    if (!is_blank(text)) html->paragraph("Notes: " + text);
  }
}

void add_slide(const Package& package, const std::string& part, Html* html) {
  const Tree tree = package.need_xml(part);
  html->page_break();
  const std::size_t before = html->size();
  for (const Node* shapes : descendants(*tree.root(), "spTree"))
    add_shapes(package, part, *shapes, html);
  add_drawn_text(package, part, html);
  add_notes(package, part, html);
  // A slide without text becomes a page, too, so that the numbers of later pages match the slides.
  constexpr const char* kNoBreakSpace = "\xc2\xa0";
  if (html->size() == before) html->paragraph(kNoBreakSpace);
}

}  // namespace

void add_slides(const Package& package, const std::string& main, Html* html) {
  const Tree tree = package.need_xml(main);
  const std::vector<Relation>& relations = package.relations(main);
  // The list of slides gives their order; the names of the parts do not.
  for (const Node* listed : descendants(*tree.root(), "sldId")) {
    for (const Relation& one : relations) {
      if (one.kind != "slide" || one.target.empty()) continue;
      if (relation_id(*listed) == one.id) add_slide(package, one.target, html);
    }
  }
}

}  // namespace fineprint::markup
