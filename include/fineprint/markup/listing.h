// Reads the lists of files that servers send: XML of S3 and WebDAV, and pages of links. Lists come
// from strangers: nothing is fetched, and entities are not expanded.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

// An element of XML without its attributes. Names have no prefixes of name spaces.
struct XmlElement {
  std::string name;
  std::string text;  // its own text, without that of its children and without white space around it
  std::vector<XmlElement> children;

  // Returns the first child of this name, or nullptr if there is none.
  const XmlElement* child(std::string_view wanted) const;
  // Returns the text of the first child of this name, or "" if there is none.
  std::string text_of(std::string_view wanted) const;
};

// Throws Error(damaged), with `name` in the message, if the bytes are not well-formed XML, or have
// more than 256 levels of elements.
XmlElement parse_xml_list(std::string_view bytes, const std::string& name);

// The links of a page of HTML.
struct PageLinks {
  std::string base;                // of the first `base` element, or ""
  std::vector<std::string> links;  // of its `a` elements, as they are written, in their order
};

// Anything that is no HTML has no links. Does not throw.
PageLinks parse_page_links(std::string_view utf8);

}  // namespace fineprint::markup
