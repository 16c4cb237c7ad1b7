// Recognises unchanged files by what the system knows of them.
#include "models/read_once.h"

#include <algorithm>
#include <filesystem>

#include <sys/stat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"

namespace fineprint::models {
namespace {

constexpr std::chrono::hours kDay{24};
// A file that changed just now may change again within one tick of its time, which no stamp shows.
constexpr std::chrono::seconds kSettled{2};
constexpr std::size_t kMostFound = 200;  // bytes

ReadOnce::Clock::time_point time_of(const timespec& time) {
  const auto since = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  return ReadOnce::Clock::time_point(std::chrono::duration_cast<ReadOnce::Clock::duration>(since));
}

}  // namespace

ReadOnce::ReadOnce(const std::string& about, const std::vector<std::string>& paths,
                   Clock::time_point now)
    : now_(now) {
  std::string stamps = about;
  for (const std::string& path : paths) {
    struct stat file{};
    if (::stat(path.c_str(), &file) != 0) return;
    if (std::max(time_of(file.st_mtim), time_of(file.st_ctim)) + kSettled > now) return;
    stamps += format("\n{} {} {} {} {}.{} {}.{}", path, file.st_dev, file.st_ino, file.st_size,
                     file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ctim.tv_sec,
                     file.st_ctim.tv_nsec);
  }
  key_ = content_hash(stamps);
}

std::string ReadOnce::file(const std::string& name) const {
  return user_cache_dir() + "/read-once/" + key_ + "." + name;
}

std::optional<std::string> ReadOnce::find(const std::string& name) const {
  if (key_.empty()) return std::nullopt;
  try {
    const std::string path = file(name);
    struct stat kept{};
    if (::stat(path.c_str(), &kept) != 0) return std::nullopt;
    const Clock::time_point at = time_of(kept.st_mtim);
    if (at > now_ || at + kDay < now_) return std::nullopt;
    std::string found = file_head(path, kMostFound);
    // A text without its end is torn, although writing it is atomic.
    if (!found.ends_with('\n')) return std::nullopt;
    found.pop_back();
    return found;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void ReadOnce::keep(const std::string& name, const std::string& found) const {
  if (key_.empty()) return;
  try {
    make_folders(user_cache_dir() + "/read-once");
    write_file_atomic(file(name), found + "\n");
  } catch (const Error& error) {
    log::debug("not remembered for the next start: {}", std::string_view(error.what()));
  }
}

}  // namespace fineprint::models
