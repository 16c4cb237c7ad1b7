// Which files are office files, where LibreOffice is, and the PDFs that are kept.
#include "fineprint/documents/office.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 13> kExtensions = {
    ".docx", ".docm", ".doc", ".pptx", ".pptm", ".ppt", ".xlsx",
    ".xlsm", ".xls",  ".odt", ".odp",  ".ods",  ".rtf"};

using namespace std::string_view_literals;
constexpr std::array<std::string_view, 3> kSignatures = {
    "PK\3\4"sv, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "{\\rtf"sv};

constexpr std::size_t kHashDigits = 32;
constexpr std::string_view kWorkplace = ".making-";

// The program itself where a script lies beside it: its ends are told apart by signal.
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

// LibreOffice's own packages: /opt/libreoffice24.8/program; the newest by name.
std::string program_in_opt() {
  std::error_code failure;
  std::string found;
  for (const auto& entry : fs::directory_iterator("/opt", failure)) {
    if (!entry.path().filename().string().starts_with("libreoffice")) continue;
    found = std::max(found, program_in(entry.path() / "program"));
  }
  return found;
}

// A PDF is "CONTENT/PDF.pdf", both being hashes.
bool is_hash(const std::string& name) {
  return name.size() == kHashDigits &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool is_whole(const fs::path& pdf) {
  try {
    return file_hash(pdf.string()) == pdf.stem().string();
  } catch (const Error&) {
    return false;
  }
}

// The entries of a folder, in the order of their names; none when it is not there.
std::vector<fs::path> entries_of(const std::string& folder) {
  std::vector<fs::path> out;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

// Left by a run that was killed: nobody converts for so long.
bool is_old(const fs::path& file) {
  std::error_code failure;
  const auto written = fs::last_write_time(file, failure);
  return !failure && fs::file_time_type::clock::now() - written > std::chrono::hours(24);
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

std::string KeptPdfs::find(const std::string& content_hash) const {
  for (const fs::path& pdf : entries_of(folder_ + "/" + content_hash)) {
    if (is_whole(pdf)) return pdf.string();
    std::error_code ignored;
    fs::remove(pdf, ignored);
  }
  return {};
}

std::string KeptPdfs::keep(const std::string& content_hash, const std::string& pdf) const {
  // Several may have made one of the same content: all go on with the first.
  if (std::string found = find(content_hash); !found.empty()) return found;
  const std::string place = folder_ + "/" + content_hash;
  std::string name = place + "/" + file_hash(pdf) + ".pdf";
  make_folders(place);
  std::error_code failure;
  fs::rename(pdf, name, failure);
  if (failure) throw Error(ErrorCode::unreadable, format("{}: {}", name, failure.message()));
  return name;
}

std::vector<std::string> KeptPdfs::check() const {
  std::vector<std::string> problems;
  for (const fs::path& content : entries_of(folder_)) {
    if (!is_hash(content.filename().string())) continue;
    for (const fs::path& pdf : entries_of(content.string())) {
      if (is_whole(pdf)) continue;
      problems.push_back(format("{}: damaged; it is made anew when it is needed", pdf.string()));
    }
  }
  return problems;
}

std::int64_t KeptPdfs::prune(const std::set<std::string>& content_hashes) const {
  std::int64_t dropped = 0;
  std::error_code ignored;
  for (const fs::path& entry : entries_of(folder_)) {
    const std::string name = entry.filename().string();
    if (is_hash(name)) {
      const bool wanted = content_hashes.contains(name);
      for (const fs::path& pdf : entries_of(entry.string())) {
        if (!wanted || !is_whole(pdf)) dropped += fs::remove(pdf, ignored) ? 1 : 0;
      }
      fs::remove(entry, ignored);  // if it is empty now
    } else if (name.starts_with(kWorkplace) && is_old(entry)) {
      fs::remove_all(entry, ignored);
    }
  }
  return dropped;
}

}  // namespace fineprint::documents
