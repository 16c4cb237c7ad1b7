// A table with a row for each document and a column for each question, and the files it is written
// to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/sheet/column.h"
#include "fineprint/sheet/value.h"

namespace fineprint::sheet {

// The answer of one document to one question.
struct Cell {
  std::optional<TypedValue> value = {};  // nullopt: nothing was found that is sure enough
  std::string printed = {};              // the value as the document prints it
  std::optional<Citation> proof = {};    // the page, the quote and its boxes
  double confidence = 0;                 // 0..1, the probability that the value is right
  std::string problem = {};              // why the question failed; empty if it did not
};

struct Row {
  std::string doc;   // its name in the store
  std::string path;  // its file when it was read
  std::vector<Cell> cells;
};

struct Sheet {
  std::vector<Column> columns;
  std::vector<Row> rows;
};

// Returns whether a column of units follows this one: of numbers and money in any unit.
bool has_unit_column(const Column& column);

// The forms of files. The ending of a name decides.
enum class SheetFormat { csv, xlsx, html, jsonl };
// Throws Error(usage) that lists the endings if it is none of them.
SheetFormat format_of(const std::string& path);

// Returns RFC 4180 text with a line for each document. A text that a spreadsheet would take for a
// formula gets an apostrophe in front. With `proofs`, columns for the page, quote, printed value
// and confidence follow each column.
std::string to_csv(const Sheet& sheet, bool proofs);
// Returns a line of JSON for each document (docs/schemas/table-row.json) with the full record of
// each cell.
std::string to_jsonl(const Sheet& sheet);
// Writes an Excel workbook, complete or not at all: numbers, amounts and dates as such, a link from
// each document's name to its file, and the proof of each cell on a second sheet, to which the cell
// links. The same sheet gives the same bytes. Throws Error(unreadable) if it cannot be written, and
// Error(usage) if Excel has no room for so many rows or columns.
void write_xlsx(const Sheet& sheet, const std::string& path);

}  // namespace fineprint::sheet
