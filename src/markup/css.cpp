// A small reader of CSS. What it does not understand, it does not guess.
#include "markup/css.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "fineprint/core/text.h"

namespace fineprint::markup {
namespace {

constexpr std::size_t kMostRules = 5000;  // style sheets of frameworks have fewer

std::string without_comments(std::string_view css) {
  std::string out;
  while (!css.empty()) {
    const std::size_t begin = std::min(css.find("/*"), css.size());
    out += css.substr(0, begin);
    css.remove_prefix(begin);
    const std::size_t end = css.find("*/", 2);
    css.remove_prefix(end == std::string_view::npos ? css.size() : end + 2);
  }
  return out;
}

// Returns the position of the brace that closes the one at `open`, or the end.
std::size_t closing_brace(std::string_view css, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < css.size(); ++i) {
    if (css[i] == '{') ++depth;
    if (css[i] == '}' && --depth == 0) return i;
  }
  return css.size();
}

std::vector<std::string_view> split_at(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(trim(text.substr(0, end)));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// The properties "background" and "background-color" are one here.
std::string property_of(std::string_view name) {
  std::string lower = lower_ascii(name);
  return lower == "background-color" ? "background" : lower;
}

// Lays declarations over a style. Important ones of earlier calls stay.
void lay_over(std::string_view declarations, bool maybe, Style* style, Style* important) {
  for (const std::string_view one : split_at(declarations, ';')) {
    const std::size_t colon = one.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string name = property_of(trim(one.substr(0, colon)));
    std::string value = lower_ascii(trim(one.substr(colon + 1)));
    const std::size_t mark = value.find('!');
    if (mark != std::string::npos) value = trim(std::string_view(value).substr(0, mark));
    if (maybe) value = kUnknownStyle;
    Style& layer = mark != std::string::npos ? *important : *style;
    layer[name] = std::move(value);
  }
}

}  // namespace

StyleSheet::StyleSheet(const Node& root) {
  for (const Node* element : descendants(root, "style")) {
    const std::string media = lower_ascii(attribute(*element, "media"));
    add_rules(without_comments(text_of(*element)),
              !media.empty() && media != "all" && media != "screen");
  }
  std::ranges::stable_sort(rules_, {}, &Rule::weight);
}

void StyleSheet::add_rules(std::string_view css, bool maybe) {
  while (true) {
    const std::size_t open = css.find('{');
    if (open == std::string_view::npos) return;
    std::string_view head = css.substr(0, open);
    // Statements without a block, such as @import.
    if (const std::size_t end = head.rfind(';'); end != std::string_view::npos) {
      head.remove_prefix(end + 1);
    }
    head = trim(head);
    while (head.starts_with("<!--") || head.starts_with("-->")) {
      head = trim(head.substr(head.starts_with('<') ? 4 : 3));
    }
    const std::size_t close = closing_brace(css, open);
    const std::string_view block = css.substr(open + 1, close - open - 1);
    if (!head.starts_with('@')) {
      add_rule(head, block, maybe);
    } else if (head.starts_with("@media") || head.starts_with("@supports")) {
      add_rules(block, true);
    }
    css.remove_prefix(std::min(close + 1, css.size()));
  }
}

void StyleSheet::add_rule(std::string_view selectors, std::string_view declarations, bool maybe) {
  for (const std::string_view selector : split_at(selectors, ',')) {
    if (selector.empty() || rules_.size() >= kMostRules) continue;
    Rule rule;
    rule.declarations = declarations;
    // Only the last part of a compound selector is about the element itself.
    const std::size_t last = selector.find_last_of(" \t\r\n>+~");
    std::string_view rest = last == std::string_view::npos ? selector : selector.substr(last + 1);
    rule.maybe = maybe || last != std::string_view::npos;
    while (!rest.empty()) {
      const char kind = is_name_character(rest[0]) ? '\0' : rest[0];
      if (kind != '\0') rest.remove_prefix(1);
      const auto end = std::ranges::find_if_not(rest, is_name_character);
      const std::string name(rest.begin(), end);
      rest.remove_prefix(name.size());
      if (kind == '\0') {
        rule.tag = lower_ascii(name);
      } else if (kind == '.' && !name.empty()) {
        rule.classes.push_back(name);
      } else if (kind == '#' && !name.empty()) {
        rule.id = name;
      } else if (kind != '*') {
        rule.maybe = true;  // a state or an attribute
        break;
      }
    }
    rule.weight = (rule.id.empty() ? 0 : 100) + static_cast<int>(10 * rule.classes.size()) +
                  (rule.tag.empty() ? 0 : 1);
    rules_.push_back(std::move(rule));
  }
}

bool StyleSheet::fits(const Rule& rule, const Node& element) {
  if (!rule.tag.empty() && rule.tag != lower_ascii(name_of(element))) return false;
  if (!rule.id.empty() && rule.id != attribute(element, "id")) return false;
  if (rule.classes.empty()) return true;
  std::string classes = " " + attribute(element, "class") + " ";
  std::ranges::replace_if(classes, [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return std::ranges::all_of(rule.classes, [&](const std::string& name) {
    return classes.find(" " + name + " ") != std::string::npos;
  });
}

Style StyleSheet::style_of(const Node& element) const {
  Style style, important, unsure;
  for (const Rule& rule : rules_) {
    if (!fits(rule, element)) continue;
    if (rule.maybe) {
      lay_over(rule.declarations, true, &unsure, &unsure);
    } else {
      lay_over(rule.declarations, false, &style, &important);
    }
  }
  // A rule that may apply may win over all other rules, whatever its weight, but not over the
  // element's own attribute.
  for (const auto& [name, value] : unsure) style[name] = value;
  lay_over(attribute(element, "style"), false, &style, &important);
  for (const auto& [name, value] : important) {
    if (!unsure.contains(name)) style[name] = value;
  }
  return style;
}

double css_pixels(std::string_view value, double otherwise) {
  const std::string text(trim(value));
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (end == text.c_str()) return otherwise;
  const std::string_view unit = trim(std::string_view(end));
  if (unit == "px" || (unit.empty() && number == 0)) return number;
  if (unit == "pt") return number * 4 / 3;
  if (unit == "em" || unit == "rem") return number * 16;
  if (unit == "%" || unit == "vw" || unit == "vh") return number == 0 ? 0 : number * 10;
  return otherwise;
}

bool css_color(std::string_view value, int* rgb) {
  constexpr std::array<std::pair<std::string_view, std::uint32_t>, 16> kNames = {
      {{"aqua", 0x00FFFF},
       {"black", 0x000000},
       {"blue", 0x0000FF},
       {"fuchsia", 0xFF00FF},
       {"gray", 0x808080},
       {"green", 0x008000},
       {"lime", 0x00FF00},
       {"maroon", 0x800000},
       {"navy", 0x000080},
       {"olive", 0x808000},
       {"purple", 0x800080},
       {"red", 0xFF0000},
       {"silver", 0xC0C0C0},
       {"teal", 0x008080},
       {"white", 0xFFFFFF},
       {"yellow", 0xFFFF00}}};
  const std::string text = lower_ascii(trim(value));
  std::uint32_t packed = 0;
  const auto* named =
      std::ranges::find(kNames, text, &std::pair<std::string_view, std::uint32_t>::first);
  if (named != kNames.end()) {
    packed = named->second;
  } else if (text.starts_with("rgb(") && text.ends_with(')')) {
    const auto parts = split_at(std::string_view(text).substr(4, text.size() - 5), ',');
    if (parts.size() != 3) return false;
    for (const std::string_view part : parts) {
      unsigned level = 0;
      const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), level);
      if (error != std::errc() || end != part.data() + part.size() || level > 255) return false;
      packed = packed << 8 | level;
    }
  } else if (text.starts_with('#') && (text.size() == 4 || text.size() == 7)) {
    std::string digits = text.substr(1);
    if (digits.size() == 3) {
      digits = {digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]};
    }
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + 6, packed, 16);
    if (error != std::errc() || end != digits.data() + 6) return false;
  } else {
    return false;
  }
  for (int i = 0; i < 3; ++i) rgb[i] = static_cast<int>(packed >> (16 - 8 * i) & 0xFF);
  return true;
}

}  // namespace fineprint::markup
