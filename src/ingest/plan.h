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
  std::vector<store::UnreadFile> to_remember;  // of these failures
  std::vector<SkippedFile> skipped;
  // Unread files of the store that are under the given paths and not found there any more.
  std::vector<std::string> unread_gone;
  // Of files that are in the store as they are now.
  std::vector<store::DocumentRow> unchanged;
  std::int64_t files = 0;
};

// What the store holds.
struct KnownFiles {
  std::vector<store::DocumentRow> documents;
  std::vector<store::UnreadFile> unread;
};

// Of the options it looks at passwords, `retry_failed`, `defer_ocr` and `within`. Throws
// Error(unreadable) when none of the paths exists.
Plan make_plan(const std::vector<std::string>& paths, const KnownFiles& known,
               const ReadingSettings& settings, const IngestOptions& options);

}  // namespace fineprint::ingest
