// Opens the library of the document workers, in a worker or to ask for its facts.
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

// Returns an error about the library's file, with what the user can do.
Error unusable(const std::string& path, const std::string& why) {
  return Error(
      ErrorCode::internal,
      format("{}: {}; install fineprint again, or build it with scripts/fineprint", path, why));
}

std::string reading_library_path() { return own_library_path(kReadingLibrary); }

// Returns the library's usual path if that is still the file that the program holds open. The
// dynamic loader may look for other libraries next to that path, which it cannot do for
// /proc/self/fd.
std::string given_library_path() {
  const std::string given = format("/proc/self/fd/{}", kReadingDescriptor);
  std::string installed = reading_library_path();
  struct stat there{}, here{};
  if (fstat(kReadingDescriptor, &here) != 0 || !S_ISREG(here.st_mode)) return installed;
  const bool same = stat(installed.c_str(), &there) == 0 && there.st_dev == here.st_dev &&
                    there.st_ino == here.st_ino;
  return same ? installed : given;
}

const ReadingTable* open_reading_library(const std::string& path) {
  // RTLD_NOW reports missing symbols here and not in the middle of a document.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw unusable(path, format("cannot be opened: {}", dlerror()));
  void* function = dlsym(library, kReadingEntry);
  if (function == nullptr) throw unusable(path, "is not the document library of this program");
  const ReadingTable* table = reinterpret_cast<ReadingEntry*>(function)(kReadingInterface);
  if (table == nullptr) throw unusable(path, "belongs to another build of this program");
  return table;
}

}  // namespace

void check_reading_library() {
  const std::string path = reading_library_path();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw unusable(path, "is missing, but is needed to read documents");
  }
}

int held_reading_library() {
  static int file = [] {
    const int opened = open(reading_library_path().c_str(), O_RDONLY | O_CLOEXEC);
    if (opened < 0) return -1;
    // Above the descriptor numbers that a worker starts with.
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

int worker_main(const std::vector<std::string>& arguments, OpenGraph open_graph) {
  try {
    const ReadingTable* table = open_reading_library(given_library_path());
    close(kReadingDescriptor);
    const auto argument = [&](std::size_t i) {
      return i < arguments.size() ? arguments[i] : std::string();
    };
    return table->worker_main({.models = {.ocr_engine = argument(0), .layout_model = argument(1)},
                               .open_graph = open_graph});
  } catch (const Error& error) {
    std::fprintf(stderr, "document worker: %s\n", error.what());
    return kNoLibraryExit;
  }
}

}  // namespace fineprint::documents
