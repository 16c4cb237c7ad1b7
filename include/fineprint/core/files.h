// Reading, mapping and writing files so that a crash cannot tear them, and the user's own folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace fineprint {

// Returns the content of a file. Works for pipes and growing files too. Throws Error(unreadable)
// with the path and the reason.
std::string read_file(const std::string& path);

// Returns the first `most` bytes of a file, or all if it has fewer. Returns "" if it cannot be
// read, so that a file can be recognised by its beginning and whoever opens it reports the error.
std::string file_head(const std::string& path, std::size_t most);

// A read-only memory map of a file, valid while the object lives. An empty file maps to an empty
// span. The constructor throws Error(unreadable) with the path and the reason.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  // The content. Reading it raises SIGBUS if another program shortens the file in the meantime.
  std::span<const std::uint8_t> bytes() const { return {data_, size_}; }

 private:
  const std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

// Replaces the content of `path`. Writes to a temporary file in the same folder, syncs it, renames
// it and syncs the folder, so that after a crash `path` has either its old or its new content,
// never a part. Throws Error(unreadable) with the path and the reason.
void write_file_atomic(const std::string& path, std::string_view bytes);
// The same for content in several pieces, so that large arrays need not be copied into one string.
void write_file_atomic(const std::string& path, std::span<const std::string_view> pieces);

// Creates the folder and its missing parents, and syncs their names, so that files synced in it
// survive a power cut. Does nothing if it exists. Throws Error(unreadable) with the path and the
// reason.
void make_folders(const std::string& path);

// Appends lines to a file durably. The constructor creates the file if it is missing and cuts off
// an incomplete last line (without a newline), which a crash may have left. It locks the file: if
// another process has it open for appending, the constructor throws Error(input).
class LineAppender {
 public:
  explicit LineAppender(const std::string& path);
  ~LineAppender();
  LineAppender(const LineAppender&) = delete;
  LineAppender& operator=(const LineAppender&) = delete;

  // Writes `line` and a newline and syncs. Thread-safe. Throws Error(unreadable) if the disk is
  // full, for example; the file then ends with the line before. `line` must not contain a newline.
  void append(std::string_view line);

 private:
  struct State;
  State* state_;
};

// Returns $XDG_CACHE_HOME/fineprint or ~/.cache/fineprint. Does not create the folder.
std::string user_cache_dir();
// Returns $XDG_CONFIG_HOME/fineprint or ~/.config/fineprint. Does not create the folder.
std::string user_config_dir();

}  // namespace fineprint
