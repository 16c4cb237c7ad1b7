// Reads charts as tables, from the values that are stored with them. Sources: ECMA-376, part 1,
// 21.2; MS-ODRAWXML, 2.24 (newer kinds of charts).
#include <algorithm>
#include <map>

#include "markup/office/cell_format.h"
#include "markup/office/drawings.h"
#include "markup/office/numbering.h"

namespace fineprint::markup {
namespace {

using Texts = std::vector<std::string>;

// A column of the table: values by category.
struct Series {
  std::string name;
  Texts categories, values;
  std::string axis;  // title of the axis of its values
};

// How numbers are written.
struct Numbers {
  std::string code;       // a format that goes before that of the values, or ""
  std::string axis_code;  // a format for values without one of their own, or ""
  bool since_1904 = false;
};

bool is_on(const Node* node) {
  return node != nullptr && attribute(*node, "val") != "0" && attribute(*node, "val") != "false";
}

std::string child_text(const Node& node, std::string_view name) {
  const Node* one = child(node, name);
  return one == nullptr ? "" : text_of(*one);
}

std::string shown(const std::string& value, const std::string& own_code, const Numbers& numbers) {
  const bool is_general = own_code.empty() || own_code == "General";
  const std::string& code = !numbers.code.empty()                      ? numbers.code
                            : is_general && !numbers.axis_code.empty() ? numbers.axis_code
                                                                       : own_code;
  return shown_value(value, code, numbers.since_1904);
}

// Adds the points of a cache at their places. A point that is missing is blank.
void add_points(const Node& cache, bool is_text, const Numbers& numbers, Texts* out) {
  constexpr int kMostPoints = 100'000;
  const Node* count = child(cache, "ptCount");
  const int all = count == nullptr ? number_of(cache, "ptCount", 0) : number_of(*count, "val", 0);
  const std::string cache_code = child_text(cache, "formatCode") + attribute(cache, "formatCode");
  out->resize(static_cast<std::size_t>(std::clamp(all, 0, kMostPoints)));
  for (const Node* point : children(cache, "pt")) {
    const int place = number_of(*point, "idx", static_cast<int>(out->size()));
    if (place < 0 || place >= kMostPoints) continue;
    const auto at = static_cast<std::size_t>(place);
    if (at >= out->size()) out->resize(at + 1);
    const Node* value = child(*point, "v");
    const std::string text = text_of(value == nullptr ? *point : *value);
    const std::string own = attribute(*point, "formatCode");
    (*out)[at] = is_text ? text : shown(text, own.empty() ? cache_code : own, numbers);
  }
}

// Returns categories of several levels as one text each: "2023 Q1". The outer levels are last, and
// have a text only at their first category.
Texts joined_levels(const Node& cache) {
  Texts out;
  for (const Node* level : children(cache, "lvl")) {
    Texts texts;
    add_points(*level, true, {}, &texts);
    if (out.size() < texts.size()) out.resize(texts.size());
    std::string last;
    const bool is_inner = level == children(cache, "lvl").front();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::string own = i < texts.size() ? texts[i] : "";
      if (!own.empty()) last = own;
      const std::string& text = is_inner ? own : last;
      out[i] = out[i].empty() ? text : text.empty() ? out[i] : text + " " + out[i];
    }
  }
  return out;
}

// Returns the stored values of `cat`, `val`, `tx` and the like.
Texts stored_values(const Node* node, const Numbers& numbers) {
  Texts out;
  if (node == nullptr) return out;
  for (const Node* source : children(*node)) {
    const bool is_literal = name_of(*source).ends_with("Lit");
    for (const char* kind : {"numCache", "strCache", "multiLvlStrCache"}) {
      const Node* cache = is_literal ? source : child(*source, kind);
      if (cache == nullptr) continue;
      if (is_named(*cache, "multiLvlStrCache")) return joined_levels(*cache);
      add_points(*cache, name_of(*cache).starts_with("str"), numbers, &out);
      return out;
    }
    if (is_named(*source, "v")) out.push_back(text_of(*source));
  }
  return out;
}

std::string joined(const Texts& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : " ") + text;
  return out;
}

// Returns the text of a title, which was typed or is taken from a cell.
std::string title_text(const Node& parent) {
  const Node* title = child(parent, "title");
  const Node* text = title == nullptr ? nullptr : child(*title, "tx");
  if (text == nullptr) return {};
  if (const Node* rich = child(*text, "rich")) return drawing_text(*rich);
  if (const Node* data = child(*text, "txData")) return child_text(*data, "v");
  return joined(stored_values(text, {}));
}

// Returns the code of a format that does not follow the cells, or "".
std::string own_code(const Node* parent) {
  const Node* format = parent == nullptr ? nullptr : child(*parent, "numFmt");
  if (format == nullptr) return {};
  const std::string linked = attribute(*format, "sourceLinked");
  return linked == "1" || linked == "true" ? "" : attribute(*format, "formatCode");
}

// Returns the axes of a plot that a group of series uses: first that of the categories.
struct Axes {
  const Node* categories = nullptr;
  const Node* values = nullptr;
};
Axes axes_of(const Node& plot, const Node& group) {
  Axes out;
  for (const Node* id : children(group, "axId")) {
    for (const Node* axis : children(plot)) {
      const Node* own = child(*axis, "axId");
      if (!name_of(*axis).ends_with("Ax") || own == nullptr) continue;
      if (attribute(*own, "val") != attribute(*id, "val")) continue;
      // Both axes of a scatter chart have values. The first one is horizontal.
      const bool is_first = out.categories == nullptr && !is_named(*axis, "serAx");
      if (is_named(*axis, "valAx") && !is_first) {
        out.values = axis;
      } else if (is_first) {
        out.categories = axis;
      }
    }
  }
  return out;
}

void add_group(const Node& plot, const Node& group, bool since_1904, std::vector<Series>* out,
               std::string* head) {
  const Axes axes = axes_of(plot, group);
  if (axes.categories != nullptr && head->empty()) *head = title_text(*axes.categories);
  const Numbers of_categories{
      .code = {}, .axis_code = own_code(axes.categories), .since_1904 = since_1904};
  for (const Node* node : children(group, "ser")) {
    Numbers numbers{.code = own_code(child(*node, "dLbls")),
                    .axis_code = own_code(axes.values),
                    .since_1904 = since_1904};
    if (numbers.code.empty()) numbers.code = own_code(child(group, "dLbls"));
    Series series;
    series.name = joined(stored_values(child(*node, "tx"), {}));
    series.axis = axes.values == nullptr ? "" : title_text(*axes.values);
    const bool is_scatter = child(*node, "yVal") != nullptr;
    series.categories = stored_values(child(*node, is_scatter ? "xVal" : "cat"), of_categories);
    series.values = stored_values(child(*node, is_scatter ? "yVal" : "val"), numbers);
    const Texts sizes = stored_values(child(*node, "bubbleSize"), numbers);
    out->push_back(series);
    if (!sizes.empty()) {
      series.name += " (size)";
      series.values = sizes;
      out->push_back(std::move(series));
    }
  }
}

// Reads the series of newer kinds of charts, such as waterfalls and treemaps.
std::vector<Series> newer_series(const Node& root) {
  std::map<std::string, Series> data;
  for (const Node* one : descendants(root, "data")) {
    Series& series = data[attribute(*one, "id")];
    for (const Node* dimension : children(*one)) {
      const auto levels = children(*dimension, "lvl");
      if (levels.empty()) continue;
      if (is_named(*dimension, "strDim")) {
        series.categories = joined_levels(*dimension);
      } else if (is_named(*dimension, "numDim")) {
        add_points(*levels.front(), false, {}, &series.values);
      }
    }
  }
  std::vector<Series> out;
  for (const Node* node : descendants(root, "series")) {
    const Node* link = child(*node, "dataId");
    Series series = link == nullptr ? Series() : data[attribute(*link, "val")];
    for (const Node* text : children(*node, "tx")) {
      if (const Node* typed = child(*text, "txData")) series.name = child_text(*typed, "v");
    }
    out.push_back(std::move(series));
  }
  return out;
}

// Adds the series from `first` to `end`, which have the same categories.
void add_series(const std::vector<Series>& all, std::size_t first, std::size_t end,
                const std::string& head, bool with_axes, Html* html) {
  std::size_t count = 0;
  Row names{head};
  for (std::size_t i = first; i < end; ++i) {
    count = std::max(count, all[i].values.size());
    const bool has_axis = with_axes && !all[i].axis.empty();
    names.push_back(has_axis ? all[i].name + " (" + all[i].axis + ")" : all[i].name);
  }
  std::vector<Row> rows{std::move(names)};
  const Texts& categories = all[first].categories;
  for (std::size_t row = 0; row < std::max(count, categories.size()); ++row) {
    Row cells{row < categories.size() ? categories[row] : ""};
    for (std::size_t i = first; i < end; ++i) {
      cells.push_back(row < all[i].values.size() ? all[i].values[row] : "");
    }
    const bool is_empty =
        std::ranges::all_of(cells, [](const auto& cell) { return is_blank(cell); });
    if (!is_empty) rows.push_back(std::move(cells));
  }
  if (rows.size() > 1) html->table(rows, true);
}

void add_table(std::vector<Series> all, const std::string& head, Html* html) {
  const bool one_axis = std::ranges::all_of(
      all, [&](const Series& series) { return series.axis == all.front().axis; });
  if (one_axis && !all.front().axis.empty()) html->paragraph("Values: " + all.front().axis);
  // A series without categories has those of the first one.
  for (Series& series : all) {
    if (series.categories.empty()) series.categories = all.front().categories;
  }
  for (std::size_t first = 0; first < all.size();) {
    std::size_t end = first + 1;
    while (end < all.size() && all[end].categories == all[first].categories) ++end;
    add_series(all, first, end, head, !one_axis, html);
    first = end;
  }
}

}  // namespace

void add_chart(const Node& root, Html* html) {
  const Node* chart = child(root, "chart");
  if (chart == nullptr) return;
  std::vector<Series> all;
  std::string head;
  if (const Node* plot = child(*chart, "plotArea")) {
    for (const Node* group : children(*plot)) {
      if (!name_of(*group).ends_with("Chart")) continue;
      add_group(*plot, *group, is_on(child(root, "date1904")), &all, &head);
    }
  }
  if (all.empty()) all = newer_series(root);
  const std::string title = title_text(*chart);
  html->paragraph(title);
  if (!all.empty()) add_table(std::move(all), head, html);
}

}  // namespace fineprint::markup
