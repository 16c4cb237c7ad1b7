// The keyword index of a whole corpus, under the dense numbers of its chunks.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "fineprint/score/bm25.h"
#include "fineprint/store/postings_segment.h"

namespace fineprint::session {

class Corpus;

// Immutable; safe from several threads.
class KeywordIndex {
 public:
  // Reads the field "chunk" of the corpus's store. Throws Error(store) when a segment is damaged or
  // does not fit the chunks.
  explicit KeywordIndex(const Corpus& corpus);

  // Replaces `out` by the postings of a term in all documents, by dense chunk; those of a document
  // ascend, documents come in no order. A buffer that is used again spares much of the time. Throws
  // Error(store) when the list is damaged.
  void read(std::string_view term, std::vector<score::Posting>* out) const;

  std::size_t unit_count() const {
    return damping_.size();
  }  // all chunks, also those without terms
  // Of each chunk, for score::Bm25Parameters{}: see score::bm25_damping.
  std::span<const float> damping() const { return damping_; }

 private:
  struct Segment {
    std::shared_ptr<const store::PostingsSegment> postings;
    std::vector<std::uint32_t> chunk;  // of each unit; kGone for those of dead documents
  };
  void add(const Corpus& corpus, std::shared_ptr<const store::PostingsSegment> postings,
           std::vector<std::uint32_t>* lengths);

  std::vector<Segment> segments_;
  std::vector<float> damping_;
};

}  // namespace fineprint::session
