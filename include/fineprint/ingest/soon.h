// What a store needs for an answer soon, and what a question leaves behind in it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/session/context.h"
#include "fineprint/store/store.h"

namespace fineprint::ingest {

// What a run left that ended before the store was whole.
struct Rest {
  std::int64_t pages = 0;   // that wait for OCR
  std::int64_t chunks = 0;  // without vectors in the sets of the kind "text"
  bool any() const { return pages > 0 || chunks > 0; }
};
Rest rest_of(const store::Store& store);

// Paths of documents with waiting pages, those first that a question most likely needs: whose other
// pages, headings, title or file name hold most of its words. As many as have no more than `most`
// waiting pages together; the first one also with up to four times as many where it holds half of
// the words, and with any number where no page of `within` has any text yet.
// `within`: absolute paths that the question is limited to; empty: none.
std::vector<std::string> likely_documents(const store::Store& store, const std::string& question,
                                          const std::vector<std::string>& within,
                                          std::int64_t most);

// Stores the vectors that a session made for its questions. Returns how many.
std::int64_t keep_made_vectors(const session::Session& session, store::Store& store);

}  // namespace fineprint::ingest
