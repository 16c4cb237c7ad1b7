// Walks a tree of HTML with the styles that elements inherit.
#include "markup/hidden_html.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "fineprint/core/files.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/markup/markup.h"

#include "markup/css.h"
#include "markup/form_fields.h"

namespace fineprint::markup {
namespace {

constexpr double kFarAway = -500;      // CSS pixels left of or above the page
constexpr double kLeastFont = 1.5;     // CSS pixels
constexpr double kLeastSide = 1;       // of a box that cuts off its text
constexpr int kLeastDifference = 16;   // of two colours, of 255 in a channel
constexpr int kDeepestElement = 1000;  // deeper ones stay

// A colour that may be unknown.
struct Color {
  bool known = false;
  int rgb[3] = {0, 0, 0};
};

// What an element passes on to the elements in it.
struct Inherited {
  bool invisible = false;  // by `visibility`
  bool tiny = false;       // by `font-size`
  Color text = {true, {0, 0, 0}};
  Color ground = {true, {255, 255, 255}};  // unknown once something may lie under the element
};

std::string_view style_value(const Style& style, std::string_view name) {
  const auto found = style.find(name);
  return found == style.end() ? std::string_view() : std::string_view(found->second);
}

bool is_near_zero(std::string_view value, double most) {
  return !value.empty() && css_pixels(value, most + 1) <= most;
}

// Returns whether the style hides the element with everything in it.
bool hides_all(const Style& style) {
  if (style_value(style, "display") == "none" || style_value(style, "mso-hide") == "all")
    return true;
  const std::string opacity(style_value(style, "opacity"));
  if (!opacity.empty() && opacity != kUnknownStyle) {
    char* end = nullptr;
    const double share = std::strtod(opacity.c_str(), &end);
    if (end != opacity.c_str() && share < 0.05) return true;
  }
  const std::string_view position = style_value(style, "position");
  if (position == "absolute" || position == "fixed") {
    for (const char* side : {"left", "top", "right", "bottom"}) {
      if (css_pixels(style_value(style, side), 0) <= kFarAway) return true;
    }
    std::string clip(style_value(style, "clip"));
    std::erase_if(clip, [](char c) { return c == ' ' || c == ','; });
    if (clip == "rect(0000)" || clip == "rect(0px0px0px0px)" || clip == "rect(1px1px1px1px)") {
      return true;
    }
  }
  if (css_pixels(style_value(style, "text-indent"), 0) <= kFarAway) return true;
  if (style_value(style, "overflow") != "hidden") return false;
  return std::ranges::any_of(
      std::array<const char*, 4>{"max-height", "height", "max-width", "width"},
      [&](const char* side) { return is_near_zero(style_value(style, side), kLeastSide); });
}

bool is_hidden_kind(const Node& element) {
  const std::string_view name = name_of(element);
  return name == "template" || name == "noscript";
}

// Reads a colour of a style or of an old attribute such as `bgcolor`.
void read_color(std::string_view value, Color* color) {
  if (value.empty() || value == "inherit") return;
  color->known = css_color(value, color->rgb);
}

bool are_alike(const Color& a, const Color& b) {
  if (!a.known || !b.known) return false;
  int most = 0;
  for (int i = 0; i < 3; ++i) most = std::max(most, std::abs(a.rgb[i] - b.rgb[i]));
  return most < kLeastDifference;
}

class HiddenParts {
 public:
  explicit HiddenParts(const Node& root) : sheet_(root), links_styles_(has_linked_styles(root)) {}

  // Removes the hidden parts in an element.
  void take_from(Node* element, Inherited above, int depth) {
    if (depth > kDeepestElement) return;
    for (Node* one = element->children; one != nullptr;) {
      Node* next = one->next;
      if (one->type == XML_ELEMENT_NODE) {
        take_from_element(one, above, depth);
      } else if (one->type == XML_TEXT_NODE && is_unseen(above)) {
        take(one, reinterpret_cast<const char*>(one->content));
      }
      one = next;
    }
  }

  std::vector<std::string> texts() { return std::move(texts_); }

 private:
  // Styles in other files may set any background.
  static bool has_linked_styles(const Node& root) {
    return std::ranges::any_of(descendants(root, "link"), [](const Node* link) {
      return lower_ascii(attribute(*link, "rel")).find("stylesheet") != std::string::npos;
    });
  }

  bool is_unseen(const Inherited& style) const {
    return style.invisible || style.tiny || (!links_styles_ && are_alike(style.text, style.ground));
  }

  void take_from_element(Node* element, const Inherited& above, int depth) {
    const std::string_view name = name_of(*element);
    if (name == "script" || name == "style" || name == "title") return;
    const Style style = sheet_.style_of(*element);
    const std::string_view display = style_value(style, "display");
    const bool by_attribute = has_attribute(*element, "hidden") && display.empty();
    if (is_hidden_kind(*element) || by_attribute || hides_all(style)) {
      return take(element, text_of(*element));
    }
    take_from(element, inherited(*element, style, above), depth + 1);
  }

  static Inherited inherited(const Node& element, const Style& style, Inherited passed) {
    const std::string_view visibility = style_value(style, "visibility");
    if (visibility == "hidden" || visibility == "collapse") passed.invisible = true;
    if (visibility == "visible" || visibility == kUnknownStyle) passed.invisible = false;
    const std::string_view size = style_value(style, "font-size");
    if (!size.empty() && !size.ends_with('%') && !size.ends_with("em")) {
      passed.tiny = css_pixels(size, kLeastFont) < kLeastFont;
    } else if (!size.empty() && css_pixels(size, 1) <= 0) {
      passed.tiny = true;
    }
    const std::string_view name = name_of(element);
    if (name == "a") passed.text.known = false;  // browsers have a colour for links
    read_color(name == "body" ? attribute(element, "text") : attribute(element, "color"),
               &passed.text);
    read_color(style_value(style, "color"), &passed.text);
    read_color(attribute(element, "bgcolor"), &passed.ground);
    const std::string_view ground = style_value(style, "background");
    if (ground != "transparent" && ground != "none") read_color(ground, &passed.ground);
    // Something else may lie under an element that is not in the flow, or that has an effect.
    for (const char* other : {"background-image", "float", "margin-top", "margin-left", "transform",
                              "filter", "text-shadow", "mix-blend-mode", "-webkit-text-stroke"}) {
      if (style.contains(other) && !is_harmless(style_value(style, other)))
        passed.ground.known = false;
    }
    const std::string_view position = style_value(style, "position");
    if (!position.empty() && position != "static") passed.ground.known = false;
    if (!attribute(element, "background").empty()) passed.ground.known = false;
    return passed;
  }

  static bool is_harmless(std::string_view value) {
    return value == "none" || css_pixels(value, -1) >= 0;
  }

  void take(Node* node, const std::string& text) {
    std::string line = one_line(text);
    if (line.empty()) return;
    texts_.push_back(std::move(line));
    xmlUnlinkNode(node);
    xmlFreeNode(node);
  }

  StyleSheet sheet_;
  bool links_styles_;
  std::vector<std::string> texts_;
};

// Removes the pictures that lie in other files, and returns whether there were any. Workers open no
// other file, and MuPDF would write "[image]" in their place.
bool drop_linked_pictures(Node* root) {
  std::vector<Node*> linked;
  for (const Node* picture : descendants(*root, "img")) {
    if (!attribute(*picture, "src").starts_with("data:")) {
      linked.push_back(const_cast<Node*>(picture));
    }
  }
  for (Node* picture : linked) {
    xmlUnlinkNode(picture);
    xmlFreeNode(picture);
  }
  return !linked.empty();
}

}  // namespace

std::vector<std::string> take_hidden_parts(Tree* tree) {
  Node* root = tree->root();
  if (root == nullptr) return {};
  HiddenParts parts(*root);
  parts.take_from(root, {}, 0);
  return parts.texts();
}

bool is_html_name(const std::string& path) {
  const FileFormat* format = format_of_name(path);
  return format != nullptr && format->name == std::string_view("HTML");
}

std::optional<ShownHtml> shown_html(const std::string& path, const std::string& encoding) {
  if (!is_html_name(path)) return std::nullopt;
  const std::optional<std::string> text = text_in_utf8(path, encoding);
  Tree tree = Tree::of_html(text ? *text : read_file(path));
  const std::vector<std::string> hidden = take_hidden_parts(&tree);
  bool changed = !hidden.empty();
  changed |= write_form_fields(&tree);
  changed |= tree.root() != nullptr && drop_linked_pictures(tree.root());
  if (!changed) return std::nullopt;
  return ShownHtml{.html = tree.to_html(), .hidden = join_texts(hidden, "\n")};
}

}  // namespace fineprint::markup
