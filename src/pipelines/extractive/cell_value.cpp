// Compares the first cells of rows and the heads of columns with a question.
#include "pipelines/extractive/cell_value.h"

#include <algorithm>
#include <array>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/question.h"
#include "fineprint/text/terms.h"
#include "fineprint/text/units.h"

#include "pipelines/extractive/amounts.h"
#include "pipelines/extractive/demands.h"
#include "pipelines/extractive/label_terms.h"
#include "pipelines/extractive/pair_value.h"
#include "pipelines/extractive/row_value.h"
#include "pipelines/extractive/subject.h"
#include "pipelines/extractive/table_of_row.h"

namespace fineprint::pipelines::extractive {
namespace {

using CellTerms = std::vector<std::string>;

// "may" is no search term, but a month where it is the whole head of a column.
constexpr std::string_view kMay = "may";
constexpr double kMostlyKnown = 0.6;  // share of the question's terms that the page must hold

// A table and the page that has it.
struct TablePlace {
  const Page& page;
  const TableOfRow& table;
};

CellTerms terms_of_cell(const Page& page, const TableCell& cell) {
  return text::terms(without_note_marks(cell.text), page.language);
}

// Returns the terms of a head or of a row's first cell, without a unit or remark in parentheses or
// after "in".
CellTerms terms_of_name(const Page& page, std::string_view name) {
  const std::string folded = fold(name);
  if (trim(folded) == kMay) return {std::string(kMay)};
  std::size_t end = std::min({name.find(" ("), folded.find(" in "), name.size()});
  return text::terms(without_note_marks(name.substr(0, end)), page.language);
}

CellTerms terms_of_label(const TablePlace& place, const TableRow& row) {
  return terms_of_name(place.page, row[place.table.label].text);
}

bool has_cell_term(const CellTerms& terms, const std::string& term) {
  return std::ranges::find(terms, term) != terms.end();
}

bool asks_for_may(const retrieve::Query& query) {
  static const text::Pattern kAsked(R"(\b(?:in|for|of|during|until) May\b)",
                                    text::Pattern::Case::sensitive);
  return kAsked.occurs_in(query.core);
}

// Returns the distinct terms of the question that are among the terms.
CellTerms asked_among(const CellTerms& terms, const retrieve::Query& query) {
  CellTerms asked;
  if (terms == CellTerms{std::string(kMay)} && asks_for_may(query)) return terms;
  const CellTerms meant = query.as_asked(terms);
  for (const std::string& term : query.asked_terms) {
    if (has_cell_term(meant, term) && !has_cell_term(asked, term)) asked.push_back(term);
  }
  return asked;
}

CellTerms terms_of_row(const Page& page, const TableRow& row) {
  CellTerms all;
  for (const TableCell& cell : row) {
    for (std::string& term : terms_of_cell(page, cell)) all.push_back(std::move(term));
  }
  return all;
}

bool are_all_asked(const CellTerms& label, const retrieve::Query& query) {
  return !label.empty() && std::ranges::all_of(query.as_asked(label), [&](const std::string& term) {
    return has_cell_term(query.asked_terms, term);
  });
}

// Returns whether all words of the row's first cell are asked, and of no other row that has as many
// words of the question.
bool is_asked_row(const TablePlace& place, const retrieve::Query& query) {
  const TableRow& row = place.table.own();
  if (!are_all_asked(terms_of_label(place, row), query)) return false;
  const std::size_t own = asked_among(terms_of_row(place.page, row), query).size();
  for (const TableRow& rival : place.table.rows) {
    if (rival[place.table.label].origin == row[place.table.label].origin) continue;
    if (!are_all_asked(terms_of_label(place, rival), query)) continue;
    if (asked_among(terms_of_row(place.page, rival), query).size() >= own) return false;
  }
  return true;
}

// Returns whether the question has several words of the row's first cell, and fewer of that of any
// other row: "the Leather Sleeve" names "Decoded Leather Sleeve 15 Vintage".
bool is_likeliest_row(const TablePlace& place, const retrieve::Query& query) {
  constexpr std::size_t kLeast = 2;
  const std::size_t own = asked_among(terms_of_label(place, place.table.own()), query).size();
  if (own < kLeast) return false;
  return std::ranges::none_of(place.table.rows, [&](const TableRow& rival) {
    const TableCell& own_cell = place.table.own()[place.table.label];
    return rival[place.table.label].origin != own_cell.origin &&
           asked_among(terms_of_label(place, rival), query).size() >= own;
  });
}

// Cuts a head at blanks, dashes and slashes.
std::vector<std::string> pieces_of_head(std::string head) {
  for (const std::string_view dash : {"\u2013", "\u2014", "-", "/"}) {
    for (std::size_t at = head.find(dash); at != std::string::npos; at = head.find(dash, at)) {
      head.replace(at, dash.size(), " ");
    }
  }
  std::vector<std::string> pieces;
  std::istringstream words(head);
  for (std::string word; words >> word;) pieces.push_back(std::move(word));
  return pieces;
}

std::vector<std::string> years_of(const std::string& head) {
  std::vector<std::string> years = pieces_of_head(head);
  std::erase_if(years, [](const std::string& piece) { return !is_bare_year(piece); });
  return years;
}

// Returns the head without months, days and years, unless it has nothing else: what a column is
// about counts more than when.
std::string without_period(const std::string& head) {
  std::string rest;
  std::istringstream words(head);
  for (std::string word; words >> word;) {
    const bool is_period = std::ranges::all_of(pieces_of_head(word), [](const std::string& piece) {
      return is_bare_year(piece) || text::is_calendar_word(fold(piece));
    });
    if (!is_period) append_word(word, &rest);
  }
  return rest.empty() ? head : rest;
}

// Returns whether the head has years, but not the only one that is asked.
bool is_of_other_year(const std::string& head, const std::vector<std::string>& asked) {
  const std::vector<std::string> years = years_of(head);
  return asked.size() == 1 && !years.empty() &&
         std::ranges::find(years, asked.front()) == years.end();
}

// Returns whether some heads have years, and none has the only one that is asked.
bool is_table_of_other_years(const TableOfRow& table, const std::vector<std::string>& asked) {
  std::string all;
  for (const std::string& head : table.heads) append_word(head, &all);
  return is_of_other_year(all, asked);
}

bool is_share(const TablePlace& place, std::size_t column) {
  return place.table.heads[column].find('%') != std::string::npos ||
         place.table.own()[column].text.ends_with('%');
}

// What a column's heads have of the question.
struct AskedHead {
  CellTerms asked;
  std::size_t others = 0;  // terms that are not asked
};

// Returns where the first of the terms is in the question.
std::size_t first_asked(const CellTerms& terms, const retrieve::Query& query) {
  const auto first = std::ranges::find_first_of(query.asked_terms, terms);
  return static_cast<std::size_t>(first - query.asked_terms.begin());
}

// Returns whether the question names the column of `a` more clearly than that of `b`: by more
// words, by the same words and fewer others, or by a word that comes first ("the weight of the
// bells").
bool is_named_before(const AskedHead& a, const AskedHead& b, const retrieve::Query& query) {
  if (a.asked.size() != b.asked.size()) return a.asked.size() > b.asked.size();
  if (a.asked == b.asked) return a.others < b.others;
  return first_asked(a.asked, query) < first_asked(b.asked, query);
}

// Returns the column that the question names most clearly, without the words of the row's first
// cell; 0 if it names none, or several alike. An amount is in no column of shares.
std::size_t asked_column(const TablePlace& place, bool is_amount, const retrieve::Query& query) {
  const CellTerms label = terms_of_label(place, place.table.own());
  std::size_t best = 0;
  AskedHead best_head;
  bool several = false;
  const std::vector<std::string> years = subjects_of(query).years;
  for (std::size_t column = place.table.label + 1; column < place.table.columns(); ++column) {
    if (is_of_other_year(place.table.heads[column], years)) continue;
    if (is_amount && is_share(place, column)) continue;
    const CellTerms terms = terms_of_name(place.page, without_period(place.table.heads[column]));
    AskedHead head{asked_among(terms, query), 0};
    std::erase_if(head.asked, [&](const std::string& term) { return has_cell_term(label, term); });
    head.others = terms.size() - std::min(terms.size(), head.asked.size());
    if (head.asked.empty()) continue;
    if (best == 0 || is_named_before(head, best_head, query)) {
      best = column;
      best_head = std::move(head);
      several = false;
    } else if (!is_named_before(best_head, head, query)) {
      several = true;
    }
  }
  return several ? 0 : best;
}

// Returns the only column whose head is one of these words; 0 if none or several are.
std::size_t only_column_headed(const TablePlace& place, std::span<const std::string_view> words) {
  std::size_t found = 0;
  for (std::size_t column = place.table.label + 1; column < place.table.columns(); ++column) {
    const std::string head = fold(trim(place.table.heads[column]));
    if (std::ranges::find(words, head) == words.end()) continue;
    if (found != 0) return 0;
    found = column;
  }
  return found;
}

// Returns the only column that says how many there are of what its row names; 0 if none or several
// do.
std::size_t quantity_column(const TablePlace& place) {
  static constexpr std::array<std::string_view, 19> kQuantities = {
      "qty",        "qty.",          "quantity",      "pieces",         "pcs",
      "pcs.",       "count",         "units",         "menge",          "anzahl",
      "st\u00fcck", "aantal",        "quantit\u00e9", "qt\u00e9",       "nombre",
      "cantidad",   "quantit\u00e0", "quantidade",    "ilo\u015b\u0107"};
  return only_column_headed(place, kQuantities);
}

// Returns the first column of prices, which is that of one piece; 0 if there is none.
std::size_t price_column(const TablePlace& place) {
  static constexpr std::array<std::string_view, 8> kPrices = {
      "price", "preis", "prijs", "prix", "precio", "prezzo", "pre\u00e7o", "rate"};
  for (std::size_t column = place.table.label + 1; column < place.table.columns(); ++column) {
    const std::string head = fold(place.table.heads[column]);
    const bool is_price = std::ranges::any_of(
        kPrices, [&](std::string_view price) { return head.find(price) != std::string::npos; });
    if (is_price) return column;
  }
  return 0;
}

// Returns the only column whose head says that it has the values of the rows, as in a sheet of
// measurements with limits and remarks in other columns; 0 if none or several do.
std::size_t value_column(const TablePlace& place) {
  static constexpr std::array<std::string_view, 12> kValues = {
      "value", "values",   "result", "results",       "reading", "wert",
      "werte", "ergebnis", "waarde", "r\u00e9sultat", "valeur",  "valor"};
  return only_column_headed(place, kValues);
}

// Returns whether the question asks what something costs.
bool asks_price(const retrieve::Query& query) {
  static const text::Pattern kCost(
      R"(\b(?:costs?|price|kostet?|preis|prijs|prix|co[u\x{fb}]te|cuesta|precio|costa|prezzo)\b)",
      text::Pattern::Case::ignored);
  return kCost.occurs_in(query.core);
}

// Returns the only column of figures to the right of the row's name; 0 if there are none or
// several.
std::size_t only_column_of_figures(const TablePlace& place) {
  std::size_t found = 0;
  for (std::size_t column = place.table.label + 1; column < place.table.columns(); ++column) {
    const bool has_figures = std::ranges::all_of(place.table.rows, [&](const TableRow& row) {
      return row[column].text.empty() || text::number_of_cell(row[column].text).has_value();
    });
    if (!has_figures) continue;
    if (found != 0) return 0;
    found = column;
  }
  return found;
}

// Returns the only column with text to the right of the row's name if that is a figure, as in sums;
// 0 otherwise.
std::size_t only_filled_column(const TablePlace& place) {
  std::size_t found = 0;
  for (std::size_t column = place.table.label + 1; column < place.table.columns(); ++column) {
    if (trim(place.table.own()[column].text).empty()) continue;
    if (found != 0) return 0;
    found = column;
  }
  return found != 0 && text::number_of_cell(place.table.own()[found].text) ? found : 0;
}

// Sets the column that names the rows to the first one that names the row as the question does: a
// statement names what was paid for after the date. Returns whether there is one.
bool find_label(const Page& page, const retrieve::Query& query, TableOfRow* table) {
  const std::size_t first = table->label;
  for (const auto is_meant : {is_asked_row, is_likeliest_row}) {
    for (table->label = first; table->label + 1 < table->columns(); ++table->label) {
      if (is_meant({page, *table}, query)) return true;
    }
  }
  return false;
}

// Returns the terms of the noun after "which" at the beginning of a question; none without it.
CellTerms terms_after_which(const retrieve::Query& query) {
  constexpr std::string_view kWhich = "which ";
  const std::string folded = fold(query.core);
  if (!folded.starts_with(kWhich)) return {};
  const std::string noun =
      folded.substr(kWhich.size(), folded.find(' ', kWhich.size()) - kWhich.size());
  return text::terms(noun, query.language);
}

// Returns whether the question asks which row, by the head of the first column: "Which instrument".
bool asks_which_row(const TablePlace& place, const retrieve::Query& query) {
  const CellTerms noun = terms_after_which(query);
  if (noun.empty()) return false;
  const CellTerms head = terms_of_name(place.page, place.table.heads[place.table.label]);
  return std::ranges::all_of(noun,
                             [&](const std::string& term) { return has_cell_term(head, term); });
}

// Returns whether the row and the heads hold all other words that are asked, and no other row has
// as many of them.
bool is_row_asked_by_cells(const TablePlace& place, const retrieve::Query& query) {
  CellTerms known = terms_of_row(place.page, place.table.own());
  const std::size_t own = asked_among(known, query).size();
  for (const std::string& head : place.table.heads) {
    for (std::string& term : text::terms(head, place.page.language))
      known.push_back(std::move(term));
  }
  const bool holds_all = std::ranges::all_of(
      query.asked_terms, [&](const std::string& term) { return has_cell_term(known, term); });
  if (!holds_all) return false;
  for (std::size_t other = 0; other < place.table.rows.size(); ++other) {
    if (other == place.table.row) continue;
    if (asked_among(terms_of_row(place.page, place.table.rows[other]), query).size() >= own) {
      return false;
    }
  }
  return true;
}

// Returns whether the page holds almost all that is asked. Names are not counted, because the
// document may be about them, nor is a date, which may be on the page on which the table begins.
bool is_known(const Page& page, const Snippet& snippet, const retrieve::Query& query) {
  const CellTerms names = subjects_of(query).names;
  const CellTerms held =
      query.as_asked(text::terms(page_text(page) + " " + snippet.context, page.language));
  const CellTerms undated = text::terms(without_period(query.core), query.language);
  const auto known = std::ranges::count_if(query.asked_terms, [&](const std::string& term) {
    return is_generic(term) || has_cell_term(names, term) || has_cell_term(held, term) ||
           !has_cell_term(undated, term);
  });
  return static_cast<double>(known) >= kMostlyKnown * static_cast<double>(query.asked_terms.size());
}

// Returns whether another column states a scale and this one has a name of its own, and not only a
// year. Then that scale is not meant for it.
bool others_state_units(const TablePlace& place, std::size_t column) {
  if (!text::is_named_head(place.table.heads[column])) return false;
  for (std::size_t other = place.table.label + 1; other < place.table.columns(); ++other) {
    const bool states = text::stated_units(place.table.heads[other]).has_value();
    if (other != column && states) return true;
  }
  return false;
}

// Adds the scale and the currency that the heads of the column, or else the row's surroundings,
// state for a bare number.
std::string with_stated_units(const TablePlace& place, std::size_t column, const Snippet& snippet,
                              std::string value, const retrieve::Query& query) {
  std::string sign;
  if (value.starts_with("$")) {
    sign = "$";
    value = trim(std::string_view(value).substr(1));
  }
  const bool is_bare = value.find_first_not_of("0123456789.,-() ") == std::string::npos;
  if (!is_bare || !text::number_of_cell(value)) return sign + value;
  const std::string& head = place.table.heads[column];
  const std::string& label = place.table.own()[place.table.label].text;
  if (text::states_other_unit(head) || text::states_other_unit(label)) return sign + value;
  std::optional<text::Units> units = text::stated_units(head);
  if (!units) units = text::stated_units(label);
  if (!units && others_state_units(place, column)) return sign + value;
  if (!units) units = units_of_row(place.page, snippet);
  if (units->scale.empty()) return sign + value;
  if (text::are_of_other_things(*units, text::counted_terms(query.core))) return sign + value;
  return (sign.empty() ? units->currency : sign) + value + " " + units->scale;
}

// Returns the first cell of the row, unless it only repeats the question, as a label does.
std::optional<std::string> name_of_row(const TablePlace& place, const retrieve::Query& query) {
  const TableCell& first = place.table.own()[place.table.label];
  std::string name = without_note_marks(first.text);
  if (name.empty() || are_all_asked(terms_of_cell(place.page, first), query)) return std::nullopt;
  return name;
}

// Returns the name in the only row that has what a question after "who" asks for as one of its
// cells: "Who is the cook?" over the columns "Name" and "Role".
std::optional<std::string> name_of_asked_row(const TablePlace& place,
                                             const retrieve::Query& query) {
  if (!fold(query.core).starts_with("who ")) return std::nullopt;
  const auto has_asked_cell = [&](const TableRow& row) {
    return std::any_of(row.begin() + static_cast<std::ptrdiff_t>(place.table.label) + 1, row.end(),
                       [&](const TableCell& cell) {
                         return are_all_asked(terms_of_cell(place.page, cell), query);
                       });
  };
  const TableCell& first = place.table.own()[place.table.label];
  if (std::ranges::count_if(place.table.rows, has_asked_cell) != 1 || first.text.empty() ||
      !has_asked_cell(place.table.own())) {
    return std::nullopt;
  }
  std::optional<std::string> name = name_of_row(place, query);
  const bool is_name = name && looks_like_kind(*name, first.words, text::AnswerKind::name) &&
                       !text::number_of_cell(*name);
  return is_name ? std::move(name) : std::nullopt;
}

// Returns whether the row is a second row of heads, which is no answer: it has no digit, and most
// others have one in the column.
bool is_head_of_figures(const TablePlace& place, std::size_t column) {
  const auto has_figure = [](const TableCell& cell) { return has_digit(cell.text); };
  if (std::ranges::any_of(place.table.own(), has_figure)) return false;
  const auto figures = std::ranges::count_if(place.table.rows, [&](const TableRow& row) {
    return column < row.size() && has_figure(row[column]);
  });
  return 2 * figures > static_cast<std::ptrdiff_t>(place.table.rows.size());
}

}  // namespace

std::optional<std::string> cell_value(const Page& page, const Snippet& snippet,
                                      text::AnswerKind kind, const retrieve::Query& query) {
  using enum text::AnswerKind;
  if (kind == yes_no || text::is_address(kind)) return std::nullopt;
  if (!snippet.is_row || snippet.names_columns || demands(query.core).need_more_than_one()) {
    return std::nullopt;
  }
  // Most rows have nothing of the question, and their tables need not be cut into cells. Only a row
  // that is the answer may have none of its words.
  const CellTerms own = text::terms(snippet.text, page.language);
  if (terms_after_which(query).empty() && asked_among(own, query).empty()) return std::nullopt;
  std::optional<TableOfRow> table = table_of_row(page, snippet);
  if (!table) return std::nullopt;
  const TablePlace place{page, *table};
  if (asks_which_row(place, query)) {
    if (!is_row_asked_by_cells(place, query)) return std::nullopt;
    return name_of_row(place, query);
  }
  if (!is_known(page, snippet, query)) return std::nullopt;
  if (is_table_of_other_years(*table, subjects_of(query).years)) return std::nullopt;
  if (kind == name) {
    if (std::optional<std::string> who = name_of_asked_row(place, query)) return who;
  }
  if (!find_label(page, query, &*table)) return std::nullopt;
  const bool is_amount_asked = kind == money || fold(query.core).starts_with("how much ");
  std::size_t column = asked_column(place, is_amount_asked, query);
  if (column == 0 && kind == count) column = quantity_column(place);
  if (column == 0 && asks_price(query)) column = price_column(place);
  if (column == 0 && is_amount_asked) column = only_column_of_figures(place);
  if (column == 0) column = value_column(place);
  if (column == 0) column = only_filled_column(place);
  if (column == 0) return std::nullopt;
  // Columns of years that the layout shows are told apart by where their figures are.
  const CellTerms head = terms_of_name(page, table->heads[column]);
  if (!table->is_stated && std::ranges::all_of(head, is_bare_year)) return std::nullopt;
  const TableCell& cell = table->own()[column];
  std::string value = without_note_marks(cell.text);
  if (value.empty() || !looks_like_kind(value, cell.words, kind)) return std::nullopt;
  if (is_head_of_figures(place, column)) return std::nullopt;
  return with_stated_units(place, column, snippet, std::move(value), query);
}

}  // namespace fineprint::pipelines::extractive
