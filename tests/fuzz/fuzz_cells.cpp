// Feeds any text to the readers that state the cells of tables (HTML, Markdown, CSV): the cells
// must be in order, lie apart, and have extents that a page can hold. The first byte chooses the
// reader.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/unicode.h"
#include "fineprint/markup/html_table.h"
#include "fineprint/markup/markup.h"

namespace {

using fineprint::markup::StatedTable;
using fineprint::markup::TableCell;

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const StatedTable& table) {
  const auto [rows, columns] = fineprint::markup::extent_of(table.cells);
  require(fineprint::valid_utf8(table.caption) == table.caption);
  require(fineprint::markup::head_rows(table.cells) <= rows);
  std::set<std::pair<int, int>> begun;
  std::pair<int, int> last(-1, -1);
  for (const TableCell& cell : table.cells) {
    require(cell.row >= 0 && cell.column >= 0 && cell.rows >= 1 && cell.columns >= 1);
    require(cell.row + cell.rows <= rows && cell.column + cell.columns <= columns);
    const std::pair<int, int> place(cell.row, cell.column);
    require(last < place && begun.insert(place).second);
    last = place;
    require(fineprint::valid_utf8(cell.text) == cell.text);
  }
}

void read_cells(std::uint8_t kind, const std::string& text) {
  if (kind % 4 == 0) {
    check({.caption = {}, .cells = fineprint::markup::read_html_table(text)});
    for (const StatedTable& table : fineprint::markup::stated_tables("a.html", text)) check(table);
  } else if (kind % 4 == 1) {
    for (const StatedTable& table : fineprint::markup::stated_tables("a.md", text)) check(table);
  } else {
    const char* name = kind % 4 == 2 ? "a.csv" : "a.tsv";
    for (const StatedTable& table : fineprint::markup::to_markup(name, text).tables) check(table);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using fineprint::ErrorCode;
  if (size == 0) return 0;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  try {
    // HTML and Markdown come decoded; CSV is decoded by its reader.
    read_cells(data[0], data[0] % 4 < 2 ? fineprint::valid_utf8(bytes) : bytes);
  } catch (const fineprint::Error& error) {
    const ErrorCode code = error.code();
    require(code == ErrorCode::empty || code == ErrorCode::too_large ||
            code == ErrorCode::unsupported);
  }
  return 0;
}
