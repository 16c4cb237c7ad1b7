// Reads text in drawings, charts and diagrams (DrawingML). Source: ECMA-376, part 1, 20 and 21.
#include <set>

#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

// Returns the text of runs, line breaks and fields, in order.
std::string paragraph_text(const Node& paragraph) {
  std::string out;
  for (const Node* one : children(paragraph)) {
    if (is_named(*one, "br")) {
      out += '\n';
    } else if (const Node* text = child(*one, "t")) {
      out += text_of(*text);
    }
  }
  return out;
}

// Adds the titles of a chart and the values that it was drawn from, one line per series.
void add_chart(const Node& root, Html* html) {
  for (const Node* rich : descendants(root, "rich")) html->paragraph(drawing_text(*rich));
  std::vector<Row> rows;
  for (const Node* series : descendants(root, "ser")) {
    const Node* categories = child(*series, "cat");
    if (rows.empty() && categories != nullptr) {
      Row head(1);
      for (const Node* value : descendants(*categories, "v")) head.push_back(text_of(*value));
      rows.push_back(std::move(head));
    }
    Row row(1);
    if (const Node* name = child(*series, "tx")) {
      for (const Node* value : descendants(*name, "v")) row[0] += text_of(*value);
    }
    for (const char* element : {"val", "yVal"}) {
      const Node* values = child(*series, element);
      if (values == nullptr) continue;
      for (const Node* value : descendants(*values, "v")) row.push_back(text_of(*value));
    }
    rows.push_back(std::move(row));
  }
  html->table(rows, rows.size() > 1);
}

void add_paragraphs(const Node& root, Html* html) {
  for (const Node* body : descendants(root, "txBody")) html->paragraph(drawing_text(*body));
  for (const Node* text : descendants(root, "t")) {
    // In diagrams, the text body is called `t` and is part of a point.
    if (text->parent != nullptr && is_named(*text->parent, "pt")) {
      html->paragraph(drawing_text(*text));
    }
  }
}

}  // namespace

std::string drawing_text(const Node& body) {
  std::string out;
  for (const Node* paragraph : descendants(body, "p")) {
    const std::string text = paragraph_text(*paragraph);
    if (!is_blank(text)) out += (out.empty() ? "" : "\n") + text;
  }
  return out;
}

void add_pictures(const Package& package, const std::string& part, const Node& below, Html* html) {
  std::vector<std::string> ids;
  for (const Node* blip : descendants(below, "blip")) ids.push_back(attribute(*blip, "embed"));
  for (const Node* data : descendants(below, "imagedata")) ids.push_back(relation_id(*data));
  for (const std::string& id : ids) {
    for (const Relation& one : package.relations(part)) {
      if (one.id != id || one.kind != "image" || one.target.empty()) continue;
      if (const auto bytes = package.bytes(one.target)) html->picture(*bytes);
    }
  }
}

void add_drawn_text(const Package& package, const std::string& part, Html* html) {
  // A drawing may be linked several times.
  std::set<std::string> seen;
  for (const Relation& one : package.relations(part)) {
    const bool is_chart = one.kind == "chart";
    const bool is_wanted = is_chart || one.kind == "diagramData" || one.kind == "drawing";
    if (!is_wanted || one.target.empty() || !seen.insert(one.target).second) continue;
    const std::optional<Tree> tree = package.xml(one.target);
    if (!tree || tree->root() == nullptr) continue;
    if (is_chart) {
      add_chart(*tree->root(), html);
    } else {
      add_paragraphs(*tree->root(), html);
      add_pictures(package, one.target, *tree->root(), html);
    }
    // A sheet's drawing has its own charts.
    if (one.kind == "drawing" && one.target != part) add_drawn_text(package, one.target, html);
  }
}

}  // namespace fineprint::markup
