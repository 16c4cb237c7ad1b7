// Writes a table as comma-separated values.
#include <string_view>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/sheet/sheet.h"

namespace fineprint::sheet {
namespace {

// Spreadsheets run a text that begins like this as a formula.
bool looks_like_formula(std::string_view text) {
  return !text.empty() &&
         std::string_view("=+-@\t\r\n").find(text.front()) != std::string_view::npos;
}

std::string quoted_field(std::string_view text) {
  if (text.find_first_of(",;\"\r\n") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

// A text of a document, which must not become a formula.
std::string text_field(std::string_view text) {
  const std::string valid = valid_utf8(text);
  return quoted_field(looks_like_formula(valid) ? "'" + valid : valid);
}

// A value in its form. Digits and dates have been made here and cannot be formulas.
std::string value_field(const Column& column, const Cell& cell) {
  if (!cell.value) return {};
  const bool is_made = column.type == ColumnType::number || column.type == ColumnType::money ||
                       column.type == ColumnType::date;
  return is_made ? cell.value->text : text_field(cell.value->text);
}

void add_proof_fields(const Cell& cell, std::string* line) {
  if (!cell.value || !cell.proof) {
    *line += ",,,,";
    return;
  }
  *line += format(",{},{},{},{:.2f}", cell.proof->page.page, text_field(cell.proof->quote),
                  text_field(cell.printed), cell.confidence);
}

std::string head_line(const Sheet& sheet, bool proofs) {
  std::string line = "Document";
  for (const Column& column : sheet.columns) {
    line += "," + text_field(column.name);
    if (has_unit_column(column)) line += "," + text_field(column.name + " (unit)");
    if (!proofs) continue;
    for (const char* what : {"page", "quote", "printed", "confidence"}) {
      line += "," + text_field(format("{} ({})", column.name, what));
    }
  }
  return line + "\n";
}

}  // namespace

std::string to_csv(const Sheet& sheet, bool proofs) {
  std::string csv = head_line(sheet, proofs);
  for (const Row& row : sheet.rows) {
    csv += text_field(row.doc);
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
      const Cell& cell = row.cells[i];
      csv += "," + value_field(sheet.columns[i], cell);
      if (has_unit_column(sheet.columns[i])) {
        csv += "," + (cell.value ? text_field(cell.value->unit) : std::string());
      }
      if (proofs) add_proof_fields(cell, &csv);
    }
    csv += "\n";
  }
  return csv;
}

}  // namespace fineprint::sheet
