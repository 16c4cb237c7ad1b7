// Finds the labels of fields by the attribute `for`, or around them. Source: HTML Living Standard,
// 4.10 (forms).
#include "markup/form_fields.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

namespace fineprint::markup {
namespace {

constexpr std::string_view kTickedBox = "\u2612", kEmptyBox = "\u2610";

const xmlChar* xml_text(std::string_view text) {
  return reinterpret_cast<const xmlChar*>(text.data());
}

bool is_field(const Node& node) {
  return node.type == XML_ELEMENT_NODE &&
         (is_named(node, "input") || is_named(node, "select") || is_named(node, "textarea"));
}

bool is_box(const Node& field) {
  const std::string type = lower_ascii(attribute(field, "type"));
  return is_named(field, "input") && (type == "checkbox" || type == "radio");
}

// Returns whether a person reads nothing in the field that is an answer.
bool is_silent(const Node& field) {
  static constexpr std::array<std::string_view, 8> kSilent = {
      "hidden", "password", "submit", "reset", "button", "image", "file", "range"};
  return is_named(field, "input") &&
         std::ranges::find(kSilent, lower_ascii(attribute(field, "type"))) != kSilent.end();
}

// Returns the chosen options of a list, or the first one if a list of one choice has none.
std::string chosen_options(const Node& list) {
  std::vector<std::string> chosen;
  const std::vector<const Node*> options = descendants(list, "option");
  for (const Node* option : options) {
    if (has_attribute(*option, "selected")) chosen.push_back(one_line(text_of(*option)));
  }
  const bool has_first = chosen.empty() && !options.empty() && !has_attribute(list, "multiple");
  if (has_first) chosen.push_back(one_line(text_of(*options.front())));
  return join_texts(chosen, ", ");
}

std::string content_of(const Node& field) {
  if (is_silent(field)) return {};
  if (is_box(field)) return std::string(has_attribute(field, "checked") ? kTickedBox : kEmptyBox);
  if (is_named(field, "select")) return chosen_options(field);
  return one_line(is_named(field, "textarea") ? text_of(field) : attribute(field, "value"));
}

// Returns the last node of text in `node` that is not blank and not in a field, or null.
Node* last_text(Node* node) {
  for (Node* one = node->last; one != nullptr; one = one->prev) {
    if (one->type == XML_TEXT_NODE &&
        !one_line(reinterpret_cast<const char*>(one->content)).empty()) {
      return one;
    }
    if (one->type != XML_ELEMENT_NODE || is_field(*one)) continue;
    if (Node* inner = last_text(one)) return inner;
  }
  return nullptr;
}

// Ends the text of a label with a colon, unless a sign ends it already.
void add_colon(Node* label) {
  Node* last = last_text(label);
  if (last == nullptr) return;
  std::string text = reinterpret_cast<const char*>(last->content);
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (std::string_view(":?.!").find(text.back()) == std::string_view::npos) text += ':';
  text += ' ';
  xmlNodeSetContent(last, nullptr);
  xmlNodeAddContentLen(last, xml_text(text), static_cast<int>(text.size()));
}

class FieldWriter {
 public:
  explicit FieldWriter(Node* root) { collect(root); }

  bool write() {
    for (Node* field : fields_) {
      const std::string content = content_of(*field);
      if (!content.empty() && !is_box(*field)) {
        if (Node* label = label_of(field)) add_colon(label);
      }
      put(field, content);
    }
    return !fields_.empty();
  }

 private:
  void collect(Node* node) {
    for (Node* one = node->children; one != nullptr; one = one->next) {
      if (one->type != XML_ELEMENT_NODE) continue;
      if (is_named(*one, "label")) labels_.emplace(attribute(*one, "for"), one);
      if (is_field(*one)) {
        fields_.push_back(one);
      } else {
        collect(one);
      }
    }
  }

  Node* label_of(Node* field) const {
    const std::string id = attribute(*field, "id");
    const auto named = id.empty() ? labels_.end() : labels_.find(id);
    if (named != labels_.end()) return named->second;
    for (Node* above = field->parent; above != nullptr; above = above->parent) {
      if (above->type == XML_ELEMENT_NODE && is_named(*above, "label")) return above;
    }
    return nullptr;
  }

  // A field with text ends its line, so that each label begins one.
  static void put(Node* field, const std::string& content) {
    if (!content.empty()) {
      const std::string padded = ' ' + content + ' ';
      Node* text = xmlNewDocTextLen(field->doc, xml_text(padded), static_cast<int>(padded.size()));
      xmlAddPrevSibling(field, text);
      if (!is_box(*field)) {
        xmlAddPrevSibling(field, xmlNewDocNode(field->doc, nullptr, xml_text("br"), nullptr));
      }
    }
    xmlUnlinkNode(field);
    xmlFreeNode(field);
  }

  std::vector<Node*> fields_;
  std::map<std::string, Node*> labels_;  // by the id of their field
};

}  // namespace

bool write_form_fields(Tree* tree) {
  Node* root = tree->root();
  return root != nullptr && FieldWriter(root).write();
}

}  // namespace fineprint::markup
