// Writes a table as an Excel workbook.
#include <string>
#include <vector>

#include <xlsxwriter.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/temporary_folder.h"
#include "fineprint/core/unicode.h"
#include "fineprint/sheet/sheet.h"

namespace fineprint::sheet {
namespace {

constexpr const char* kProofSheet = "Proofs";
constexpr std::size_t kMostCellBytes = 30'000;  // Excel allows 32,767 characters
constexpr std::size_t kMostLinks = 65'000;      // of one sheet; Excel allows 65,530
constexpr std::size_t kMostAddressBytes = 2'000;
constexpr std::size_t kMostColumns = LXW_COL_MAX, kMostRows = LXW_ROW_MAX;

// Text that XML may hold, cut to what a cell may hold.
std::string cell_text(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string kept;
  for (std::size_t at = 0; at < valid.size() && kept.size() < kMostCellBytes;) {
    const char32_t c = next_code_point(valid, &at);
    const bool is_control = c < 0x20 && c != '\t' && c != '\n';
    if (!is_control && c != 0xFFFE && c != 0xFFFF) append_utf8(c, &kept);
  }
  return kept;
}

class Workbook {
 public:
  Workbook(const Sheet& sheet, const std::string& path)
      : sheet_(sheet), book_(workbook_new(path.c_str())) {
    if (book_ == nullptr) throw Error(ErrorCode::unreadable, path + ": cannot be written");
    // A fixed date, so that the same sheet gives the same bytes.
    lxw_doc_properties properties = {};
    properties.created = 946'684'800;
    workbook_set_properties(book_, &properties);
    table_ = workbook_add_worksheet(book_, "Table");
    proofs_ = workbook_add_worksheet(book_, kProofSheet);
    head_ = workbook_add_format(book_);
    format_set_bold(head_);
    date_ = workbook_add_format(book_);
    format_set_num_format(date_, "yyyy-mm-dd");
  }

  void write() {
    write_heads();
    for (std::size_t i = 0; i < sheet_.rows.size(); ++i) write_row(static_cast<lxw_row_t>(i + 1));
    const auto columns = static_cast<lxw_col_t>(column_);
    worksheet_freeze_panes(table_, 1, 1);
    worksheet_autofilter(table_, 0, 0, static_cast<lxw_row_t>(sheet_.rows.size()),
                         static_cast<lxw_col_t>(columns - 1));
    worksheet_set_column(table_, 0, 0, 32, nullptr);
    worksheet_set_column(table_, 1, static_cast<lxw_col_t>(columns - 1), 18, nullptr);
    worksheet_freeze_panes(proofs_, 1, 0);
    worksheet_set_column(proofs_, 0, 5, 24, nullptr);
  }

  // Returns an error in words; empty if there is none.
  std::string close() {
    const lxw_error error = workbook_close(book_);
    return error == LXW_NO_ERROR ? "" : lxw_strerror(error);
  }

 private:
  void text(lxw_worksheet* to, lxw_row_t row, std::size_t column, std::string_view words,
            lxw_format* format = nullptr) {
    worksheet_write_string(to, row, static_cast<lxw_col_t>(column), cell_text(words).c_str(),
                           format);
  }

  // A link must be written before the value that it leads from.
  void link(lxw_row_t row, std::size_t column, const std::string& address) {
    if (links_ >= kMostLinks || address.size() > kMostAddressBytes) return;
    ++links_;
    worksheet_write_url(table_, row, static_cast<lxw_col_t>(column), address.c_str(), nullptr);
  }

  void write_heads() {
    text(table_, 0, column_++, "Document", head_);
    for (const Column& column : sheet_.columns) {
      text(table_, 0, column_++, column.name, head_);
      if (has_unit_column(column)) text(table_, 0, column_++, column.name + " (unit)", head_);
    }
    std::size_t at = 0;
    for (const char* name : {"Document", "Column", "Printed", "Page", "Quote", "Confidence"}) {
      text(proofs_, 0, at++, name, head_);
    }
  }

  void write_row(lxw_row_t at) {
    const Row& row = sheet_.rows[at - 1];
    if (!row.path.empty()) link(at, 0, "external:" + row.path);
    text(table_, at, 0, row.doc);
    std::size_t column = 1;
    for (std::size_t i = 0; i < sheet_.columns.size(); ++i) {
      const Column& asked = sheet_.columns[i];
      const Cell& cell = row.cells[i];
      if (cell.value) write_cell(at, column, row, asked, cell);
      ++column;
      if (!has_unit_column(asked)) continue;
      if (cell.value) text(table_, at, column, cell.value->unit);
      ++column;
    }
  }

  void write_cell(lxw_row_t at, std::size_t place, const Row& row, const Column& asked,
                  const Cell& cell) {
    const auto column = static_cast<lxw_col_t>(place);
    if (write_proof(row, asked, cell)) {
      link(at, place, format("internal:'{}'!A{}", kProofSheet, proof_row_));
    }
    const std::string& value = cell.value->text;
    if (asked.type == ColumnType::number || asked.type == ColumnType::money) {
      worksheet_write_number(table_, at, column, std::strtod(value.c_str(), nullptr), nullptr);
    } else if (asked.type == ColumnType::date) {
      lxw_datetime date = {};
      date.year = std::atoi(value.c_str());
      date.month = std::atoi(value.c_str() + 5);
      date.day = std::atoi(value.c_str() + 8);
      // Excel has no dates before 1900.
      if (date.year < 1900) return text(table_, at, place, value);
      worksheet_write_datetime(table_, at, column, &date, date_);
    } else {
      text(table_, at, place, value);
    }
  }

  // Returns whether there is room for the proof; proof_row_ then counts its row from 1.
  bool write_proof(const Row& row, const Column& asked, const Cell& cell) {
    if (!cell.proof || proof_row_ >= kMostRows) return false;
    const auto at = static_cast<lxw_row_t>(proof_row_++);
    text(proofs_, at, 0, row.doc);
    text(proofs_, at, 1, asked.name);
    text(proofs_, at, 2, cell.printed);
    worksheet_write_number(proofs_, at, 3, cell.proof->page.page, nullptr);
    text(proofs_, at, 4, cell.proof->quote);
    worksheet_write_number(proofs_, at, 5, cell.confidence, nullptr);
    return true;
  }

  const Sheet& sheet_;
  lxw_workbook* book_ = nullptr;
  lxw_worksheet *table_ = nullptr, *proofs_ = nullptr;
  lxw_format *head_ = nullptr, *date_ = nullptr;
  std::size_t column_ = 0, proof_row_ = 1, links_ = 0;
};

void check_room(const Sheet& sheet, const std::string& path) {
  std::size_t columns = 1;
  for (const Column& column : sheet.columns) columns += has_unit_column(column) ? 2 : 1;
  if (columns <= kMostColumns && sheet.rows.size() < kMostRows) return;
  throw Error(ErrorCode::usage,
              format("{}: a workbook has room for {} rows and {} columns, and the table has {} and "
                     "{}; write .csv or .jsonl instead",
                     path, kMostRows - 1, kMostColumns, sheet.rows.size(), columns));
}

}  // namespace

// The library writes only to files, and reports failures on stderr. So the workbook is made in a
// temporary folder.
void write_xlsx(const Sheet& sheet, const std::string& path) {
  check_room(sheet, path);
  const TemporaryFolder folder("xlsx", "the workbook");
  const std::string part = folder.path() + "/part.xlsx";
  Workbook book(sheet, part);
  book.write();
  const std::string problem = book.close();
  if (!problem.empty()) {
    throw Error(ErrorCode::unreadable, format("{}: cannot be written: {}", path, problem));
  }
  write_file_atomic(path, read_file(part));
}

}  // namespace fineprint::sheet
