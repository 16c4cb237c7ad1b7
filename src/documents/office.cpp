// Recognises office files and finds LibreOffice.
#include "fineprint/documents/office.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> kExtensions = {
    ".docx", ".docm", ".doc", ".pptx", ".pptm", ".ppt", ".xlsx",
    ".xlsm", ".xls",  ".odt", ".odp",  ".ods",  ".rtf"};

using namespace std::string_view_literals;
// The first bytes of ZIP (2007 and later, OpenDocument), of Microsoft's compound files (before
// 2007), and of RTF.
constexpr std::array<std::string_view, 3> kSignatures = {
    "PK\3\4"sv, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "{\\rtf"sv};

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
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::find(kExtensions, extension) != kExtensions.end();
}

bool is_office_file(const std::string& path) {
  if (!has_office_name(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(8, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return std::ranges::any_of(kSignatures, [&](auto bytes) { return head.starts_with(bytes); });
}

}  // namespace fineprint::documents
