// Parses XML and HTML into trees with libxml2. Fetches nothing, and does not expand a document's
// entities.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <libxml/tree.h>

namespace fineprint::markup {

// Nodes belong to their Tree and are valid as long as it is.
using Node = xmlNode;

// A parsed document.
class Tree {
 public:
  // Parses XML. Throws Error(damaged) with `name` in the message if it is not well-formed.
  static Tree of_xml(std::string_view bytes, const std::string& name);
  // Parses HTML. Anything that is not HTML becomes text. Does not throw.
  static Tree of_html(std::string_view utf8);

  // Returns the root element, or null if there is none.
  const Node* root() const;
  Node* root();
  // Returns a tree of HTML as HTML in UTF-8.
  std::string to_html();

 private:
  explicit Tree(xmlDoc* document) : document_(document, xmlFreeDoc) {}

  std::unique_ptr<xmlDoc, void (*)(xmlDoc*)> document_;
};

// Names are compared without the prefixes of their name spaces, because each program that writes
// files chooses its own.
bool is_named(const Node& node, std::string_view name);
std::string_view name_of(const Node& node);
// Returns the value of an attribute, or "" if there is none.
std::string attribute(const Node& node, std::string_view name);
// Returns whether the node has the attribute, even without a value.
bool has_attribute(const Node& node, std::string_view name);
// Returns the id of the relation that the node refers to. This is the attribute "id" with a prefix;
// the node may have an "id" without prefix, too.
std::string relation_id(const Node& node);
// Returns the child elements of this name, or all child elements if `name` is empty.
std::vector<const Node*> children(const Node& node, std::string_view name = {});
// Returns the first child element of this name, or null if there is none.
const Node* child(const Node& node, std::string_view name);
// Returns all elements of this name at any depth, in document order. Does not look inside an
// element that matches.
std::vector<const Node*> descendants(const Node& node, std::string_view name);
// Returns the text of the node and everything below it.
std::string text_of(const Node& node);

}  // namespace fineprint::markup
