// Reads drawings: shapes, pictures, charts and diagrams (DrawingML).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "markup/html.h"
#include "markup/office/package.h"

namespace fineprint::markup {

// Returns whether a node is the version for older programs of something that is read in its newer
// version.
bool is_repeated(const Node& node);
// Returns whether a shape, a picture or the frame of a drawing is switched off.
bool is_hidden_shape(const Node& shape);
// Returns the elements of this name below, like `descendants`, but without repeated versions,
// hidden shapes, and the contents of text boxes of text documents.
std::vector<const Node*> shown_below(const Node& node, std::string_view name);

// Returns the paragraphs of DrawingML below `body`, joined by line breaks.
std::string drawing_text(const Node& body);
// Returns the texts of all shapes and tables below, joined by line breaks.
std::string all_drawing_text(const Node& below);

// Adds the pictures below a node of a part. See Html::picture for the formats.
void add_pictures(const Package& package, const std::string& part, const Node& below, Html* html);
// Adds the charts and diagrams that are shown below a node of a part.
void add_graphics(const Package& package, const std::string& part, const Node& below, Html* html);

// Adds what a chart shows: its titles, and its values as a table with a row for each category and a
// column for each series. `root` is the root of its part.
void add_chart(const Node& root, Html* html);
// Adds the texts of a diagram, each after those above it. `root` is the root of its data.
void add_diagram(const Node& root, Html* html);

// Where a shape is, in the units of its drawing.
struct ShapePlace {
  double x = 0, y = 0, width = 0, height = 0;
};

// A place that a layout or a master of slides gives to its shapes of one kind.
struct Placeholder {
  std::string type, index;
  ShapePlace place;
};

// What is known about the page that shapes are on.
struct ShapePage {
  std::vector<Placeholder> placeholders;  // the nearer ones first
  double width = 0, height = 0;           // shapes outside are hidden; 0 if there is no limit
};

// Returns the placeholders of a layout or master with their places.
std::vector<Placeholder> placeholders_of(const Node& root);

// Adds the shapes of a drawing or group in reading order: the title, then from top to bottom and
// left to right. Shapes that are not shown are reported as hidden text.
void add_shapes(const Package& package, const std::string& part, const Node& tree,
                const ShapePage& page, Html* html);

}  // namespace fineprint::markup
