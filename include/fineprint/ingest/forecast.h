// What a run would do, from a look at the documents; nothing is written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/ingest/ingest.h"

namespace fineprint::ingest {

struct Forecast {
  std::vector<FailedFile> failures;  // files that cannot be read
  std::int64_t files = 0, unchanged = 0;
  std::int64_t pages = 0, ocr_pages = 0;  // to be read, and how many of them by OCR
  std::int64_t chunks = 0;                // to be embedded; of pages for OCR as many as of others
  // About, on this machine as busy as it is: reading from the look, OCR and the default text
  // encoder from measurements elsewhere, as much slower or faster as the look was, where that
  // took a second. Off by a factor of two, and with OCR on a busy machine by up to eight: see
  // tests/benchmarks/README.md.
  double seconds = 0;
  std::int64_t bytes = 0;  // that the store grows by, about
  // Vectors of other encoders, or maps, come on top of both, and nobody knows how much.
  bool at_least = false;
};

// Opens the documents that `ingest` would read and reads their text layers. `store`: what there is
// already; nullptr: nothing. Throws what `ingest` does before it changes the store.
Forecast forecast(const std::vector<std::string>& paths, const IngestOptions& options,
                  const store::Store* store);

}  // namespace fineprint::ingest
