// One state as a file (header, bytes, checksums), and the names of such files in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/files.h"

namespace fineprint::store {

using Pieces = std::span<const std::span<const std::uint8_t>>;

// Writes a state durably and completely or not at all. Throws Error(unreadable) if it cannot.
void write_prefix(const std::string& path, const std::string& key, const std::string& model,
                  Pieces pieces);

// A mapped state whose header matches its name and length. bytes_are_whole() checks the rest.
class PrefixFile {
 public:
  // Throws Error(unreadable) if the file cannot be read, or BlobDamage that names the problem.
  PrefixFile(const std::string& path, const std::string& key);

  std::span<const std::uint8_t> bytes() const { return bytes_; }
  const std::string& model() const { return model_; }
  // Returns true if the checksum of the bytes is right. Reads all of them.
  bool bytes_are_whole() const;

 private:
  MappedFile map_;
  std::string model_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t checksum_ = 0;
};

// How much of a file to check.
enum class Look { at_header, at_all };

// Returns nullptr and sets `fault` to the reason if a file cannot be read or is damaged.
std::shared_ptr<const PrefixFile> open_prefix(const std::string& path, const std::string& key,
                                              Look look, std::string* fault);

// Returns true for 1 to 128 lower-case hexadecimal digits.
bool is_prefix_key(const std::string& key);
std::string prefix_file_name(const std::string& key);

// One file of the folder.
struct PrefixFileEntry {
  enum class Kind { state, being_written, left_over, foreign };
  Kind kind = Kind::foreign;
  std::string path;
  std::string key;  // only if it is a state
  std::int64_t bytes = 0;
  std::filesystem::file_time_type used;  // time of the last use
};

// Returns the files of a folder, ordered by path; an empty list if it cannot be listed.
std::vector<PrefixFileEntry> list_prefix_files(const std::string& folder);

}  // namespace fineprint::store
