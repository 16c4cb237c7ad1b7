// Office files (DOCX, ODT, ...): LibreOffice makes PDFs of them, where it is installed.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::documents {

struct OfficeOptions {
  // LibreOffice's `soffice`; empty: DOCX, PPTX and XLSX are read as running text, others not.
  std::string program;
  // Keeps the PDFs, named after what they were made of: a page's picture is the same later, also
  // where LibreOffice is another version by then, or gone. Empty: they last as long as the Reader.
  std::string folder;
};

// Where `soffice` is: in the folders of `search_path` (joined by ':'), else where distributions and
// LibreOffice's own packages put it; empty when it is not installed.
std::string find_office_program(std::string_view search_path);

// Whether a file's name is that of an office file.
bool has_office_name(const std::string& path);
// Whether its first bytes are, too.
bool is_office_file(const std::string& path);

// The PDFs that are kept of office files, in a folder that need not exist.
class KeptPdfs {
 public:
  explicit KeptPdfs(std::string folder) : folder_(std::move(folder)) {}

  // The PDF that was made of content with this hash; empty when there is none. One that is damaged
  // is dropped.
  std::string find(const std::string& content_hash) const;
  // Moves a new PDF in. Throws Error(unreadable).
  std::string keep(const std::string& content_hash, const std::string& pdf) const;
  // A line for each that is damaged.
  std::vector<std::string> check() const;
  // Drops those that were made of other content, the damaged ones, and what killed runs left.
  // Returns how many PDFs.
  std::int64_t prune(const std::set<std::string>& content_hashes) const;

 private:
  std::string folder_;
};

// The argument that makes the program run `converter_main` instead of its command line.
inline constexpr const char* kConverterArgument = "__office-converter";

// Runs LibreOffice for the program, under limits, and ends it when the program ends; `arguments`
// are what follows kConverterArgument. Returns the exit code.
int converter_main(const std::vector<std::string>& arguments);

}  // namespace fineprint::documents
