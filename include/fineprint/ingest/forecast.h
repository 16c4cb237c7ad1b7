// Estimates what an ingest run would do, by looking at the documents. Writes nothing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/ingest/ingest.h"

namespace fineprint::ingest {

// The expected work and cost of a run.
struct Forecast {
  std::vector<FailedFile> failures;  // files that cannot be read
  std::int64_t files = 0, unchanged = 0;
  std::int64_t pages = 0, ocr_pages = 0;  // to be read, and how many of them by OCR
  // to be embedded; a page for OCR is assumed to have as many as other pages
  std::int64_t chunks = 0;
  // Expected duration on this machine with its present load. Reading is timed during the look. OCR
  // and the default text encoder are estimated from measurements on other machines, scaled by how
  // much slower or faster the look was, if it took a second or more. Off by a factor of two, and
  // with OCR on a busy machine by up to eight; see tests/benchmarks/README.md.
  double seconds = 0;
  std::int64_t bytes = 0;  // expected growth of the store
  // True if vectors of other encoders, or maps, come on top of both figures. Their cost is unknown.
  bool at_least = false;
};

// Opens the documents that `ingest` would read and reads their text layers. `store` is the present
// store, or nullptr if there is none. Throws what `ingest` throws before it changes the store.
Forecast forecast(const std::vector<std::string>& paths, const IngestOptions& options,
                  const store::Store* store);

}  // namespace fineprint::ingest
