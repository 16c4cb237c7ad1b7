// Finds a row's column by its year, and compares the row's label with the question.
#include "pipelines/extractive/row_value.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string_view>

#include "fineprint/core/text.h"
#include "fineprint/text/stated_grid.h"
#include "fineprint/text/terms.h"
#include "fineprint/text/units.h"

#include "pipelines/extractive/amounts.h"

namespace fineprint::pipelines::extractive {
namespace {

using text::Value;

bool is_among(const std::vector<std::string>& terms, const std::string& term) {
  return std::ranges::find(terms, term) != terms.end();
}

std::vector<std::string> asked_years(const retrieve::Query& query) {
  std::vector<std::string> years;
  std::ranges::copy_if(query.asked_terms, std::back_inserter(years), is_bare_year);
  return years;
}

// A column whose head is a year.
struct YearColumn {
  std::string year;
  Box box;
};

std::vector<YearColumn> year_columns(const Page& page, const Snippet& row) {
  std::vector<YearColumn> columns;
  for (std::uint32_t i = 0; i < row.column_word_count; ++i) {
    const Word& word = page.words[row.first_column_word + i];
    for (std::string& term : text::terms(word.text)) {
      if (is_bare_year(term)) columns.push_back({std::move(term), word.box});
    }
  }
  return columns;
}

// Returns how far a figure is from a column's head in points: figures are either centred under
// their head or flush right with it.
float distance(const Box& a, const Box& b) {
  return std::min(std::abs((a.x0 + a.x1) - (b.x0 + b.x1)) / 2, std::abs(a.x1 - b.x1));
}

const YearColumn& column_of(const Page& page, const Snippet& row, const Value& value,
                            const std::vector<YearColumn>& columns) {
  // A value may begin with a currency sign that is a word of its own; its last word is the figure.
  const std::uint32_t last = word_at(page, row, value.span.end - 1);
  const Box& box = page.words[row.first_word + last].box;
  return *std::ranges::min_element(
      columns, {}, [&](const YearColumn& column) { return distance(column.box, box); });
}

// Returns whether the value refers to a note: one or two digits in a row with larger figures.
bool refers_to_note(const Value& value, const std::vector<Value>& values) {
  const auto is_short = [](const Value& one) {
    return one.text.size() <= 2 &&
           std::ranges::all_of(one.text, [](unsigned char c) { return std::isdigit(c) != 0; });
  };
  return is_short(value) && !std::ranges::all_of(values, is_short);
}

// Returns the terms of the row's label, the words before its first figure, without units in
// parentheses at its end: "Revenue (EUR million)".
std::vector<std::string> label_terms(const Snippet& row, const std::vector<Value>& values) {
  std::size_t end = row.text.size();
  for (const Value& value : values) end = std::min<std::size_t>(end, value.span.begin);
  const std::string_view label = std::string_view(row.text).substr(0, end);
  const std::size_t bracket = label.rfind(" (");
  const bool has_units =
      bracket != std::string_view::npos && text::stated_units(label.substr(bracket)).has_value();
  return text::terms(has_units ? label.substr(0, bracket) : label);
}

// Returns whether the label fits. It may be shorter than the question, because headings may say the
// rest, but its other words must be neutral: "Cost of sales" is not "sales".
bool label_fits(const Snippet& row, const std::vector<Value>& values,
                const retrieve::Query& query) {
  static constexpr std::array<std::string_view, 6> kNeutral = {"total", "net",      "amount",
                                                               "usd",   "thousand", "million"};
  const std::vector<std::string> label = label_terms(row, values);
  bool names_it = false;
  for (const std::string& term : label) {
    const bool is_asked = is_among(query.asked_terms, term) || is_among(query.added_terms, term);
    names_it = names_it || is_asked;
    if (!is_asked && std::ranges::find(kNeutral, term) == kNeutral.end()) return false;
  }
  return names_it;
}

// Returns whether the question asks for a column by name ("acquisitions"), which years do not
// identify.
bool asks_for_named_column(const Page& page, const Snippet& row, const std::vector<Value>& values,
                           const retrieve::Query& query) {
  const std::vector<std::string> label = label_terms(row, values);
  for (std::uint32_t i = 0; i < row.column_word_count; ++i) {
    for (const std::string& term : text::terms(page.words[row.first_column_word + i].text)) {
      if (!is_bare_year(term) && is_among(query.asked_terms, term) && !is_among(label, term)) {
        return true;
      }
    }
  }
  return false;
}

// Returns the column of the stated cell that holds the value.
std::optional<std::size_t> stated_column(const Page& page, const Snippet& row, const Value& value,
                                         const Element& table) {
  const std::uint32_t word = row.first_word + word_at(page, row, value.span.end - 1);
  for (const StatedCell& cell : table.cells) {
    if (cell.first_word <= word && word < cell.first_word + cell.word_count) {
      return cell.column;
    }
  }
  return std::nullopt;
}

// Returns how many of the question's terms are in the heads of the column.
std::size_t asked_in_head(const Page& page, const text::StatedGrid& grid, std::size_t column,
                          const retrieve::Query& query) {
  const std::vector<std::string> head = text::terms(text::column_head(page, grid, column));
  return static_cast<std::size_t>(std::ranges::count_if(
      query.asked_terms, [&](const std::string& term) { return is_among(head, term); }));
}

// Returns the value in the column whose heads have the most terms of the question, or nullptr if
// several columns have as many.
const Value* value_by_head(const Page& page, const Snippet& row, const std::vector<Value>& values,
                           const Element& table, const retrieve::Query& query) {
  const text::StatedGrid grid = text::stated_grid(table);
  const Value* best = nullptr;
  std::size_t most = 0;
  bool several = false;
  for (const Value& value : values) {
    const std::optional<std::size_t> column = stated_column(page, row, value, table);
    if (!column || *column >= grid.columns()) continue;
    const std::size_t asked = asked_in_head(page, grid, *column, query);
    if (best != nullptr && asked < most) continue;
    several = best != nullptr && asked == most;
    best = &value;
    most = asked;
  }
  return several || most == 0 ? nullptr : best;
}

}  // namespace

const Element* stated_table_of(const Page& page, const Snippet& row) {
  const auto found = std::ranges::find_if(
      page.elements, [&](const Element& element) { return stated_row(row, element).has_value(); });
  return found == page.elements.end() ? nullptr : &*found;
}

std::optional<std::size_t> stated_row(const Snippet& row, const Element& table) {
  const auto first = std::ranges::find_if(table.cells, [&](const StatedCell& cell) {
    return cell.first_word <= row.first_word && row.first_word < cell.first_word + cell.word_count;
  });
  if (first == table.cells.end()) return std::nullopt;
  return first->row;
}

bool has_column_of_asked_year(const Page& page, const Snippet& row, const retrieve::Query& query) {
  const std::vector<std::string> years = asked_years(query);
  const std::vector<YearColumn> columns = year_columns(page, row);
  return years.size() == 1 && columns.size() > 1 &&
         std::ranges::count(columns, years.front(), &YearColumn::year) == 1;
}

const Value* row_value(const Page& page, const Snippet& row, const std::vector<Value>& values,
                       const retrieve::Query& query) {
  if (const Element* table = stated_table_of(page, row); table != nullptr && values.size() > 1) {
    return label_fits(row, values, query) ? value_by_head(page, row, values, *table, query)
                                          : nullptr;
  }
  if (!label_fits(row, values, query) || asks_for_named_column(page, row, values, query)) {
    return nullptr;
  }
  const std::vector<std::string> years = asked_years(query);
  if (years.size() > 1) return nullptr;
  const std::vector<YearColumn> columns = year_columns(page, row);
  const Value* found = nullptr;
  for (const Value& value : values) {
    if (refers_to_note(value, values)) continue;
    if (!years.empty() && !columns.empty()) {
      const YearColumn& column = column_of(page, row, value, columns);
      if (column.year != years.front()) continue;
    }
    if (found != nullptr) return nullptr;
    found = &value;
  }
  // No column is headed by a year, so the year must be in the row or its context.
  if (found == nullptr || years.empty() || !columns.empty()) return found;
  const bool year_is_near = is_among(text::terms(row.text + " " + row.context), years.front());
  return year_is_near ? found : nullptr;
}

}  // namespace fineprint::pipelines::extractive
