// Divides work by ids: which part of a batch or of a folder a machine does.
#pragma once

#include <functional>
#include <string>

namespace fineprint::runs {

// Part `index` (from 0) of `count`. A hash of a question's id decides to which part it belongs.
struct Shard {
  int index = 0;
  int count = 1;
};

// Returns the shard for "I/N" with I from 1, "slurm" (from SLURM_ARRAY_TASK_ID, _MIN, _COUNT), or
// "kubernetes/N" for an indexed job of N completions (from JOB_COMPLETION_INDEX). `environment`
// returns the value of a variable. For example, "2/4" is {1, 4}. Throws Error(usage) if the text
// has another form or a variable is missing.
Shard parse_shard(const std::string& text,
                  const std::function<std::string(const char*)>& environment);
// Returns whether the question or document with this id belongs to the shard.
bool in_shard(const std::string& id, const Shard& shard);

}  // namespace fineprint::runs
