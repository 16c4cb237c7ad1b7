// Writes a file piece by piece and renames it into place at the end.
#include "fineprint/core/atomic_file.h"

#include <cstdio>

#include <fcntl.h>
#include <unistd.h>

#include "core/file_descriptor.h"

namespace fineprint {
namespace {

// Pieces are collected up to this size, so that short ones do not cost a system call each.
constexpr std::size_t kWaitingBytes = std::size_t{1} << 16;

}  // namespace

struct AtomicFile::State {
  explicit State(const std::string& name)
      : path(name),
        temporary(name + ".tmp-" + std::to_string(::getpid())),
        // O_TRUNC, not O_EXCL: a killed process with the same id may have left a file of this name.
        file(open_file(temporary, O_WRONLY | O_CREAT | O_TRUNC)) {}

  std::string path, temporary;  // `temporary` is empty after the file has become `path`
  FileDescriptor file;
  std::string waiting;  // not yet written
};

AtomicFile::AtomicFile(const std::string& path) : state_(std::make_unique<State>(path)) {}

AtomicFile::~AtomicFile() {
  if (!state_->temporary.empty()) ::unlink(state_->temporary.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  State& state = *state_;
  state.waiting += bytes;
  if (state.waiting.size() < kWaitingBytes) return;
  write_all(state.file, state.temporary, state.waiting);
  state.waiting.clear();
}

void AtomicFile::finish() {
  State& state = *state_;
  write_all(state.file, state.temporary, state.waiting);
  // The content must be on disk before the name is: after a crash the name must not lead to a file
  // whose bytes were never written.
  sync_file(state.file, state.temporary);
  if (std::rename(state.temporary.c_str(), state.path.c_str()) != 0) {
    throw_file_error("replace", state.path);
  }
  state.temporary.clear();
  sync_parent(state.path);
}

}  // namespace fineprint
