// Finds and puts states, and keeps their folder within its limit.
#include "fineprint/store/prefix_folder.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include <sys/stat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "store/prefix_file.h"

namespace fineprint::store {
namespace {

using Guard = std::lock_guard<std::mutex>;
using Kind = PrefixFileEntry::Kind;

// The resolution of the order of use, so that not every use costs a write to the disk.
constexpr auto kUseInterval = std::chrono::minutes(1);
// The folder is listed again after a sixteenth of the limit was put, because other processes put
// states too. If room is needed, a sixteenth of the limit is freed at once.
constexpr std::uint64_t kLimitParts = 16;

// Identifies a file and shows whether it was written since.
struct Stamp {
  ino_t file = 0;
  off_t size = 0;
  std::int64_t written_s = 0, written_ns = 0;
  bool operator==(const Stamp&) const = default;
};

std::optional<Stamp> stamp_of(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return Stamp{.file = status.st_ino,
               .size = status.st_size,
               .written_s = status.st_mtim.tv_sec,
               .written_ns = status.st_mtim.tv_nsec};
}

// Stores the time of the last use as the time of writing, because states never change. If the
// folder is read-only, the time stays as it is.
void mark_used(const std::string& path) {
  std::error_code failed;
  const auto now = std::filesystem::file_time_type::clock::now();
  const auto used = std::filesystem::last_write_time(path, failed);
  if (!failed && now - used > kUseInterval) std::filesystem::last_write_time(path, now, failed);
}

void require_key(const std::string& key) {
  if (is_prefix_key(key)) return;
  throw Error(ErrorCode::internal, fineprint::format("\"{}\" is not a key of a page state", key));
}

void count(std::int64_t bytes, PrefixCount* counts) {
  ++counts->states;
  counts->bytes += bytes;
}

bool remove(const PrefixFileEntry& entry, PrefixCount* removed) {
  std::error_code failed;
  std::filesystem::remove(entry.path, failed);
  if (failed) return false;
  count(entry.bytes, removed);
  return true;
}

std::uint64_t total_bytes(const std::vector<PrefixFileEntry>& entries) {
  std::int64_t sum = 0;
  for (const PrefixFileEntry& entry : entries) sum += entry.bytes;
  return static_cast<std::uint64_t>(sum);
}

// Returns an empty text if the file is sound.
std::string fault_of(const PrefixFileEntry& entry) {
  switch (entry.kind) {
    case Kind::being_written:
      return {};
    case Kind::foreign:
      return "is not a page state; move it away";
    case Kind::left_over:
      return "was left by a process that died while writing; delete it, or index with --prune";
    case Kind::state:
      break;
  }
  std::string fault;
  if (open_prefix(entry.path, entry.key, Look::at_all, &fault) != nullptr) return {};
  return fineprint::format("is not used: {}; delete it, or index with --prune", fault);
}

// What pruning deleted, and the bytes of all files that are left.
struct Pruned {
  PrefixCount removed;
  std::uint64_t left_bytes = 0;
};

// Keeps files of other programs and files that are being written: it counts them, but the limit can
// then be missed.
Pruned prune_folder(const std::string& folder, std::uint64_t limit) {
  PrefixCount removed;
  std::vector<PrefixFileEntry> entries = list_prefix_files(folder);
  std::ranges::sort(entries, {},
                    [](const PrefixFileEntry& entry) { return std::tie(entry.used, entry.path); });
  std::uint64_t bytes = total_bytes(entries);
  for (const PrefixFileEntry& entry : entries) {
    if (bytes <= limit) break;
    const bool ours = entry.kind == Kind::state || entry.kind == Kind::left_over;
    if (ours && remove(entry, &removed)) bytes -= static_cast<std::uint64_t>(entry.bytes);
  }
  return {.removed = removed, .left_bytes = bytes};
}

}  // namespace

struct PrefixFolder::State {
  State(const std::string& store_dir, PrefixFolderOptions prefix_folder_options)
      : folder(store_dir + "/states"), options(std::move(prefix_folder_options)) {}

  std::string path_of(const std::string& key) const { return folder + "/" + prefix_file_name(key); }
  bool is_known(const std::string& key, const Stamp& stamp);
  void remember(const std::string& key, const Stamp& stamp);
  void report_damaged(const std::string& key, const std::string& reason);
  bool is_there(const std::string& key);
  bool begin_put(const std::string& key);
  bool make_room(std::uint64_t bytes);
  bool may_hold(std::uint64_t bytes);
  void end_put(const std::string& key, const std::string& failure);
  void warn_once(const std::string& what);

  const std::string folder;
  const PrefixFolderOptions options;
  std::mutex mutex;                    // guards everything below
  std::map<std::string, Stamp> known;  // files whose checksum was right
  std::set<std::string> damaged;       // keys whose file is damaged
  std::set<std::string> being_put;
  std::optional<std::uint64_t> total;  // bytes when the folder was last listed, plus put since
  std::uint64_t put_since = 0;
  bool warned = false, failed = false;
};

// A file with another stamp was replaced, so its checksum must be compared again.
bool PrefixFolder::State::is_known(const std::string& key, const Stamp& stamp) {
  const Guard guard(mutex);
  const auto found = known.find(key);
  return found != known.end() && found->second == stamp;
}

void PrefixFolder::State::remember(const std::string& key, const Stamp& stamp) {
  const Guard guard(mutex);
  known[key] = stamp;
  damaged.erase(key);
}

// Warns once for each key. A file that vanished is no damage.
void PrefixFolder::State::report_damaged(const std::string& key, const std::string& reason) {
  const std::string path = path_of(key);
  if (!stamp_of(path)) return;  // another process has just made room
  const Guard guard(mutex);
  if (!damaged.insert(key).second) return;
  log::warn("{} is not used: {}; its content is computed again", path, reason);
}

// A damaged file does not count, so that put() replaces it.
bool PrefixFolder::State::is_there(const std::string& key) {
  {
    const Guard guard(mutex);
    if (damaged.contains(key)) return false;
  }
  std::string fault;
  return open_prefix(path_of(key), key, Look::at_header, &fault) != nullptr;
}

// Only one thread writes a state; others return at once.
bool PrefixFolder::State::begin_put(const std::string& key) {
  const Guard guard(mutex);
  return !failed && being_put.insert(key).second;
}

void PrefixFolder::State::end_put(const std::string& key, const std::string& failure) {
  const Guard guard(mutex);
  being_put.erase(key);
  damaged.erase(key);
  if (failure.empty()) return;
  failed = true;
  warn_once(fineprint::format("no more page states are kept: {}", failure));
}

// The caller must hold the lock, here and in may_hold().
void PrefixFolder::State::warn_once(const std::string& what) {
  if (!warned) log::warn("{}", what);
  warned = true;
}

// Conditions that no deletion can change. Warns only once, because every further put() would fail
// alike.
bool PrefixFolder::State::may_hold(std::uint64_t bytes) {
  std::error_code unknown;
  const auto space = std::filesystem::space(folder, unknown);
  if (bytes > options.limit_bytes) {
    warn_once(fineprint::format("a page state of {} bytes is not kept: --states-bytes is {}", bytes,
                                options.limit_bytes));
    return false;
  }
  if (!unknown && space.available < bytes + options.leave_free_bytes) {
    warn_once(
        fineprint::format("page states are not kept in {}: less than {} bytes of the disk "
                          "would stay free",
                          folder, options.leave_free_bytes));
    return false;
  }
  return true;
}

// Reserves room for `bytes` more, and deletes old states if they would exceed the limit. Returns
// false if the state must not be put.
bool PrefixFolder::State::make_room(std::uint64_t bytes) {
  const Guard guard(mutex);
  const std::uint64_t limit = options.limit_bytes, part = limit / kLimitParts;
  if (!may_hold(bytes)) return false;
  if (!total || put_since > part || *total + bytes > limit) {
    total = total_bytes(list_prefix_files(folder));
    put_since = 0;
  }
  if (*total + bytes > limit) {
    const std::uint64_t most = limit - bytes;
    const PrefixCount removed = prune_folder(folder, most - std::min(most, part)).removed;
    *total -= std::min(*total, static_cast<std::uint64_t>(removed.bytes));
    log::step("made room in {}: deleted {} states", folder, removed.states);
  }
  if (*total + bytes > limit) {
    warn_once(
        fineprint::format("page states are not kept in {}: it holds {} bytes that cannot be "
                          "deleted, and --states-bytes is {}",
                          folder, *total, limit));
    return false;
  }
  *total += bytes;
  put_since += bytes;
  return true;
}

PrefixFolder::PrefixFolder(const std::string& store_dir, PrefixFolderOptions options)
    : state_(std::make_unique<State>(store_dir, std::move(options))) {}

PrefixFolder::~PrefixFolder() = default;

std::optional<FoundPrefix> PrefixFolder::find(const std::string& key) const {
  require_key(key);
  const std::string path = state_->path_of(key);
  const auto before = stamp_of(path);
  if (!before) return std::nullopt;
  const Look look = state_->is_known(key, *before) ? Look::at_header : Look::at_all;
  std::string fault;
  const auto file = open_prefix(path, key, look, &fault);
  if (file == nullptr) {
    state_->report_damaged(key, fault);
    return std::nullopt;
  }
  mark_used(path);
  // While the file is mapped, no other file can have its inode. So an equal inode means that the
  // stamp belongs to the file whose checksum was compared.
  const auto after = stamp_of(path);
  if (after && after->file == before->file) state_->remember(key, *after);
  return FoundPrefix{file->bytes(), file};
}

bool PrefixFolder::holds(const std::string& key) const {
  require_key(key);
  return state_->is_there(key);
}

// Catches everything: a state that cannot be kept must never fail the question that made it.
bool PrefixFolder::put(const std::string& key,
                       std::span<const std::span<const std::uint8_t>> pieces) {
  if (holds(key)) return true;
  if (!state_->begin_put(key)) return false;
  std::uint64_t bytes = 0;
  for (const auto piece : pieces) bytes += piece.size();
  bool put = false;
  std::string failure;
  try {
    std::filesystem::create_directories(state_->folder);
    if (state_->make_room(bytes)) {
      write_prefix(state_->path_of(key), key, state_->options.model, pieces);
      put = true;
    }
  } catch (const std::exception& error) {
    failure = error.what();
  }
  state_->end_put(key, failure);
  return put;
}

// Files that are being written belong to other processes and are no part of the summary yet.
PrefixSummary PrefixFolder::summary() const {
  PrefixSummary summary;
  for (const PrefixFileEntry& entry : list_prefix_files(state_->folder)) {
    if (entry.kind == Kind::being_written) continue;
    std::string fault;
    const auto file = entry.kind == Kind::state
                          ? open_prefix(entry.path, entry.key, Look::at_header, &fault)
                          : nullptr;
    count(entry.bytes, file == nullptr ? &summary.unusable : &summary.by_model[file->model()]);
  }
  return summary;
}

// Files that are being written are no fault.
std::vector<std::string> PrefixFolder::check() const {
  std::vector<std::string> problems;
  for (const PrefixFileEntry& entry : list_prefix_files(state_->folder)) {
    const std::string fault = fault_of(entry);
    if (!fault.empty()) problems.push_back(entry.path + " " + fault);
  }
  return problems;
}

// Keeps foreign files, because this program did not write them.
PrefixCount PrefixFolder::remove_unusable() {
  PrefixCount removed;
  for (const PrefixFileEntry& entry : list_prefix_files(state_->folder)) {
    if (entry.kind != Kind::foreign && !fault_of(entry).empty()) remove(entry, &removed);
  }
  return removed;
}

PrefixCount PrefixFolder::prune(std::uint64_t limit_bytes) {
  const Pruned pruned = prune_folder(state_->folder, limit_bytes);
  if (pruned.left_bytes > limit_bytes) {
    log::warn(
        "{}: {} bytes are left, although --states-bytes is {}; they are in files that are being "
        "written, or that are not page states and so are never deleted here (`fineprint index "
        "--verify` lists these)",
        state_->folder, pruned.left_bytes, limit_bytes);
  }
  return pruned.removed;
}

}  // namespace fineprint::store
