// Recognises formats by the first bytes of a file.
#include "pdf/formats.h"

#include "fineprint/core/files.h"
#include "fineprint/core/formats.h"

namespace fineprint::pdf {

std::string picture_format(const std::string& path) {
  const std::string head = file_head(path, kSignatureBytes);
  for (const FileFormat& format : file_formats()) {
    if (format.reader != FormatReader::mupdf || !format.is_in("image")) continue;
    if (const auto name = format.name_of(head); !name.empty()) return std::string(name);
  }
  return {};
}

std::string foreign_format(const std::string& path) {
  const std::string head = file_head(path, kSignatureBytes);
  for (const FileFormat& format : file_formats()) {
    if (format.reader == FormatReader::mupdf) continue;
    if (const auto name = format.name_of(head); !name.empty()) return std::string(name);
  }
  return {};
}

bool is_open_document(const std::string& path) {
  // Text, spreadsheets and presentations have the same signature.
  return format_of_extension("odt")->fits(file_head(path, kSignatureBytes));
}

}  // namespace fineprint::pdf
