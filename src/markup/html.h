// Writes well-formed XHTML.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

using Row = std::vector<std::string>;

class Html {
 public:
  // Line breaks in texts are kept. Blank texts are left out.
  void heading(int level, std::string_view text);  // 1 to 6
  void paragraph(std::string_view text);
  void preformatted(std::string_view text);
  // PNG, JPEG or GIF; others are left out with a word about it, as are those that are too many
  // bytes together.
  void picture(const std::string& bytes);
  // A table that stands in running text.
  void table(const std::vector<Row>& rows, bool has_header);
  // A table that may go on for many pages: the header stands on each.
  void table_on_pages(const std::vector<Row>& rows, bool has_header);
  // What follows begins a new page, unless nothing came before.
  void page_break();

  bool empty() const { return body_.empty(); }
  std::size_t size() const { return body_.size(); }  // bytes so far
  // Throws Error(too_large) naming `name` when there is more than can become pages.
  void check_size(const std::string& name) const;
  // Width of a page that holds the widest table without much wrapping.
  float width_pt() const;
  std::string take();

 private:
  void element(std::string_view tag, std::string_view text);
  void row(const Row& cells, std::size_t columns, std::string_view tag);
  void rows(const std::vector<Row>& all, std::size_t first, std::size_t end, std::size_t columns,
            bool has_header);
  void begin_block(std::string_view tag);

  std::string body_;
  std::size_t picture_bytes_ = 0;
  bool breaks_ = false;     // a page break waits for the next block
  std::size_t widest_ = 0;  // characters
};

// The text with what XML has no use for made harmless; line breaks as they are.
std::string escaped(std::string_view text);

bool is_blank(std::string_view text);

}  // namespace fineprint::markup
