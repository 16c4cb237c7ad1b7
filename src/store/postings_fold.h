// Which postings segments are written anew when waiting postings are folded.
#pragma once

#include <vector>

#include "store/postings.h"

namespace fineprint::store {

// Those of which more than half is dead; and, when there is something to write, the small ones as
// long as the next is not larger than all that is written already, so that a posting is copied
// about log2(n) times and at most about log2(n) segments remain. Either way no more than about
// 256 MB at a time.
std::vector<PostingsRow> postings_to_join(std::vector<PostingsRow> segments,
                                          std::int64_t pending_bytes);

}  // namespace fineprint::store
