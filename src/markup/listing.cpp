// Turns trees of libxml2 into plain values.
#include "fineprint/markup/listing.h"

#include "fineprint/core/text.h"

#include "markup/xml.h"

namespace fineprint::markup {
namespace {

// libxml2 refuses more than 256 levels, so the recursion is bounded.
XmlElement plain_element(const Node& node) {
  XmlElement element{.name = std::string(name_of(node)), .text = {}, .children = {}};
  std::string text;
  for (const Node* one = node.children; one != nullptr; one = one->next) {
    const bool is_text = one->type == XML_TEXT_NODE || one->type == XML_CDATA_SECTION_NODE;
    if (is_text && one->content != nullptr) text += reinterpret_cast<const char*>(one->content);
    if (one->type == XML_ELEMENT_NODE) element.children.push_back(plain_element(*one));
  }
  element.text = trim(text);
  return element;
}

}  // namespace

const XmlElement* XmlElement::child(std::string_view wanted) const {
  for (const XmlElement& one : children) {
    if (one.name == wanted) return &one;
  }
  return nullptr;
}

std::string XmlElement::text_of(std::string_view wanted) const {
  const XmlElement* found = child(wanted);
  return found == nullptr ? "" : found->text;
}

XmlElement parse_xml_list(std::string_view bytes, const std::string& name) {
  const Tree tree = Tree::of_xml(bytes, name);
  return tree.root() == nullptr ? XmlElement() : plain_element(*tree.root());
}

PageLinks parse_page_links(std::string_view utf8) {
  const Tree tree = Tree::of_html(utf8);
  PageLinks out;
  if (tree.root() == nullptr) return out;
  const std::vector<const Node*> bases = descendants(*tree.root(), "base");
  if (!bases.empty()) out.base = attribute(*bases.front(), "href");
  for (const Node* link : descendants(*tree.root(), "a")) {
    if (has_attribute(*link, "href")) out.links.push_back(attribute(*link, "href"));
  }
  return out;
}

}  // namespace fineprint::markup
