// Appends lines to a file so that after a crash each line is complete or absent.
#include <algorithm>
#include <cerrno>
#include <memory>
#include <mutex>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "core/file_descriptor.h"

namespace fineprint {
namespace {

// Bytes read at a time while searching backwards for the last newline.
constexpr off_t kStepBack = 1 << 16;

// Returns the offset just after the last newline of the file; 0 if there is none.
off_t end_of_last_line(const FileDescriptor& file, const std::string& path, off_t size) {
  std::vector<char> block(static_cast<std::size_t>(kStepBack));
  for (off_t end = size; end > 0;) {
    const off_t begin = std::max<off_t>(0, end - kStepBack);
    const ssize_t got =
        ::pread(file.value(), block.data(), static_cast<std::size_t>(end - begin), begin);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) throw_file_error("read", path);
    for (ssize_t i = got; i > 0; --i) {
      if (block[static_cast<std::size_t>(i - 1)] == '\n') return begin + i;
    }
    end = begin;
  }
  return 0;
}

void cut(const FileDescriptor& file, const std::string& path, off_t size) {
  if (::ftruncate(file.value(), size) != 0) throw_file_error("shorten", path);
}

}  // namespace

struct LineAppender::State {
  std::string path;
  FileDescriptor file;
  std::mutex mutex;
};

LineAppender::LineAppender(const std::string& path) : state_(nullptr) {
  auto state = std::unique_ptr<State>(
      new State{.path = path, .file = open_file(path, O_RDWR | O_CREAT | O_APPEND), .mutex = {}});
  // The lock goes with the open file, so the kernel releases it even if the process is killed.
  if (::flock(state->file.value(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) throw_file_error("lock", path);
    throw Error(ErrorCode::input,
                path + " is being written by another process; wait for it or name another file");
  }
  const off_t size = ::lseek(state->file.value(), 0, SEEK_END);
  if (size < 0) throw_file_error("append to", path);
  if (const off_t whole = end_of_last_line(state->file, path, size); whole < size) {
    cut(state->file, path, whole);
  }
  sync_file(state->file, path);
  sync_parent(path);
  state_ = state.release();
}

LineAppender::~LineAppender() { delete state_; }

void LineAppender::append(std::string_view line) {
  if (line.find('\n') != std::string_view::npos) {
    throw Error(ErrorCode::internal, "a line to append to " + state_->path + " contains a newline");
  }
  const std::lock_guard lock(state_->mutex);
  const off_t before = ::lseek(state_->file.value(), 0, SEEK_END);
  if (before < 0) throw_file_error("append to", state_->path);
  try {
    write_all(state_->file, state_->path, std::string(line) + '\n');
  } catch (const Error&) {
    // A full disk leaves a part of the line. The next line must not be appended to it.
    cut(state_->file, state_->path, before);
    throw;
  }
  sync_file(state_->file, state_->path);
}

}  // namespace fineprint
