// The keyword index of a complete corpus, by chunk id or by page id.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/score/bm25.h"
#include "fineprint/store/postings_segment.h"
#include "fineprint/store/store.h"

namespace fineprint::session {

class Corpus;

// All segments of the store, renumbered. Immutable; safe from several threads.
class KeywordIndex {
 public:
  // Reads a field of the corpus's store whose units are chunks or pages: "chunk", or a sparse
  // vector set. Throws Error(store) if a segment is damaged or does not fit the documents.
  KeywordIndex(const Corpus& corpus, const std::string& field, store::VectorUnit unit);

  // Replaces `out` by the postings of a term in all documents, by chunk or page id. The postings of
  // a document ascend, but documents come in no particular order. Reusing a buffer saves much of
  // the time, because it need not grow again. Throws Error(store) if the list is damaged.
  void read(std::string_view term, std::vector<score::Posting>* out) const;

  // The same, segment by segment: each unit is in one of them, so that threads can share the work
  // by segments.
  std::size_t segment_count() const { return segments_.size(); }
  void append(std::size_t segment, std::string_view term, std::vector<score::Posting>* out) const;
  // Returns how many postings append() appends. Reads them only if documents of the segment are
  // dead.
  std::size_t count(std::size_t segment, std::string_view term) const;

  // Returns the number of all chunks or pages, including those without terms.
  std::size_t unit_count() const { return damping_.size(); }
  store::VectorUnit unit() const { return unit_; }
  // Returns how many of them no document's lists cover: their vectors are still to be made.
  std::size_t missing() const { return unit_count() - held_; }
  // Returns the damping of each unit for score::Bm25Parameters{}; see score::bm25_damping.
  std::span<const float> damping() const { return damping_; }

 private:
  // A segment of the store, with the chunk or page ids of its units.
  struct Segment {
    // Stays open as long as the index.
    std::shared_ptr<const store::PostingsSegment> postings;
    std::vector<std::uint32_t> id;  // of each unit; kGone for those of dead documents
    bool all_live = true;
  };
  // Renumbers a segment and records the lengths of its live units.
  void add(const Corpus& corpus, std::shared_ptr<const store::PostingsSegment> postings,
           std::vector<std::uint32_t>* lengths);

  store::VectorUnit unit_;
  std::vector<Segment> segments_;
  std::size_t held_ = 0;
  // By chunk or page id.
  std::vector<float> damping_;
};

}  // namespace fineprint::session
