// Writes a file piece by piece so that it appears complete or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fineprint {

// Works like write_file_atomic, but for content that is too large to hold in memory. The bytes go
// to a temporary file next to `path`; readers see nothing under `path` before `finish` returns. If
// the object is destroyed without `finish`, the temporary file is removed and an older file stays
// as it was. All members throw Error(unreadable) with the path and the reason if the system
// refuses.
// For example:
//   AtomicFile file(path);
//   for (const auto& piece : pieces) file.write(piece);
//   file.finish();
class AtomicFile {
 public:
  // Creates the temporary file. Throws Error(unreadable) if the folder does not exist or is not
  // writable.
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  // Appends `bytes`. They may stay in a buffer until `finish`.
  void write(std::string_view bytes);
  // Writes the buffered bytes, syncs, and renames the file to `path`. Call it once, after the last
  // `write`.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint
