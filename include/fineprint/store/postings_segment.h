// One segment of the keyword index: posting lists of many documents that share one numbering of
// units.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/score/bm25.h"

namespace fineprint::store {

// The range [first_unit, first_unit + units) of a segment's units belongs to `document`.
struct SegmentDocument {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  bool live = true;  // false if the document was replaced or removed after the segment was written
};

// Read access to one segment. Immutable and safe from several threads. Valid while its Store lives.
struct PostingsSegment {
  virtual ~PostingsSegment() = default;
  // Returns the documents of the segment, ordered by first_unit.
  virtual std::span<const SegmentDocument> documents() const = 0;
  // Returns the length of each unit of the segment, counted in terms.
  virtual std::span<const std::uint32_t> lengths() const = 0;
  // Returns all terms of the segment, by their bytes.
  virtual std::vector<std::string> terms() const = 0;
  // Appends the posting list of `term` to `out`, with ascending units. Appends nothing if the
  // segment does not contain the term. The list includes postings of documents that are no longer
  // live, because segments never change: the caller skips them. Throws Error(store) naming the file
  // if the list is damaged.
  virtual void append(std::string_view term, std::vector<score::Posting>* out) const = 0;
  // Returns how many postings append() appends, without reading them. Throws as append() does.
  virtual std::size_t count(std::string_view term) const = 0;
  // Same as append(), but replaces the content of `out`.
  void read(std::string_view term, std::vector<score::Posting>* out) const {
    out->clear();
    append(term, out);
  }
};

}  // namespace fineprint::store
