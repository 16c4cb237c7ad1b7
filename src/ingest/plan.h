// Decides what a run has to do for each file, before anything is read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/ingest/ingest.h"

#include "ingest/reading_settings.h"

namespace fineprint::ingest {

// The work of a run.
struct Plan {
  // Files to read; `doc`, `path`, `hash`, `settings` and `stamp` are set.
  std::vector<store::DocumentRow> to_read;
  // Files with the same content, but another time stamp or path.
  std::vector<store::DocumentRow> to_restamp;
  // Documents of the store under the given paths that no longer exist.
  std::vector<std::string> gone;
  std::vector<FailedFile> failures;
  std::vector<store::UnreadFile> to_remember;  // those of the failures that later runs should know
  std::vector<SkippedFile> skipped;
  // Unread files of the store under the given paths that no longer exist.
  std::vector<std::string> unread_gone;
  // Documents whose files are as they were when they were stored.
  std::vector<store::DocumentRow> unchanged;
  std::int64_t files = 0;
};

// The files that the store knows.
struct KnownFiles {
  std::vector<store::DocumentRow> documents;
  std::vector<store::UnreadFile> unread;
};

// Makes the plan. Of the options, uses passwords, `retry_failed`, `defer_ocr`, `within` and
// `wanted`. Throws Error(unreadable) if none of the paths exists.
Plan make_plan(const std::vector<std::string>& paths, const KnownFiles& known,
               const ReadingSettings& settings, const IngestOptions& options);

}  // namespace fineprint::ingest
