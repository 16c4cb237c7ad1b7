// Finds documents in files and folders.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/documents/address.h"
#include "fineprint/documents/document_workers.h"
#include "fineprint/documents/parsed_files.h"

#include "documents/formats.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

// Collects documents and detects loops of symbolic links on the way.
class Finder {
 public:
  void add(const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) {
      // The folder may be missing only for a while, for example because a drive is not mounted.
      // `unseen` keeps its documents in the store.
      found_.push_back(
          {.path = path, .relative = path, .problem = strerror(errno), .unseen = true});
      return;
    }
    any_is_there_ = true;
    if (S_ISDIR(status.st_mode)) return walk(path, "", status);
    std::string problem = S_ISREG(status.st_mode) ? "" : "is not a regular file";
    found_.push_back({path, fs::path(path).filename().string(), std::move(problem)});
  }

  Found take() {
    if (!any_is_there_ && !found_.empty()) {
      throw Error(ErrorCode::unreadable,
                  format("{}: {}", found_.front().path, found_.front().problem));
    }
    for (FoundFile& file : found_) name_by_address(&file);
    for (FoundFile& file : skipped_) name_by_address(&file);
    return {.files = sorted(std::move(found_)), .skipped = sorted(std::move(skipped_))};
  }

 private:
  // A copy of a file elsewhere is known by the address of the original.
  static void name_by_address(FoundFile* file) {
    if (std::string address = address_of_copy(file->path); !address.empty()) {
      file->relative = std::move(address);
    }
  }

  // Merges files that were reached twice, for example because a file and its folder were both
  // named.
  static std::vector<FoundFile> sorted(std::vector<FoundFile> files) {
    std::stable_sort(files.begin(), files.end(), [](const FoundFile& a, const FoundFile& b) {
      return a.relative < b.relative;
    });
    files.erase(std::unique(files.begin(), files.end(),
                            [](const FoundFile& a, const FoundFile& b) {
                              return a.relative == b.relative && a.path == b.path;
                            }),
                files.end());
    return files;
  }

  // `open_` holds the folders from the root down to this one. If a folder is in it already, links
  // form a loop.
  void walk(const std::string& folder, const std::string& prefix, const struct stat& status) {
    const std::pair<dev_t, ino_t> identity(status.st_dev, status.st_ino);
    if (!open_.insert(identity).second) return;
    std::error_code failure;
    fs::directory_iterator entries(folder, failure);
    for (const fs::directory_iterator end; !failure && entries != end; entries.increment(failure)) {
      const std::string name = entries->path().filename().string();
      if (!is_passed_over(name)) visit(entries->path().string(), prefix + name);
    }
    // Listing may also fail in the middle. The files that were not seen must not count as gone.
    if (failure) {
      found_.push_back({.path = folder,
                        .relative = prefix.empty() ? folder : prefix.substr(0, prefix.size() - 1),
                        .problem = "cannot be listed: " + failure.message(),
                        .unseen = true});
    }
    open_.erase(identity);
  }

  void visit(const std::string& path, const std::string& relative) {
    const bool supported = has_document_name(path);
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) {
      // If there is something at all, it may be a folder of documents.
      const bool is_there = errno != ENOENT && errno != ELOOP;
      if (supported || is_there)
        found_.push_back(
            {.path = path, .relative = relative, .problem = strerror(errno), .unseen = is_there});
    } else if (S_ISDIR(status.st_mode)) {
      if (supported) found_.push_back({path, relative, "is a directory, not a document"});
      walk(path, relative + "/", status);
    } else if (!S_ISREG(status.st_mode)) {
      if (supported) found_.push_back({path, relative, "is not a regular file"});
    } else {
      // Such a JSON file is read together with its PDF.
      if (belongs_to_pdf(path)) return;
      // Some programs save PDFs without an extension.
      const bool is_read = supported || is_nameless_pdf(path);
      (is_read ? found_ : skipped_).push_back({path, relative, ""});
    }
  }

  bool any_is_there_ = false;
  std::vector<FoundFile> found_;
  std::vector<FoundFile> skipped_;
  std::set<std::pair<dev_t, ino_t>> open_;
};

// Returns the name in the folder that is equal when composed, or the name itself.
fs::path spelt_in(const fs::path& folder, const fs::path& name) {
  const std::string wanted = composed_name(name.string());
  std::error_code failure;
  fs::directory_iterator entries(folder.empty() ? fs::path(".") : folder, failure);
  for (const fs::directory_iterator end; !failure && entries != end; entries.increment(failure)) {
    fs::path here = entries->path().filename();
    if (composed_name(here.string()) == wanted) return here;
  }
  return name;
}

}  // namespace

std::vector<std::string> spelt_as_on_disk(std::vector<std::string> paths) {
  for (std::string& path : paths) {
    std::error_code unknown;
    if (fs::exists(path, unknown)) continue;
    fs::path spelt;
    for (const fs::path& name : fs::path(path)) {
      spelt /= fs::exists(spelt / name, unknown) ? name : spelt_in(spelt, name);
    }
    if (fs::exists(spelt, unknown)) path = spelt.string();
  }
  return paths;
}

Found find_documents(const std::vector<std::string>& paths) {
  Finder finder;
  for (const std::string& path : paths) finder.add(path);
  return finder.take();
}

}  // namespace fineprint::documents
