// The joining of small or mostly dead vector segments.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "store/segments.h"

namespace fineprint::store {

struct SegmentUse {
  SegmentRow segment;
  std::size_t live_rows = 0;  // those that a document still owns
  std::size_t row_bytes = 0;
};

// Which of the segments of one set to join into one: those of which more than half belongs to no
// document any more. Else none up to 16 of them; then the smallest ones, as long as the next is
// not larger than all before it together, so that a row is copied about log2(n) times. Either way
// no more than about 256 MB at a time, and none larger than 128 MB.
std::vector<SegmentUse> segments_to_join(std::vector<SegmentUse> segments);

// Drops segments that no document owns rows of, and joins the others, set by set. A segment whose
// checksum is wrong is left as it is, for verify() to name.
void join_vector_segments(Database& database, const std::string& dir);

}  // namespace fineprint::store
