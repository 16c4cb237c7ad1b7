// Opens the library of the document workers, in a worker or where its facts are asked for.
#include "fineprint/documents/reading_library.h"

#include <cstdio>
#include <filesystem>

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/own_library.h"
#include "fineprint/documents/protocol.h"

namespace fineprint::documents {
namespace {

Error unusable(const std::string& path, const std::string& why) {
  return Error(
      ErrorCode::internal,
      format("{}: {}; install fineprint again, or build it with scripts/fineprint", path, why));
}

std::string reading_library_path() { return own_library_path(kReadingLibrary); }

// By its own path where that still names it: what the library needs may be looked for beside it.
std::string given_library_path() {
  const std::string given = format("/proc/self/fd/{}", kReadingDescriptor);
  std::string beside = reading_library_path();
  struct stat there{}, here{};
  if (fstat(kReadingDescriptor, &here) != 0 || !S_ISREG(here.st_mode)) return beside;
  const bool same = stat(beside.c_str(), &there) == 0 && there.st_dev == here.st_dev &&
                    there.st_ino == here.st_ino;
  return same ? beside : given;
}

const ReadingTable* open_reading_library(const std::string& path) {
  // All at once: what is missing is told here, and not in the middle of a document.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw unusable(path, format("cannot be opened: {}", dlerror()));
  void* function = dlsym(library, kReadingEntry);
  if (function == nullptr) throw unusable(path, "is not this program's library for documents");
  const ReadingTable* table = reinterpret_cast<ReadingEntry*>(function)(kReadingInterface);
  if (table == nullptr) throw unusable(path, "belongs to another build of this program");
  return table;
}

}  // namespace

void check_reading_library() {
  const std::string path = reading_library_path();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw unusable(path, "is missing, and documents are read by it");
  }
}

int held_reading_library() {
  static int file = [] {
    const int opened = open(reading_library_path().c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return -1;
    // Above the places that a worker's descriptors are put in.
    const int moved = fcntl(opened, F_DUPFD_CLOEXEC, kReadingDescriptor + 1);
    close(opened);
    return moved;
  }();
  return file;
}

const ReadingTable& reading() {
  static const ReadingTable* table = open_reading_library(reading_library_path());
  return *table;
}

int worker_main() {
  try {
    const ReadingTable* table = open_reading_library(given_library_path());
    close(kReadingDescriptor);
    return table->worker_main();
  } catch (const Error& error) {
    std::fprintf(stderr, "document worker: %s\n", error.what());
    return kNoLibraryExit;
  }
}

}  // namespace fineprint::documents
