// Finds the documents under files and folders.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "fineprint/core/format.h"
#include "fineprint/documents/reader.h"
#include "fineprint/pdf/document.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;

bool is_hidden_or_lock(const std::string& name) {
  return name.empty() || name[0] == '.' || name.rfind("~$", 0) == 0;
}

class Finder {
 public:
  void add(const std::string& path) {
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) {
      throw Error(ErrorCode::unreadable, format("{}: {}", path, strerror(errno)));
    }
    if (S_ISDIR(status.st_mode)) return walk(path, "", status);
    std::string problem = S_ISREG(status.st_mode) ? "" : "is not a regular file";
    found_.push_back({path, fs::path(path).filename().string(), std::move(problem)});
  }

  std::vector<FoundFile> take() {
    std::stable_sort(found_.begin(), found_.end(), [](const FoundFile& a, const FoundFile& b) {
      return a.relative < b.relative;
    });
    // A file reached twice (named, and under a named folder) is one document.
    found_.erase(std::unique(found_.begin(), found_.end(),
                             [](const FoundFile& a, const FoundFile& b) {
                               return a.relative == b.relative && a.path == b.path;
                             }),
                 found_.end());
    return std::move(found_);
  }

 private:
  // `open_` holds the folders from the root down to this one: meeting one again is a loop.
  void walk(const std::string& folder, const std::string& prefix, const struct stat& status) {
    const std::pair<dev_t, ino_t> identity(status.st_dev, status.st_ino);
    if (!open_.insert(identity).second) return;
    std::error_code failure;
    fs::directory_iterator entries(folder, failure);
    for (const fs::directory_iterator end; !failure && entries != end; entries.increment(failure)) {
      const std::string name = entries->path().filename().string();
      if (!is_hidden_or_lock(name)) visit(entries->path().string(), prefix + name);
    }
    // Also in the middle: what was not seen is not gone.
    if (failure) {
      found_.push_back({.path = folder,
                        .relative = prefix.empty() ? folder : prefix.substr(0, prefix.size() - 1),
                        .problem = "cannot be listed: " + failure.message(),
                        .unseen = true});
    }
    open_.erase(identity);
  }

  void visit(const std::string& path, const std::string& relative) {
    const bool supported = pdf::is_supported_name(path) || has_office_name(path);
    struct stat status{};
    if (stat(path.c_str(), &status) != 0) {
      // It may be a folder, unless nothing is there at all.
      const bool is_there = errno != ENOENT && errno != ELOOP;
      if (supported || is_there)
        found_.push_back(
            {.path = path, .relative = relative, .problem = strerror(errno), .unseen = is_there});
    } else if (S_ISDIR(status.st_mode)) {
      if (supported) found_.push_back({path, relative, "is a directory, not a document"});
      walk(path, relative + "/", status);
    } else if (supported) {
      found_.push_back({path, relative, S_ISREG(status.st_mode) ? "" : "is not a regular file"});
    }
  }

  std::vector<FoundFile> found_;
  std::set<std::pair<dev_t, ino_t>> open_;
};

}  // namespace

std::vector<FoundFile> find_documents(const std::vector<std::string>& paths) {
  Finder finder;
  for (const std::string& path : paths) finder.add(path);
  return finder.take();
}

}  // namespace fineprint::documents
