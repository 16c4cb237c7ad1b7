// Implements Tree with libxml2.
#include "markup/xml.h"

#include <climits>

#include <libxml/HTMLparser.h>
#include <libxml/HTMLtree.h>
#include <libxml/parser.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::markup {
namespace {

// NONET keeps the parser from fetching anything. Entities are not expanded because NOENT is
// missing.
constexpr int kXmlOptions =
    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_COMPACT;
constexpr int kHtmlOptions = HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR |
                             HTML_PARSE_NOWARNING | HTML_PARSE_COMPACT;

// libxml2 uses null for an empty text.
std::string_view view(const xmlChar* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

std::string value_of(const xmlAttr& attribute) {
  std::string value;
  for (const Node* part = attribute.children; part != nullptr; part = part->next) {
    value += view(part->content);
  }
  return value;
}

// Does not look inside an element that matches.
void add_descendants(const Node& node, std::string_view name, std::vector<const Node*>* out) {
  for (const Node* one : children(node)) {
    if (is_named(*one, name)) {
      out->push_back(one);
    } else {
      add_descendants(*one, name, out);
    }
  }
}

}  // namespace

// libxml2 takes sizes as int, so larger texts are refused here and in of_html.
Tree Tree::of_xml(std::string_view bytes, const std::string& name) {
  xmlDoc* document = nullptr;
  if (bytes.size() <= INT_MAX) {
    document =
        xmlReadMemory(bytes.data(), static_cast<int>(bytes.size()), nullptr, nullptr, kXmlOptions);
  }
  if (document == nullptr) {
    const xmlError* why = xmlGetLastError();
    std::string reason = why == nullptr || why->message == nullptr ? "" : why->message;
    // libxml2 ends its messages with a line break.
    while (reason.ends_with('\n')) reason.pop_back();
    throw Error(ErrorCode::damaged, format("{}: not valid XML: {}", name, reason));
  }
  return Tree(document);
}

Tree Tree::of_html(std::string_view utf8) {
  xmlDoc* document = nullptr;
  if (!utf8.empty() && utf8.size() <= INT_MAX) {
    document =
        htmlReadMemory(utf8.data(), static_cast<int>(utf8.size()), nullptr, "UTF-8", kHtmlOptions);
  }
  return Tree(document);
}

const Node* Tree::root() const {
  return document_ == nullptr ? nullptr : xmlDocGetRootElement(document_.get());
}

Node* Tree::root() {
  return document_ == nullptr ? nullptr : xmlDocGetRootElement(document_.get());
}

std::string Tree::to_html() {
  xmlChar* bytes = nullptr;
  int size = 0;
  htmlSetMetaEncoding(document_.get(), reinterpret_cast<const xmlChar*>("UTF-8"));
  htmlDocDumpMemory(document_.get(), &bytes, &size);
  const std::unique_ptr<xmlChar, void (*)(void*)> held(bytes, [](void* all) { xmlFree(all); });
  if (bytes == nullptr) return {};
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

std::string_view name_of(const Node& node) { return view(node.name); }

// Names are compared without their namespaces, because writers choose prefixes freely.
bool is_named(const Node& node, std::string_view name) { return name_of(node) == name; }

std::string attribute(const Node& node, std::string_view name) {
  for (const xmlAttr* one = node.properties; one != nullptr; one = one->next) {
    if (view(one->name) == name) return value_of(*one);
  }
  return {};
}

bool has_attribute(const Node& node, std::string_view name) {
  for (const xmlAttr* one = node.properties; one != nullptr; one = one->next) {
    if (reinterpret_cast<const char*>(one->name) == name) return true;
  }
  return false;
}

// The "id" with a namespace names a relation of the package; the plain "id" is a number of the
// element.
std::string relation_id(const Node& node) {
  for (const xmlAttr* one = node.properties; one != nullptr; one = one->next) {
    if (one->ns != nullptr && view(one->name) == "id") return value_of(*one);
  }
  return {};
}

std::vector<const Node*> children(const Node& node, std::string_view name) {
  std::vector<const Node*> out;
  for (const Node* one = node.children; one != nullptr; one = one->next) {
    if (one->type == XML_ELEMENT_NODE && (name.empty() || is_named(*one, name))) {
      out.push_back(one);
    }
  }
  return out;
}

const Node* child(const Node& node, std::string_view name) {
  for (const Node* one = node.children; one != nullptr; one = one->next) {
    if (one->type == XML_ELEMENT_NODE && is_named(*one, name)) return one;
  }
  return nullptr;
}

std::vector<const Node*> descendants(const Node& node, std::string_view name) {
  std::vector<const Node*> out;
  add_descendants(node, name, &out);
  return out;
}

std::string text_of(const Node& node) {
  std::string out;
  for (const Node* one = node.children; one != nullptr; one = one->next) {
    if (one->type == XML_TEXT_NODE || one->type == XML_CDATA_SECTION_NODE) {
      out += view(one->content);
    } else if (one->type == XML_ELEMENT_NODE) {
      out += text_of(*one);
    }
  }
  return out;
}

}  // namespace fineprint::markup
