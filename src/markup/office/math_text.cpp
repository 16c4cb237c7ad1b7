// Writes formulas (Office Math) as text on one line. Source: ECMA-376, part 1, 22.1.
#include <algorithm>

#include "fineprint/core/unicode.h"

#include "markup/office/run_text.h"

namespace fineprint::markup {
namespace {

std::string part_text(const Node& node, std::string_view name) {
  const Node* part = child(node, name);
  return part == nullptr ? "" : math_text(*part);
}

// Puts brackets around anything but a single number or name.
std::string grouped(const std::string& text) {
  const bool is_simple = std::ranges::all_of(text, [](char c) {
    return std::string_view(" +-*/=<>(,").find(c) == std::string_view::npos;
  });
  return is_simple ? text : "(" + text + ")";
}

// Returns a character that the properties of `node` name, or `fallback`.
std::string sign(const Node& node, const char* properties, const char* name, const char* fallback) {
  const Node* all = child(node, properties);
  const Node* one = all == nullptr ? nullptr : child(*all, name);
  return one == nullptr ? fallback : attribute(*one, "val");
}

std::string delimited(const Node& node) {
  std::string inside;
  for (const Node* part : children(node, "e")) {
    inside += (inside.empty() ? "" : sign(node, "dPr", "sepChr", "|")) + math_text(*part);
  }
  return sign(node, "dPr", "begChr", "(") + inside + sign(node, "dPr", "endChr", ")");
}

}  // namespace

std::string math_text(const Node& math) {
  std::string out;
  for (const Node* one : children(math)) {
    const auto part = [&](const char* name) { return part_text(*one, name); };
    const auto raised = [&] { return "^" + grouped(part("sup")); };
    const auto lowered = [&] { return "_" + grouped(part("sub")); };
    if (is_named(*one, "t")) {
      out += text_of(*one);
    } else if (is_named(*one, "f")) {
      out += grouped(part("num")) + "/" + grouped(part("den"));
    } else if (is_named(*one, "sSup")) {
      out += part("e") + raised();
    } else if (is_named(*one, "sSub")) {
      out += part("e") + lowered();
    } else if (is_named(*one, "sSubSup")) {
      out += part("e") + lowered() + raised();
    } else if (is_named(*one, "rad")) {
      out += part("deg") + "√" + grouped(part("e"));
    } else if (is_named(*one, "d")) {
      out += delimited(*one);
    } else if (is_named(*one, "nary")) {
      out += sign(*one, "naryPr", "chr", "∫");
      if (!part("sub").empty()) out += lowered();
      if (!part("sup").empty()) out += raised();
      out += " " + part("e");
    } else if (is_named(*one, "mr") || is_named(*one, "eqArr")) {
      for (const Node* cell : children(*one, "e")) out += math_text(*cell) + " ";
    } else {
      out += math_text(*one);
    }
  }
  return out;
}

}  // namespace fineprint::markup
