// Keeps the store of folders that a question is about up to date: as far as the answer needs it
// before the answer, and completely after it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

#include "cli/cached_stores.h"
#include "cli/kept_index.h"

namespace fineprint::cli {

using settings::Settings;

class AskedFolder {
 public:
  // The store is --store if the command line gives it, else one in the user's cache folder. Throws
  // Error(unreadable) if a path does not exist.
  AskedFolder(const Settings& settings, const std::vector<std::string>& paths);

  const std::string& dir() const { return place_.dir; }

  // Reads what an answer to the question needs: text layers, and by OCR only the few pages that it
  // most likely asks about. The rest is read now, too, if that takes little time, if an earlier
  // call left work and nobody waits at a terminal, or if `question` is empty.
  void read_for(const std::string& question);
  // Limits a question to the documents at the paths on the command line.
  void limit(const session::Corpus& corpus, Question* question) const;
  // Called after the answer. Keeps the vectors that it made. If both stdout and stderr are a
  // terminal, reads and embeds the rest; else reports what the next call will do. Ctrl-C leaves the
  // rest to the next call, too.
  void go_on(const session::Session& session);
  // Returns whether files failed, completely or in part, that no earlier call has reported.
  bool has_failures() const { return has_failures_; }

 private:
  ingest::IngestReport run(const ingest::IngestOptions& options, store::Store& store);
  bool read_soon(const std::string& question, store::Store& store);

  const Settings& settings_;
  AskedPlace place_;
  std::optional<KeptIndex> kept_;
  bool unfinished_ = false;
  bool has_failures_ = false, told_skipped_ = false;
  std::set<std::string> told_;  // failures that were printed
};

}  // namespace fineprint::cli
