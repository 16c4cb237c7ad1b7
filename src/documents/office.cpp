// Recognises office files and finds LibreOffice.
#include "fineprint/documents/office.h"

#include <algorithm>
#include <filesystem>

#include <unistd.h>

#include "fineprint/core/files.h"
#include "fineprint/core/formats.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

// Returns the binary if there is one next to the start script. Only the binary reports by signal
// how it ended; a script turns signals into exit codes.
std::string program_in(const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {"soffice", "libreoffice"}) {
    const fs::path script = fs::canonical(folder / name, ignored);
    if (ignored || access(script.c_str(), X_OK) != 0 || !fs::is_regular_file(script, ignored)) {
      continue;
    }
    const fs::path binary = script.parent_path() / "soffice.bin";
    return access(binary.c_str(), X_OK) == 0 ? binary.string() : script.string();
  }
  return {};
}

// LibreOffice's own packages install to folders such as /opt/libreoffice24.8/program. Returns the
// last by name, which is usually the newest.
std::string program_in_opt() {
  std::error_code failure;
  std::string found;
  for (const auto& entry : fs::directory_iterator("/opt", failure)) {
    if (!entry.path().filename().string().starts_with("libreoffice")) continue;
    found = std::max(found, program_in(entry.path() / "program"));
  }
  return found;
}

bool is_office_format(const FileFormat& format) {
  return format.reader == FormatReader::package || format.reader == FormatReader::libreoffice;
}

}  // namespace

std::string find_office_program(std::string_view search_path) {
  while (!search_path.empty()) {
    const std::size_t end = std::min(search_path.find(':'), search_path.size());
    if (end > 0) {
      const std::string found = program_in(search_path.substr(0, end));
      if (!found.empty()) return found;
    }
    search_path.remove_prefix(std::min(end + 1, search_path.size()));
  }
  for (const char* folder : {"/usr/bin", "/usr/local/bin", "/usr/lib/libreoffice/program"}) {
    if (std::string found = program_in(folder); !found.empty()) return found;
  }
  return program_in_opt();
}

bool has_office_name(const std::string& path) {
  const FileFormat* format = format_of_name(path);
  return format != nullptr && is_office_format(*format);
}

bool is_office_file(const std::string& path) {
  if (!has_office_name(path)) return false;
  // LibreOffice looks for itself which office format a file has, so the signature need not be that
  // of the extension. Eight bytes contain those of ZIP archives, compound files and RTF, but not
  // the type of an OpenDocument file, without which it is still a ZIP archive.
  const std::string head = file_head(path, 8);
  return std::ranges::any_of(file_formats(), [&](const FileFormat& format) {
    return is_office_format(format) && format.fits(head);
  });
}

}  // namespace fineprint::documents
