// Prepares a store for a quick answer, and keeps what a question has made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/session/context.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// The work left by a run that ended before the store was complete.
struct Rest {
  std::int64_t pages = 0;   // pages that wait for OCR
  std::int64_t chunks = 0;  // chunks without vectors in the sets of the kind "text"
  bool any() const { return pages > 0 || chunks > 0; }
};
// Returns the work that a store still needs.
Rest rest_of(const store::Store& store);

// Documents with waiting pages.
struct LikelyDocuments {
  std::vector<std::string> paths;  // best first
  // An answer from the text layers alone would be blind: the question names one of the documents,
  // or no page that it may be about has text yet.
  bool are_meant = false;
};
// Returns the documents with waiting pages that a question most likely needs.
// A document is likely if its other pages, headings, title or file name contain most words of the
// question. The documents have at most `most` waiting pages together, with two exceptions for the
// first: it may have up to four times as many if it contains half of the words, and any number if
// no page of `within` has text yet. `within` lists absolute paths that the question is limited to;
// empty means no limit.
LikelyDocuments likely_documents(const store::Store& store, const std::string& question,
                                 const std::vector<std::string>& within, std::int64_t most);

// Stores the vectors that a session made for its questions, so that later questions need not make
// them again. Returns the number of units.
std::int64_t keep_made_vectors(const session::Session& session, store::Store& store);

}  // namespace fineprint::ingest
