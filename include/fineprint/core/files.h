// Files: whole reads, memory maps, atomic and durable writes, folders of this user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fineprint {

// The whole file. Throws Error(unreadable) naming the path and the reason.
std::string read_file(const std::string& path);

// A read-only memory map of a whole file; valid while the object lives. An empty file maps to an
// empty span. Throws Error(unreadable).
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

// Writes to a temporary name beside `path`, syncs, renames, syncs the folder: after a crash the
// file is the old one or the new one, whole. Throws Error(unreadable) naming path and reason.
void write_file_atomic(const std::string& path, std::string_view bytes);
// The same with the bytes in several pieces, so that large arrays need not be copied together.
void write_file_atomic(const std::string& path, std::span<const std::string_view> pieces);

// Makes the folder and those above it that are missing, and syncs their names: what is synced in it
// then survives a power cut. Throws Error(unreadable).
void make_folders(const std::string& path);

// Appends whole lines durably. On opening, a torn last line (no newline at the end) left by a
// crash is cut off. Takes an exclusive lock: a second writer gets Error(input).
class LineAppender {
 public:
  explicit LineAppender(const std::string& path);
  ~LineAppender();
  LineAppender(const LineAppender&) = delete;
  LineAppender& operator=(const LineAppender&) = delete;

  // Writes `line` and a newline and syncs. Safe from several threads.
  void append(std::string_view line);

 private:
  struct State;
  State* state_;
};

// $XDG_CACHE_HOME/fineprint, or ~/.cache/fineprint; not created.
std::string user_cache_dir();
// $XDG_CONFIG_HOME/fineprint, or ~/.config/fineprint; not created.
std::string user_config_dir();
// The absolute path of the running program.
std::string program_path();
// What to start for one more process of the running program: the same one, also when another file
// has taken its place since.
inline constexpr const char* kRunningProgram = "/proc/self/exe";
// Gives this process its name where it was started as `kRunningProgram`.
void take_program_name();

}  // namespace fineprint
