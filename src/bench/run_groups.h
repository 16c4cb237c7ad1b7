// Groups the questions of a run by how they went.
#pragma once

#include "fineprint/core/json.h"

#include "bench/scored_questions.h"

namespace fineprint::bench {

// Returns {SPLIT: {VALUE: {"questions", "share", "correct", "wrong", "score"}}}. Shares are of the
// questions whose trace speaks of the split. Answers that are partly right are in neither count.
Json splits_json(const ScoredRun& run);

// Returns {"Hit@K": {"both", "retrieval_only", "answer_only", "neither"}}: how many questions with
// gold pages have one of them among the first K, a right answer, both or neither. An answer that is
// partly right is not right. Source: HKRAG, Figure 3.
Json cross_table_json(const ScoredRun& run);

// Returns {"questions", "judged", "pool", "share"}: means over the questions whose pages were
// judged one by one, of the pages judged, those of the searched documents, and their ratio; null if
// there are no such questions. Source: MoLoRAG, Figure 6.
Json judged_pages_json(const BenchmarkData& data, const ScoredRun& run);

}  // namespace fineprint::bench
