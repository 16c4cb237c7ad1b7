// Reads forms of the XML Forms Architecture (XFA): captions, fixed texts and values. How the form
// would lay them out on pages is not followed. Source: XFA Specification 3.3.
#include <map>
#include <string>
#include <vector>

#include "fineprint/markup/markup.h"

#include "markup/html.h"
#include "markup/xml.h"

namespace fineprint::markup {
namespace {

// The values of fields by the name of their element, in the order of the file.
using Values = std::map<std::string, std::vector<std::string>, std::less<>>;

constexpr int kDeepestField = 64;

// Collects the elements without children of their own.
void collect_values(const Node& node, int depth, Values* values) {
  const std::vector<const Node*> inner = children(node);
  if (inner.empty() || depth > kDeepestField) {
    (*values)[std::string(name_of(node))].push_back(text_of(node));
    return;
  }
  for (const Node* child : inner) collect_values(*child, depth + 1, values);
}

class FormReader {
 public:
  FormReader(Values values, Html* html) : values_(std::move(values)), html_(html) {}

  // Adds the texts of a template, in its order, with the values of the fields.
  void add(const Node& node, int depth) {
    for (const Node* child : children(node)) {
      const std::string_view kind = name_of(*child);
      if (kind == "draw") {
        if (const Node* value = markup::child(*child, "value")) html_->paragraph(text_of(*value));
      } else if (kind == "field") {
        add_field(*child);
      } else if (depth < kDeepestField) {
        add(*child, depth + 1);
      }
    }
  }

  // Adds the values that no field of the template has taken.
  void add_rest() {
    for (const auto& [name, values] : values_) {
      for (const std::string& value : values) add_line(name, value);
    }
  }

 private:
  void add_field(const Node& field) {
    const std::string name = attribute(field, "name");
    const Node* caption = markup::child(field, "caption");
    std::string value;
    const auto found = values_.find(name);
    if (found != values_.end() && !found->second.empty()) {
      value = found->second.front();
      found->second.erase(found->second.begin());
    } else if (const Node* preset = markup::child(field, "value")) {
      value = text_of(*preset);
    }
    const std::string label = caption == nullptr ? "" : text_of(*caption);
    add_line(is_blank(label) ? name : label, value);
  }

  void add_line(const std::string& label, const std::string& value) {
    if (!is_blank(label) || !is_blank(value)) html_->paragraph(label + ": " + value);
  }

  Values values_;
  Html* html_;
};

}  // namespace

Markup form_markup(const std::string& name, const std::string& xml) {
  const Tree tree = Tree::of_xml(xml, name);
  Html html;
  if (const Node* root = tree.root()) {
    Values values;
    for (const Node* data : descendants(*root, "data")) {
      for (const Node* child : children(*data)) collect_values(*child, 0, &values);
    }
    FormReader reader(std::move(values), &html);
    for (const Node* layout : descendants(*root, "template")) reader.add(*layout, 0);
    reader.add_rest();
  }
  Markup out;
  out.format = "XFA";
  if (html.empty()) return out;
  html.check_size(name);
  out.width_pt = html.width_pt();
  out.xhtml = html.take();
  return out;
}

}  // namespace fineprint::markup
