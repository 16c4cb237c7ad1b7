// Files of text with structure (tables, mail, office files) as HTML, which is laid out on pages of
// our own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

struct Markup {
  std::string xhtml;   // well-formed; nothing in it is fetched from elsewhere
  std::string format;  // "CSV", "DOCX", "an e-mail", ...
  std::string title;   // from the file itself; often empty
  float width_pt = 0;  // of the pages that hold its widest table
};

// Of the files that are read here, each with its dot: CSV, TSV, JSON, reStructuredText, LaTeX, mail
// (EML and Outlook's MSG).
std::vector<std::string_view> extensions();
bool has_markup_name(const std::string& path);

// Whether it is an office file of 2007 and later (DOCX, PPTX, XLSX), by name and first bytes.
bool is_office_package(const std::string& path);

// The whole text of a file of either kind, whatever else it may hold. Throws Error(damaged),
// Error(empty), Error(unreadable), or Error(too_large) over kMostBytes, unpacked.
inline constexpr std::size_t kMostBytes = std::size_t{256} << 20;
Markup read_markup(const std::string& path);

// The same of bytes; `name` chooses the reader and stands in messages.
Markup to_markup(const std::string& name, const std::string& bytes);

}  // namespace fineprint::markup
