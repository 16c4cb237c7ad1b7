// The interface between the program and the library of its document workers, which is opened at run
// time. The library holds the rooms that open documents (reading, pdf, ocr, markup) with everything
// they depend on, some ninety shared libraries. Because it is separate, a command that reads no
// document starts without them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/documents/document_workers.h"

namespace fineprint::documents {

// File name of the library; see own_library_path().
inline constexpr const char* kReadingLibrary = "libfineprint_reading.so";

// The versions of the libraries that read documents, for `doctor` and similar output.
struct ReadingFacts {
  std::string mupdf, tesseract;            // versions
  std::vector<std::string> ocr_languages;  // installed, sorted
};

// The functions that the library provides.
struct ReadingTable {
  int (*worker_main)(const WorkerStart& start);
  ReadingFacts (*facts)();
};

// Changes if program and library must not be mixed. Raise the first number with every change to the
// functions or types that they share. The sizes catch a change whose number was not raised.
inline constexpr std::uint64_t kReadingInterface =
    std::uint64_t{5} << 48 | sizeof(ReadOptions) << 32 | sizeof(Page) << 16 | sizeof(WorkerLimits);

// The library's only exported function. Returns nullptr if `interface` is not the library's own
// kReadingInterface.
using ReadingEntry = const ReadingTable*(std::uint64_t interface);
inline constexpr const char* kReadingEntry = "fineprint_reading";

// Call this before anything is read. Throws Error(internal) if the library's file is missing.
void check_reading_library();

// Returns a descriptor of the library's file, or -1 if it cannot be opened. It is held open from
// the first call on, so that workers started after an upgrade still load the library of the running
// program. Workers find it under kReadingDescriptor.
int held_reading_library();
inline constexpr int kReadingDescriptor = 4;

// Returns the library's functions. The first call opens the library next to the program. Throws
// Error(internal) if the library is missing or belongs to another build.
const ReadingTable& reading();

}  // namespace fineprint::documents
