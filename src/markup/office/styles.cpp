// Reads styles and resolves which style is based on which.
#include "markup/office/styles.h"

#include "markup/office/numbering.h"

namespace fineprint::markup {

std::optional<bool> on_or_off(const Node* node) {
  if (node == nullptr) return std::nullopt;
  const std::string value = attribute(*node, "val");
  return value != "0" && value != "false" && value != "off";
}

ListPlace list_place(const Node& paragraph_properties) {
  constexpr int kMissing = -1;
  ListPlace out;
  const Node* numbers = child(paragraph_properties, "numPr");
  if (numbers == nullptr) return out;
  const auto value = [&](const char* name) -> std::optional<int> {
    const Node* node = child(*numbers, name);
    const int number = node == nullptr ? kMissing : number_of(*node, "val", kMissing);
    if (number < 0) return std::nullopt;
    return number;
  };
  out.list = value("numId");
  out.level = value("ilvl");
  return out;
}

bool is_white_code(const std::string& code) { return code == "FFFFFF" || code == "ffffff"; }

bool has_shading(const Node* properties) {
  if (properties == nullptr) return false;
  if (child(*properties, "highlight") != nullptr) return true;
  const Node* shading = child(*properties, "shd");
  if (shading == nullptr) return false;
  const std::string fill = attribute(*shading, "fill");
  const std::string pattern = attribute(*shading, "val");
  const bool is_plain = pattern.empty() || pattern == "clear" || pattern == "nil";
  const bool is_white = fill.empty() || fill == "auto" || is_white_code(fill);
  return !is_plain || !is_white || !attribute(*shading, "themeFill").empty();
}

Styles::Styles(const Package& package, const std::string& main) {
  const auto part = package.target(main, "styles");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  if (!tree || tree->root() == nullptr) return;
  if (const Node* defaults = child(*tree->root(), "docDefaults")) {
    for (const Node* look : descendants(*defaults, "rPr")) {
      hides_all_ = on_or_off(child(*look, "vanish")).value_or(false);
    }
  }
  for (const Node* one : children(*tree->root(), "style")) read_style(*one);
  for (const auto& [id, style] : styles_) inherit(id);
}

void Styles::read_style(const Node& node) {
  const std::string id = attribute(node, "styleId");
  Style& style = styles_[id];
  const std::string is_default = attribute(node, "default");
  if (attribute(node, "type") == "paragraph" && (is_default == "1" || is_default == "true")) {
    default_paragraph_ = id;
  }
  if (const Node* base = child(node, "basedOn")) style.based_on = attribute(*base, "val");
  const Node* name = child(node, "name");
  const std::string called = name == nullptr ? "" : attribute(*name, "val");
  if (called == "Title" || called == "title") style.heading = 1;
  if (const Node* properties = child(node, "pPr")) {
    style.list = list_place(*properties);
    style.shaded = has_shading(properties);
    // A style that is linked to a list takes its level from there, if it does not name one.
    const Node* outline = child(*properties, "outlineLvl");
    const int level = outline == nullptr ? 9 : number_of(*outline, "val", 9);
    constexpr int kBodyText = 9;
    if (outline != nullptr) style.heading = level >= 0 && level < kBodyText ? level + 1 : -1;
  }
  if (const Node* look = child(node, "rPr")) {
    style.hidden = on_or_off(child(*look, "vanish"));
    style.shaded = style.shaded || has_shading(look);
    if (const Node* fonts = child(*look, "rFonts")) style.font = attribute(*fonts, "ascii");
  }
}

// Adds what the styles below say and this one does not. A ring of styles ends after some steps.
void Styles::inherit(const std::string& id) {
  constexpr int kMostSteps = 32;
  Style& style = styles_.at(id);
  std::string base = style.based_on;
  for (int step = 0; step < kMostSteps; ++step) {
    const auto found = styles_.find(base);
    if (found == styles_.end()) return;
    const Style& below = found->second;
    if (style.heading == 0) style.heading = below.heading;
    if (!style.list.list) style.list.list = below.list.list;
    if (!style.list.level) style.list.level = below.list.level;
    if (!style.hidden) style.hidden = below.hidden;
    style.shaded = style.shaded || below.shaded;
    if (style.font.empty()) style.font = below.font;
    base = below.based_on;
  }
}

const Styles::Style& Styles::style(const std::string& id) const {
  static const Style kNone;
  const auto found = styles_.find(id);
  return found == styles_.end() ? kNone : found->second;
}

int Styles::heading_level(const std::string& id) const { return std::max(style(id).heading, 0); }

ListPlace Styles::list(const std::string& id) const { return style(id).list; }

bool Styles::hides(const std::string& paragraph_style, const std::string& run_style) const {
  const std::optional<bool> of_run = style(run_style).hidden;
  const std::optional<bool> of_paragraph = style(paragraph_style).hidden;
  if (!of_run && !of_paragraph) return hides_all_;
  // Styles of both kinds that say the same switch it off again (17.7.3).
  return of_run.value_or(false) != of_paragraph.value_or(false);
}

bool Styles::shades(const std::string& paragraph_style, const std::string& run_style) const {
  return style(run_style).shaded || style(paragraph_style).shaded;
}

std::string Styles::font(const std::string& paragraph_style, const std::string& run_style) const {
  const std::string& of_run = style(run_style).font;
  return of_run.empty() ? style(paragraph_style).font : of_run;
}

std::string Styles::of_paragraph(const Node& paragraph) const {
  const Node* properties = child(paragraph, "pPr");
  const Node* named = properties == nullptr ? nullptr : child(*properties, "pStyle");
  return named == nullptr ? default_paragraph_ : attribute(*named, "val");
}

}  // namespace fineprint::markup
