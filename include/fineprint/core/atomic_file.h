// A file that comes piece by piece and is there whole or not at all.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace fineprint {

// As write_file_atomic, for what is not to be held in memory: nothing is seen under `path` before
// `finish`, and a file that was not finished leaves nothing behind. All throw Error(unreadable)
// naming path and reason.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint
