// XML and HTML as trees, by libxml2: nothing is fetched, entities of a document are not expanded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <libxml/tree.h>

namespace fineprint::markup {

using Node = xmlNode;

class Tree {
 public:
  // Throws Error(damaged) naming `name`.
  static Tree of_xml(std::string_view bytes, const std::string& name);
  // Whatever is no HTML in it is text.
  static Tree of_html(std::string_view utf8);

  // Null when there is none.
  const Node* root() const;

 private:
  explicit Tree(xmlDoc* document) : document_(document, xmlFreeDoc) {}

  std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document_;
};

// Names are compared without their name spaces' prefixes: writers choose these.
bool is_named(const Node& node, std::string_view name);
std::string_view name_of(const Node& node);
// Empty when there is none.
std::string attribute(const Node& node, std::string_view name);
// Of the relation that the node stands for: "id" with a prefix, beside an "id" of its own.
std::string relation_id(const Node& node);
// Elements right below, those of this name, or all of them.
std::vector<const Node*> children(const Node& node, std::string_view name = {});
// The first of this name right below; null when there is none.
const Node* child(const Node& node, std::string_view name);
// All elements of this name at any depth, outermost first; not looked for inside each other.
std::vector<const Node*> descendants(const Node& node, std::string_view name);
// The text of the node and all below it.
std::string text_of(const Node& node);

}  // namespace fineprint::markup
