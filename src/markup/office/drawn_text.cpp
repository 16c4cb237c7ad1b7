// Reads text, pictures and diagrams in drawings (DrawingML). Source: ECMA-376, part 1, 20 and 21.
#include <algorithm>
#include <map>
#include <set>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"

#include "markup/office/drawings.h"
#include "markup/office/numbering.h"
#include "markup/office/run_text.h"
#include "markup/office/symbols.h"

namespace fineprint::markup {
namespace {

std::string typeface(const Node& run, const char* kind) {
  const Node* look = child(run, "rPr");
  const Node* font = look == nullptr ? nullptr : child(*look, kind);
  return font == nullptr ? "" : attribute(*font, "typeface");
}

// Returns the text of a run. The font for symbols is only that of private characters.
std::string run_text(const Node& run, const Node& text) {
  const std::string symbols = typeface(run, "sym"), latin = typeface(run, "latin");
  const std::string all = text_of(text);
  std::string out;
  for (std::size_t at = 0; at < all.size();) {
    const char32_t c = next_code_point(all, &at);
    out += symbol_text(c >= 0xF000 && c <= 0xF0FF && !symbols.empty() ? symbols : latin, c);
  }
  return out;
}

// Returns whether a run is written above the line: its baseline is moved by a share that is
// positive, "30000" or "30%".
bool is_raised(const Node& run) {
  const Node* look = child(run, "rPr");
  const std::string offset = look == nullptr ? "" : attribute(*look, "baseline");
  return !offset.empty() && offset[0] >= '1' && offset[0] <= '9';
}

// Returns the text of runs, line breaks, fields and formulas, in order.
std::string paragraph_text(const Node& paragraph) {
  std::string out;
  for (const Node* one : children(paragraph)) {
    if (is_named(*one, "br")) {
      out += '\n';
    } else if (const Node* text = child(*one, "t")) {
      out += is_raised(*one) ? raised_text(run_text(*one, *text)) : run_text(*one, *text);
    } else {
      for (const Node* math : shown_below(*one, "oMath")) out += math_text(*math);
    }
  }
  return out;
}

// Counts the numbered paragraphs of one text body, by their level.
class ShapeNumbers {
 public:
  // Returns the number that is written before a paragraph, or "" if none is.
  std::string next(const Node& paragraph) {
    const Node* properties = child(paragraph, "pPr");
    const int level = properties == nullptr ? 0 : number_of(*properties, "lvl", 0);
    const Node* numbered = properties == nullptr ? nullptr : child(*properties, "buAutoNum");
    counts_.erase(counts_.upper_bound(level), counts_.end());
    if (numbered == nullptr) {
      counts_.erase(level);
      const bool has_bullet = properties != nullptr && child(*properties, "buChar") != nullptr;
      return has_bullet ? "• " : "";
    }
    const int start = number_of(*numbered, "startAt", 1);
    const auto [count, is_first] = counts_.try_emplace(level, start);
    if (!is_first) ++count->second;
    return decorated(count->second, attribute(*numbered, "type")) + " ";
  }

 private:
  // `type` is, for example, "arabicPeriod" or "alphaLcParenBoth".
  static std::string decorated(int number, const std::string& type) {
    const std::string digits =
        formatted_number(number, type.starts_with("alphaLc")   ? "lowerLetter"
                                 : type.starts_with("alphaUc") ? "upperLetter"
                                 : type.starts_with("romanLc") ? "lowerRoman"
                                 : type.starts_with("romanUc") ? "upperRoman"
                                                               : "decimal");
    if (type.ends_with("ParenBoth")) return "(" + digits + ")";
    if (type.ends_with("ParenR")) return digits + ")";
    return type.ends_with("Period") ? digits + "." : digits;
  }

  std::map<int, int> counts_;
};

void add_shown(const Node& node, std::string_view name, std::vector<const Node*>* out) {
  for (const Node* one : children(node)) {
    if (is_repeated(*one) || is_hidden_shape(*one) || is_named(*one, "txbxContent")) continue;
    if (is_named(*one, name)) {
      out->push_back(one);
    } else {
      add_shown(*one, name, out);
    }
  }
}

// Adds the texts of a point of a diagram and of those below it.
class DiagramPoints {
 public:
  DiagramPoints(const Node& root, Html* html) : html_(html) {
    for (const Node* point : descendants(root, "pt")) points_[attribute(*point, "modelId")] = point;
    for (const Node* link : descendants(root, "cxn")) {
      const std::string type = attribute(*link, "type");
      if (!type.empty() && type != "parOf") continue;
      below_[attribute(*link, "srcId")].emplace(number_of(*link, "srcOrd", 0),
                                                attribute(*link, "destId"));
    }
  }

  void add_all() {
    for (const auto& [id, point] : points_) {
      if (attribute(*point, "type") == "doc") add(id, 0);
    }
  }

 private:
  void add(const std::string& id, int depth) {
    const auto point = points_.find(id);
    if (point == points_.end() || !seen_.insert(id).second) return;
    if (const Node* text = child(*point->second, "t")) {
      const std::string shown = drawing_text(*text);
      if (!is_blank(shown)) html_->paragraph((depth > 1 ? "• " : "") + shown);
    }
    const auto below = below_.find(id);
    if (below == below_.end()) return;
    for (const auto& [order, next] : below->second) add(next, depth + 1);
  }

  std::map<std::string, const Node*> points_;
  std::map<std::string, std::multimap<int, std::string>> below_;  // in their order
  std::set<std::string> seen_;                                    // a ring must end
  Html* html_;
};

const Relation* relation_of(const Package& package, const std::string& part,
                            const std::string& id) {
  const std::vector<Relation>& all = package.relations(part);
  const auto found = std::ranges::find(all, id, &Relation::id);
  return id.empty() || found == all.end() || found->target.empty() ? nullptr : &*found;
}

// Adds the texts that were drawn over a chart.
void add_drawn_over(const Package& package, const std::string& chart, Html* html) {
  const auto part = package.target(chart, "chartUserShapes");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  if (tree && tree->root() != nullptr) html->paragraph(all_drawing_text(*tree->root()));
}

}  // namespace

bool is_repeated(const Node& node) {
  if (!is_named(node, "Fallback") || node.parent == nullptr) return false;
  for (const Node* choice : children(*node.parent, "Choice")) {
    for (const char* content : {"t", "blip", "chart", "relIds", "txbxContent", "txBody"}) {
      if (!descendants(*choice, content).empty()) return true;
    }
  }
  return false;
}

bool is_hidden_shape(const Node& shape) {
  const auto is_off = [](const Node& properties) {
    const std::string hidden = attribute(properties, "hidden");
    return hidden == "1" || hidden == "true";
  };
  for (const Node* one : children(shape)) {
    if (is_named(*one, "docPr") && is_off(*one)) return true;
    if (!name_of(*one).starts_with("nv")) continue;
    const Node* properties = child(*one, "cNvPr");
    if (properties != nullptr && is_off(*properties)) return true;
  }
  return false;
}

std::vector<const Node*> shown_below(const Node& node, std::string_view name) {
  std::vector<const Node*> out;
  add_shown(node, name, &out);
  return out;
}

std::string drawing_text(const Node& body) {
  std::string out;
  ShapeNumbers numbers;
  for (const Node* paragraph : descendants(body, "p")) {
    const std::string text = paragraph_text(*paragraph);
    // Empty paragraphs are not counted.
    if (!is_blank(text)) out += (out.empty() ? "" : "\n") + numbers.next(*paragraph) + text;
  }
  return out;
}

std::string all_drawing_text(const Node& below) {
  std::string out;
  for (const Node* body : descendants(below, "txBody")) {
    const std::string text = drawing_text(*body);
    if (!text.empty()) out += (out.empty() ? "" : "\n") + text;
  }
  return out;
}

void add_pictures(const Package& package, const std::string& part, const Node& below, Html* html) {
  std::vector<std::string> ids;
  for (const Node* blip : shown_below(below, "blip")) ids.push_back(attribute(*blip, "embed"));
  for (const Node* data : shown_below(below, "imagedata")) ids.push_back(relation_id(*data));
  for (const std::string& id : ids) {
    const Relation* one = relation_of(package, part, id);
    if (one == nullptr || one->kind != "image") continue;
    if (const auto bytes = package.bytes(one->target)) html->picture(*bytes);
  }
}

void add_diagram(const Node& root, Html* html) { DiagramPoints(root, html).add_all(); }

void add_graphics(const Package& package, const std::string& part, const Node& below, Html* html) {
  for (const Node* data : shown_below(below, "graphicData")) {
    for (const Node* chart : shown_below(*data, "chart")) {
      const Relation* one = relation_of(package, part, relation_id(*chart));
      const std::optional<Tree> tree = one == nullptr ? std::nullopt : package.xml(one->target);
      if (!tree || tree->root() == nullptr) continue;
      add_chart(*tree->root(), html);
      add_drawn_over(package, one->target, html);
    }
    for (const Node* diagram : shown_below(*data, "relIds")) {
      const Relation* one = relation_of(package, part, attribute(*diagram, "dm"));
      const std::optional<Tree> tree = one == nullptr ? std::nullopt : package.xml(one->target);
      if (tree && tree->root() != nullptr) add_diagram(*tree->root(), html);
    }
  }
}

}  // namespace fineprint::markup
