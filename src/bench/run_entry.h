// Builds a pipeline's entry in results.json.
#pragma once

#include <string>
#include <vector>

#include "bench/scored_questions.h"

namespace fineprint::bench {

// `answers` must be in the order of the questions. The same answers give the same entry.
Json entry_json(const std::string& pipeline, const BenchmarkData& data,
                const std::vector<Answer>& answers, const ScoredRun& run);

}  // namespace fineprint::bench
