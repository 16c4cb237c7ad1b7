// Reads from an answer's trace how the question went.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "fineprint/core/json.h"
#include "fineprint/core/records.h"

namespace fineprint::bench {

// Only "uncertain" is known of an answer without a trace, and nothing of one that failed.
struct TraceFacts {
  // The groups that the question belongs to, by the name of the split: "reflected" (DMAP: the
  // answer did not address the question, so that more pages were read), "uncertain" (HKRAG: the
  // trial answer was, so that the Decoupler was wanted; Answer::uncertain), "rounds" (of ViDoRAG's
  // Seeker, of HKRAG's Decoupler, or of DMAP's reflection). A name is missing if no step of the
  // trace speaks of it.
  std::map<std::string, Json> splits;
  // Milliseconds in the calls that write the answer, and in everything before and between them.
  std::optional<double> answering_ms, retrieval_ms;
  std::optional<std::int64_t> judged_pages;  // pages whose relevance a model judged one by one
};

// Throws Error(input) if the trace is not a list of steps.
TraceFacts trace_facts(const Answer& answer);

}  // namespace fineprint::bench
