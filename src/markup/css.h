// Reads the style sheets and style attributes of a page of HTML, as far as they decide what it
// shows.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "markup/xml.h"

namespace fineprint::markup {

// Names and values of properties, in lower case. A value of "?" is not known, because a rule sets
// it that may or may not apply.
using Style = std::map<std::string, std::string, std::less<>>;
inline constexpr std::string_view kUnknownStyle = "?";

// The rules of all `style` elements of a tree.
class StyleSheet {
 public:
  explicit StyleSheet(const Node& root);

  // Returns the style that the rules and the element's attribute `style` give it. Does not inherit.
  // Selectors of a tag, classes and an id are understood. If any other selector (of descendants, of
  // states) or a condition (`@media`) may apply, the properties that it sets are unknown.
  Style style_of(const Node& element) const;

 private:
  // One simple selector with its declarations.
  struct Rule {
    std::string tag, id;
    std::vector<std::string> classes;
    bool maybe = false;  // may or may not apply to elements that it fits
    int weight = 0;      // its specificity
    std::string declarations;
  };
  void add_rules(std::string_view css, bool maybe);
  void add_rule(std::string_view selectors, std::string_view declarations, bool maybe);
  static bool fits(const Rule& rule, const Node& element);

  std::vector<Rule> rules_;  // by weight, then as written
};

// Returns a length in CSS pixels, or `otherwise` if it is none: "0", "-9999px", "1.5em", "9pt".
double css_pixels(std::string_view value, double otherwise);

// Reads a colour into red, green and blue, 0..255: "#fff", "#ffffff", "rgb(1, 2, 3)", and the names
// of the sixteen basic colours. Returns false for anything else.
bool css_color(std::string_view value, int* rgb);

}  // namespace fineprint::markup
