// The table of file formats: their extensions, their first bytes, and who opens them. Modules that
// handle files read it, so that a format that an existing reader opens is added by one row.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint {

// Who opens the files of a format. The module `pdf` lays out and draws what the others return.
enum class FormatReader : std::uint8_t {
  none,         // nobody: files are refused with an error that names the format
  mupdf,        // MuPDF (`pdf`), the file as it is
  webp,         // libwebp (`image`), as pixels
  heif,         // libheif (`image`), as pixels
  separated,    // `markup`: a table whose separator is guessed
  tabbed,       // `markup`: a table whose separator is the tab
  json,         // `markup`: indented
  xml,          // `markup`: values with the names of their elements
  as_written,   // `markup`: text as it is written, whose own markup is not interpreted
  mail,         // `markup`: headers, text, and mail in mail
  outlook,      // `markup`: the same of Outlook's messages
  package,      // LibreOffice (`documents`), as a PDF; without it `markup`, as running text
  libreoffice,  // LibreOffice (`documents`), as a PDF; there is no other reader
};

// Bytes that files of a format have at one place near their beginning.
struct FileSignature {
  // A '?' is any byte. For example, "RIFF????WEBPVP8?".
  std::string_view bytes;
  std::size_t at = 0;  // bytes before it
  // What messages call a file with this signature, if that is not the name of the format. For
  // example, "a ZIP archive" for DOCX, because other archives begin in the same way.
  std::string_view name = {};

  // Returns whether a file that begins with `head` has this signature.
  bool fits(std::string_view head) const;
};

// No signature reaches further into a file, so this many bytes of it are enough to compare.
inline constexpr std::size_t kSignatureBytes = 80;

// A row of the table. Texts live as long as the program.
struct FileFormat {
  // In lower case and without a dot. The first one is the kind that `--kind` and lists show, the
  // others are aliases of it. Empty if files are recognised only by their first bytes.
  std::vector<std::string_view> extensions;
  std::string_view name;  // "PNG", "reStructuredText"; in messages and lists
  FormatReader reader = FormatReader::none;
  std::vector<std::string_view> groups = {};   // each one of kFormatGroups
  std::vector<FileSignature> signatures = {};  // alternatives
  // True if titles in the metadata of documents are often names of such files ("letter.doc").
  bool in_titles = false;

  // Returns the usual extension, for example "jpg" for all JPEG files, or "" if there is none.
  std::string_view kind() const { return extensions.empty() ? "" : extensions.front(); }
  bool is_in(std::string_view group) const;
  // Returns whether files are texts that may be in any encoding: plain text, markup, tables of
  // text.
  bool is_encoded_text() const;
  // Returns what messages call a file that begins with `head`, or "" if no signature fits.
  std::string_view name_of(std::string_view head) const;
  bool fits(std::string_view head) const { return !name_of(head).empty(); }
};

// The groups of kinds that `--kind` knows. A format may be in several, for example XLSX in "office"
// and "table", or in none.
inline constexpr std::array<std::string_view, 6> kFormatGroups = {"book",   "image", "mail",
                                                                  "office", "table", "text"};

// Returns all formats, those with more special signatures before those with more general ones.
std::span<const FileFormat> file_formats();

// Returns the format whose signature a file begins with, or nullptr if none fits. `bytes` is the
// file or its beginning, of which kSignatureBytes are looked at.
const FileFormat* format_of_bytes(std::string_view bytes);

// Returns the format with this extension, which is in lower case and without a dot, or nullptr if
// there is none.
const FileFormat* format_of_extension(std::string_view extension);
// Returns the format that a file has by its name, or nullptr if it is unknown. Case does not
// matter.
const FileFormat* format_of_name(std::string_view path);

// Returns the extension in lower case and without its dot, or "" if there is none. For example,
// "pdf" for "Report.PDF", and "" for "folder.v2/report" and ".profile".
std::string extension_of(std::string_view path);

}  // namespace fineprint
