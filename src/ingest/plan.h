// Decides, before anything is read, what a run has to do for each file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/ingest/ingest.h"

#include "ingest/reading_settings.h"

namespace fineprint::ingest {

struct Plan {
  // To be read; `doc`, `path`, `hash`, `settings` and `stamp` are filled in.
  std::vector<store::DocumentRow> to_read;
  // Content as before, but another time or place.
  std::vector<store::DocumentRow> to_restamp;
  // In the store, under the given paths, and not found there any more.
  std::vector<std::string> gone;
  std::vector<FailedFile> failures;
  std::int64_t files = 0, unchanged = 0;
};

// `known` is what the store holds. Throws Error(unreadable) for a path that does not exist.
Plan make_plan(const std::vector<std::string>& paths, const std::vector<store::DocumentRow>& known,
               const ReadingSettings& settings);

}  // namespace fineprint::ingest
