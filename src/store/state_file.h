// One state as a file: header, bytes, checksums; and the names of such files in a folder.
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

// Writes whole or not at all, durably. Throws Error(unreadable).
void write_state(const std::string& path, const std::string& key, const std::string& model,
                 Pieces pieces);

// A mapped state whose header fits its name and its length; `bytes_are_whole` looks at the rest.
class StateFile {
 public:
  // Throws Error(unreadable), or BlobDamage saying what is wrong.
  StateFile(const std::string& path, const std::string& key);

  std::span<const std::uint8_t> bytes() const { return bytes_; }
  const std::string& model() const { return model_; }
  bool bytes_are_whole() const;

 private:
  MappedFile map_;
  std::string model_;
  std::span<const std::uint8_t> bytes_;
  std::uint64_t checksum_ = 0;
};

enum class Look { at_header, at_all };

// nullptr, and `fault` says why, when a file cannot be read or is not what was written.
std::shared_ptr<const StateFile> open_state(const std::string& path, const std::string& key,
                                            Look look, std::string* fault);

bool is_state_key(const std::string& key);
std::string state_name(const std::string& key);

struct StateEntry {
  enum class Kind { state, being_written, left_over, foreign };
  Kind kind = Kind::foreign;
  std::string path;
  std::string key;  // of a state
  std::int64_t bytes = 0;
  std::filesystem::file_time_type used;
};

// What lies in a folder, by path; nothing when it cannot be listed.
std::vector<StateEntry> list_states(const std::string& folder);

}  // namespace fineprint::store
