// A stream of MuPDF that reads at positions of its own, because the descriptor of a given file
// shares its position with others. The functions here hold no object with a destructor, because
// MuPDF's errors leave them by longjmp.
#include "pdf/file_stream.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/given_files.h"

namespace fineprint::pdf {
namespace {

struct OpenFile {
  int descriptor;
  unsigned char buffer[8192];
};

int read_next(fz_context* context, fz_stream* stream, std::size_t /*wanted*/) {
  auto* file = static_cast<OpenFile*>(stream->state);
  ssize_t got = -1;
  do {
    got = pread(file->descriptor, file->buffer, sizeof file->buffer, stream->pos);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fz_throw(context, FZ_ERROR_SYSTEM, "read error: %s", std::strerror(errno));
  stream->rp = file->buffer;
  stream->wp = file->buffer + got;
  stream->pos += got;
  return got == 0 ? EOF : *stream->rp++;
}

// MuPDF has turned positions relative to the current one into positions from the beginning.
void seek_in(fz_context* context, fz_stream* stream, int64_t offset, int whence) {
  auto* file = static_cast<OpenFile*>(stream->state);
  struct stat facts{};
  if (whence == SEEK_END) {
    if (fstat(file->descriptor, &facts) != 0) {
      fz_throw(context, FZ_ERROR_SYSTEM, "cannot find the end: %s", std::strerror(errno));
    }
    offset += facts.st_size;
  }
  if (offset < 0) fz_throw(context, FZ_ERROR_SYSTEM, "cannot seek before the beginning");
  stream->pos = offset;
  stream->rp = stream->wp = file->buffer;
}

void close_file(fz_context* context, void* state) {
  close(static_cast<OpenFile*>(state)->descriptor);
  fz_free(context, state);
}

}  // namespace

fz_stream* open_file_stream(fz_context* context, const char* path) {
  auto* file = static_cast<OpenFile*>(fz_malloc(context, sizeof(OpenFile)));
  file->descriptor = open_to_read(path);
  if (file->descriptor < 0) {
    const int reason = errno;
    fz_free(context, file);
    fz_throw(context, FZ_ERROR_SYSTEM, "cannot open it: %s", std::strerror(reason));
  }
  // If this fails, it calls close_file.
  fz_stream* stream = fz_new_stream(context, file, read_next, close_file);
  stream->seek = seek_in;
  return stream;
}

}  // namespace fineprint::pdf
