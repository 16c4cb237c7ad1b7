// Folders that a question is about: brought up to date as far as the answer needs, and further once
// it is given.
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
  // The folders' store is --store of the command line, else in the user's cache folder. Throws
  // Error(unreadable) for a path that does not exist.
  AskedFolder(const Settings& settings, const std::vector<std::string>& paths);

  const std::string& dir() const { return place_.dir; }

  // Reads what an answer to this question needs: text layers, and the few pages by OCR that it most
  // likely asks about. The rest too where it is soon done, where an earlier call left it and nobody
  // waits at a terminal, and where there is no question (empty).
  void read_for(const std::string& question);
  // Limits a question to the documents at the paths that were asked about.
  void limit(const session::Corpus& corpus, Question* question) const;
  // After the answer: keeps the vectors that it made; reads and embeds the rest when both stdout
  // and stderr are a terminal, else says what the next call will do. Ctrl-C leaves the rest, too.
  void go_on(const session::Session& session);
  // Files failed, wholly or in part, that no earlier call has told of.
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
