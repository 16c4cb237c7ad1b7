// What the styles of a text document say about its paragraphs and runs. Source: ECMA-376, part 1,
// 17.7.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "markup/office/package.h"

namespace fineprint::markup {

// Returns whether a property that is on or off is on. `node` may be null, which gives nullopt.
std::optional<bool> on_or_off(const Node* node);

// The list and the level of a paragraph, as far as they are known. List 0 means none.
struct ListPlace {
  std::optional<int> list, level;
};
// Reads numPr of paragraph properties.
ListPlace list_place(const Node& paragraph_properties);

// Returns whether the code of a colour is that of white.
bool is_white_code(const std::string& code);

// Returns whether properties of a paragraph or run (may be null) shade its text.
bool has_shading(const Node* properties);

// The styles of a document, each with what it has from those that it is based on.
class Styles {
 public:
  // Reads the part with the styles, if there is one. Throws as Package::xml does.
  Styles(const Package& package, const std::string& main);

  // Returns the level of the heading that a paragraph style makes, from 1; 0 if it makes none.
  int heading_level(const std::string& style) const;
  // Returns the list of a paragraph style.
  ListPlace list(const std::string& style) const;
  // Returns whether runs are hidden that have these styles and do not say so themselves. Either may
  // be "", which for a paragraph is its default style.
  bool hides(const std::string& paragraph_style, const std::string& run_style) const;
  // Returns whether one of the styles shades the text.
  bool shades(const std::string& paragraph_style, const std::string& run_style) const;
  // Returns the font of runs with these styles, or "" if it is not known.
  std::string font(const std::string& paragraph_style, const std::string& run_style) const;
  // Returns the style of a paragraph, or the default one.
  std::string of_paragraph(const Node& paragraph) const;

 private:
  struct Style {
    std::string based_on, font;
    int heading = 0;
    ListPlace list;
    std::optional<bool> hidden;
    bool shaded = false;
  };

  void read_style(const Node& node);
  void inherit(const std::string& id);
  const Style& style(const std::string& id) const;

  std::map<std::string, Style> styles_;
  std::string default_paragraph_;
  bool hides_all_ = false;  // the document's default
};

}  // namespace fineprint::markup
