// Recognises documents by file name.
#include "documents/formats.h"

#include "fineprint/core/files.h"
#include "fineprint/core/formats.h"

namespace fineprint::documents {

bool has_document_name(const std::string& path) { return format_of_name(path) != nullptr; }

bool is_passed_over(const std::string& name) {
  return name.empty() || name[0] == '.' || name.starts_with("~$");
}

bool is_nameless_pdf(const std::string& path) {
  if (!extension_of(path).empty()) return false;
  return format_of_extension("pdf")->fits(file_head(path, kSignatureBytes));
}

}  // namespace fineprint::documents
