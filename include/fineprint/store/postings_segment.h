// One segment of the keyword index: posting lists of many documents under one numbering of units.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "fineprint/score/bm25.h"

namespace fineprint::store {

// Units [first_unit, first_unit + units) of a segment belong to `document`.
struct SegmentDocument {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  bool live = true;  // false: the document was replaced or removed since
};

// Immutable; safe from several threads; valid while its Store lives.
struct PostingsSegment {
  virtual ~PostingsSegment() = default;
  virtual std::span<const SegmentDocument> documents() const = 0;  // by first_unit
  // Of every unit of the segment, in terms.
  virtual std::span<const std::uint32_t> lengths() const = 0;
  // Appends the posting list of a term, units ascending; those of documents that are not live are
  // among them. Throws Error(store) naming the file when the list is damaged.
  virtual void append(std::string_view term, std::vector<score::Posting>* out) const = 0;
  // The same in place of what `out` holds.
  void read(std::string_view term, std::vector<score::Posting>* out) const {
    out->clear();
    append(term, out);
  }
};

}  // namespace fineprint::store
