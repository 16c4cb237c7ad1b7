// Opens the library of the document workers, in a worker or where its facts are asked for.
#include "fineprint/documents/reading_library.h"

#include <cstdio>
#include <filesystem>

#include <dlfcn.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/documents/protocol.h"

namespace fineprint::documents {
namespace {

Error unusable(const std::string& path, const std::string& why) {
  return Error(ErrorCode::internal,
               format("{}: {}; build again with scripts/fineprint", path, why));
}

std::string reading_library_path() {
  const std::filesystem::path folder = std::filesystem::path(program_path()).parent_path();
  return (folder / kReadingLibrary).string();
}

const ReadingTable* open_reading_library() {
  const std::string path = reading_library_path();
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

const ReadingTable& reading() {
  static const ReadingTable* const table = open_reading_library();
  return *table;
}

int worker_main() {
  try {
    return reading().worker_main();
  } catch (const Error& error) {
    std::fprintf(stderr, "document worker: %s\n", error.what());
    return kNoLibraryExit;
  }
}

}  // namespace fineprint::documents
