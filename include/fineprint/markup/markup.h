// Converts files of structured text (tables, mail, office files) to HTML, which the pdf room then
// lays out on pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/embedded_file.h"
#include "fineprint/markup/html_table.h"

namespace fineprint::markup {

// A converted file.
struct Markup {
  std::string xhtml;   // well-formed; refers to nothing outside itself
  std::string format;  // "CSV", "DOCX", "an e-mail", ...
  std::string title;   // as the file gives it; often empty
  float width_pt = 0;  // width of a page that fits its widest table, in points
  int pages = 0;       // number of pages it has, such as slides; 0 if as many as its text needs
  std::string hidden;  // text that the file holds but does not show, in lines; not in `xhtml`
  std::vector<StatedTable> tables;       // in the order of `xhtml`, whose cells have the same texts
  std::vector<EmbeddedFile> files = {};  // attachments of mail that are not text
};

// Returns whether the path has the extension of a file that `read_markup` reads apart from office
// files: CSV, TSV, JSON, XML, reStructuredText, LaTeX, and mail (EML and Outlook's MSG). Case does
// not matter.
bool has_markup_name(const std::string& path);

// Returns whether the file is in an office format of 2007 or later (DOCX, PPTX, XLSX), by name and
// first bytes.
bool is_office_package(const std::string& path);

// Converts a file of either kind. Returns all its text; what the file hides is apart. Throws
// Error(damaged), Error(empty), Error(unreadable), or Error(too_large) if it has more than
// kMostBytes after unpacking. `encoding` is that of a text that neither declares its own nor shows
// it for certain; "" if it is to be guessed. So it is in the functions below.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;
Markup read_markup(const std::string& path, const std::string& encoding = {});

// Converts the XML of an XFA form: its texts, and its fields with their values. `xhtml` is empty if
// there are none. Throws Error(damaged) or Error(too_large).
Markup form_markup(const std::string& name, const std::string& xml);

// Does the same as read_markup with bytes in memory. `name` selects the reader by its extension and
// is used in messages.
Markup to_markup(const std::string& name, const std::string& bytes);

// An HTML file without the parts that a browser does not show and without pictures in other files,
// and with the contents of form fields as text.
struct ShownHtml {
  std::string html;    // in UTF-8
  std::string hidden;  // the text of those parts, in lines
};

// Returns whether the path has the extension of an HTML file.
bool is_html_name(const std::string& path);

// Reads an HTML file. Returns nullopt if nothing in it changes, or if the path has another
// extension. Styles in other files are not read; what they may change stays. Throws
// Error(unreadable).
std::optional<ShownHtml> shown_html(const std::string& path, const std::string& encoding = {});

// Returns the contents of a file of text, Markdown, HTML or FB2 in UTF-8, and declared as such, for
// MuPDF, which knows few encodings. Returns nullopt if they are so already, and for all other
// files. Throws Error(unsupported) if the encoding is not known, and Error(unreadable).
std::optional<std::string> text_in_utf8(const std::string& path, const std::string& encoding = {});

// Returns whether the path is that of a file of HTML or Markdown, whose tables stated_tables()
// reads.
bool states_tables(const std::string& path);

// Returns the tables of such a file, whose contents are `text` in UTF-8. Returns none for other
// files.
std::vector<StatedTable> stated_tables(const std::string& path, const std::string& text);

}  // namespace fineprint::markup
