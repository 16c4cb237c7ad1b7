// Office files (DOCX, ODT, ...), which LibreOffice converts to PDFs if it is installed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::documents {

// How office files become PDFs.
struct OfficeOptions {
  // Path of LibreOffice's `soffice`. If it is empty, DOCX, PPTX and XLSX are read as running text,
  // and other office files are not read.
  std::string program;
  // Folder that keeps the PDFs, named after the content that they were made from. A page's picture
  // is then the same later, even if LibreOffice has been updated or removed by then. If it is
  // empty, the PDFs last as long as the DocumentWorkers object.
  std::string folder;
};

// Returns the path of `soffice`. Looks in the folders of `search_path` first (joined by ':', as in
// PATH), then where distributions and LibreOffice's own packages install it. Returns "" if it is
// not installed.
std::string find_office_program(std::string_view search_path);

// Returns whether the file's name has an extension of an office format.
bool has_office_name(const std::string& path);
// Returns whether the first bytes of the file are those of an office format, too.
bool is_office_file(const std::string& path);

// The PDFs that were made from office files and are kept in a folder. The folder need not exist.
class KeptPdfs {
 public:
  explicit KeptPdfs(std::string folder) : folder_(std::move(folder)) {}

  // Returns the path of the PDF made from content with this hash, or "" if there is none. Removes
  // the PDF if it is damaged.
  std::string find(const std::string& content_hash) const;
  // Moves a new PDF into the folder and returns its new path. If there is one already for this
  // content, returns that one. Throws Error(unreadable) if the PDF cannot be moved.
  std::string keep(const std::string& content_hash, const std::string& pdf) const;
  // Returns one line of text for each damaged PDF.
  std::vector<std::string> check() const;
  // Removes PDFs of content that is not in `content_hashes`, damaged PDFs, and temporary folders
  // that killed runs left. Returns the number of removed PDFs.
  std::int64_t prune(const std::set<std::string>& content_hashes) const;

 private:
  std::string folder_;
};

// The argument that makes the program run `converter_main` instead of its command line.
inline constexpr const char* kConverterArgument = "__office-converter";

// Runs LibreOffice for the program, under limits, and ends it when the program ends. `arguments`
// are the command line after kConverterArgument. Returns the exit code of the process.
int converter_main(const std::vector<std::string>& arguments);

}  // namespace fineprint::documents
