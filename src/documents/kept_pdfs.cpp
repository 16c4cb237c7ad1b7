// Keeps PDFs made from office files, named by the hash of their source.
#include <algorithm>
#include <chrono>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/documents/office.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 32;
// Prefix of temporary folders, see Workplace in office_files.cpp.
constexpr std::string_view kWorkplace = ".making-";

// A PDF is kept as "CONTENT/PDF.pdf", where both parts are hashes: of the office file and of the
// PDF.
bool is_hash(const std::string& name) {
  return name.size() == kHashDigits &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// The file name is the hash of the contents, so that damage shows without another record.
bool is_whole(const fs::path& pdf) {
  try {
    return file_hash(pdf.string()) == pdf.stem().string();
  } catch (const Error&) {
    return false;
  }
}

// Returns the entries of a folder in the order of their names, or none if it does not exist. A
// fixed order makes `find` choose the same PDF each time.
std::vector<fs::path> entries_of(const std::string& folder) {
  std::vector<fs::path> out;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

// A run that was killed left such a folder, because no conversion takes a day.
bool is_old(const fs::path& file) {
  std::error_code failure;
  const auto written = fs::last_write_time(file, failure);
  return !failure && fs::file_time_type::clock::now() - written > std::chrono::hours(24);
}

}  // namespace

std::string KeptPdfs::find(const std::string& content_hash) const {
  for (const fs::path& pdf : entries_of(folder_ + "/" + content_hash)) {
    if (is_whole(pdf)) return pdf.string();
    std::error_code ignored;
    fs::remove(pdf, ignored);
  }
  return {};
}

std::string KeptPdfs::keep(const std::string& content_hash, const std::string& pdf) const {
  // Several threads or runs may convert the same content. All of them continue with the first
  // result.
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
      problems.push_back(
          format("{}: this PDF is damaged; it is made again when it is needed", pdf.string()));
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
      fs::remove(entry, ignored);  // succeeds only if it is empty
    } else if (name.starts_with(kWorkplace) && is_old(entry)) {
      fs::remove_all(entry, ignored);
    }
  }
  return dropped;
}

}  // namespace fineprint::documents
