// Writes well-formed XHTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fineprint/core/embedded_file.h"
#include "fineprint/markup/html_table.h"

namespace fineprint::markup {

// The texts of the cells of one row.
using Row = std::vector<std::string>;

// Collects blocks in the order of the calls.
class Html {
 public:
  // Line breaks in texts are kept. Blank texts are ignored.
  void heading(int level, std::string_view text);  // 1 to 6
  void paragraph(std::string_view text);
  void preformatted(std::string_view text);
  // Adds a PNG, JPEG or GIF. Writes a short note instead if the picture is of another format, or if
  // all pictures together have too many bytes.
  void picture(const std::string& bytes);
  // Adds a table within running text. Rows may be of different lengths.
  void table(const std::vector<Row>& rows, bool has_header);
  void table(std::vector<TableCell> cells);
  // Adds a table that may cover many pages, and repeats its heads on each of them. Also repeats a
  // cell that covers rows on two pages.
  void table_on_pages(const std::vector<TableCell>& cells);
  // Notes text that the file holds but does not show, for example a hidden row. It is not laid out.
  void hide(std::string_view text);
  // Adds a file that is attached to the document. It is no block.
  void attach(std::string name, std::string bytes) {
    files_.add(std::move(name), std::move(bytes));
  }
  std::vector<EmbeddedFile> take_files() { return files_.take(); }
  // Starts a new page with the next block, unless there is nothing before it.
  void page_break();
  // Notes that the blocks since the previous call are one page, whatever their length.
  void end_page() { ++pages_; }

  bool empty() const { return body_.empty(); }
  std::size_t size() const { return body_.size(); }  // in bytes, so far
  // Throws Error(too_large) with `name` in the message if there is more text than pages can hold.
  void check_size(const std::string& name) const;
  // Returns the width of a page that holds the widest table without much wrapping, in points.
  float width_pt() const;
  // Returns how often end_page() was called.
  int pages() const { return pages_; }
  // Returns the texts that `hide` got, each on a line of its own.
  const std::string& hidden() const { return hidden_; }
  // Returns the whole document and empties this object.
  std::string take();
  // Returns the tables in the order in which they were added, one for each page of a table on
  // pages, and forgets them.
  std::vector<StatedTable> take_tables() { return std::exchange(tables_, {}); }

 private:
  void element(std::string_view tag, std::string_view text);
  void row(const std::vector<const TableCell*>& cells, int number, std::vector<int>* covered);
  void begin_block(std::string_view tag);
  void use_lines(std::size_t count);

  std::string body_;
  std::string hidden_;
  EmbeddedFiles files_;
  std::size_t picture_bytes_ = 0;
  int pages_ = 0;
  bool breaks_ = false;         // the next block starts a new page
  std::size_t widest_ = 0;      // width of the widest table in characters
  std::size_t lines_used_ = 0;  // of the page, roughly
  std::vector<StatedTable> tables_;
};

// Escapes the characters that have a meaning in XML and drops characters that XML does not allow.
// Line breaks are kept.
std::string escaped(std::string_view text);

// Returns the cells of rows of texts. The first row is the head if `has_header`.
std::vector<TableCell> cells_of_rows(const std::vector<Row>& rows, bool has_header);

// Returns whether the text has only white space.
bool is_blank(std::string_view text);

}  // namespace fineprint::markup
