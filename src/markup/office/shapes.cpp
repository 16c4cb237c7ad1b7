// Reads the shapes of slides and of drawings on sheets, in reading order.
#include <algorithm>
#include <charconv>
#include <set>

#include "markup/office/drawings.h"
#include "markup/office/readers.h"

namespace fineprint::markup {
namespace {

double coordinate(const Node& node, const char* name) {
  const std::string text = attribute(node, name);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

const Node* placeholder_in(const Node& shape) {
  const auto found = descendants(shape, "ph");
  return found.empty() ? nullptr : found.front();
}

// Both kinds of titles are one.
std::string placeholder_type(const Node& placeholder) {
  const std::string type = attribute(placeholder, "type");
  return type == "ctrTitle" ? "title" : type;
}

bool is_title(const Node& shape) {
  if (!is_named(shape, "sp")) return false;
  const Node* placeholder = placeholder_in(shape);
  return placeholder != nullptr && placeholder_type(*placeholder) == "title";
}

// Returns the place that a shape itself has.
std::optional<ShapePlace> own_place(const Node& shape) {
  const Node* frame = child(shape, "xfrm");
  for (const char* properties : {"spPr", "grpSpPr"}) {
    const Node* one = child(shape, properties);
    if (frame == nullptr && one != nullptr) frame = child(*one, "xfrm");
  }
  const Node* corner = frame == nullptr ? nullptr : child(*frame, "off");
  const Node* size = frame == nullptr ? nullptr : child(*frame, "ext");
  if (corner == nullptr || size == nullptr) return std::nullopt;
  return ShapePlace{.x = coordinate(*corner, "x"),
                    .y = coordinate(*corner, "y"),
                    .width = coordinate(*size, "cx"),
                    .height = coordinate(*size, "cy")};
}

// Returns the place that a shape has, or that its layout gives it.
std::optional<ShapePlace> place_of(const Node& shape, const ShapePage& page) {
  if (const auto place = own_place(shape)) return place;
  const Node* placeholder =
      is_named(shape, "grpSp") || page.placeholders.empty() ? nullptr : placeholder_in(shape);
  if (placeholder == nullptr) return std::nullopt;
  const std::string type = placeholder_type(*placeholder), index = attribute(*placeholder, "idx");
  for (const Placeholder& one : page.placeholders) {
    if (!index.empty() && one.index == index) return one.place;
  }
  for (const Placeholder& one : page.placeholders) {
    if (one.type == type || (type.empty() && one.type == "body")) return one.place;
  }
  return std::nullopt;
}

bool is_outside(const ShapePlace& place, const ShapePage& page) {
  return page.width > 0 && page.height > 0 &&
         (place.x >= page.width || place.y >= page.height || place.x + place.width <= 0 ||
          place.y + place.height <= 0);
}

// Returns whether two shapes are next to each other: the middle of each is level with the other.
bool are_level(const ShapePlace& a, const ShapePlace& b) {
  const double middle_a = a.y + a.height / 2, middle_b = b.y + b.height / 2;
  return middle_a >= b.y && middle_a <= b.y + b.height && middle_b >= a.y &&
         middle_b <= a.y + a.height;
}

struct Placed {
  const Node* shape;
  std::optional<ShapePlace> place;
};

// Sorts shapes into rows, and each row from left to right. Shapes of which one has no place stay in
// the order of the file.
void sort_by_place(std::vector<Placed>* shapes) {
  if (!std::ranges::all_of(*shapes, [](const Placed& one) { return one.place.has_value(); }))
    return;
  std::ranges::stable_sort(*shapes, {}, [](const Placed& one) { return one.place->y; });
  for (auto row = shapes->begin(); row != shapes->end();) {
    const ShapePlace first = *row->place;
    const auto end = std::find_if_not(
        row, shapes->end(), [&](const Placed& one) { return are_level(first, *one.place); });
    std::ranges::stable_sort(row, end, {}, [](const Placed& one) { return one.place->x; });
    row = end;
  }
}

bool has_flag(const Node& cell, const char* name) {
  const std::string value = attribute(cell, name);
  return value == "1" || value == "true";
}

int merged_count(const Node& cell, const char* name) {
  const std::string text = attribute(cell, name);
  int count = 1;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return std::max(1, count);
}

void add_shape_table(const Node& table, Html* html) {
  std::vector<TableCell> cells;
  int number = 0;
  for (const Node* row : children(table, "tr")) {
    int column = 0;
    for (const Node* cell : children(*row, "tc")) {
      // Places that another cell covers have a cell, too.
      if (!has_flag(*cell, "hMerge") && !has_flag(*cell, "vMerge")) {
        cells.push_back({.text = drawing_text(*cell),
                         .row = number,
                         .column = column,
                         .rows = merged_count(*cell, "rowSpan"),
                         .columns = merged_count(*cell, "gridSpan")});
      }
      ++column;
    }
    ++number;
  }
  // A span beyond the last row or column is a mistake of the writer.
  int columns = 0;
  for (const Node* row : children(table, "tr")) {
    columns = std::max(columns, static_cast<int>(children(*row, "tc").size()));
  }
  for (TableCell& cell : cells) {
    cell.rows = std::min(cell.rows, number - cell.row);
    cell.columns = std::min(cell.columns, columns - cell.column);
  }
  mark_heads(&cells);
  html->table(std::move(cells));
}

void add_shape(const Package& package, const std::string& part, const Node& shape, Html* html) {
  if (is_named(shape, "grpSp")) {
    add_shapes(package, part, shape, {}, html);
  } else if (is_named(shape, "pic")) {
    add_pictures(package, part, shape, html);
  } else if (is_named(shape, "graphicFrame")) {
    for (const Node* table : shown_below(shape, "tbl")) add_shape_table(*table, html);
    add_graphics(package, part, shape, html);
    add_pictures(package, part, shape, html);
  } else if (const Node* body = child(shape, "txBody")) {
    const std::string text = drawing_text(*body);
    if (is_title(shape)) {
      html->heading(2, text);
    } else {
      html->paragraph(text);
    }
  }
}

// Collects the shapes of a group. Of alternatives, one is taken.
void collect_shapes(const Node& tree, std::vector<const Node*>* out) {
  for (const Node* one : children(tree)) {
    if (is_named(*one, "AlternateContent") || is_named(*one, "Choice") ||
        (is_named(*one, "Fallback") && !is_repeated(*one))) {
      collect_shapes(*one, out);
    } else if (!is_named(*one, "Fallback")) {
      out->push_back(one);
    }
  }
}

}  // namespace

std::vector<Placeholder> placeholders_of(const Node& root) {
  std::vector<Placeholder> out;
  for (const Node* shape : descendants(root, "sp")) {
    const Node* placeholder = placeholder_in(*shape);
    const auto place = own_place(*shape);
    if (placeholder == nullptr || !place) continue;
    out.push_back({.type = placeholder_type(*placeholder),
                   .index = attribute(*placeholder, "idx"),
                   .place = *place});
  }
  return out;
}

void add_shapes(const Package& package, const std::string& part, const Node& tree,
                const ShapePage& page, Html* html) {
  std::vector<const Node*> all;
  collect_shapes(tree, &all);
  std::vector<Placed> shapes;
  for (const Node* shape : all) {
    constexpr std::string_view kShapes[] = {"sp", "grpSp", "pic", "graphicFrame", "cxnSp"};
    if (std::ranges::find(kShapes, name_of(*shape)) == std::end(kShapes)) continue;
    const auto place = place_of(*shape, page);
    if (is_hidden_shape(*shape) || (place && is_outside(*place, page))) {
      html->hide(all_drawing_text(*shape));
    } else if (!is_named(*shape, "cxnSp")) {
      shapes.push_back({.shape = shape, .place = place});
    }
  }
  sort_by_place(&shapes);
  std::ranges::stable_partition(shapes, [](const Placed& one) { return is_title(*one.shape); });
  for (const Placed& one : shapes) add_shape(package, part, *one.shape, html);
}

void add_sheet_drawing(const Package& package, const std::string& sheet, Html* html) {
  // A drawing may be linked several times.
  std::set<std::string> seen;
  for (const Relation& one : package.relations(sheet)) {
    if (one.kind != "drawing" || one.target.empty() || !seen.insert(one.target).second) continue;
    const std::optional<Tree> tree = package.xml(one.target);
    if (!tree || tree->root() == nullptr) continue;
    std::vector<const Node*> anchors = children(*tree->root());
    const auto corner = [](const Node* anchor) {
      const Node* from = child(*anchor, "from");
      const auto value = [&](const char* name) {
        const Node* node = from == nullptr ? nullptr : child(*from, name);
        return node == nullptr ? 0 : std::atoi(text_of(*node).c_str());
      };
      return std::pair(value("row"), value("col"));
    };
    std::ranges::stable_sort(anchors, {}, corner);
    for (const Node* anchor : anchors) add_shapes(package, one.target, *anchor, {}, html);
  }
}

}  // namespace fineprint::markup
