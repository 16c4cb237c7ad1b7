// Joins small or mostly dead vector segments.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/vectors/segments.h"

namespace fineprint::store {

struct SegmentUse {
  SegmentRow segment;
  std::size_t live_rows = 0;  // rows that a document still owns
  std::size_t row_bytes = 0;
};

// Returns which segments of one set to join into one. If there are segments of which more than half
// belongs to no document any more, returns these. Otherwise returns none if there are up to 16
// segments, and else the smallest ones, as long as the next is not larger than all before it
// together, so that a row is copied about log2(n) times. Either way a join copies at most about
// 256 MB, and takes no segment larger than 128 MB.
std::vector<SegmentUse> segments_to_join(std::vector<SegmentUse> segments);

// Drops segments without rows that a document owns, and joins the others, set by set. Keeps a
// segment whose checksum is wrong as it is, so that verify() reports it.
void join_vector_segments(Database& database, const std::string& dir);

}  // namespace fineprint::store
