// Keeps the store of folders that a question is about up to date: as far as the answer needs it
// before the answer, and completely after it.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/library/cached_stores.h"
#include "fineprint/library/kept_index.h"
#include "fineprint/session/context.h"

namespace fineprint::library {

// What a question about folders needs to know besides them.
struct AskedOptions {
  // The folder of the store, if it was named. If not, the store is in the user's cache folder.
  std::optional<std::string> store = {};
  // Take no store that also holds documents outside of these folders.
  bool alone = false;
  // Returns the options of indexing into the store at this folder. What a run reads, and whether it
  // removes documents, is set by AskedFolder.
  std::function<ingest::IngestOptions(const std::string& store)> ingest;
  session::DocumentFilter filter = {};  // of the question, besides the asked paths
  // Somebody sees at a terminal that work goes on after the answer, and can end it there.
  bool somebody_waits = false;
  // The caller can ask again: it calls read_more() after the answer. Then OCR begins only if the
  // answer from the text layers is doubtful.
  bool asks_again = false;
  // If set, gets the report of each run, without failures that it got before.
  std::function<void(const ingest::IngestReport&)> report = {};
};

// The store of folders that are asked about. For example, the command `ask` calls read_for(),
// answers from the store, and calls go_on().
class AskedFolder {
 public:
  // Throws Error(unreadable) if a path does not exist, and Error(usage) if several stores are
  // named.
  AskedFolder(AskedOptions options, const std::vector<std::string>& paths);

  const std::string& dir() const { return place_.dir; }

  // Reads what an answer to the question needs: text layers, and by OCR only the few pages that it
  // most likely asks about. With `asks_again`, these are left to read_more(), unless the question
  // names their document or no page has text. The rest is read now, too, if that takes little time,
  // if an earlier call left work and nobody waits, or if `question` is empty.
  void read_for(const std::string& question);
  // Reads by OCR the pages that read_for() left, if the answer is declined or hardly supported.
  // Returns whether the question should be asked again, over the store as it is then; `session`
  // must not be used any more. Returns true once at most.
  bool read_more(const session::Session& session, const Answer& answer);
  // Limits a question to the documents at the asked paths. Throws Error(input) if the filter
  // excludes all of them.
  void limit(const session::Corpus& corpus, Question* question) const;
  // Called after the answer. Keeps the vectors that it made. If somebody waits, reads and embeds
  // the rest; else logs what the next call will do. Ctrl-C leaves the rest to the next call, too.
  void go_on(const session::Session& session);
  // Returns whether files failed, completely or in part, that no earlier call has reported.
  bool has_failures() const { return has_failures_; }

 private:
  ingest::IngestOptions ingest_options() const;
  ingest::IngestReport run(const ingest::IngestOptions& options, store::Store& store);
  bool read_soon(const std::string& question, store::Store& store);
  void read_pages_of(const std::vector<std::string>& documents, store::Store& store);

  AskedOptions options_;
  AskedPlace place_;
  std::optional<KeptIndex> kept_;
  bool unfinished_ = false;
  std::vector<std::string> left_;  // documents whose pages read_more() may read
  bool has_failures_ = false;
  std::set<std::string> reported_;  // messages of failures
};

}  // namespace fineprint::library
