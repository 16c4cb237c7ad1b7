// Keeps copies and facts about them.
#include "fetch/copies.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/option.h"

namespace fineprint::fetch {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKnownCopies = "/.copies.jsonl";
constexpr const char* kPartsFolder = "/.parts";
// Copies may be confidential, and the cache folder may be readable for others.
constexpr mode_t kOwnerOnly = 0600;

[[noreturn]] void refuse_write(const std::string& file, int reason) {
  throw Error(ErrorCode::unreadable,
              format("{}: cannot be written: {}", file, std::strerror(reason)));
}

// Lines that cannot be read are passed over: their files are fetched again.
std::map<std::string, Copied> read_known(const std::string& file) {
  std::map<std::string, Copied> known;
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return known;
  for (const std::string& line : split_texts(read_file(file), '\n')) {
    try {
      const Json record = parse_json(line, file);
      const std::string path = record.at("path").get<std::string>();
      if (record.contains("bytes")) {
        known[path] = {.etag = record.at("etag").get<std::string>(),
                       .modified = record.at("modified").get<std::string>(),
                       .bytes = record.at("bytes").get<std::uint64_t>()};
      } else {
        known.erase(path);
      }
    } catch (const std::exception&) {
    }
  }
  return known;
}

std::uint64_t file_bytes(const std::string& file) {
  struct stat facts{};
  const bool is_file = stat(file.c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
  return is_file ? static_cast<std::uint64_t>(facts.st_size) : 0;
}

// Gives the copy the time of the original, by which --since chooses.
void set_time(const std::string& file, const std::string& modified) {
  const time_t seconds = modified.empty() ? -1 : curl_getdate(modified.c_str(), nullptr);
  if (seconds < 0) return;
  const timespec times[2] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT},
                             {.tv_sec = seconds, .tv_nsec = 0}};
  utimensat(AT_FDCWD, file.c_str(), times, 0);
}

}  // namespace

Copies::Copies(const std::string& folder) : folder_(folder) {
  make_folders(folder + kPartsFolder);
  chmod(folder.c_str(), S_IRWXU);
  const std::string file = folder + kKnownCopies;
  lines_ = std::make_unique<LineAppender>(file);
  known_ = read_known(file);
}

std::optional<Copied> Copies::find(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = known_.find(path);
  if (found == known_.end()) return std::nullopt;
  struct stat facts{};
  const bool is_there = stat(place_of(path).c_str(), &facts) == 0 && S_ISREG(facts.st_mode);
  const bool is_whole =
      is_there && static_cast<std::uint64_t>(facts.st_size) == found->second.bytes;
  return is_whole ? std::optional(found->second) : std::nullopt;
}

std::vector<std::string> Copies::all_below(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [one, facts] : known_) {
    const bool is_below = path.empty() || one == path || one.starts_with(path + "/");
    if (is_below) out.push_back(one);
  }
  return out;
}

void Copies::remove(const std::string& path) {
  std::error_code failure;
  fs::remove(place_of(path), failure);
  record(path, std::nullopt);
  for (fs::path above = fs::path(path).parent_path(); !above.empty(); above = above.parent_path()) {
    if (!fs::remove(place_of(above.string()), failure) || failure) return;  // not empty
  }
}

void Copies::record(const std::string& path, const std::optional<Copied>& facts) {
  Json line{{"path", path}};
  if (facts) {
    line["etag"] = facts->etag;
    line["modified"] = facts->modified;
    line["bytes"] = facts->bytes;
  }
  lines_->append(dump_json(line));
  const std::lock_guard lock(mutex_);
  if (facts) {
    known_[path] = *facts;
  } else {
    known_.erase(path);
  }
}

// Parts are named by a hash, because a name could be too long with an ending.
std::string Copies::part_file(const std::string& path) const {
  return format("{}{}/{}", folder_, kPartsFolder, content_hash(path));
}

Part Copies::part_of(const std::string& path) const {
  const std::string file = part_file(path);
  const std::uint64_t bytes = file_bytes(file);
  if (bytes == 0) return {};
  return {.bytes = bytes, .etag = file_head(file + ".etag", 4096)};
}

// The tag is written first, so that a part never has the tag of another file.
Copies::PartWriter::PartWriter(Copies& copies, const std::string& path, const std::string& etag,
                               bool from_start)
    : file_(copies.part_file(path)) {
  if (from_start) {
    copies.drop_part(path);
    if (!etag.empty()) write_file_atomic(file_ + ".etag", etag);
  }
  descriptor_ = open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly);
  if (descriptor_ < 0) refuse_write(file_, errno);
}

Copies::PartWriter::~PartWriter() { close(descriptor_); }

void Copies::PartWriter::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) refuse_write(file_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Copies::drop_part(const std::string& path) {
  const std::string file = part_file(path);
  unlink(file.c_str());
  unlink((file + ".etag").c_str());
}

// The content reaches the disk before the name, so that a copy is never half a file.
void Copies::finish(const std::string& path, const Copied& facts) {
  const std::string file = part_file(path), place = place_of(path);
  make_folders(fs::path(place).parent_path().string());
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kOwnerOnly);
  if (descriptor < 0) refuse_write(file, errno);
  const int synced = fsync(descriptor);
  const int reason = errno;
  close(descriptor);
  if (synced != 0) refuse_write(file, reason);
  set_time(file, facts.modified);
  if (rename(file.c_str(), place.c_str()) != 0) refuse_write(place, errno);
  drop_part(path);
  record(path, facts);
}

}  // namespace fineprint::fetch
