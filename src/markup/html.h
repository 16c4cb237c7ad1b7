// Writes well-formed XHTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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
  // Adds a table within running text.
  void table(const std::vector<Row>& rows, bool has_header);
  // Adds a table that may cover many pages, and repeats the header on each of them.
  void table_on_pages(const std::vector<Row>& rows, bool has_header);
  // Starts a new page with the next block, unless there is nothing before it.
  void page_break();

  bool empty() const { return body_.empty(); }
  std::size_t size() const { return body_.size(); }  // in bytes, so far
  // Throws Error(too_large) with `name` in the message if there is more text than pages can hold.
  void check_size(const std::string& name) const;
  // Returns the width of a page that holds the widest table without much wrapping, in points.
  float width_pt() const;
  // Returns the whole document and empties this object.
  std::string take();

 private:
  void element(std::string_view tag, std::string_view text);
  void row(const Row& cells, std::size_t columns, std::string_view tag);
  void rows(const std::vector<Row>& all, std::size_t first, std::size_t end, std::size_t columns,
            bool has_header);
  void begin_block(std::string_view tag);

  std::string body_;
  std::size_t picture_bytes_ = 0;
  bool breaks_ = false;     // the next block starts a new page
  std::size_t widest_ = 0;  // width of the widest table in characters
};

// Escapes the characters that have a meaning in XML and drops characters that XML does not allow.
// Line breaks are kept.
std::string escaped(std::string_view text);

// Returns whether the text has only white space.
bool is_blank(std::string_view text);

}  // namespace fineprint::markup
