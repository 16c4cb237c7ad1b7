// What the program and the library of its document workers, opened at run time, agree upon. The
// library holds the rooms that open documents (reading, pdf, ocr, markup) with all that they are
// built on, some ninety shared libraries: a command that reads no document starts without them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/documents/reader.h"

namespace fineprint::documents {

// File name of the library; see own_library_path().
inline constexpr const char* kReadingLibrary = "libfineprint_reading.so";

// What documents are read by, for people.
struct ReadingFacts {
  std::string mupdf, tesseract;            // versions
  std::vector<std::string> ocr_languages;  // installed, sorted
};

struct ReadingTable {
  int (*worker_main)();
  ReadingFacts (*facts)();
};

// Changes when the two must not be mixed: raise the first number with any change to the functions
// or types that cross the border. The sizes catch a forgotten one.
inline constexpr std::uint64_t kReadingInterface =
    std::uint64_t{1} << 48 | sizeof(ReadOptions) << 32 | sizeof(Page) << 16 | sizeof(WorkerLimits);

// The library's one exported function. Returns nullptr when `interface` is not its own
// kReadingInterface.
using ReadingEntry = const ReadingTable*(std::uint64_t interface);
inline constexpr const char* kReadingEntry = "fineprint_reading";

// Before anything is read: throws Error(internal) where the library's file is missing.
void check_reading_library();

// The library's file, held open from the first call on, so that workers that start after an upgrade
// are still those of the running program; -1 where it cannot be opened. A worker has it under
// kReadingDescriptor.
int held_reading_library();
inline constexpr int kReadingDescriptor = 4;

// Opens the library beside the program at the first call. Throws Error(internal) where it is
// missing or another build's.
const ReadingTable& reading();

}  // namespace fineprint::documents
