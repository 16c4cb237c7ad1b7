// Converts files of structured text (tables, mail, office files) to HTML, which the pdf room then
// lays out on pages.
#pragma once

#include <string>

namespace fineprint::markup {

// A converted file.
struct Markup {
  std::string xhtml;   // well-formed; refers to nothing outside itself
  std::string format;  // "CSV", "DOCX", "an e-mail", ...
  std::string title;   // as the file gives it; often empty
  float width_pt = 0;  // width of a page that fits its widest table, in points
};

// Returns whether the path has the extension of a file that `read_markup` reads apart from office
// files: CSV, TSV, JSON, reStructuredText, LaTeX, and mail (EML and Outlook's MSG). Case does not
// matter.
bool has_markup_name(const std::string& path);

// Returns whether the file is in an office format of 2007 or later (DOCX, PPTX, XLSX), by name and
// first bytes.
bool is_office_package(const std::string& path);

// Converts a file of either kind. Returns all its text, whatever else it may hold. Throws
// Error(damaged), Error(empty), Error(unreadable), or Error(too_large) if it has more than
// kMostBytes after unpacking.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;
Markup read_markup(const std::string& path);

// Does the same with bytes in memory. `name` selects the reader by its extension and is used in
// messages.
Markup to_markup(const std::string& name, const std::string& bytes);

}  // namespace fineprint::markup
