// Reads XML: its values with the names of their elements, and running text as it is.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/text.h"

#include "markup/decoding.h"
#include "markup/readers.h"
#include "markup/xml.h"

namespace fineprint::markup {
namespace {

constexpr int kDeepestValue = 200;  // deeper ones are read as the text of one element
constexpr int kSectionLevel = 2;    // of headings

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// Returns the name of an element in words: "Payable Amount" for "PayableAmount" or
// "payable_amount".
std::string words_of_name(std::string_view name) {
  std::string words;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool separates = name[i] == '_' || name[i] == '-' || name[i] == '.';
    const bool begins =
        i > 0 && is_upper(name[i]) &&
        (is_lower_or_digit(name[i - 1]) || (i + 1 < name.size() && is_upper(name[i - 1]) &&
                                            name[i + 1] >= 'a' && name[i + 1] <= 'z'));
    if (begins) words += ' ';
    words += separates ? ' ' : name[i];
  }
  return words;
}

bool has_own_text(const Node& node) {
  for (const Node* child = node.children; child != nullptr; child = child->next) {
    const bool is_text = child->type == XML_TEXT_NODE || child->type == XML_CDATA_SECTION_NODE;
    if (is_text && !is_blank(reinterpret_cast<const char*>(child->content))) return true;
  }
  return false;
}

// Returns the attributes in parentheses, without declarations of name spaces and references to
// schemas.
std::string attributes_of(const Node& node) {
  std::string all;
  for (const xmlAttr* one = node.properties; one != nullptr; one = one->next) {
    const std::string name = reinterpret_cast<const char*>(one->name);
    if (name == "schemaLocation") continue;
    const std::string value = attribute(node, name);
    if (!is_blank(value)) all += (all.empty() ? "" : ", ") + words_of_name(name) + " " + value;
  }
  return all.empty() ? "" : "(" + all + ")";
}

class XmlReader {
 public:
  explicit XmlReader(Html* html) : html_(html) {}

  void add_root(const Node& root) {
    if (has_own_text(root)) {
      html_->paragraph(text_of(root));
      return;
    }
    for (const Node* part : children(root)) add_section(*part);
  }

 private:
  // A part of the root with parts of its own gets a heading.
  void add_section(const Node& node) {
    const bool is_section = !has_own_text(node) && !children(node).empty();
    if (is_section) html_->heading(kSectionLevel, words_of_name(name_of(node)));
    add(node, is_section ? "" : words_of_name(name_of(node)), 0);
  }

  // Adds an element. `label` names it, with the element around it unless that has a heading.
  void add(const Node& node, const std::string& label, int depth) {
    const std::vector<const Node*> parts = children(node);
    if (has_own_text(node) || parts.empty() || depth >= kDeepestValue) {
      add_line(label, text_of(node), attributes_of(node));
      return;
    }
    add_line(label, "", attributes_of(node));
    const std::string around =
        label.substr(label.rfind('/') == std::string::npos ? 0 : label.rfind('/') + 2);
    for (const Node* part : parts) {
      std::string inner = around.empty() ? "" : around + " / ";
      inner += words_of_name(name_of(*part));
      add(*part, inner, depth + 1);
    }
  }

  void add_line(const std::string& label, const std::string& text, const std::string& more) {
    std::string value(trim(text));
    if (!more.empty()) value += (value.empty() ? "" : " ") + more;
    if (!value.empty()) html_->paragraph(label.empty() ? value : label + ": " + value);
  }

  Html* html_;
};

}  // namespace

void add_xml(const std::string& name, const std::string& bytes, Html* html) {
  std::optional<Tree> tree;
  try {
    tree.emplace(Tree::of_xml(bytes, name));
  } catch (const Error&) {
    // Text that is not XML is kept as it is.
  }
  if (tree && tree->root() != nullptr) {
    XmlReader(html).add_root(*tree->root());
  } else {
    html->preformatted(decoded(name, bytes));
  }
}

}  // namespace fineprint::markup
